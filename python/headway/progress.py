# SPDX-License-Identifier: Apache-2.0
"""Progress of long calls: tqdm's bar if that package is installed, else a line on the terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

Report = Callable[[float, int, int], object]
"""Called with the fraction of the work done, the number of finished runs, and the total number of runs."""

Progress = bool | Report | None
"""None: a bar on a terminal and in a notebook. True or False: always or never a bar. A function replaces the bar."""


@contextlib.contextmanager
def reporter(progress: Progress) -> Iterator[Report | None]:
    """The function to call with progress; None for no reports."""
    if callable(progress):
        yield progress
        return
    if progress is None:
        progress = _is_watched()
    if not progress:
        yield None
        return
    bar = _bar() or _Line()
    try:
        yield bar.show
    finally:
        bar.close()


def _is_watched() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def _bar() -> _Bar | None:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=1, leave=False, bar_format="{l_bar}{bar}| {postfix} [{elapsed}<{remaining}]")

    def show(self, fraction: float, done: int, runs: int) -> None:
        self._bar.n = fraction
        self._bar.set_postfix_str(_runs(done, runs), refresh=True)

    def close(self) -> None:
        self._bar.close()


class _Line:
    """A line on standard error that is overwritten."""

    def show(self, fraction: float, done: int, runs: int) -> None:
        sys.stderr.write(f"\r{100 * fraction:3.0f} %  {_runs(done, runs)}\033[K")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def _runs(done: int, runs: int) -> str:
    return f"{done} of {runs} run{'' if runs == 1 else 's'}"
