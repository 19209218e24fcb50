# SPDX-License-Identifier: Apache-2.0
"""A spec as a Python value, with the keys of a spec file."""

from __future__ import annotations

import html
import os
import pathlib
from typing import Any

from headway import _headway
from headway._generated import Tables
from headway.files import write_all


class Spec(Tables):
    """A spec: the tables and keys of a spec file (docs/keys.md).

    Keyword arguments are the tables and keys of the first level, with dicts and lists as in TOML:

    >>> import headway as hw
    >>> spec = hw.Spec(network={"topology": "k-ary-n-tree", "k": 4, "n": 2},
    ...                traffic={"flow": [{"pattern": "uniform", "load": 0.5}]})

    Values are read and set by dotted keys, as with ``--set``. A key that was not given has its default; one
    without a default is None.

    >>> spec["switch.scheme"]
    '1q'
    >>> spec["switch.scheme"] = "obqa"
    >>> spec["traffic.flow[0].load"] = 0.9

    Unknown keys and invalid values are refused at once. Checks that need the network are done by :meth:`check`
    and before a run.

    >>> spec["switch.queue"] = 4
    Traceback (most recent call last):
    headway.errors.SpecError: switch.queue: unknown key; did you mean "queues"?

    Two specs are equal if they describe the same experiment; the order of keys does not matter. A spec can be
    copied and pickled.
    """

    __hash__ = None  # type: ignore[assignment]  # specs are mutable

    _draft: _headway.Draft

    def _fill(self, tables: dict[str, Any]) -> None:
        self._draft = _headway.Draft(tables)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Spec:
        """The spec in a TOML file. Files that it names are relative to its directory."""
        return cls._of(_headway.Draft.read(os.fspath(path)))

    @classmethod
    def from_toml(cls, text: str, name: str = "<text>") -> Spec:
        """The spec in a text. ``name`` replaces the file name in errors."""
        return cls._of(_headway.Draft.from_toml(text, name))

    @classmethod
    def _of(cls, draft: _headway.Draft) -> Spec:
        spec = cls.__new__(cls)
        spec._draft = draft
        return spec

    def __getitem__(self, key: str) -> Any:
        return self._draft.value(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._draft.set(key, value)

    def __delitem__(self, key: str) -> None:
        """Removes a given key, which then has its default."""
        if not self._draft.erase(key):
            raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        """Whether the key was given."""
        return isinstance(key, str) and self._draft.has(key)

    def __iter__(self) -> Any:
        raise TypeError("a spec has no keys in a row; to_dict() gives its tables")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return self._draft.equals(other._draft)

    def copy(self) -> Spec:
        """An independent copy."""
        return self._of(self._draft.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Spec:
        return self.copy()

    def __reduce__(self) -> Any:
        return Spec._restored, (self.to_toml(), self._draft.files)

    @classmethod
    def _restored(cls, text: str, files: list[_headway.File]) -> Spec:
        return cls._of(_headway.Draft.from_toml(text, "<text>", files))

    def replaced(self, values: dict[str, Any]) -> Spec:
        """A copy with other values of dotted keys."""
        spec = self.copy()
        for key, value in values.items():
            spec[key] = value
        return spec

    def check(self) -> None:
        """Raises :class:`~headway.SpecError` with all mistakes if the spec cannot be run."""
        self._draft.check()

    def to_dict(self) -> dict[str, Any]:
        """The given keys as dicts and lists: ``Spec(**spec.to_dict()) == spec``."""
        tables: dict[str, Any] = self._draft.tables()
        return tables

    def to_toml(self, *, defaults: bool = False) -> str:
        """The spec as TOML text for ``headway run``; with ``defaults``, every key is written.

        Contents in memory appear as names; :meth:`save` writes these files, too.
        """
        return self._draft.check().resolved if defaults else self._draft.to_toml()

    def save(self, path: str | os.PathLike[str], *, defaults: bool = False) -> None:
        """Writes the spec as a TOML file for ``headway run``, and beside it the arrays, graphs and messages that it
        has in memory. :meth:`read` reads it."""
        file = pathlib.Path(path)
        own = {of_memory.name: of_memory.content for of_memory in self._draft.files}
        write_all(file.parent, {**own, file.name: self.to_toml(defaults=defaults).encode()})

    def __repr__(self) -> str:
        return f"Spec.from_toml('''\n{self.to_toml()}''')"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.to_toml())}</pre>"
