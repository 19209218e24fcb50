# SPDX-License-Identifier: Apache-2.0
"""Runs, sweeps over keys, and searches for the saturation load."""

from __future__ import annotations

import operator
import os
import pathlib
import warnings
from collections.abc import Mapping
from typing import Any

from headway import _headway, executors
from headway._generated import Seeds
from headway.files import write_all
from headway.progress import Progress, reporter
from headway.results import Result
from headway.spec import Spec
from headway.sweeps import Sweep

Path = str | os.PathLike[str]


def run(
    spec: Spec,
    *,
    seed: int | None = None,
    threads: int | None = None,
    check: bool = False,
    out: Path | None = None,
    progress: Progress = None,
) -> Result:
    """Runs a spec and returns its result; with several ``seeds`` in the spec, the mean over the seeds.

    Other Python threads can run meanwhile. Ctrl-C stops the run within a second. ``check`` verifies the
    simulator's invariants during the run, which is slower. ``out`` is a directory for the results, like ``--out``.

    At most ``threads`` threads simulate the network together, by default one per core; fewer if more would not make
    the run faster. The results do not depend on it.

    >>> import headway as hw
    >>> spec = hw.Spec(network={"k": 2, "n": 2}, traffic={"flow": [{"load": 0.4}]},
    ...                measure={"warmup": "5 us", "duration": "50 us"})
    >>> r = hw.run(spec)
    >>> r.status, round(r.accepted_load, 1)
    ('ok', 0.4)
    >>> float(r.series["time_ns"].max())
    55000.0
    """
    spec = _spec(spec, seed=seed)
    collected = _collect(
        spec, progress, single=True, threads=_threads(threads), check=bool(check), out=out, command=["headway.run"]
    )
    return Result(collected.points[0].result, (spec, collected.points[0]))


def sweep(
    spec: Spec,
    axes: Mapping[str, Any] | None = None,
    *,
    seeds: int | Seeds | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    threads: int | None = None,
    out: Path | None = None,
    saturation: Mapping[str, Any] | bool = False,
    check: bool = False,
    progress: Progress = None,
    executor: executors.Executor | None = None,
) -> Sweep:
    """Runs a spec at all points of a sweep, ``jobs`` of them at a time, by default one per core.

    At most ``threads`` threads simulate a point together, by default the cores that fewer points than cores leave.

    ``axes`` has a list of values for each dotted key; the points are all combinations. It is like the table
    ``[sweep]`` of a spec file and adds to it. ``seeds`` is the number of runs of each point; their mean and 95 %
    interval are the point's result. As in a spec file, ``seeds`` can also ask for runs until the interval is
    narrow enough, such as ``{"until": "latency_mean_ns", "relative": 0.02}``.

    With ``out``, finished runs are kept in this directory, as with ``headway run --out``. The same call continues
    there after Ctrl-C.

    ``saturation`` searches for the saturation load of each point instead of running it: True, or a dict of the
    arguments of :func:`saturation`.

    ``executor`` runs the points in other processes or on other machines. It is a ``concurrent.futures.Executor``, or
    anything with its ``submit``, such as the executors of mpi4py and Dask. Results and ``out`` are the same as
    without it.

    >>> import headway as hw
    >>> spec = hw.Spec(network={"k": 2, "n": 2}, traffic={"flow": [{"load": 0.4}]},
    ...                measure={"warmup": "5 us", "duration": "50 us"})
    >>> s = hw.sweep(spec, {"switch.scheme": ["1q", "voqnet"], "traffic.flow[0].load": [0.2, 0.4]})
    >>> [(p.params["switch.scheme"], p.result.status) for p in s.points]
    [('1q', 'ok'), ('1q', 'ok'), ('voqnet', 'ok'), ('voqnet', 'ok')]
    """
    spec = _spec(spec, seed=seed, seeds=seeds)
    if axes is not None:
        if not isinstance(axes, Mapping):
            raise TypeError("axes must be a dict of keys and lists of their values")
        spec["sweep"] = {**(spec["sweep"] or {}), **axes}
    if executor is not None and (jobs is not None or threads is not None):
        raise ValueError("jobs and threads have no effect with an executor, which has its own number of workers")
    search = None if saturation is False else {} if saturation is True else dict(saturation)
    collected = _collect(
        spec,
        progress,
        executor,
        search=search,
        check=bool(check),
        jobs=_jobs(jobs),
        threads=_threads(threads),
        out=out,
        command=["headway.sweep"],
    )
    return Sweep(collected.points, spec=spec, reused=collected.reused)


