# SPDX-License-Identifier: Apache-2.0
"""Values of a spec that replace files: arrays, graphs and messages made in Python."""

from __future__ import annotations

import io
import json
import os
import pathlib
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from headway import _headway
from headway.errors import Mistake, SpecError

Array: TypeAlias = npt.NDArray[Any]


class NetworkX(Protocol):
    """The methods of a NetworkX graph that this module uses."""

    def is_directed(self) -> bool: ...
    def is_multigraph(self) -> bool: ...
    def nodes(self, data: bool) -> Any: ...
    def edges(self, data: bool) -> Any: ...


class File:
    """The content of a file, in memory. Every key of a spec that names a file accepts one.

    An array becomes a ``.npy`` file; a text is used unchanged. Keys also accept arrays, graphs of NetworkX and
    functions that yield messages, and convert them to a File:

    >>> import headway as hw, numpy as np
    >>> spec = hw.Spec(network={"k": 2, "n": 2}, switch={"scheme": "table", "by": ["destination"]})
    >>> spec["switch.file"] = np.array([0, 1, 0, 1])
    >>> spec["switch.file"]
    <File array-....npy: int64, shape (4,)>
    >>> spec["switch.file"].array
    array([0, 1, 0, 1])
    """

    __slots__ = ("_core",)

    def __init__(self, content: str | bytes | Array | _headway.File) -> None:
        if isinstance(content, _headway.File):
            self._core = content
        elif isinstance(content, np.ndarray):
            self._core = _of_array(content, "file")
        elif isinstance(content, bytes):
            self._core = _headway.File("file", "txt", content)
        elif isinstance(content, str):
            self._core = _of_text("file", "txt", content)
        else:
            raise TypeError(f"a file is made of a text, bytes or an array, not of {_type(content)}")

    @property
    def name(self) -> str:
        """Its name in a spec, which contains a hash of the content."""
        return self._core.name

    @property
    def content(self) -> bytes:
        """A copy of the content."""
        return self._core.content

    @property
    def array(self) -> Array:
        """The content as an array, if the file was made from an array."""
        return np.load(io.BytesIO(self.content), allow_pickle=False)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, File):
            return NotImplemented
        return self.name == other.name and self.content == other.content

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        if not self.name.endswith(".npy"):
            return f"<File {self.name}: {len(self.content)} bytes>"
        array = self.array
        kind = f"{', '.join(array.dtype.names)}" if array.dtype.names else str(array.dtype)
        return f"<File {self.name}: {kind}, shape {array.shape}>"

    def __reduce__(self) -> Any:
        return File, (self._core,)


FileLike: TypeAlias = (
    str | os.PathLike[str] | File | Array | NetworkX | Iterator[Any] | Callable[[], Iterable[Any]]
)
"""Accepted by keys that name a file: a path or a content."""


def file_of(value: Any, key: str) -> _headway.File | None:
    """Converts a value of a key that names a file to a content; None if the value is not a content."""
    if isinstance(value, File):
        return value._core
    if isinstance(value, np.ndarray):
        return _of_array(value, key)
    if callable(getattr(value, "is_multigraph", None)) and callable(getattr(value, "edges", None)):
        return _of_networkx(value, key)
    if isinstance(value, Iterator) or (callable(value) and not isinstance(value, type)):
        return _of_messages(value, key)
    return None


# --- arrays -----------------------------------------------------------------------------------------------


def _of_array(array: Array, key: str) -> _headway.File:
    if isinstance(array, np.ma.MaskedArray):
        raise _wrong(key, "a masked array has elements without a value", "array.filled(...) gives them one")
    if array.dtype == np.bool_:
        array = array.astype(np.uint8)
    if key.endswith("sizes_file") and array.dtype.kind in "iuf" and array.ndim == 2:  # a text file
        return _of_text("sizes", "txt", "".join(" ".join(map(repr, row)) + "\n" for row in array.tolist()))
    content = io.BytesIO()
    try:
        with warnings.catch_warnings():  # NumPy warns if field names need a newer version of its format
            warnings.simplefilter("ignore")
            np.lib.format.write_array(  # type: ignore[no-untyped-call]
                content, np.ascontiguousarray(array), allow_pickle=False
            )
    except (ValueError, TypeError) as error:
        raise _wrong(key, f"an array of {array.dtype} cannot be written: {error}", "use an array of numbers") from None
    return _headway.File("messages" if array.dtype.names else "array", "npy", content.getvalue())


