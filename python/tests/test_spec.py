# SPDX-License-Identifier: Apache-2.0
import copy
import os
import pathlib
import pickle
import time

import headway as hw
import numpy as np
import pytest
from conftest import SMALL, SOURCE

SPECS = sorted([*SOURCE.glob("examples/**/*.toml"), *SOURCE.glob("papers/*/*.toml")])
SPECS = [path for path in SPECS if "[network]" in path.read_text() or "[[traffic" in path.read_text()]


def test_keywords_are_the_tables_of_a_file(spec):
    same = hw.Spec(
        network={"topology": "k-ary-n-tree", "k": 2, "n": 2},
        traffic={"flow": [{"pattern": "uniform", "load": 0.4}]},
        measure={"warmup": "5 us", "duration": "50 us"},
    )
    assert same == spec
    assert same.to_dict() == spec.to_dict()


def test_values_are_read_and_set_by_dotted_keys(spec):
    assert spec["network.k"] == 2
    assert spec["network"]["n"] == 2
    assert spec["traffic.flow[0].load"] == spec["traffic.flow.load"] == 0.4
    spec["traffic.flow[0].load"] = np.float32(0.5)
    assert spec["traffic.flow.load"] == 0.5
    spec["traffic.flow[1]"] = {"pattern": "hotspot", "load": 1}
    assert spec["traffic.flow.load"] == [0.5, 1]
    spec["traffic.flow.load"] = 0.25
    assert spec["traffic.flow.load"] == [0.25, 0.25]


def test_flows_are_found_by_their_names(spec):
    spec["traffic.flow[1]"] = {"name": "storage", "pattern": "hotspot", "load": 1}
    spec["traffic.storage.load"] = 0.25
    assert spec["traffic.flow[1].load"] == spec["traffic.storage.load"] == 0.25
    assert "traffic.storage" in spec
    with pytest.raises(hw.SpecError, match='unknown key; did you mean "storage"'):
        spec["traffic.storag.load"] = 0.25
    sweep = hw.sweep(spec, {"traffic.storage.load": [0.1, 0.2]})
    assert [result.params for result in sweep] == [{"traffic.storage.load": 0.1}, {"traffic.storage.load": 0.2}]
    spec["traffic.flow[0].name"] = "storage"
    with pytest.raises(hw.SpecError, match="is also the name of traffic.flow"):
        spec.check()


def test_keys_that_were_not_given_have_their_defaults(spec):
    assert "switch.scheme" not in spec
    assert spec["switch.scheme"] == "1q"
    assert spec["measure.bin"] is None
    assert spec["seeds"] == 1
    assert spec["units.cycle"] is None
    assert spec["sweep"] is None
    spec["switch.scheme"] = "obqa"
    assert "switch.scheme" in spec and spec["switch.queues"] == 4
    del spec["switch.scheme"]
    assert "switch.scheme" not in spec and spec["switch.scheme"] == "1q"
    with pytest.raises(KeyError):
        del spec["switch.scheme"]


def test_parameters_can_be_set_before_the_choice_they_belong_to(spec):
    spec["switch.queues"] = 2
    with pytest.raises(hw.SpecError, match='scheme "1q" has no such parameter'):
        spec.check()
    spec["switch.scheme"] = "obqa"
    spec.check()


@pytest.mark.parametrize(
    ("key", "value", "message", "nearest"),
    [
        ("switch.scheme", "obq", '"obq" is not a valid value', "obqa"),
        ("switch.queue", 4, "unknown key", "queues"),
        ("swich.queues", 4, "unknown key", "switch"),
        ("traffic.flow[3].load", 1, "there is no flow[3]: the last is flow[0]", ""),
        ("traffic.flow.load", "much", "must be a number", ""),
        ("traffic.flow.load", float("nan"), "nan is out of range", ""),
        ("traffic.flow.load", -1, "-1 is out of range", ""),
        ("network.link.delay", 4, "4 has no unit", ""),
        ("seed", 2**70, "is too large", ""),
        ("switch", 3, "must be a table", ""),
        ("", 3, "is not a key", ""),
        ("a" + ".a" * 100000, 3, "more than 64 names", ""),
    ],
)
def test_a_mistake_is_refused_at_once_and_changes_nothing(spec, key, value, message, nearest):
    before = spec.to_toml()
    with pytest.raises(hw.SpecError) as raised:
        spec[key] = value
    (mistake,) = raised.value.mistakes
    assert message in mistake.message
    assert mistake.nearest == nearest
    assert mistake.where == ""
    assert mistake.valid if nearest else True
    assert spec.to_toml() == before


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", 1j, {"a": object()}, [None], {3: 4}])
def test_what_no_spec_can_hold_is_a_type_error(spec, value):
    with pytest.raises(TypeError):
        spec["network"] = value


