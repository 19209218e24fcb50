# SPDX-License-Identifier: Apache-2.0
"""User-made parts of an experiment: arrays, graphs and messages as values of keys that name files."""

import multiprocessing
import os
import pickle
import tomllib

import headway as hw
import numpy as np
import pytest

TOPOLOGIES = {
    "tree": {"topology": "k-ary-n-tree", "k": 3, "n": 2},
    "mesh": {"topology": "mesh", "sides": [3, 3]},
    "switch": {"topology": "single-switch", "nodes": 8},
}
ROUTINGS = {"tree": "det", "mesh": "dor", "switch": "det"}


def spec_of(network, **tables):
    return hw.Spec(
        network=network,
        traffic={"flow": [{"load": 0.7}]},
        measure={"warmup": "1 us", "duration": "20 us"},
        **tables,
    )


def parts_of(directory):
    """The files of `headway export` as arrays."""
    network = tomllib.loads((directory / "network.toml").read_text())
    number_of = {entry.get("name", str(number)): number for number, entry in enumerate(network["switch"])}

    def place(text):
        name, _, port = text.rpartition(":")
        return [number_of[name], int(port)]

    nodes = np.array([place(node["at"]) for node in network["node"]])
    links = np.array([place(link["ends"][0]) + place(link["ends"][1]) for link in network.get("link", [])])
    ports = [entry["ports"] for entry in network["switch"]]
    rows, switch = [], None
    for line in (directory / "routes.txt").read_text().splitlines()[1:]:
        words = line.split()
        if words[0] == "switch":
            switch = number_of[words[1]]
        else:
            first, _, last = words[0].partition("-")
            rows.append((switch, int(first), int(last or first) + 1, [int(port) for port in words[1].split(",")]))
    routes = np.full((len(ports), len(nodes), max(len(row[3]) for row in rows)), -1, dtype=np.int16)
    for switch, first, end, listed in rows:
        routes[switch, first:end, : len(listed)] = listed
    return nodes, links, ports, routes


@pytest.mark.parametrize("name", TOPOLOGIES)
@pytest.mark.parametrize("scheme", ["1q", "voqsw", "voqnet", "dbbm", "obqa"])
def test_a_scheme_as_an_array_is_the_scheme(name, scheme):
    spec = spec_of(TOPOLOGIES[name], switch={"scheme": scheme}, routing={"algorithm": ROUTINGS[name]})
    hash_of_scheme = hw.run(spec).trace_hash
    nodes = {"tree": 9, "mesh": 9, "switch": 8}[name]
    queues = spec["switch.queues"]
    by, array = {
        "1q": ("destination", np.zeros(nodes, dtype=np.uint8)),
        "voqsw": ("output", np.arange(8)),
        "voqnet": ("destination", np.arange(nodes, dtype=">u4")),
        "dbbm": ("destination", np.arange(nodes)[::-1][::-1] % (queues or 1)),
        "obqa": ("output", np.arange(8) % (queues or 1)),
    }[scheme]
    if by == "output":
        array = array[: {"tree": 6, "mesh": 5, "switch": 8}[name]]
    table = {"scheme": "table", "file": array, "by": [by]}
    own = spec.replaced({"switch": table})
    assert hw.run(own).trace_hash == hash_of_scheme


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_a_graph_and_routes_as_arrays_are_the_network(name, tmp_path):
    spec = spec_of(TOPOLOGIES[name], routing={"algorithm": ROUTINGS[name]})
    hw.export(spec, tmp_path)
    expected = hw.run(spec).trace_hash
    assert hw.run(hw.Spec.read(tmp_path / "spec.toml")).trace_hash == expected
    nodes, links, ports, routes = parts_of(tmp_path)
    own = spec.replaced(
        {
            "network": {"topology": "file", "file": hw.graph(nodes, links, ports=ports)},
            "routing": {"algorithm": "table", "file": routes, "cycles": "allow"},
        }
    )
    assert hw.run(own).trace_hash == expected
    own["routing.file"] = np.asfortranarray(routes[:, :, 0].astype(np.int64))
    assert hw.run(own).trace_hash == expected


def test_routes_can_have_several_ports(tmp_path):
    spec = spec_of(TOPOLOGIES["tree"], routing={"algorithm": "random-up"})
    hw.export(spec, tmp_path)
    nodes, links, ports, routes = parts_of(tmp_path)
    assert routes.shape[2] == 3
    own = spec.replaced(
        {
            "network": {"topology": "file", "file": hw.graph(nodes, links, ports=ports)},
            "routing": {"algorithm": "table", "file": routes, "choice": "packet"},
        }
    )
    assert hw.run(own).trace_hash == hw.run(spec).trace_hash


