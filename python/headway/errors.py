# SPDX-License-Identifier: Apache-2.0
"""The exceptions of this package, besides Python's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """One mistake in a spec.

    For a wrong name, ``valid`` has the valid names and ``nearest`` the one that was probably meant.
    """

    key: str
    """Dotted key, such as ``switch.queues``; can be empty."""
    message: str
    """What is wrong."""
    hint: str = ""
    """The valid values, as text; can be empty."""
    where: str = ""
    """``my.toml:3:8``: file, line and column; empty for a value from Python."""
    valid: tuple[str, ...] = ()
    nearest: str = ""

    def _place(self) -> tuple[str, int | None, int | None]:
        parts = self.where.rsplit(":", 2)
        if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
            return parts[0], int(parts[1]), int(parts[2])
        return self.where, None, None

    @property
    def file(self) -> str:
        """The file, or empty."""
        return self._place()[0]

    @property
    def line(self) -> int | None:
        """The line in the file, from 1, if it is known."""
        return self._place()[1]

    @property
    def column(self) -> int | None:
        """The column in the line, from 1, if it is known."""
        return self._place()[2]

    def __str__(self) -> str:
        text = "".join(f"{part}: " for part in (self.where, self.key) if part) + self.message
        return f"{text}; {self.hint}" if self.hint else text


class SpecError(ValueError):
    """A spec has mistakes. ``mistakes`` has all of them; the text has one line per mistake."""

    mistakes: list[Mistake]

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = list(mistakes)
        super().__init__(self.mistakes)

    def __str__(self) -> str:
        return "\n".join(map(str, self.mistakes))


class InvariantError(RuntimeError):
    """An invariant of the simulator is violated; this is a bug in Headway. The text has a dump of the state."""


class MissingPackage(ImportError):
    """A function needs an optional package, such as pandas, that is not installed."""
