# SPDX-License-Identifier: Apache-2.0
"""Calls with bad input raise documented exceptions and never end the interpreter.

The seed is fixed. HEADWAY_FUZZ_SEED chooses another one, HEADWAY_FUZZ_CALLS another number of calls. Under the
sanitizers: ctest --test-dir build/asan -R Python.fuzz
"""

import copy
import gc
import os
import pathlib
import pickle
import random
import threading

import headway as hw
import numpy as np
import pytest
from conftest import SMALL

SEED = int(os.environ.get("HEADWAY_FUZZ_SEED", "1"))
CALLS = int(os.environ.get("HEADWAY_FUZZ_CALLS", "10000"))
DOCUMENTED = (ValueError, TypeError, KeyError, AttributeError, IndexError, OSError, hw.MissingPackage)

KEYS = [path for path, *_ in hw._headway.keys()]
NAMES = sorted({name for *_, names in hw._headway.keys() for name in names})
METRICS = [metric.name for metric in hw.metrics()]
# Keys left out, because valid values can make a run long.
SLOW = ("network", "measure.duration", "measure.slots", "measure.warmup", "sweep", "seeds", "trace", "message", "bin")


class Odd:
    """A value with NumPy-like attributes of unexpected types."""

    dtype = "odd"

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value

    def __index__(self):
        return self.value

    def __fspath__(self):
        return self.value


class Raises:
    def tolist(self):
        raise ZeroDivisionError

    dtype = property(tolist)
    __index__ = __fspath__ = __len__ = __iter__ = __float__ = __bool__ = tolist


def values(dice):
    loop = []
    loop.append(loop)
    table = {}
    table["switch"] = table
    deep = 1
    for _ in range(dice.choice([5, 31, 33, 500])):
        deep = [deep] if dice.random() < 0.5 else {"a": deep}
    big = np.arange(dice.choice([0, 1, 7, 1000]), dtype=dice.choice(["i1", "u8", "f4", "f8", "c16", "O", "M8[s]", "U3"]))
    return [
        None, True, 0, -1, 1, 3, 2**63 - 1, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, float("nan"), float("inf"), -1e308,
        5e-324, "", "1q", "obqa", "0", "4 KiB", "-1 us", "1e999 ns", "inf us", "nan GB/s", "é", "\0", "\ud800",
        "x" * 10000, "[1, 2", b"1q", bytearray(3), 1j, (), [], {}, [[]], [None], {1: 2}, {"": 1}, {"a.b": {"c": 1}},
        {"nodes": [0, 99]}, {"fraction": 2}, {"rest": False}, {"first": 1, "rest": True}, [["0 us", 1], ["0 us", 2]],
        loop, table, deep, range(3), range(10**9, 10**9 + 3), set(), object(), type, print, lambda: 1, ..., np,
        np.float32(0.3), np.int8(-3), np.bool_(True), np.nan, np.datetime64("now"), np.ma.masked, big, big[::-2],
        big.reshape(-1, 1), np.zeros((2, 0, 3)), np.array(5), np.asfortranarray(np.ones((3, 2)))[:, ::-1],
        np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]), np.array([object()]), pathlib.Path("/nonexistent/\x01"),
        Odd(3), Odd("1q"), Odd(None), Odd([Odd(2)]), Raises(), memoryview(b"abc"), Exception("x"), "k-ary-n-tree",
        dice.choice(NAMES), dice.choice(METRICS), dice.random(), dice.randrange(-5, 70), f"{dice.random()} us",
    ]  # fmt: skip


OWN = [
    ("switch.file", {"switch.scheme": "table", "switch.by": ["switch", "destination"]}),
    ("switch.file", {"switch.scheme": "table", "switch.by": ["output"]}),
    ("traffic.flow[0].file", {"traffic.flow[0].pattern": "matrix"}),
    ("traffic.flow[0].sizes_file", {"traffic.flow[0].sizes": "file"}),
    ("routing.file", {"routing.algorithm": "table"}),
    ("traffic.trace[0]", {}),
    ("network.file", {"network": {"topology": "file"}, "routing.algorithm": "up-down"}),
]  # fmt: skip