def test_a_graph_of_networkx():
    nx = pytest.importorskip("networkx")
    ring = nx.cycle_graph(["a", "b", "c", "d"])
    for vertex in ring:
        ring.nodes[vertex]["nodes"] = 2
    ring.add_node("storage", node=True)
    ring.add_edge("storage", "c", rate="2 GB/s")
    ring.edges["a", "b"]["delay"] = "100 ns"
    spec = spec_of({"topology": "file", "file": ring}, routing={"algorithm": "up-down"})
    text = tomllib.loads(spec["network.file"].content.decode())
    assert [switch["name"] for switch in text["switch"]] == ["a", "b", "c", "d"]
    assert text["node"][0] == {"at": "c", "rate": "2 GB/s", "name": "storage"}
    assert len(text["node"]) == 9
    assert {"ends": ["a", "b"], "delay": "100 ns"} in text["link"]
    assert hw.run(spec).accepted_load > 0.2
    with pytest.raises(hw.SpecError, match="directed"):
        hw.graph(ring.to_directed())
    ring.add_edge("storage", "a")
    with pytest.raises(hw.SpecError, match="storage.*2 edges"):
        spec["network.file"] = ring
    with pytest.raises(hw.SpecError, match="no nodes"):
        spec["network.file"] = nx.path_graph(3)


def test_a_matrix_of_weights():
    weights = np.zeros((9, 9), dtype=np.float32)
    weights[:8, 8] = 1
    spec = spec_of(TOPOLOGIES["tree"])
    spec["measure.tables"] = ["per-destination"]
    spec["traffic.flow[0]"] = {"pattern": "matrix", "file": np.asfortranarray(weights), "load": 0.1}
    received = hw.run(spec).tables["per_destination"]["accepted_load"]
    assert received.argmax() == 8
    assert received[:8].sum() == 0


def test_messages_as_arrays_records_and_functions_are_the_same(tmp_path, program):
    rng = np.random.default_rng(7)
    time = np.sort(rng.integers(0, 10_000, 500))
    source, destination = rng.integers(0, 9, 500), rng.integers(0, 9, 500)
    size = rng.integers(1, 5000, 500)
    records = np.zeros(500, dtype=[("bytes", "u2"), ("source", "i1"), ("time", "f8"), ("destination", "<i4")])
    for name, column in (("time", time), ("source", source), ("destination", destination), ("bytes", size)):
        records[name] = column

    def singly():
        yield from zip(time, source, destination, size, strict=True)

    def in_batches():
        for first in range(0, 500, 70):
            part = slice(first, first + 70)
            yield time[part], source[part], destination[part], size[part]
        yield records[:0]

    spec = spec_of(TOPOLOGIES["tree"])
    del spec["traffic.flow[0]"]
    hashes = set()
    for given in (
        hw.messages(time, source, destination, size),
        records,
        records[::-1][::-1],
        singly,
        in_batches(),
        hw.messages(in_batches),
        hw.messages(list(singly())),
    ):
        spec["traffic.trace[0]"] = {"format": "npy", "file": given}
        hashes.add(hw.run(spec).trace_hash)
    spec.save(tmp_path / "my.toml")
    code, said, wrong = program("run", tmp_path / "my.toml", "--out", tmp_path / "out")
    assert code == 0, wrong
    hashes.add(hw.load(tmp_path / "out")[0].result.trace_hash)
    assert len(hashes) == 1


def own_parts():
    spec = spec_of(TOPOLOGIES["tree"], routing={"algorithm": "det"})
    spec["switch"] = {"scheme": "table", "by": ["stage", "destination"], "file": np.arange(18).reshape(2, 9) % 5}
    spec["traffic.flow[0]"] = {"pattern": "matrix", "file": np.ones((9, 9)), "load": 0.3}
    spec["traffic.trace[0]"] = {"format": "npy", "file": hw.messages([5, 10], [0, 1], [8, 8], [5000, 64])}
    return spec


def hash_in_another_process(spec):
    os.chdir("/")
    return hw.run(spec).trace_hash


