# SPDX-License-Identifier: Apache-2.0
"""Pages that show runs over time, like those of ``headway view``."""

from __future__ import annotations

import operator
import pathlib

from headway import _headway
from headway.files import write_all
from headway.running import Path


def view(
    directory: Path, other: Path | None = None, *, point: int | tuple[int, int] = 1, out: Path | None = None
) -> pathlib.Path:
    """Writes a page that shows a run over time, or two runs of the same network side by side, and returns its path.

    The directories have results of runs with ``observe.waiting`` and ``observe.keep``. ``point`` is the number of a
    point of a sweep, from 1, as in ``headway view --point``; a pair has a number for each directory. ``out`` is the
    page; default: ``view.html`` in the directory. docs/view.md explains the page.
    """
    directories = [pathlib.Path(directory)] if other is None else [pathlib.Path(directory), pathlib.Path(other)]
    points = list(point) if isinstance(point, tuple) else [point] * len(directories)
    if len(points) != len(directories):
        raise ValueError("point must have one number for each directory")
    numbers = [operator.index(number) for number in points]
    if min(numbers) < 1:
        raise ValueError(f"points are numbered from 1, not {min(numbers)}")
    page = directories[0] / "view.html" if out is None else pathlib.Path(out)
    content = _headway.page([(place, number - 1) for place, number in zip(directories, numbers, strict=True)])
    write_all(page.parent, {page.name: content})
    return page