def numbers(dice, dimensions=None, most=6):
    shape = [dice.randrange(most) for _ in range(dice.randrange(4) if dimensions is None else dimensions)]
    if dice.random() < 0.5:
        shape = dice.choice([[4, 4], [4], [4, 4, 2], [2, 4], [5, 2]])
    kind = dice.choice(["i1", "u2", ">i4", "<i8", "u8", "f4", "f8", "?", "f2", "c8", "O", "U2", "M8[s]", "g"])
    array = np.array(dice.choices(range(5), k=int(np.prod(shape)))).reshape(shape).astype(kind)
    if array.size and dice.random() < 0.3 and array.dtype.kind in "iuf":
        with np.errstate(all="ignore"):
            array.flat[dice.randrange(array.size)] = np.array(
                dice.choice([-1, -(2**62), 2**62, 99, 0.5, float("nan"), float("inf"), -0.0])
            ).astype(kind)
    kind = dice.randrange(6)
    if array.ndim > 0 and kind < 3:
        return [array[::-1], np.asfortranarray(array), np.repeat(array, 2, axis=0)[::2]][kind]
    return np.broadcast_to(array, (2, *array.shape)) if kind == 3 else array


def content(dice):
    """An array, or an iterator or function that yields messages."""
    kind = dice.randrange(5)
    if kind == 0:
        names = ["time", "source", "destination", "bytes", dice.choice(["time", "x", "é"])][: dice.choice([4, 4, 4, 3, 5])]
        try:
            kinds = [(name, dice.choice(["<i8", "f8", "u1", ">i2", "O", "2i4"])) for name in names]
            records = np.zeros(dice.randrange(5), dtype=np.dtype(kinds, align=dice.random() < 0.5))
        except ValueError:  # two names are equal
            return np.zeros(())
        records = records[::-1] if dice.random() < 0.3 else records
        return {"format": "npy", "file": records} if dice.random() < 0.7 else records
    if kind == 1:

        def yields():
            for time in range(dice.randrange(5)):
                yield dice.choice([(time, 0, 1, 64), (time, dice.randrange(-1, 6), 2, 100), tuple(values(dice)[:4])])
                if dice.random() < 0.1:
                    raise ZeroDivisionError

        given = yields if dice.random() < 0.5 else yields()
        return {"format": "npy", "file": given} if dice.random() < 0.7 else given
    return numbers(dice)


def keys(dice):
    key = dice.choice(KEYS)
    kind = dice.randrange(9)
    if kind == 0:
        return "".join(dice.choice("abc.[]0 \0é-") for _ in range(dice.randrange(12)))
    if kind == 1:
        return key.replace("flow", f"flow[{dice.choice([0, 1, -1, 2**64, '', 'x', 99])}]")
    if kind == 2:
        place = dice.randrange(len(key))
        return key[:place] + dice.choice(["", ".", "x", "[0]", "\ud800"]) + key[place + 1 :]
    if kind == 3:
        return dice.choice(values(dice))
    if kind == 4:
        return ".".join([key] * dice.choice([2, 70, 100000]))
    return key