def test_operations_of_a_program_as_dictionaries_and_records_are_the_same():
    rows = [
        {"rank": 0, "kind": "send", "peer": 1, "bytes": 8, "tag": 3},
        {"rank": 1, "kind": "receive", "peer": 0, "bytes": 8, "tag": 3},
    ]
    made = hw.operations(rows)
    assert made.content.splitlines()[1] == b"0,send,1,8,,3,,"
    assert hw.operations(iter(rows)) == made == hw.operations(lambda: rows)
    kinds = [("rank", "i4"), ("kind", "U8"), ("peer", "i4"), ("bytes", "i8"), ("tag", "i4")]
    assert hw.operations(np.array([tuple(row.values()) for row in rows], dtype=kinds)) == made
    after = [{"rank": 0, "kind": "compute", "time_ns": 1.5}, {"rank": 0, "kind": "compute", "time_ns": 2, "after": [0, "~0"]}]
    assert hw.operations(after).content.splitlines()[2] == b"0,compute,,,2,,,0 ~0"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"rnak": 1}], "operation 0 has no column 'rnak'"),
        ([{"rank": 1}, 3], "operation 1 is a int"),
        (np.zeros(3), "an array of float64 has no columns"),
    ],
)
def test_what_is_no_operation_is_refused(rows, message):
    with pytest.raises(hw.SpecError, match=message):
        hw.operations(rows)



