# SPDX-License-Identifier: Apache-2.0
"""The program and Python give the same numbers, whatever the version of NumPy: files byte by byte, arrays bit by bit."""

import csv

import headway as hw
import numpy as np
import pytest

SHORT = {"warmup": "2 us", "duration": "20 us", "bin": "2 us"}
HOT = {"flow": [{"sources": {"first": 8}, "pattern": "hotspot", "destination": 15, "load": 0.6},
                {"sources": {"rest": True}, "load": 0.4}]}  # fmt: skip
TREE = {"topology": "k-ary-n-tree", "k": 4, "n": 2}
LINE = hw.graph([0, 0, 1, 1], [[0, 1]], delay=["20 ns"])


def pings():
    for turn in range(400):
        yield 0.785 * turn, turn % 4, (turn + 1) % 4, 64 + turn


SPECS = {
    "uniform": {"network": TREE, "traffic": {"flow": [{"load": 0.5}]}},
    "all tables": {
        "network": TREE, "traffic": HOT, "switch": {"scheme": "obqa"},
        "measure": {"tables": ["destination-series", "per-pair", "pair-series", "per-link", "fairness"]},
    },
    "isolation": {
        "network": TREE, "traffic": HOT, "switch": {"scheme": "fbicm"}, "measure": {"tables": ["port-series"]},
    },
    "waiting": {"network": TREE, "traffic": HOT, "observe": {"waiting": True, "interval": "1 us"}},
    "torus": {
        "network": {"topology": "torus", "sides": [4, 4]}, "routing": {"algorithm": "dor"},
        "traffic": {"flow": [{"pattern": "tornado", "radix": 4, "load": 0.3}]},
    },
    "slotted": {"kernel": "slotted", "network": {"topology": "omega", "nodes": 16}, "measure": {"slots": 3200}},
    "steps": {
        "network": TREE, "measure": {"bin": "1 us"},
        "traffic": {"flow": [{"load": 0.3, "start": "5 us"}, {"load": 0.2, "message": "4 KiB", "stop": "9 us"}]},
    },
    "messages": {
        "network": {"topology": "file", "file": LINE}, "routing": {"algorithm": "up-down"},
        "traffic": {"trace": [{"format": "npy", "file": hw.messages(pings)}]},
    },
    "matrix": {
        "network": {"topology": "single-switch", "nodes": 4},
        "traffic": {"flow": [{"load": 0.5, "pattern": "matrix", "file": np.ones((4, 4)) - np.eye(4)}]},
    },
    "seeds": {"network": TREE, "seeds": 3, "traffic": {"flow": [{"load": 0.7}]}},
    "until": {
        "network": TREE, "traffic": {"flow": [{"load": 0.7}]},
        "seeds": {"until": "latency_mean_ns", "relative": 0.05, "at_least": 2, "at_most": 6},
    },
    "schemes": {"network": TREE, "traffic": {"flow": [{"load": 0.7}]}, "sweep": {"switch.scheme": ["1q", "voqnet"]}},
    "swept": {
        "network": TREE, "traffic": HOT, "seeds": 2,
        "sweep": {"switch.scheme": ["1q", "voqnet"], "traffic.flow[1].load": [0.1, 0.4]},
    },
}  # fmt: skip


def spec_of(name):
    tables = {**SPECS[name]}
    if tables.get("kernel") != "slotted":
        tables["measure"] = {**SHORT, **tables.get("measure", {})}
    return hw.Spec(**tables)


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.suffix in (".csv", ".json")}


def compare(by_program, by_python):
    """All files of results, without the manifest and the names of files in the spec."""
    program, python = contents(by_program), contents(by_python)
    assert program.keys() == python.keys()
    for name in program.keys() - {"manifest.json", "results.json"}:
        assert program[name] == python[name], name
    cut = [text["results.json"].index(b'"points"') for text in (program, python)]
    assert program["results.json"][cut[0] :] == python["results.json"][cut[1] :]


def numbers_of(path):
    """The columns of a CSV file; an empty cell is NaN."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def number(cell):
    return float(cell) if cell else np.nan


def same(cells, column):
    """Bit by bit, which also holds for NaN and -0.0; or the same names."""
    if np.asarray(column).dtype.kind == "U":
        assert cells == list(column)
        return
    assert np.array([number(cell) for cell in cells]).tobytes() == np.asarray(column, dtype=np.float64).tobytes()


@pytest.mark.parametrize("name", SPECS)
def test_of_runs(name, program, tmp_path):
    spec = spec_of(name)
    spec.save(tmp_path / "spec.toml")
    code, _, said = program("run", tmp_path / "spec.toml", "--out", tmp_path / "program")
    assert code == 0, said
    sweep = hw.sweep(spec, out=tmp_path / "python")
    compare(tmp_path / "program", tmp_path / "python")
    in_memory = hw.sweep(spec)
    files = {path.stem: numbers_of(path) for path in (tmp_path / "program").glob("*.csv")}
    tables = {name for point in in_memory for name in point.result.tables}
    assert files.keys() == tables | {"results"}
    for table in tables:
        of_points = [point.result.tables[table] for point in in_memory if table in point.result.tables]
        for column in of_points[0]:
            same(files[table][column], np.concatenate([of_point[column] for of_point in of_points]))
    metrics = [column for column in in_memory.columns() if column in in_memory[0].result.metrics]
    for metric in metrics:
        same(files["results"][metric], in_memory[metric])
        same(files["results"][metric], sweep[metric])
    assert len(metrics) > 3
    assert [point.result.status for point in in_memory] == files["results"]["status"]


def test_columns_have_all_their_values():
    """A column with the wrong stride has its first value everywhere."""
    series = hw.run(spec_of("uniform")).series
    assert series["time_ns"].tolist() == [2000.0 * (bin + 1) for bin in range(11)]
    assert series["time_ns"].strides == (8,) and series["time_ns"].flags.c_contiguous


@pytest.mark.parametrize("name", ["uniform", "slotted", "seeds", "schemes"])
def test_of_searches(name, program, tmp_path):
    spec = spec_of(name)
    spec.save(tmp_path / "spec.toml")
    search = ["--precision", "0.2", "--times", "8"]
    assert program("saturation", tmp_path / "spec.toml", *search, "--out", tmp_path / "program")[0] == 0
    hw.sweep(spec, saturation={"precision": 0.2, "times": 8}, out=tmp_path / "python")
    compare(tmp_path / "program", tmp_path / "python")


def test_of_times_with_fractions(tmp_path):
    """Floating-point times are the times that their text gives."""
    count = 2000
    times, numbers = np.arange(count) * 157 / 1000, np.arange(count)
    rows = [f"{time},{n % 4},{(n + 1) % 4},64" for n, time in enumerate(times.tolist())]
    (tmp_path / "trace.csv").write_text("\n".join(["time_us,source,destination,bytes", *rows]) + "\n")
    trace = hw.messages(times, numbers % 4, (numbers + 1) % 4, np.full(count, 64))
    read = {"format": "csv", "file": str(tmp_path / "trace.csv")}
    made = {"format": "npy", "file": trace, "unit": "us"}
    spec = hw.Spec(
        network={"topology": "single-switch", "nodes": 4, "link": {"delay": "1 ps"}},
        traffic={"trace": [read]},
        measure={"warmup": "0 us", "duration": "314 us"},
    )
    result = hw.run(spec)
    assert result.metrics["packets_delivered"] == count
    assert hw.run(spec.replaced({"traffic.trace[0]": made})) == result
