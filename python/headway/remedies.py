# SPDX-License-Identifier: Apache-2.0
"""Causes and remedies of a run, measured by running the spec again with changes, like ``headway why --try``."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from headway import _headway, executors
from headway.plots import plot_gains
from headway.progress import Progress, reporter
from headway.reference import Text
from headway.results import Result, Table, _no_such, html_table
from headway.running import Path, _jobs, _spec
from headway.spec import Spec

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

_TABLE = "what_if"


def what_if(
    spec: Spec,
    *changes: str,
    without: str | Iterable[str] = (),
    usual_rates: str | Iterable[str] = (),
    repaired: str | Iterable[str] = (),
    doubled: str | None = None,
    stagger: int | None = None,
    **flags: bool,
) -> Spec:
    """A copy of the spec that asks what something costs, by taking it away: keys of the table ``what_if``
    (docs/remedies.md).

    ``changes`` are names of the keys that are true or false, with dashes, such as ``"perfect-switch"`` and
    ``"no-delay"``. They can also be keywords. ``without`` has names of flows, traces and jobs, ``usual_rates`` has slow
    links or ``"all"``, and ``repaired`` has failed ones; what the spec has in these lists stays there. ``doubled`` is ``"nodes"`` or ``"switches"``: the
    links that are twice as fast.

    >>> import headway as hw
    >>> spec = hw.Spec(network={"k": 2, "n": 2}, traffic={"flow": [{"name": "a"}, {"name": "b", "load": 0.2}]})
    >>> hw.what_if(spec, "perfect-switch", without="b").to_dict()["what_if"]
    {'without': ['b'], 'perfect_switch': True}
    >>> hw.what_if(spec, "perfect-swich")
    Traceback (most recent call last):
    ValueError: there is no change 'perfect-swich'; did you mean 'perfect-switch'?
    """
    changed = _spec(spec).copy()
    lists = {
        f"{_TABLE}.{key}": [names] if isinstance(names, str) else list(names)
        for key, names in (("without", without), ("usual_rates", usual_rates), ("repaired", repaired))
    }
    for key, names in lists.items():
        if names:
            changed[key] = list(dict.fromkeys([*(changed[key] or []), *names]))
    for key, value in {**{_key_of(change): True for change in changes}, **flags}.items():
        changed[f"{_TABLE}.{_flag(key)}"] = value
    for key, one in (("doubled", doubled), ("stagger", stagger)):
        if one is not None:
            changed[f"{_TABLE}.{key}"] = one
    if any(lists.values()):
        changed.check()  # names that do not exist
    return changed


def _key_of(change: str) -> str:
    if not isinstance(change, str):
        raise TypeError(f"a change is a text, such as 'perfect-switch', not {type(change).__name__}")
    return change.replace("-", "_")


def _flag(key: str) -> str:
    paths = [path.rpartition(".") for path, kind, *_ in _headway.keys() if kind == "true or false"]
    keys = [name for table, _, name in paths if table == _TABLE]
    if key in keys:
        return key
    raise ValueError(_no_such("change", key.replace("_", "-"), [name.replace("_", "-") for name in keys]))


@dataclass(frozen=True)
class Change:
    """A change of the spec that was run, or why it was not: a row of the table ``remedies`` (docs/metrics.md)."""

    change: str
    """Its name: ``without storage``."""
    kind: str
    """``cause``, ``bound``, ``remedy``, ``pair``, or ``own`` for one of ``tries``."""
    group: str
    gain: float
    """How many times better the goal is, with the seed of the spec; below 1, worse. NaN: it was skipped, or the run was
    stopped because it took longer (``status`` is then ``unfinished``)."""
    gain_low: float
    """The smallest gain over the seeds."""
    gain_high: float
    seeds: int
    """Number of seeds that were run; 0: skipped."""
    value: float
    """The goal with this change."""
    status: str
    others_worst: float
    """The smallest gain of all other flows and jobs; below 1, the change harms one of them."""
    queues_per_port: float
    cam_lines_per_port: float
    port_memory_bytes: float
    lanes: float
    out_of_order_packets: float
    skipped: str
    """Why it was not run; empty: it was."""
    keys: dict[str, Any]
    """The keys of the spec that make the change: ``spec.replaced(change.keys)``."""


@dataclass(frozen=True)
class Step:
    """A change that :func:`remedies` made when it followed the account, one after the other."""

    change: str
    kind: str
    group: str
    gain: float
    """How many times better the goal is with this change and those before it."""
    alone: float
    """With this change only; NaN: not run."""
    needed: bool
    """False: what it takes away was a symptom, because its return costs nothing."""
    most_gain: float
    """What the account said before the run; NaN: it did not suggest the change."""
    keys: dict[str, Any]
    """The keys of the spec that make the change."""
    together: dict[str, Any]
    """The keys of this change and of those before it."""


class Remedies:
    """What :func:`remedies` found."""

    def __init__(self, spec: Spec, base: Result, found: Mapping[str, Any]) -> None:
        self._spec = spec
        self.base = base
        """The result without changes, with the tables that say where the time goes, and the table ``remedies``."""
        self.goal: str = found["goal"]
        """The metric that changes are judged by."""
        self.complete: bool = found["complete"]
        """False: the budget ended before all was tried."""
        self.rows = tuple(_rows(base.table("remedies"), found["keys"]))
        """All changes in the order in which they were tried."""
        self.followed = tuple(Step(**step) for step in found["steps"])
        """The changes that were made one after the other, as the account suggested them."""
        self.conclusion = Text("\n".join(part for part in (found["why"], found["followed"], found["page"]) if part))
        """What the run shows, what following its account shows, and what changes gain, in sentences."""

    @property
    def table(self) -> Table:
        """The table ``remedies``."""
        return self.base.table("remedies")

    @property
    def effect(self) -> float:
        """Gains below ``1 + effect`` are none: 5 %, or twice what a neutral change has."""
        effects = self.table["effect"]
        return float(effects[0]) if len(effects) > 0 else 0.05

    @property
    def _ends(self) -> bool:
        """False: without changes, the goal has no value, as in a deadlock."""
        return not np.isnan(self.table["base"]).any()

    @property
    def causes(self) -> list[Change]:
        """What slows the goal: things without which it is better, the largest gain first."""
        return self._that_gain("cause")

    @property
    def bounds(self) -> list[Change]:
        """What nothing can surpass, such as a perfect switch, the largest gain first."""
        return self._that_gain("bound")

    @property
    def remedies(self) -> list[Change]:
        """What can be bought or configured and makes the goal better, alone or in pairs, and your own changes that do,
        the largest gain first."""
        causes = {row.change for row in self.rows if row.kind == "cause"}
        return [
            row for row in self._that_gain("remedy", "pair", "own") if not set(row.change.split(", and ")) <= causes
        ]

    def _that_gain(self, *kinds: str) -> list[Change]:
        rows = [row for row in self.rows if row.kind in kinds and row.gain >= 1 + self.effect]
        return sorted(rows, key=lambda row: -row.gain)

    def frame(self) -> pandas.DataFrame:
        """The table ``remedies`` as a pandas data frame with a row for each change."""
        return self.table.frame()

    def spec_of(self, change: Change | Step | str) -> Spec:
        """The spec with a change, which :func:`run` repeats. Of a step, with the changes before it, too.

        A change is given by its name, too: ``"without storage"``.
        """
        if isinstance(change, str):
            named = [row for row in self.rows if row.change == change]
            if not named:
                raise KeyError(_no_such("change", change, [row.change for row in self.rows]))
            change = named[-1]  # names of tries can be those of other changes, which come before
        return self._spec.replaced(change.together if isinstance(change, Step) else change.keys)

    def plot(self, *, most: int = 8, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws gains as bars: of causes, bounds, remedies, and changes that make it worse, at most ``most`` of each.

        The axis is logarithmic; 1 is the run without changes. Lines are ranges over the seeds. Changes without an
        effect are left out.
        """
        if not self._ends:
            raise ValueError(f"no change has a gain: the run without changes has no {self.goal}; {self.base.detail}")
        worse = [
            row
            for row in self.rows
            if row.kind != "pair" and not row.skipped and not row.gain > 1 / (1 + self.effect)
        ]
        worse.sort(key=lambda row: -row.gain if row.gain > 0 else 0)
        shown = [rows[:most] for rows in (self.causes, self.bounds, self.remedies, worse)]
        return plot_gains([row for rows in shown for row in rows], self.goal, ax=ax)

    def __repr__(self) -> str:
        text = f"<Remedies for {self.goal}: {sum(not row.skipped for row in self.rows)} changes run"
        if not self._ends:
            return f"{text}; without changes: {self.base.status}>"
        for what, rows in (("cause", self.causes), ("remedy", self.remedies)):
            text += f"; best {what}: {rows[0].change}, {rows[0].gain:.3g} times" if rows else f"; no {what}"
        return text + ">"

    def _repr_html_(self) -> str:
        rows = [*self.causes, *self.bounds, *self.remedies]
        cells = [[row.kind, row.change, f"{row.gain:.3g}", _range(row)] for row in rows]
        return html_table(["kind", "change", f"gain of {self.goal}", "over seeds"], cells)