def test_every_way_to_repeat_an_experiment_gives_the_same(tmp_path, program, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = own_parts()
    made = hw.run(spec, out="made")
    hashes = [made.trace_hash, hw.run(spec.copy()).trace_hash, hw.run(hw.Spec(**spec.to_dict())).trace_hash]
    hashes.append(hw.run(pickle.loads(pickle.dumps(spec))).trace_hash)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        hashes.append(pool.apply(hash_in_another_process, (spec,)))
    spec.save("saved/my.toml")
    hw.export(spec, "exported")
    for number, toml in enumerate(["saved/my.toml", "exported/spec.toml", "made/spec.toml"]):
        hashes.append(hw.run(hw.Spec.read(toml)).trace_hash)
        code, _, wrong = program("run", toml, "--out", f"out{number}")
        assert code == 0, wrong
        hashes.append(hw.load(f"out{number}")[0].result.trace_hash)
    assert set(hashes) == {made.trace_hash}
    assert hw.load("made").spec["switch.file"] == str(tmp_path / "made" / spec["switch.file"].name)


def test_a_sweep_over_arrays_is_continued(tmp_path):
    spec = own_parts()
    arrays = [np.zeros((2, 9), dtype=int), np.arange(18).reshape(2, 9) % 3]
    first = hw.sweep(spec, {"switch.file": arrays}, out=tmp_path)
    assert first.reused == 0 and len(first) == 2
    assert hw.sweep(spec, {"switch.file": [arrays[1] + 0, arrays[0]]}, out=tmp_path).reused == 2
    assert first[0].params["switch.file"].startswith("array-")
    assert first[0].result.trace_hash != first[1].result.trace_hash
    again = pickle.loads(pickle.dumps(first))
    again.save(tmp_path / "again")
    assert hw.load(tmp_path / "again")[1].result.trace_hash == first[1].result.trace_hash


def test_equality_is_that_of_the_contents():
    spec = own_parts()
    assert spec == own_parts() == spec.copy() == pickle.loads(pickle.dumps(spec))
    assert spec["switch.file"] == own_parts()["switch.file"]
    assert spec != spec.replaced({"switch.file": np.zeros((2, 9), dtype=int)})
    assert hw.File("a") == hw.File(b"a") != hw.File("b")
    with pytest.raises(TypeError):
        hw.File(3)


def mistakes(key, value, **settings):
    spec = own_parts()
    try:
        for name, setting in {**settings, key: value}.items():
            spec[name] = setting
        spec.check()
    except hw.SpecError as error:
        return "\n".join(f"{mistake.key}: {mistake.message}" for mistake in error.mistakes)
    return ""


def test_wrong_arrays_are_mistakes():
    queues = np.arange(18).reshape(2, 9)
    assert mistakes("switch.file", queues) == ""
    assert "its shape is 9 x 2" in mistakes("switch.file", queues.T)
    assert "not integers" in mistakes("switch.file", queues * 0.5)
    assert "there is no queue -1" in mistakes("switch.file", queues - 1)
    assert "switch.file: an array of object" in mistakes("switch.file", queues.astype(object))
    assert "masked" in mistakes("switch.file", np.ma.masked_equal(queues, 3))
    assert "complex" in mistakes("switch.file", queues * 1j) or "<c16" in mistakes("switch.file", queues * 1j)
    assert "must be a file" in mistakes("switch.file", queues.tolist())
    weights = np.ones((9, 9))
    for bad in (np.nan, -1, np.inf, 1e13):
        weights[3, 4] = bad
        assert "from node 3 to node 4, is not a weight" in mistakes("traffic.flow[0].file", weights)
    assert "its shape is 9 x 8" in mistakes("traffic.flow[0].file", weights[:, :-1])
    table = {"routing.algorithm": "table"}
    assert "its shape is 6 x 8" in mistakes("routing.file", np.zeros((6, 8), dtype=int), **table)
    assert 'has no port "200"' in mistakes("routing.file", np.full((6, 9), 200, dtype=np.uint8), **table)
    assert "has no port for destination" in mistakes("routing.file", np.full((6, 9), -1), **table)


def test_wrong_messages_are_mistakes():
    key = "traffic.trace[0].file"

    def raises():
        yield 0, 0, 1, 64
        raise ZeroDivisionError("in the middle")

    with pytest.raises(ZeroDivisionError, match="in the middle"):
        mistakes(key, raises)
    with pytest.raises(ZeroDivisionError):
        hw.messages(raises())
    good = [5, 10], [0, 1], [2, 3], [64, 64]
    assert mistakes(key, hw.messages(*good)) == ""
    for number, values, said in (
        (0, [10, 5], "earlier"),
        (0, [5, np.nan], "not a number"),
        (0, ["a", "b"], "not a list of numbers"),
        (1, [0.5, 1], "not a list of whole numbers"),
        (1, np.array([0, 2**63], dtype=np.uint64), "above 2^63"),
        (1, [0], "different lengths"),
        (1, [0, 2**70], "not a list of whole numbers"),
        (2, [[0], [1]], "not a list of whole numbers"),
        (1, [0, -1], "its source is not a whole number"),
        (1, [0, 9], "node"),
        (3, [64, 0], "no bytes"),
    ):
        columns = list(good)
        columns[number] = values
        given = iter([tuple(columns)])
        assert said in mistakes(key, given), (number, values)
    for item in ((1, 2, 3), 5, None, "abcd", np.zeros(3), [[]], {"time": 3}):
        assert "traffic.trace[0].file: what follows message 0 is no" in mistakes(key, iter([item]))
    assert "message 3 is earlier" in mistakes(key, iter([(5, 0, 1, 64), (6, 0, 1, 64), (5, 0, 1, 64)]))
    assert "message 3 is earlier" in mistakes(key, iter([tuple(map(np.array, good)), (9, 0, 1, 64)]))


def test_wrong_graphs_are_mistakes():
    assert hw.graph([0, 0, 1], [[0, 1]]).name == hw.graph(np.array([[0], [0], [1]]), [(0, 1)]).name
    for said, arguments, names in (
        ("not of whole numbers", ([0.5], []), {}),
        ("not of whole numbers", ([["a"]], []), {}),
        ("rows of 2, or of 4", ([0], [[0, 1, 2]]), {}),
        ("negative", ([-2], []), {}),
        ("a switch of -1", ([-1], []), {}),
        ("too few", ([3], []), {"switches": 2}),
        ("one for each of 1", ([0, 0], []), {"ports": [3, 3]}),
        ("one for each of 2", ([0, 0], []), {"node_names": ["a"]}),
        ("not a list", ([0, 0], []), {"node_names": "ab"}),
    ):
        with pytest.raises(hw.SpecError, match=said):
            hw.graph(*arguments, **names)
    assert "used twice" in mistakes("network", {"topology": "file", "file": hw.graph([[0, 1], [0, 1]], [])})
    assert "is not connected" in mistakes("network", {"topology": "file", "file": hw.graph([0, 1], [])})


def test_sizes_can_be_an_array():
    spec = spec_of(TOPOLOGIES["tree"])
    spec["traffic.flow[0].sizes"] = "file"
    spec["traffic.flow[0].sizes_file"] = np.array([[64, 0.5], [4096, 1]])
    assert hw.run(spec).accepted_load > 0.3


def test_files_of_a_pickled_sweep_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"destination queue\n* {'ab'.index(name)}\n")
    (tmp_path / "my.toml").write_text(spec_of(TOPOLOGIES["tree"], switch={"scheme": "table"}).to_toml())
    spec = hw.Spec.read("my.toml")
    spec["sweep"] = {"switch.file": ["a.txt", str(tmp_path / "b.txt")]}
    swept = hw.sweep(spec, out="out")
    stored = pickle.dumps((spec, swept, hw.load("out")))
    monkeypatch.chdir("/")
    spec, swept, loaded = pickle.loads(stored)
    assert len(hw.sweep(spec, out=tmp_path / "out")) == 2
    assert swept.spec["sweep"]["switch.file"] == loaded.spec["sweep"]["switch.file"]
    assert loaded.spec["sweep"]["switch.file"][0] == str(tmp_path / "a.txt")