def _of_text(stem: str, suffix: str, text: str) -> _headway.File:
    return _headway.File(stem, suffix, text.encode(errors="surrogateescape"))


def _wrong(key: str, message: str, hint: str = "") -> SpecError:
    return SpecError([Mistake(key, message, hint)])


def _type(value: object) -> str:
    return type(value).__name__


# --- messages ---------------------------------------------------------------------------------------------

MOST_MESSAGES = 100_000_000
"""The most messages that a function may yield: 3.2 GB. Write longer traces to a file."""

_FIELDS = ("time", "source", "destination", "bytes")
_BATCH = 1 << 16


def messages(source: Iterable[Any] | Callable[[], Iterable[Any]] | Any, *columns: Any) -> File:
    """Messages for ``traffic.trace.file`` with ``format = "npy"``: times, sources, destinations and bytes.

    Give four arrays of equal length:

    >>> import headway as hw
    >>> hw.messages([0, 10, 10], [0, 1, 2], [3, 2, 1], [64, 4096, 64])
    <File messages-....npy: time, source, destination, bytes, shape (3,)>

    or an iterator, or a function that returns one. It yields messages in time order: single messages, or batches
    of four arrays.

    >>> def pings():
    ...     for turn in range(1000):
    ...         yield turn * 100, turn % 4, (turn + 1) % 4, 256
    >>> hw.messages(pings)
    <File messages-....npy: time, source, destination, bytes, shape (1000,)>

    Times are in the unit of ``traffic.trace.unit``, by default nanoseconds. The iterator is read to its end at
    once, because a run can read its messages several times. A message takes 32 bytes.
    """
    if columns:
        return File(_messages_file([_batch_of((source, *columns), "messages", 0)]))
    return File(_of_messages(source, "messages"))


def _of_messages(source: Iterable[Any] | Callable[[], Iterable[Any]], key: str) -> _headway.File:
    if isinstance(source, np.ndarray):
        return _of_array(source, key)
    batches: list[Array] = []
    singles: list[Any] = []
    count = 0

    def add(batch: Array) -> None:
        nonlocal count
        if len(batch) == 0:
            return
        times = batch["time"]
        late = np.flatnonzero(times[1:] < times[:-1])
        if batches and times[0] < batches[-1]["time"][-1]:
            late = np.array([-1])
        if late.size > 0:
            number = count + int(late[0]) + 2
            raise _wrong(key, f"message {number} is earlier than the one before it", "write messages in time order")
        count += len(batch)
        if count > MOST_MESSAGES:
            raise _wrong(key, f"there are more than {MOST_MESSAGES} messages", "write them to a file")
        batches.append(batch)

    def add_singles() -> None:
        if singles:
            add(_batch_of(tuple(zip(*singles, strict=True)), key, count))
            singles.clear()

    for item in source() if callable(source) else source:
        is_batch = isinstance(item, np.ndarray) or (len(_four(item, key, count)) == 4 and np.ndim(item[0]) > 0)
        if is_batch:
            add_singles()
            add(_batch_of(item, key, count))
        else:
            singles.append(tuple(item))
            if len(singles) >= _BATCH:
                add_singles()
    add_singles()
    return _messages_file(batches)


def _four(item: Any, key: str, before: int) -> Any:
    if isinstance(item, tuple | list) and len(item) == 4:
        return item
    raise _wrong(
        key,
        f"what follows message {before} is no message: {_shown(item)}",
        "a tuple of time, source, destination and bytes, or of arrays of them",
    )


def _shown(item: object) -> str:
    return f"a {_type(item)} of {len(item)}" if isinstance(item, tuple | list) else f"a {_type(item)}"


