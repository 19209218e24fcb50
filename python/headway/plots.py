# SPDX-License-Identifier: Apache-2.0
"""Figures by matplotlib that look like the program's gnuplot figures (pictures/figure.h)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from headway import _headway
from headway._optional import optional
from headway.results import Result

if TYPE_CHECKING:
    import matplotlib.axes


class PointLike(Protocol):
    """What a figure needs of a point of a sweep."""

    params: dict[str, Any]

    @property
    def result(self) -> Result: ...


class SweepLike(Protocol):
    """What a figure needs of a sweep."""

    @property
    def points(self) -> Sequence[PointLike]: ...
    def column(self, name: str) -> Any: ...
    def columns(self) -> dict[str, Any]: ...


# matplotlib's names of gnuplot's filled point types and dashes
_MARKERS = {7: "o", 5: "s", 9: "^", 11: "v", 13: "D", 15: "p"}
_DASHES: dict[str, Any] = {
    "1": "-",
    "'-'": (0, (5, 2)),
    "'.-'": (0, (1, 2, 5, 2)),
    "'_'": (0, (8, 2)),
    "'--.'": (0, (5, 2, 5, 2, 1, 2)),
    "'.'": (0, (1, 2)),
}
_WIDTH, _HEIGHT = 3.31, 2.6  # inches: one column of a paper, 84 mm


def plot(
    sweep: SweepLike,
    x: str,
    y: str,
    by: str | Sequence[str] | None = None,
    *,
    ax: matplotlib.axes.Axes | None = None,
    label: str | None = None,
) -> matplotlib.axes.Axes:
    """See :meth:`headway.Sweep.plot`."""
    xs, ys = sweep.column(x), sweep.column(y)
    keys = list(sweep.points[0].params) if sweep.points else []
    chosen = [key for key in keys if key != x] if by is None else [by] if isinstance(by, str) else list(by)
    for key in chosen:
        if key not in keys:
            raise ValueError(f"{key} is not swept; swept are {', '.join(keys)}")
    curves: dict[tuple[Any, ...], list[int]] = {}
    for number, point in enumerate(sweep.points):
        curves.setdefault(tuple(point.params[key] for key in chosen), []).append(number)
    if x in keys and any(len(set(xs[curve].tolist())) < len(curve) for curve in curves.values()):
        raise ValueError(f"several points of a curve have the same {x}; by must name more keys: {', '.join(keys)}")
    if ax is None:
        _, ax = optional("matplotlib.pyplot").subplots(figsize=(_WIDTH * 2, _HEIGHT * 2), layout="constrained")
    intervals = sweep.columns().get(f"{y}_ci95")
    used = len(ax.get_lines())
    for index, (values, curve) in enumerate(curves.items()):
        name = ", ".join(map(str, values)) or label or y
        _draw(ax, index + used, f"{label}, {name}" if label and values else name, xs[curve], ys[curve])
        ok = [sweep.points[number].result.status == "ok" for number in curve]
        _mark(ax, index + used, xs[curve], ys[curve], ok, None if intervals is None else intervals[curve])
    ax.set_xlabel(_headway.label_of(x, ""))
    ax.set_ylabel(_headway.label_of(y, ""))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color="#DDDDDD", linewidth=0.7)
    ax.set_axisbelow(True)
    if len(curves) > 1 or label:
        ax.legend(frameon=False)
    return ax


def _draw(ax: matplotlib.axes.Axes, index: int, name: str, xs: Any, ys: Any) -> None:
    colour, marker, dash = _headway.style(index)
    ax.plot(xs, ys, color=colour, linestyle=_DASHES.get(dash, "-"), linewidth=1.5, label=name,
            marker=_MARKERS.get(marker, "o"), markersize=0)  # fmt: skip


def _mark(ax: matplotlib.axes.Axes, index: int, xs: Any, ys: Any, ok: list[bool], intervals: Any) -> None:
    colour, marker, _ = _headway.style(index)
    faces = [colour if steady else "white" for steady in ok]
    ax.scatter(xs, ys, s=22, marker=_MARKERS.get(marker, "o"), facecolors=faces, edgecolors=colour, zorder=3)
    if intervals is not None:
        ax.errorbar(xs, ys, yerr=intervals, fmt="none", ecolor=colour, elinewidth=0.8)


class Gains(Protocol):
    """What a figure needs of a change of a spec."""

    @property
    def change(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def gain(self) -> float: ...
    @property
    def gain_low(self) -> float: ...
    @property
    def gain_high(self) -> float: ...
    @property
    def seeds(self) -> int: ...
    @property
    def status(self) -> str: ...


_KINDS = {"cause": "#D55E00", "bound": "#7F7F7F", "remedy": "#0072B2", "pair": "#56B4E9", "own": "#009E73"}
_ROW_HEIGHT = 0.26  # inches


def plot_gains(rows: Sequence[Gains], goal: str, *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
    """See :meth:`headway.Remedies.plot`."""
    if ax is None:
        size = (_WIDTH * 2.2, 1.2 + _ROW_HEIGHT * len(rows))
        _, ax = optional("matplotlib.pyplot").subplots(figsize=size, layout="constrained")
    for kind in [kind for kind in _KINDS if any(row.kind == kind for row in rows)]:
        numbers = [number for number, row in enumerate(rows) if row.kind == kind]
        lengths = [rows[number].gain - 1 if rows[number].gain > 0 else 0 for number in numbers]
        ax.barh(numbers, lengths, left=1, height=0.7, color=_KINDS[kind], label=kind)
    for number, row in enumerate(rows):
        if row.seeds > 1 and row.gain_low > 0:
            ax.plot([row.gain_low, row.gain_high], [number, number], color="#303030", linewidth=1.2)
        text = f"{row.gain:.3g}" if row.gain > 0 else "slower, stopped" if row.status == "unfinished" else row.status
        end = max(end for end in (1, row.gain, row.gain_high) if end > 0)
        ax.annotate(text, (end, number), xytext=(4, 0), textcoords="offset points", va="center", fontsize="small")
    ends = [end for row in rows for end in (row.gain, row.gain_low, row.gain_high) if end > 0]
    ax.set_xscale("log")
    ax.set_xlim(0.9 * min([0.8, *ends]), 1.4 * max([2, *ends]))
    ax.axvline(1, color="#303030", linewidth=0.8)
    ax.set_yticks(range(len(rows)), [row.change for row in rows])
    ax.invert_yaxis()
    ax.xaxis.set_major_formatter(optional("matplotlib.ticker").FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(optional("matplotlib.ticker").NullFormatter())
    ax.set_xlabel(f"gain of {goal} (times better)")
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="x", color="#DDDDDD", linewidth=0.7)
    ax.set_axisbelow(True)
    if rows:
        ax.legend(frameon=False)
    return ax