def test_reading_a_key_that_does_not_exist_is_a_mistake_too(spec):
    with pytest.raises(hw.SpecError) as raised:
        spec["switch.shceme"]
    assert raised.value.mistakes[0].nearest == "scheme"


def test_mistakes_are_those_of_the_program(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (
        '[network]\ntopology = "k-ary-n-tre"\n[switch]\nqueue = 4\n[measure]\nduration = "100"\n'
        '[[traffic.flow]]\nload = -1\npattern = "hotspot"\ndestination = 300\n'
    )
    pathlib.Path("wrong.toml").write_text(text)
    code, _, said = program("check", "wrong.toml")
    assert code == 2
    with pytest.raises(hw.SpecError) as raised:
        hw.Spec.read("wrong.toml").check()
    assert "error: " + str(raised.value) == said.rstrip("\n")
    first = raised.value.mistakes[0]
    assert (first.key, first.file, first.line, first.column) == ("network.topology", "wrong.toml", 2, 12)
    assert first.nearest == "k-ary-n-tree" and "torus" in first.valid


def test_what_only_the_network_shows_is_found_by_check(spec, program, tmp_path):
    spec["measure.watch_destination"] = 99
    with pytest.raises(hw.SpecError) as raised:
        spec.check()
    (tmp_path / "s.toml").write_text(spec.to_toml())
    _, _, said = program("check", tmp_path / "s.toml")
    mistake = raised.value.mistakes[0]
    assert mistake.key == "measure.watch_destination"
    assert f"{mistake.message}" in said


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_spec_of_the_repository_survives_a_round_trip(path):
    spec = hw.Spec.read(path)
    for same in (
        hw.Spec.from_toml(spec.to_toml()),
        pickle.loads(pickle.dumps(spec)),
        copy.copy(spec),
        copy.deepcopy(spec),
        eval(repr(spec), {"Spec": hw.Spec}),
    ):
        assert same == spec
        assert same.to_toml() == spec.to_toml()
    assert hw.Spec(**spec.to_dict()) == spec


def test_specs_are_equal_if_they_ask_for_the_same(spec):
    other = hw.Spec.from_toml(SMALL.replace("load = 0.4", 'load = 0.40\nmessage = "64 B"'))
    assert other != spec
    del other["traffic.flow[0].message"]
    assert other == spec
    other["switch.scheme"] = "1q"  # the default
    assert other == spec
    other["seed"] = 2
    assert other != spec
    assert spec != SMALL
    with pytest.raises(TypeError):
        hash(spec)


def test_a_copy_is_independent(spec):
    other = spec.replaced({"seed": 7})
    assert spec["seed"] == 1 and other["seed"] == 7


def test_files_are_found_from_another_directory(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    os.mkdir("specs")
    pathlib.Path("specs/order.txt").write_text("1 2 3 0\n")
    text = SMALL.replace('"uniform"', '"permutation"\nfile = "order.txt"')
    pathlib.Path("specs/my.toml").write_text(text)
    spec = hw.Spec.read("specs/my.toml")
    assert spec["traffic.flow.file"] == str(tmp_path / "specs/order.txt")
    os.mkdir("elsewhere")
    monkeypatch.chdir("elsewhere")
    assert hw.run(pickle.loads(pickle.dumps(spec))).status == "ok"


def test_paths_ranges_and_arrays_are_values(spec):
    spec["sweep"] = {"traffic.flow[0].load": np.linspace(0, 1, 3)[::2], "seed": range(1, 3)}
    assert spec["sweep"] == {"traffic.flow[0].load": [0.0, 1.0], "seed": [1, 2]}
    spec["traffic.flow[0]"] = {"pattern": "permutation", "file": pathlib.Path("/x/y.txt")}
    assert spec["traffic.flow.file"] == "/x/y.txt"


def test_long_lists_survive_a_round_trip(spec):
    spec["sweep"] = {"traffic.flow[0].load": np.linspace(0, 1, 1000)}
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_a_notebook_shows_a_spec_as_toml(spec):
    spec["network.file"] = "<b>"
    spec["network.topology"] = "file"
    assert "&lt;b&gt;" in spec._repr_html_()
    assert "[network]" in spec._repr_html_()


def test_the_time_of_a_check_grows_with_the_number_of_flows_and_not_with_its_square():
    def time_of(flows):
        flow = [{"sources": {"nodes": [number % 64]}, "load": 0.001} for number in range(flows)]
        spec = hw.Spec(network={"topology": "single-switch", "nodes": 64}, traffic={"flow": flow})
        start = time.process_time()
        spec.check()
        return time.process_time() - start

    time_of(100)
    assert time_of(12_000) < 10 * time_of(3000)  # 4 times; the square is 16
