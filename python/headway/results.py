# SPDX-License-Identifier: Apache-2.0
"""The result of a run: metrics, series and tables. Names include units."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headway import _headway
from headway._generated import Metrics
from headway._optional import optional

if TYPE_CHECKING:
    import pandas

    from headway.spec import Spec

Column = npt.NDArray[Any]
"""Numbers (float64), or names."""


class Table(Mapping[str, Column]):
    """A table of a result: its columns by name, as NumPy arrays of equal length.

    Arrays of numbers share the memory of the result and keep it alive. They are read-only.
    """

    __slots__ = ("_columns", "name")

    def __init__(self, name: str, columns: dict[str, Column]) -> None:
        self.name = name
        """The name of its file in a results directory: ``series``, ``per_destination`` ..."""
        self._columns = columns

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except (KeyError, TypeError):
            pass
        raise KeyError(_no_such(f"column of {self.name}", name, list(self._columns)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def __reduce__(self) -> Any:
        return Table, (self.name, dict(self._columns))

    def frame(self) -> pandas.DataFrame:
        """The table as a pandas data frame."""
        return optional("pandas").DataFrame(dict(self._columns))

    def __repr__(self) -> str:
        return f"<{self.name}: {self.rows} rows of {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        first = range(self.rows) if self.rows <= 2 * _SHOWN_ROWS else range(_SHOWN_ROWS)
        last = range(max(self.rows - _SHOWN_ROWS, len(first)), self.rows)
        rows = [[_cell(column[row]) for column in self._columns.values()] for row in [*first, *last]]
        if len(last) > 0:
            rows.insert(len(first), ["…"] * len(self))
        return html_table(list(self._columns), rows)


def _array(values: Any) -> Column:
    if not isinstance(values, list):
        return np.asarray(values, dtype=np.float64)
    names = np.array(values, dtype=np.str_)
    names.flags.writeable = False
    return names


def _cell(value: Any) -> str:
    return str(value) if isinstance(value, str) else f"{value:.6g}"


class _TablesOfRun(dict[str, Table]):
    """The tables of a run. A missing table raises an error that gives the reason."""

    def __missing__(self, name: object) -> Table:
        raise KeyError(_no_table(name, list(self)))


class Result(Metrics):
    """The result of a run, or of several runs with different seeds: mostly their means (docs/results.md).

    Every metric is an attribute with the same name as in all other outputs, for example :attr:`accepted_load`. A
    metric that the run does not have raises an ``AttributeError`` that says what the metric needs. A metric
    without a value, such as the latency without packets, is NaN.
    """

    __slots__ = ("_core", "_metrics", "_origin")

    def __init__(self, core: _headway.Result, origin: tuple[Spec, _headway.Point] | None = None) -> None:
        self._core = core
        self._origin = origin
        self._metrics = core.metrics

    @property
    def status(self) -> str:
        """Whether the numbers can be trusted: ``ok``, ``too_short``, ``not_steady``, ``saturated`` or
        ``deadlock`` (docs/verdicts.md)."""
        return self._core.status

    @property
    def detail(self) -> str:
        """The reason if the status is not ``ok``."""
        return self._core.detail

    @property
    def limited_by(self) -> str:
        """Of a saturation search: what the lowest load that was not sustained did not meet: ``share``,
        ``latency``, ``memory`` or a status; ``full load`` if load 1 was sustained. Empty for other results."""
        return self._core.limited_by

    @property
    def metrics(self) -> dict[str, float]:
        """All metrics of this run by name."""
        return dict(self._metrics)

    @property
    def intervals(self) -> dict[str, float]:
        """Half width of the 95 % confidence interval over the seeds of each metric that is a mean; empty for one seed."""
        return self._core.intervals

    @property
    def flows(self) -> dict[str, dict[str, float]]:
        """The metrics of each flow and trace by name: ``result.flows["storage"]["latency_mean_ns"]``. Empty for a
        single flow."""
        if "per_flow" not in self._core.tables:
            return {}
        table = self.table("per_flow")
        numbers = [column for column in table if column != "flow"]
        return {str(flow): {name: self._metrics[f"{flow}.{name}"] for name in numbers} for flow in table["flow"]}

    @property
    def series(self) -> Table:
        """Values over time: one row per bin; the first column is ``time_ns``."""
        return self.table("series")

    @property
    def tables(self) -> dict[str, Table]:
        """All tables of this run by name (docs/results.md)."""
        return _TablesOfRun({name: self.table(name) for name in self._core.tables})

    def table(self, name: str) -> Table:
        """A table by name. Raises KeyError if the run does not have it."""
        names = self._core.tables
        if name not in names:
            raise KeyError(_no_table(name, names))
        columns = self._core.table(name)
        return Table(name, {column: _array(values) for column, values in columns.items()})

    @property
    def runs(self) -> list[Result]:
        """The runs of the seeds, in order; the result itself if there is only one."""
        runs = self._origin[1].runs if self._origin else []
        return [Result(run) for run in runs] if len(runs) > 1 else [self]

    @property
    def cpu_s(self) -> float:
        """Processor time of the run in seconds. Only this number differs between equal runs."""
        return sum(run.cpu_s for run in self._origin[1].runs) if self._origin else self._core.cpu_s

    @property
    def trace_hash(self) -> str:
        """A hash over every delivery. Equal runs have equal hashes."""
        return f"{self._core.trace_hash:016x}"

    def frame(self) -> pandas.DataFrame:
        """The status and the metrics as a pandas data frame of one row."""
        columns: dict[str, Any] = {"status": self.status, **self._metrics}
        return optional("pandas").DataFrame([columns])

    def series_frame(self, table: str = "series") -> pandas.DataFrame:
        """The series, or another table, as a pandas data frame."""
        return self.table(table).frame()

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Writes a directory like that of ``headway run --out``; :func:`headway.load` reads it."""
        if self._origin is None:
            raise ValueError("this is one of several results; save the sweep, or the result that has it in runs")
        spec, point = self._origin
        _headway.save(spec._draft, [point], directory, ["headway.save"])

    def _metric(self, name: str) -> float:
        try:
            return self._metrics[name]
        except KeyError:
            pass
        needs = _headway.needs(name)
        if needs is None:
            raise AttributeError(_no_such("metric or attribute", name, dir(type(self))))
        raise AttributeError(f"this run has no {name}: it needs {needs}" if needs else f"this run has no {name}")

    if not TYPE_CHECKING:  # for metrics with numbers in their names, such as cfqs_stage_0

        def __getattr__(self, name: str) -> float:
            if name.startswith("_"):
                raise AttributeError(name)
            return self._metric(name)

    def __dir__(self) -> list[str]:
        others = set(dir(Metrics)) - set(dir(object)) - set(self._metrics)
        return sorted((set(super().__dir__()) - others) | set(self._metrics))

    def __eq__(self, other: object) -> bool:
        """Results are equal if their status, all metrics and all deliveries are equal."""
        if not isinstance(other, Result):
            return NotImplemented
        same = self.trace_hash == other.trace_hash and self.status == other.status
        return same and str(self._metrics) == str(other._metrics)

    def __hash__(self) -> int:
        return hash(self._core.trace_hash)

    def __repr__(self) -> str:
        shown = ("offered_load", "accepted_load", "latency_mean_ns", "latency_p99_ns")
        numbers = [f"{name}={self._metrics[name]:.4g}" for name in shown if name in self._metrics]
        return f"<Result {self.status}: {', '.join(numbers)}>"

    def _repr_html_(self) -> str:
        units = {metric[0]: metric[1] for metric in _headway.metrics() if not metric[4]}
        rows = [[name, f"{value:.6g}", units.get(name, "")] for name, value in self._metrics.items()]
        return html_table(["metric", "value", "unit"], [["status", self.status, ""], *rows])

    def __getstate__(self) -> Any:
        return self._core, self._origin

    def __setstate__(self, state: Any) -> None:
        self._core, self._origin = state
        self._metrics = self._core.metrics


_SHOWN_ROWS = 5


def html_table(head: list[str], rows: list[list[str]]) -> str:
    """A table for a notebook."""

    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line(head, "th") + "".join(line(row, "td") for row in rows) + "</table>"


def _no_table(name: object, names: list[str]) -> str:
    if isinstance(name, str) and any(name == metric[4] for metric in _headway.metrics()):
        return f"this run has no table {name!r}: see measure.tables and observe.waiting; it has {', '.join(names)}"
    return _no_such("table", name, names)


def _no_such(what: str, name: object, names: list[str]) -> str:
    text = f"there is no {what} {name!r}"
    public = [word for word in names if not word.startswith("_")]
    meant = _headway.nearest(name, public) if isinstance(name, str) and name.isascii() else ""
    if meant:
        return f"{text}; did you mean {meant!r}?"
    longer = [word for word in public if isinstance(name, str) and len(name) > 2 and name in word]
    if 0 < len(longer) <= 16:
        return f"{text}; did you mean one of {', '.join(longer)}?"
    return f"{text}; there are {', '.join(public)}" if len(public) <= 16 else text
