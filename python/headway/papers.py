# SPDX-License-Identifier: Apache-2.0
"""Papers as experiments: their figures and their claims."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headway import _headway
from headway.progress import Progress, reporter
from headway.reference import Text
from headway.running import _jobs


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, reproduced."""

    id: str
    number: str
    """The number in the paper: ``Figure 5(a)``."""
    title: str
    picture: pathlib.Path | None
    """figure.svg, or table.md for a table; None if it could not be drawn."""
    curves: dict[str, dict[str, npt.NDArray[np.float64]]]
    """The columns of each curve by name; the first column is x."""


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, judged by measurements."""

    id: str
    says: str
    where: str
    """Its place in the paper."""
    expected: str
    measured: str
    """With its 95 % interval."""
    value: float
    verdict: str
    """``holds``, ``fails``, ``cannot_tell`` or ``not_judged``."""
    remark: str
    unexpected: bool
    """It fails but is not known to fail, or it holds but is known to fail."""


@dataclass(frozen=True)
class Reproduction:
    """The figures of a paper and the claims about them."""

    figures: tuple[Figure, ...]
    claims: tuple[Claim, ...]
    out: pathlib.Path
    """The directory with data, pictures and claims.json."""


def papers() -> dict[str, Text]:
    """The papers that come with Headway: their titles and figures by key."""
    found = {}
    for key, title, citation, figures in _headway.papers(_folder()):
        lines = [title, f"    {citation}", *(f"  {id:<10} {number}: {of}" for id, number, of in figures)]
        found[key] = Text("\n".join(lines))
    return found


def paper(
    key: str | os.PathLike[str],
    figure: str | Sequence[str] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    quick: bool = False,
    trace: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Progress = None,
) -> Reproduction:
    """Reproduces all or some figures of a paper and judges its claims, like ``headway paper``.

    ``key`` is a key of :func:`papers`, or a directory with your own paper.toml. ``quick`` shortens the runs.
    ``trace`` replaces the synthetic traces of a paper by a file. Results are kept in ``out``, by default
    ``out/KEY``; the same call continues there.
    """
    figures = [figure] if isinstance(figure, str) else [str(name) for name in figure or ()]
    with reporter(progress) as report:
        show = None if report is None else lambda _, fraction, done, runs: report(fraction, done, runs)
        made = _headway.paper(
            _folder(),
            os.fspath(key),
            figures=figures,
            quick=bool(quick),
            trace=None if trace is None else os.fspath(trace),
            out=out,
            jobs=_jobs(jobs),
            command=["headway.paper"],
            on_progress=show,
        )
    return Reproduction(
        figures=tuple(
            Figure(
                id=one["id"],
                number=one["number"],
                title=one["title"],
                picture=pathlib.Path(one["picture"]) if one["picture"] else None,
                curves={
                    name: {column: np.asarray(values) for column, values in columns.items()}
                    for name, columns in one["curves"].items()
                },
            )
            for one in made["figures"]
        ),
        claims=tuple(Claim(**claim) for claim in made["claims"]),
        out=pathlib.Path(made["out"]),
    )


def _folder() -> pathlib.Path:
    """The folder of papers: in an installed package, or in the repository."""
    here = pathlib.Path(__file__).resolve().parent
    installed = here / "share/headway/papers"
    return installed if installed.is_dir() else here.parents[1] / "papers"