class Fuzzer:
    def __init__(self, dice):
        self.dice = dice
        self.result = hw.run(hw.Spec.from_toml(SMALL))
        self.sweep = hw.sweep(hw.Spec.from_toml(SMALL), {"seed": [1, 2]}, seeds=2)
        self.spec = hw.Spec.from_toml(SMALL)
        self.kept = []

    def value(self):
        return self.dice.choice(values(self.dice))

    def set(self):
        if self.dice.random() < 0.05:
            self.spec = hw.Spec.from_toml(SMALL)
        self.spec[keys(self.dice)] = self.value()

    def get(self):
        return self.spec[keys(self.dice)], keys(self.dice) in self.spec

    def remove(self):
        del self.spec[keys(self.dice)]

    def make(self):
        tables = {}
        for _ in range(self.dice.randrange(4)):
            tables[str(self.dice.choice(KEYS)).split(".")[0]] = self.value()
        return hw.Spec(**tables)

    def text(self):
        text = list(SMALL)
        for _ in range(self.dice.randrange(1, 8)):
            place = self.dice.randrange(len(text))
            text[place] = self.dice.choice(['"', "[", "]", "=", "\n", "\0", "9", "-", ".", "é", "", "{"])
        return hw.Spec.from_toml("".join(text))

    def forms(self):
        spec = copy.deepcopy(self.spec)
        assert pickle.loads(pickle.dumps(spec)) == spec == hw.Spec(**spec.to_dict())
        assert spec._draft.files or spec == hw.Spec.from_toml(spec.to_toml())
        return repr(spec), spec._repr_html_(), spec.to_dict(), spec == self.value(), iter(spec)

    def set_file(self):
        """Sets a file from Python. Most contents have the right type and the wrong shape or values."""
        key, table = self.dice.choice(OWN)
        spec = hw.Spec.from_toml(SMALL)
        for name, value in table.items():
            spec[name] = value
        try:
            spec[key] = content(self.dice)
        except (hw.SpecError, ZeroDivisionError):
            return
        self.spec = spec
        if self.dice.random() < 0.5:
            spec["measure.duration"] = "5 us"
            hw.run(spec, progress=False)

    def file(self):
        made = hw.File(self.value() if self.dice.random() < 0.3 else content(self.dice))
        return repr(made), made.array, hw.File(made._core) == made, pickle.loads(pickle.dumps(made))

    def graph(self):
        names = ["switches", "ports", "rate", "delay", "node_rate", "node_delay", "node_names", "switch_names"]
        words = {name: self.value() for name in self.dice.sample(names, self.dice.randrange(3))}
        if not (words.get("switches") is None or isinstance(words["switches"], int)) or words.get("switches", 0) > 99:
            words.pop("switches")
        ends = [self.value() if self.dice.random() < 0.5 else numbers(self.dice, 2) for _ in range(2)]
        return hw.graph(*ends, **words)

    def messages(self):
        columns = [numbers(self.dice, 1, 3) if self.dice.random() < 0.7 else self.value() for _ in range(4)]
        if self.dice.random() < 0.5:
            return hw.messages(*columns)
        return hw.messages(self.dice.choice([self.value(), [self.value()], iter([tuple(columns), self.value()])]))

    def run(self):
        spec = hw.Spec.from_toml(SMALL)
        for _ in range(self.dice.randrange(3)):
            key = keys(self.dice)
            if isinstance(key, str) and not any(word in key for word in SLOW):
                try:
                    spec[key] = self.value()
                except hw.SpecError:
                    pass
        spec["measure.duration"] = "5 us"
        return hw.run(spec, progress=False)

    def run_badly(self):
        words = {}
        for word in self.dice.sample(["seed", "check", "out", "progress"], self.dice.randrange(3)):
            words[word] = self.value()
        if isinstance(words.get("out"), str | pathlib.Path):
            del words["out"]
        return hw.run(self.value() if self.dice.random() < 0.3 else hw.Spec.from_toml(SMALL), **words)

    def sweep_badly(self):
        axes = {keys(self.dice): self.value()} if self.dice.random() < 0.7 else self.value()
        words = {word: self.value() for word in self.dice.sample(["jobs", "seed", "saturation"], self.dice.randrange(3))}
        spec = hw.Spec.from_toml(SMALL.replace("50 us", "1 us"))
        if isinstance(axes, dict) and any(word in str(key) for key in axes for word in SLOW):
            axes = {"seed": self.value()}
        return hw.sweep(spec, axes, **words)

    def what_if(self):
        words = ["without", "usual_rates", "doubled", "stagger", "no_delay", "repaired", "perfect_swich"]
        spec = self.value() if self.dice.random() < 0.3 else hw.Spec.from_toml(SMALL)
        changes = [self.value()] if self.dice.random() < 0.5 else []
        given = {word: self.value() for word in self.dice.sample(words, self.dice.randrange(3))}
        return hw.what_if(spec, *changes, **given)

    def remedies_badly(self):
        spec = hw.Spec.from_toml(SMALL.replace("50 us", "1 us"))
        names = ["goal", "tries", "seeds", "jobs", "out"]
        words = {name: self.value() for name in self.dice.sample(names, self.dice.randrange(3))}
        if "tries" in words and self.dice.random() < 0.7:
            key = keys(self.dice)
            words["tries"] = {"own": {} if any(word in str(key) for word in SLOW) else {key: self.value()}}
        if isinstance(words.get("out"), str | pathlib.Path):
            del words["out"]
        return hw.remedies(spec, budget=self.dice.choice(["1 us", "1 ms", self.value()]), **words).spec_of(self.value())

    def search(self):
        names = ["precision", "share", "times", "latency", "lowest"]
        return hw._headway.Search(**{name: self.value() for name in self.dice.sample(names, 2)})

    def look(self):
        name = self.dice.choice([self.value(), self.dice.choice(METRICS), "series"])
        kind = self.dice.randrange(6)
        if kind == 0:
            return getattr(self.result, name)
        if kind == 1:
            return self.result.table(name)
        if kind == 2:
            return self.result.series[name]
        if kind == 3:
            return self.sweep[name]
        if kind == 4:
            return self.sweep.plot(name, self.value(), self.value(), ax=self.value())
        return self.sweep.where(name), self.sweep.series_frame(name)

    def keep(self):
        """Keeps arrays of results that are no longer referenced."""
        spec = hw.Spec.from_toml(SMALL.replace("50 us", "2 us"))
        self.kept.append(next(iter(hw.run(spec).series.values())))
        gc.collect()
        assert all(np.isfinite(array.sum()) for array in self.kept)
        self.kept = self.kept[-50:]
        self.kept[-1][0] = 1

    def unpickle(self):
        state = bytearray(pickle.dumps(self.result._core.__getstate__()))
        core = hw._headway.Result.__new__(hw._headway.Result)  # only used if its state could be set
        kind = self.dice.randrange(3)
        if kind == 1:
            return core.__setstate__(self.value())
        if kind == 2:
            point = hw._headway.Point.__new__(hw._headway.Point)
            return point.__setstate__(tuple(self.value() for _ in range(6))), point.params
        text = bytearray(pickle.loads(state))
        for _ in range(3):
            text[self.dice.randrange(len(text))] = self.dice.randrange(256)
        core.__setstate__(bytes(text))
        return core.metrics, [core.table(name) for name in core.tables]

    def names(self):
        name = self.value() if self.dice.random() < 0.5 else keys(self.dice)
        return self.dice.choice([hw.list, hw.explain, hw.load, hw.Spec.read, hw.Spec.from_toml])(name)

    def paper(self):
        return hw.paper(self.dice.choice(["obqa", self.value()]), self.dice.choice(["99", [self.value()]]), jobs=1)

    def inner(self):
        """The functions of the module _headway, which users do not call."""
        called = self.dice.choice([name for name in dir(hw._headway) if not name.startswith("_") and name != "papers"])
        arguments = [self.value() for _ in range(self.dice.randrange(3))]
        function = getattr(hw._headway, called)
        return function(*arguments) if callable(function) else function