def _batch_of(item: Any, key: str, before: int) -> Array:
    """Converts messages to an array of records. C++ checks the values."""
    if isinstance(item, np.ndarray):
        if item.dtype.names is None or set(item.dtype.names) != set(_FIELDS) or item.ndim != 1:
            raise _wrong(key, f"what follows message {before} is no list of messages", f"the fields are {', '.join(_FIELDS)}")
        item = tuple(item[name] for name in _FIELDS)
    columns = [_column(values, name, key, before) for name, values in zip(_FIELDS, _four(item, key, before), strict=True)]
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        raise _wrong(key, f"the arrays behind message {before} have different lengths: {lengths}")
    kinds = [(name, column.dtype) for name, column in zip(_FIELDS, columns, strict=True)]
    batch = np.empty(len(columns[0]), dtype=kinds)
    for name, column in zip(_FIELDS, columns, strict=True):
        batch[name] = column
    return batch


def _column(values: Any, name: str, key: str, before: int) -> Array:
    try:
        column = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        column = np.empty(1, dtype=object)
    kinds = "iuf" if name == "time" else "iu"
    if column.ndim == 1 and len(column) == 0:
        column = column.astype(np.int64)
    if column.ndim != 1 or column.dtype.kind not in kinds:
        what = "numbers" if name == "time" else "whole numbers"
        raise _wrong(key, f"{name} behind message {before} is not a list of {what}", f"64-bit {what}")
    if column.dtype.kind == "u" and column.dtype.itemsize == 8 and len(column) and int(column.max()) >= 1 << 63:
        raise _wrong(key, f"{name} behind message {before} is above 2^63 - 1")
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        raise _wrong(key, f"{name} behind message {before} is not a number")
    return column.astype(np.float64 if column.dtype.kind == "f" else np.int64)


def _messages_file(batches: Sequence[Array]) -> _headway.File:
    real = any(batch.dtype["time"].kind == "f" for batch in batches)
    kinds = [(name, np.float64 if real and name == "time" else np.int64) for name in _FIELDS]
    every = np.empty(sum(map(len, batches)), dtype=kinds)
    first = 0
    for batch in batches:
        every[first : first + len(batch)] = batch
        first += len(batch)
    return _of_array(every, "messages")


# --- programs ---------------------------------------------------------------------------------------------

_COLUMNS = ("rank", "kind", "peer", "bytes", "time_ns", "tag", "cpu", "after")


def operations(source: Iterable[Mapping[str, Any]] | Callable[[], Iterable[Mapping[str, Any]]] | Array) -> File:
    """Operations for ``traffic.job.file`` with ``program = "csv"``.

    Give an iterable, or a function that returns one. It yields an operation as a dictionary of the columns of the CSV:
    ``rank``, ``kind`` (``"send"``, ``"receive"`` or ``"compute"``), ``peer``, ``bytes``, ``time_ns``, ``tag``, ``cpu``
    and ``after``. ``after`` lists numbers of earlier operations of the rank, counted from 0, or texts like ``"~5"``
    for the start of one.

    >>> import headway as hw
    >>> def ring(ranks):
    ...     for rank in range(ranks):
    ...         yield {"rank": rank, "kind": "compute", "time_ns": 100}
    ...         yield {"rank": rank, "kind": "send", "peer": (rank + 1) % ranks, "bytes": 4096, "after": [0]}
    ...         yield {"rank": rank, "kind": "receive", "peer": (rank - 1) % ranks, "bytes": 4096}
    >>> print(hw.operations(ring(2)).content.decode())
    rank,kind,peer,bytes,time_ns,tag,cpu,after
    0,compute,,,100,,,
    0,send,1,4096,,,,0
    0,receive,1,4096,,,,
    1,compute,,,100,,,
    1,send,0,4096,,,,0
    1,receive,0,4096,,,,
    <BLANKLINE>

    A structured array with fields of these names works as well. C++ checks the values.
    """
    rows: Iterable[Any] = source() if callable(source) else source
    if isinstance(rows, np.ndarray):
        if rows.dtype.names is None or rows.ndim != 1:
            raise _wrong("operations", f"an array of {rows.dtype} has no columns", "use a structured array")
        names = rows.dtype.names
        rows = (dict(zip(names, row, strict=True)) for row in rows.tolist())
    lines = [",".join(_COLUMNS)]
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise _wrong("operations", f"operation {number} is {_shown(row)}", "a dictionary of columns")
        for name in row:
            if name not in _COLUMNS:
                raise _wrong("operations", f"operation {number} has no column {name!r}", f"valid: {', '.join(_COLUMNS)}")
        lines.append(",".join(_cell(row.get(name, "")) for name in _COLUMNS))
    return File(_of_text("operations", "csv", "\n".join(lines) + "\n"))