def saturation(
    spec: Spec,
    *,
    precision: float = 0.01,
    share: float = 0.97,
    times: float = 5.0,
    latency: str | None = None,
    lowest: float = 0.01,
    seed: int | None = None,
    threads: int | None = None,
    out: Path | None = None,
    progress: Progress = None,
    executor: executors.Executor | None = None,
) -> Result:
    """Searches for the largest load that the network sustains, by bisection.

    The result is that of the run at this load, with ``saturation_load`` and the final interval of the search. A
    load is sustained if the network accepts at least ``share`` of it and the mean latency is at most ``times``
    that at the ``lowest`` load, or at most ``latency``, such as "50 us". The search varies the largest load of
    the flows and keeps their ratios. It ends when the interval is at most ``precision`` wide. ``threads`` is as for
    :func:`run`, and ``executor`` as for :func:`sweep`.

    >>> import headway as hw
    >>> spec = hw.Spec(network={"k": 2, "n": 2}, traffic={"flow": [{"load": 1.0}]},
    ...                measure={"warmup": "5 us", "duration": "50 us"})
    >>> 0.3 < hw.saturation(spec, precision=0.1).saturation_load < 1
    True
    """
    spec = _spec(spec, seed=seed)
    search = {"precision": precision, "share": share, "times": times, "latency": latency, "lowest": lowest}
    collected = _collect(
        spec,
        progress,
        executor,
        single=True,
        search=search,
        threads=_threads(threads),
        out=out,
        command=["headway.saturation"],
    )
    return Result(collected.points[0].result, (spec, collected.points[0]))


def export(spec: Spec, directory: Path) -> None:
    """Writes the network of a spec, its routes and its queues as files, and ``spec.toml``, which uses them and gives
    the same results. Like ``headway export``, this is a starting point for changes.

    :meth:`Spec.save` writes a spec unchanged.
    """
    write_all(pathlib.Path(directory), dict(_headway.exported(_spec(spec)._draft)))


def _spec(spec: Spec, **values: Any) -> Spec:
    if not isinstance(spec, Spec):
        read = "; headway.Spec.read reads a file" if isinstance(spec, str | os.PathLike) else ""
        raise TypeError(f"a spec must be a headway.Spec, not {type(spec).__name__}{read}")
    return spec.replaced({key: value for key, value in values.items() if value is not None})


def _jobs(jobs: int | None) -> int:
    return _number_of("jobs", jobs, _headway.most_jobs)


def _threads(threads: int | None) -> int:
    return _number_of("threads", threads, _headway.most_threads)


def _number_of(what: str, number: int | None, most: int) -> int:
    """0 stands for the default."""
    if number is None:
        return 0
    number = operator.index(number)
    if not 1 <= number <= most:
        raise ValueError(f"{what} must be from 1 to {most}, not {number}")
    return number


def _collect(
    spec: Spec,
    progress: Progress,
    executor: executors.Executor | None = None,
    *,
    search: Mapping[str, Any] | None = None,
    **request: Any,
) -> _headway.Collected:
    with reporter(progress) as report:
        if executor is not None:
            collected = executors.collect(executor, spec, search, report, **request)
        else:
            limits = None if search is None else _headway.Search(**search)
            collected = _headway.collect(spec._draft, _headway.Request(search=limits, **request), report)
    for text in collected.warnings:
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    return collected
