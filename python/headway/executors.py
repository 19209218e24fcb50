# SPDX-License-Identifier: Apache-2.0
"""Runs on the executors of other packages, in other processes and on other machines.

The caller's process holds the spec, the directory of results and the list of what is to be run. A task of the executor is a
few runs; it gets the spec and returns the results in the form in which the journal of a directory has them.
"""

from __future__ import annotations

import functools
import pickle
import queue
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from headway import _headway
from headway.errors import InvariantError, SpecError
from headway.progress import Report
from headway.spec import Spec

_Task = tuple[int, int]


class Future(Protocol):
    """What a sweep needs of a future."""

    def result(self) -> Any:
        """The value that the function returned. Raises what it raised, or why there is no value."""

    def add_done_callback(self, fn: Callable[[Any], object], /) -> object:
        """Calls ``fn`` when there is a result, in any thread."""

    def cancel(self) -> object:
        """Tries to prevent the call."""


class Executor(Protocol):
    """What a sweep needs of an executor: that of ``concurrent.futures.Executor``."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future:
        """Calls a function in a worker."""


# Choice: short runs are sent together, because sending takes some milliseconds; 2 million hops take about 0.3 s.
_HOPS_AT_ONCE = 2e6
_TASKS_AT_ONCE = 100
_ATTEMPTS = 2
_LOOK_S = 0.05


def collect(
    executor: Executor, spec: Spec, search: Mapping[str, Any] | None, report: Report | None, **request: Any
) -> _headway.Collected:
    """Like ``_headway.collect``, on an executor."""
    _check(executor)
    limits = None if search is None else _headway.Search(**search)
    collecting = _headway.Collecting(spec._draft, _headway.Request(search=limits, **request))
    job = pickle.dumps((spec, search, bool(request.get("check")), request.get("out") is not None))
    try:
        _Collection(executor, collecting, job, report).run()
        return collecting.take()
    finally:
        collecting.close()


class _Collection:
    """The tasks of a sweep and their futures."""

    def __init__(
        self, executor: Executor, collecting: _headway.Collecting, job: bytes, report: Report | None
    ) -> None:
        self._executor = executor
        self._collecting = collecting
        self._job = job
        self._report = report
        self._running: dict[int, tuple[Future, list[_Task], int]] = {}  # by number: with the number of the attempt
        self._ended: queue.SimpleQueue[int] = queue.SimpleQueue()  # numbers
        self._started = 0
        self._lost: list[_Task] = []
        self._why: BaseException | None = None  # they are lost
        self._failed: Exception | None = None  # what the first run without a result raised
        self._tasks = self._done = 0
        self._work = self._work_done = 0.0

    def run(self) -> None:
        try:
            self._add(self._collecting.missing())
            while self._running:
                self._take_ended()
                self._tell()
        finally:
            for future, _, _ in self._running.values():
                future.cancel()
            self._collecting.write()
        if self._failed is not None:
            raise self._failed
        if self._lost:
            first = self._collecting.describe(self._lost[0])
            raise RuntimeError(
                f"the executor gave no result of {len(self._lost)} of {self._tasks} runs, the first at {first}: "
                f"{self._why!r}"
            ) from self._why

    def _add(self, tasks: list[_Task]) -> None:
        """Starts tasks, the largest first, as a sweep without an executor does."""
        works = {point: self._collecting.work(point) for point in {point for point, _ in tasks}}
        self._tasks += len(tasks)
        self._work += sum(works[point] for point, _ in tasks)
        batch: list[_Task] = []
        hops = 0.0
        for task in sorted(tasks, key=lambda task: -works[task[0]]):
            if batch and (hops + works[task[0]] > _HOPS_AT_ONCE or len(batch) == _TASKS_AT_ONCE):
                self._start(batch, 1)
                batch, hops = [], 0.0
            batch.append(task)
            hops += works[task[0]]
        if batch:
            self._start(batch, 1)

    def _start(self, tasks: list[_Task], attempt: int) -> None:
        try:
            future = self._executor.submit(_run, self._job, tasks)
        except Exception as error:  # a broken pool, or one that is shut down
            self._lose(tasks, error)
            return
        number = self._started
        self._started += 1
        self._running[number] = (future, tasks, attempt)
        future.add_done_callback(lambda _: self._ended.put(number))

    def _lose(self, tasks: list[_Task], error: BaseException) -> None:
        self._lost += tasks
        self._why = self._why or error

    def _take_ended(self) -> None:
        try:
            number = self._ended.get(timeout=_LOOK_S)
        except queue.Empty:
            return
        future, tasks, attempt = self._running.pop(number)
        try:
            outcomes = future.result()
        except Exception as error:  # the executor's, because _run returns those of runs
            if attempt < _ATTEMPTS:
                self._start(tasks, attempt + 1)
            else:
                self._lose(tasks, error)
            return
        for task, outcome in zip(tasks, outcomes, strict=True):
            if isinstance(outcome, Exception):
                self._fail(outcome)
            else:
                self._done += 1
                self._work_done += self._collecting.work(task[0])
                self._add(self._collecting.add(task, outcome))

    def _fail(self, error: Exception) -> None:
        self._failed = self._failed or error
        if isinstance(error, SpecError | InvariantError):
            raise error

    def _tell(self) -> None:
        if self._report is not None and self._tasks > 0:
            done = self._done == self._tasks
            self._report(1.0 if done else self._work_done / max(self._work, 1.0), self._done, self._tasks)


def runner(executor: Executor) -> Callable[[Sequence[_headway.Draft]], list[bytes | None]]:
    """A function that runs specs of one run each on an executor: their results, as lines of a journal, or None where a
    run failed."""
    _check(executor)

    def run(drafts: Sequence[_headway.Draft]) -> list[bytes | None]:
        jobs = [pickle.dumps((Spec._of(draft), None, False, False)) for draft in drafts]
        futures = [executor.submit(_run, job, [(0, 0)]) for job in jobs]
        try:
            return [_line(executor, job, future) for job, future in zip(jobs, futures, strict=True)]
        finally:
            for future in futures:
                future.cancel()

    return run


def _line(executor: Executor, job: bytes, future: Future) -> bytes | None:
    for attempt in range(_ATTEMPTS):
        try:
            outcome = future.result()[0]
            break
        except Exception as error:  # the executor's, because _run returns those of runs
            if attempt + 1 == _ATTEMPTS:
                raise RuntimeError(f"the executor gave no result of a run: {error!r}") from error
            future = executor.submit(_run, job, [(0, 0)])
    if isinstance(outcome, SpecError | InvariantError):
        raise outcome
    return None if isinstance(outcome, Exception) else outcome[0]


def _check(executor: Executor) -> None:
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"an executor must have submit(), as that of concurrent.futures; {type(executor).__name__} has none")


def _run(job: bytes, tasks: list[_Task]) -> list[Any]:
    """In a worker: the results of tasks, or what they raised."""
    experiment, check, keep = _experiment(job)
    outcomes: list[Any] = []
    for task in tasks:
        try:
            outcomes.append(experiment.run(task, check=check, keep=keep))
        except Exception as error:
            outcomes.append(error)
    return outcomes


@functools.lru_cache(maxsize=1)
def _experiment(job: bytes) -> tuple[_headway.Experiment, bool, bool]:
    spec, search, check, keep = pickle.loads(job)
    return _headway.Experiment(spec._draft, None if search is None else _headway.Search(**search)), check, keep
