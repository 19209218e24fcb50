# SPDX-License-Identifier: Apache-2.0
"""The results of a sweep, and results stored in a directory."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headway import _headway
from headway._optional import optional
from headway.plots import plot
from headway.results import Result, Table, _no_such, html_table
from headway.spec import Spec

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas


class Point:
    """A point of a sweep: its parameters, and its result over all seeds."""

    __slots__ = ("_core", "params")

    def __init__(self, core: _headway.Point) -> None:
        self._core = core
        self.params: dict[str, Any] = {key: _value(text) for key, text in core.params}
        """The swept keys with their values."""

    @property
    def seed(self) -> int:
        """The seed of the first run."""
        return self._core.seed

    @property
    def narrow_enough(self) -> bool | None:
        """With ``seeds = { until = ... }``: whether the interval of that metric is narrow enough."""
        return self._core.narrow_enough

    @property
    def result(self) -> Result:
        """The mean over all seeds, with intervals if there are several."""
        return Result(self._core.result)

    @property
    def runs(self) -> list[Result]:
        """The runs of the seeds, in order. Runs of loaded results have no tables."""
        return [Result(run) for run in self._core.runs] or [self.result]

    def __repr__(self) -> str:
        return f"<Point {self.params}: {self.result.status}>"

    def __getstate__(self) -> Any:
        return self._core, self.params

    def __setstate__(self, state: Any) -> None:
        self._core, self.params = state


class Sweep(Sequence[Point]):
    """The points of a sweep in their order, the last axis varying fastest."""

    def __init__(
        self,
        points: Sequence[_headway.Point],
        *,
        spec: Spec | None = None,
        directory: pathlib.Path | None = None,
        reused: int = 0,
    ) -> None:
        self.points: list[Point] = [Point(point) for point in points]
        self.reused = reused
        """Number of runs that the results directory already had."""
        self._spec = spec
        self._directory = directory

    @property
    def spec(self) -> Spec:
        """A copy of the spec with the sweep; for stored results, with all defaults written."""
        if self._spec is None and self._directory is not None:
            self._spec = Spec.read(self._directory / "spec.toml")
        assert self._spec is not None
        return self._spec.copy()

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __getitem__(self, which: Any) -> Any:
        """By number, a point. By name, the values of a swept key or a metric at all points, as an array."""
        return self.column(which) if isinstance(which, str) else self.points[which]

    def where(self, params: Mapping[str, Any]) -> Sweep:
        """The points with these values of swept keys. Raises KeyError for a key that is not swept."""
        for key in params:
            if self.points and key not in self.points[0].params:
                raise KeyError(_no_such("swept key", key, list(self.points[0].params)))
        chosen = [p for p in self.points if all(p.params.get(key) == value for key, value in params.items())]
        part = Sweep([], spec=self._spec, directory=self._directory)
        part.points = chosen
        return part

    def column(self, name: str) -> npt.NDArray[Any]:
        """The values of a swept key or a metric, one per point; NaN where a point has none."""
        columns = self.columns()
        if name not in columns:
            raise KeyError(_no_such("swept key or metric", name, list(columns)))
        return columns[name]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns of results.csv: swept keys, seed, status, metrics, and with several seeds the half widths of
        the metrics' 95 % intervals (``NAME_ci95``)."""
        results = [point.result for point in self.points]
        columns: dict[str, npt.NDArray[Any]] = {}
        for key in self.points[0].params if self.points else ():
            columns[key] = np.array([point.params.get(key) for point in self.points])
        columns["seed"] = np.array([point.seed for point in self.points])
        columns["status"] = np.array([result.status for result in results])
        if self.points and self.points[0].narrow_enough is not None:
            columns["seeds"] = np.array([len(point.runs) for point in self.points])
            columns["narrow_enough"] = np.array([point.narrow_enough for point in self.points])
        metrics = [result.metrics for result in results]
        intervals = [result.intervals for result in results]
        for name in dict.fromkeys(name for of_point in metrics for name in of_point):
            columns[name] = np.array([of_point.get(name, np.nan) for of_point in metrics])
            if any(name in of_point for of_point in intervals):
                columns[f"{name}_ci95"] = np.array([of_point.get(name, np.nan) for of_point in intervals])
        return columns

    def frame(self) -> pandas.DataFrame:
        """The columns as a pandas data frame with a row for each point."""
        return optional("pandas").DataFrame(self.columns())

    def series_frame(self, table: str = "series") -> pandas.DataFrame:
        """The series of all points, or another table, as a pandas data frame, with the swept keys first."""
        pandas = optional("pandas")
        frames = []
        for point in self.points:
            columns: Mapping[str, Any] = point.result.tables.get(table, Table(table, {}))
            if len(columns) > 0:
                frames.append(pandas.DataFrame({**point.params, "seed": point.seed, **columns}))
        if not frames:
            raise KeyError(_no_such("table", table, self.points[0].result._core.tables if self.points else []))
        return pandas.concat(frames, ignore_index=True)

    def plot(
        self,
        x: str,
        y: str,
        by: str | Sequence[str] | None = None,
        *,
        ax: matplotlib.axes.Axes | None = None,
        label: str | None = None,
    ) -> matplotlib.axes.Axes:
        """Draws ``y`` over ``x``, each a swept key or a metric, in the style of the program's figures.

        There is a curve for every combination of the keys ``by``, by default all swept keys but ``x``. Bars are
        95 % intervals over the seeds. Points whose status is not ``ok`` are hollow.
        """
        return plot(self, x, y, by, ax=ax, label=label)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Writes a directory like that of ``headway run --out``; :func:`headway.load` reads it."""
        if self._directory is not None or self._spec is None:
            raise ValueError("these results are stored already: copy their directory")
        _headway.save(self._spec._draft, [point._core for point in self.points], directory, ["headway.save"])

    def __repr__(self) -> str:
        keys = ", ".join(self.points[0].params) if self.points else ""
        points = f"{len(self.points)} point{'' if len(self.points) == 1 else 's'}"
        return f"<Sweep of {points}{' over ' if keys else ''}{keys}>"

    def _repr_html_(self) -> str:
        shown = [name for name in _SHOWN if self.points and name in self.points[0].result.metrics]
        keys = list(self.points[0].params) if self.points else []
        rows = []
        for point in self.points:
            metrics = point.result.metrics
            numbers = [f"{metrics.get(name, np.nan):.4g}" for name in shown]
            rows.append([*map(str, point.params.values()), point.result.status, *numbers])
        return html_table([*keys, "status", *shown], rows)


_SHOWN = ("offered_load", "accepted_load", "latency_mean_ns", "latency_p99_ns", "saturation_load")


def load(directory: str | os.PathLike[str]) -> Sweep:
    """The results in a directory that ``headway run --out``, :func:`headway.sweep` or ``save`` wrote."""
    path = pathlib.Path(directory).absolute()
    return Sweep(_headway.results_in(path), directory=path)


def _value(text: str) -> Any:
    """A swept value as in results.json: numbers and booleans as such, other values as text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, bool | int | float) and text not in ("NaN", "Infinity", "-Infinity") else text