def _cell(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return " ".join(map(str, value))
    return str(value)


# --- graphs -----------------------------------------------------------------------------------------------


def graph(
    nodes: npt.ArrayLike | NetworkX,
    links: npt.ArrayLike | None = None,
    *,
    switches: int | None = None,
    ports: Sequence[int] | None = None,
    rate: Sequence[str | None] | None = None,
    delay: Sequence[str | None] | None = None,
    node_rate: Sequence[str | None] | None = None,
    node_delay: Sequence[str | None] | None = None,
    node_names: Sequence[str] | None = None,
    switch_names: Sequence[str] | None = None,
) -> File:
    """A network for ``network.file`` with ``topology = "file"``, from arrays or a graph of NetworkX.

    ``nodes`` has the switch of every node, or rows of switch and port. ``links`` has rows of two switches, or of
    switch, port, switch, port. A port of -1 is the lowest free one. ``ports`` has the number of ports of each
    switch; without it, a switch has as many ports as are used. ``rate`` and ``delay`` are for links, ``node_rate``
    and ``node_delay`` for the links of nodes, written as in a spec; None means the value of ``network.link``.

    >>> import headway as hw
    >>> line = hw.graph([0, 0, 1, 1], [[0, 1]], delay=["20 ns"])
    >>> spec = hw.Spec(network={"topology": "file", "file": line}, routing={"algorithm": "up-down"})

    In a graph of NetworkX, a vertex with the attribute ``node=True`` is a node and has one link, to a switch. All
    other vertices are switches, numbered in the order of the graph. The attribute ``nodes`` of a switch adds that
    many nodes, numbered after the vertices that are nodes. Edges can have ``rate`` and ``delay``.
    """
    if callable(getattr(nodes, "is_multigraph", None)):
        return File(_of_networkx(nodes, "graph"))
    at = _places(nodes, "nodes", 1)
    ends = _places([] if links is None else links, "links", 2)
    count = max([int(part[..., 0].max(initial=-1)) for part in (at, ends)]) + 1
    if switches is not None and not count <= switches <= 1 << 24:
        raise _wrong("graph.switches", f"{switches} switches are too few or too many", f"at least {count}")
    count = switches if switches is not None else count
    names = _list(switch_names, "switch_names", count) or [str(number) for number in range(count)]
    radix = _list(ports, "ports", count)
    text = []
    for number in range(count):
        text.append("[[switch]]")
        text.append(f"name = {_quoted(names[number])}")
        if radix:
            text.append(f"ports = {int(radix[number])}")

    def place(end: Array) -> str:
        name = str(names[int(end[0])])
        return _quoted(name if end[1] < 0 else f"{name}:{int(end[1])}")

    own = _list(node_names, "node_names", len(at))
    links_of_nodes = _link_texts(node_rate, node_delay, "node_", len(at))
    for number, end in enumerate(at[:, 0]):
        text.extend(["[[node]]", f"at = {place(end)}", *links_of_nodes[number]])
        if own:
            text.append(f"name = {_quoted(own[number])}")
    of_links = _link_texts(rate, delay, "", len(ends))
    for number, both in enumerate(ends):
        text.extend(["[[link]]", f"ends = [{place(both[0])}, {place(both[1])}]", *of_links[number]])
    return File(_of_text("network", "toml", "\n".join(text) + "\n"))


def _places(values: Any, name: str, ends: int) -> Array:
    """[number][end] -> switch and port."""
    key = f"graph.{name}"
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        array = np.empty(1, dtype=object)
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, ends, 2), dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise _wrong(key, f"is an array of {array.dtype}, not of whole numbers")
    if array.ndim == 1 and ends == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or array.shape[1] not in (ends, 2 * ends):
        shape = " x ".join(map(str, array.shape))
        raise _wrong(key, f"has the shape {shape}", f"use rows of {ends}, or of {2 * ends} with ports")
    if array.min() < -1 or array.max() > 1 << 24:
        raise _wrong(key, "has a number that is negative or too large", "switches and ports are numbered from 0")
    placed = np.full((len(array), ends, 2), -1, dtype=np.int64)
    placed[:, :, : array.shape[1] // ends] = array.reshape(len(array), ends, -1)
    if placed[:, :, 0].min() < 0:
        raise _wrong(key, "has a switch of -1", "only ports can be omitted")
    return placed


def _list(values: Any, name: str, count: int) -> list[Any]:
    if values is None:
        return []
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise _wrong(f"graph.{name}", f"is a {_type(values)}, not a list")
    every = list(values)
    if len(every) != count:
        raise _wrong(f"graph.{name}", f"has {len(every)} values", f"give one for each of {count}")
    return every


def _link_texts(rate: Any, delay: Any, prefix: str, count: int) -> list[list[str]]:
    texts: list[list[str]] = [[] for _ in range(count)]
    for name, values in (("rate", rate), ("delay", delay)):
        for number, value in enumerate(_list(values, prefix + name, count)):
            if value is not None:
                texts[number].append(f"{name} = {_quoted(value)}")
    return texts


def _quoted(text: object) -> str:
    """A TOML string. TOML has no escape for lone surrogates, which a Python name can contain."""
    return json.dumps(str(text), ensure_ascii=False).replace("\x7f", "\\u007F")


def _of_networkx(drawn: Any, key: str) -> _headway.File:
    if drawn.is_directed():
        raise _wrong(key, "the graph is directed, and links go both ways", "to_undirected() gives such a graph")
    vertices = dict(drawn.nodes(data=True))
    number_of: dict[Hashable, int] = {}
    for vertex, attributes in vertices.items():
        if not attributes.get("node", False):
            number_of[vertex] = len(number_of)
    at: list[int] = []
    names: list[str] = []
    of_nodes: list[Mapping[str, Any]] = []
    rows: list[tuple[int, int]] = []
    of_links: list[Mapping[str, Any]] = []
    edges: dict[Hashable, list[tuple[Hashable, Mapping[str, Any]]]] = {v: [] for v in vertices if v not in number_of}
    for a, b, attributes in drawn.edges(data=True):
        if a in number_of and b in number_of:
            rows.append((number_of[a], number_of[b]))
            of_links.append(attributes)
        for node, other in ((a, b), (b, a)):
            if node in edges:
                edges[node].append((other, attributes))
    for node, links in edges.items():
        if len(links) != 1 or links[0][0] not in number_of:
            raise _wrong(key, f"the node {node!r} has {len(links)} edges", "a node has one, to a switch")
        at.append(number_of[links[0][0]])
        names.append(str(node))
        of_nodes.append(links[0][1])
    for vertex, number in number_of.items():
        count = vertices[vertex].get("nodes", 0)
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 0 <= count <= 1 << 20:
            raise _wrong(key, f"the attribute nodes of {vertex!r} is no number of nodes", "a whole number")
        for _ in range(int(count)):
            names.append(str(len(at)))
            at.append(number)
            of_nodes.append({})
    if not at:
        raise _wrong(key, "the graph has no nodes", "set the attribute nodes=2 of a switch, or node=True of a vertex")

    def column(name: str, attributes: Sequence[Mapping[str, Any]]) -> list[Any]:
        return [of_link.get(name) for of_link in attributes]

    return graph(
        at,
        rows,
        switches=len(number_of),
        rate=column("rate", of_links),
        delay=column("delay", of_links),
        node_rate=column("rate", of_nodes),
        node_delay=column("delay", of_nodes),
        node_names=names,
        switch_names=[str(vertex) for vertex in number_of],
    )._core


# --- specs with their files -------------------------------------------------------------------------------


def write_all(directory: pathlib.Path, contents: Mapping[str, bytes]) -> None:
    """Writes the files in this order, each atomically: a reader sees the old or the new content."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        _headway.write_file(directory / name, content)
