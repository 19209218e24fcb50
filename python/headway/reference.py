# SPDX-License-Identifier: Apache-2.0
"""Descriptions of names, the same as in ``headway list`` and ``headway explain``."""

from __future__ import annotations

from dataclasses import dataclass

from headway import _headway


class Text(str):
    """Text that an interpreter or a notebook shows without quotes and escapes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self).rstrip("\n")


def list(family: str | None = None) -> dict[str, str]:  # noqa: A001  the name of the command
    """The names of a family, or the valid names of a key, each with a description. Without an argument, the
    families, each with its names.

    >>> import headway as hw
    >>> "obqa" in hw.list("schemes")
    True
    >>> hw.list("switch.scheme")["1q"]
    'a single queue per input port'
    >>> hw.list()["arrivals"]
    'poisson, ...'
    """
    if family is None:
        return {each: ", ".join(dict(_headway.members(each))) for each in _headway.families()}
    return dict(_headway.members(family))


def explain(name: str) -> Text:
    """Explains a key, a member of a family or a metric.

    >>> import headway as hw
    >>> hw.explain("accepted_load")
    accepted_load: ...
      unit: fraction of link rate
    ...
    """
    return Text(_headway.explain(name))


@dataclass(frozen=True)
class Metric:
    """A metric of a run, or a column of a table of results."""

    name: str
    """Includes the unit. Capital letters stand for numbers, and PART for a part of a slotted network."""
    unit: str
    help: str
    needs: str
    """What a run needs to have the metric; empty: nothing."""
    table: str
    """The table that has this column; empty for a metric of the run."""


def metrics() -> tuple[Metric, ...]:
    """All metrics and columns (docs/metrics.md).

    >>> import headway as hw
    >>> [m.unit for m in hw.metrics() if m.name == "latency_mean_ns" and not m.table]
    ['ns']
    """
    return tuple(Metric(*fields) for fields in _headway.metrics())