def call(fuzzer, number):
    action = fuzzer.dice.choice(ACTIONS)
    state = fuzzer.dice.getstate()
    try:
        action(fuzzer)
    except hw.InvariantError:
        raise
    except (*DOCUMENTED, ZeroDivisionError) as error:  # ZeroDivisionError is what Raises raises
        str(error)
    except BaseException as error:
        raise AssertionError(f"call {number}, {action.__name__}, of dice {hash(state)}: {error!r}") from error


# Most calls are assignments, because they exercise the most code.
ACTIONS = [Fuzzer.set] * 8 + [Fuzzer.get] * 3 + [
    Fuzzer.remove, Fuzzer.make, Fuzzer.make, Fuzzer.text, Fuzzer.text, Fuzzer.forms, Fuzzer.run, Fuzzer.run_badly,
    Fuzzer.sweep_badly, Fuzzer.what_if, Fuzzer.what_if, Fuzzer.remedies_badly, Fuzzer.search, Fuzzer.look, Fuzzer.look,
    Fuzzer.keep, Fuzzer.unpickle, Fuzzer.names,
    Fuzzer.paper, Fuzzer.inner, Fuzzer.set_file, Fuzzer.set_file, Fuzzer.file, Fuzzer.graph, Fuzzer.messages,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_bad_input_raises_documented_exceptions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fuzzer = Fuzzer(random.Random(SEED))
    for number in range(CALLS):
        call(fuzzer, number)


@pytest.mark.filterwarnings("ignore")
def test_from_threads_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failures = []
    shared = hw.Spec.from_toml(SMALL)

    def work(seed):
        fuzzer = Fuzzer(random.Random(seed))
        fuzzer.spec = shared
        try:
            for number in range(CALLS // 40):
                call(fuzzer, number)
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(SEED + thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