def remedies(
    spec: Spec,
    *,
    goal: str | None = None,
    budget: str = "60 s",
    tries: Mapping[str, Mapping[str, Any]] | None = None,
    seeds: int = 3,
    jobs: int | None = None,
    out: Path | None = None,
    executor: executors.Executor | None = None,
    progress: Progress = None,
) -> Remedies:
    """Runs a spec, finds what slows it and what helps by running it with changes, and says what each gains and costs
    (docs/remedies.md), like ``headway why --try``.

    ``goal`` is the metric that changes are judged by, such as ``"train.completion_ns"``; by default, the completion of
    the first job, or the load or latency of the flow that suffers. ``budget`` says how much is simulated; a second
    stands for ten million events, so that equal calls try the same. ``tries`` has your own changes: for each name, the
    keys of the spec with their values. What helps is confirmed with ``seeds`` seeds. ``jobs`` runs are made at a time,
    by default one per core; on an ``executor``, as of :func:`sweep`, they are made in other processes or on other
    machines, those that do not depend on each other at a time. With ``out``, results and all runs are kept in this
    directory, and a later call repeats none.

    >>> import headway as hw
    >>> spec = hw.Spec(network={"k": 2, "n": 2}, measure={"warmup": "5 us", "duration": "50 us"}, traffic={"flow": [
    ...     {"name": "hot", "pattern": "hotspot", "destination": 3, "load": 0.6}, {"name": "rest", "load": 0.3}]})
    >>> r = hw.remedies(spec, goal="rest.latency_p90_ns", budget="2 s", seeds=1)
    >>> r.causes[0].change
    'without hot'
    >>> hw.run(r.spec_of("without hot")).metrics["rest.latency_p90_ns"] == r.causes[0].value
    True
    """
    spec = _spec(spec)
    own = _tries(spec, tries or {})
    number = operator.index(seeds)
    if not 1 <= number <= _headway.most_seeds_of_remedies:
        raise ValueError(f"seeds must be from 1 to {_headway.most_seeds_of_remedies}, not {number}")
    if executor is not None and jobs is not None:
        raise ValueError("an executor decides how many runs are made at a time: omit jobs")
    with reporter(progress) as report:
        found = _headway.remedies(
            spec._draft,
            goal=goal,
            budget=budget,
            tries=own,
            seeds=number,
            jobs=_jobs(jobs),
            out=out,
            on_executor=None if executor is None else executors.runner(executor),
            on_progress=report,
        )
    if found["warning"]:
        warnings.warn(found["warning"], RuntimeWarning, stacklevel=2)
    point = found["base"]
    return Remedies(spec.copy(), Result(point.result, (Spec._of(found["spec"]), point)), found)


def _tries(spec: Spec, tries: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Raises SpecError for a key or a value that a spec cannot have."""
    own = []
    for name, keys in tries.items():
        if not isinstance(name, str) or not isinstance(keys, Mapping):
            raise TypeError("tries must be a dict of names and dicts of keys with their values")
        spec.replaced(dict(keys))
        own.append((name, dict(keys)))
    return own


def _rows(table: Table, keys: list[dict[str, Any]]) -> Iterable[Change]:
    columns = [name for name in Change.__dataclass_fields__ if name != "keys"]
    for number, of_row in enumerate(keys):
        cells: dict[str, Any] = {name: table[name][number].item() for name in columns}
        cells["seeds"] = int(cells["seeds"])
        yield Change(**cells, keys=of_row)


def _range(row: Change) -> str:
    return f"{row.gain_low:.3g} to {row.gain_high:.3g} over {row.seeds} seeds" if row.seeds > 1 else ""
