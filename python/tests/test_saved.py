# SPDX-License-Identifier: Apache-2.0
"""What Python saves is stored as the program stores it, and each takes from a directory what is its own, and no more."""

import json
import pickle

import headway as hw
import numpy as np
import pytest
from conftest import SMALL

AXES = {"switch.scheme": ["1q", "obqa"], "traffic.flow[0].load": [0.3, 0.9]}
UNTIL = {"until": "latency_mean_ns", "relative": 0.1, "at_least": 2, "at_most": 5}
SEARCH = {"precision": 0.3, "times": 4}
SEARCH_FLAGS = ["--precision", "0.3", "--times", "4"]

# How a result is made, and the commands that give the same one: the program's, with its flags.
KINDS = {
    "run": (lambda spec: hw.run(spec), None, "run"),
    "run of seeds": (lambda spec: hw.run(spec.replaced({"seeds": 3})), {"seeds": 3}, "run"),
    "search": (lambda spec: hw.saturation(spec, **SEARCH), None, "saturation"),
    "search of seeds": (lambda spec: hw.saturation(spec.replaced({"seeds": 2}), **SEARCH), {"seeds": 2}, "saturation"),
    "sweep": (lambda spec: hw.sweep(spec, AXES), {"sweep": AXES}, "run"),
    "sweep of seeds": (lambda spec: hw.sweep(spec, AXES, seeds=2), {"sweep": AXES, "seeds": 2}, "run"),
    "sweep until": (lambda spec: hw.sweep(spec, AXES, seeds=UNTIL), {"sweep": AXES, "seeds": UNTIL}, "run"),
    "part": (
        lambda spec: hw.sweep(spec, AXES).where({"switch.scheme": "obqa"}),
        {"sweep": {**AXES, "switch.scheme": ["obqa"]}},
        "run",
    ),
    "sweep of searches": (
        lambda spec: hw.sweep(spec, {"switch.scheme": ["1q", "obqa"]}, saturation=SEARCH),
        {"sweep": {"switch.scheme": ["1q", "obqa"]}},
        "saturation",
    ),
    "part of searches": (
        lambda spec: hw.sweep(spec, {"switch.scheme": ["1q", "obqa"]}, saturation=SEARCH).where(
            {"switch.scheme": "obqa"}
        ),
        {"sweep": {"switch.scheme": ["obqa"]}},
        "saturation",
    ),
}
FLAGS = {"run": [], "saturation": SEARCH_FLAGS}


def lines_of(directory):
    return (directory / "journal.jsonl").read_text().splitlines()


def points_of(directory):
    return json.loads((directory / "results.json").read_text())["points"]


@pytest.fixture
def spec():
    return hw.Spec.from_toml(SMALL.replace('"50 us"', '"20 us"'))


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_saved_result_is_that_of_its_command_alone(kind, restored, spec, program, tmp_path):
    make, changes, command = KINDS[kind]
    made = make(spec)
    if restored:
        made = pickle.loads(pickle.dumps(made))
    made.save(tmp_path / "saved")
    saved = lines_of(tmp_path / "saved")
    spec.replaced(changes or {}).save(tmp_path / "spec.toml")

    def call(which, directory):
        code, _, said = program(which, tmp_path / "spec.toml", *FLAGS[which], "--out", tmp_path / directory)
        assert code == 0, said

    call(command, "saved")
    assert lines_of(tmp_path / "saved") == saved  # nothing ran again
    call(command, "fresh")
    assert points_of(tmp_path / "saved") == points_of(tmp_path / "fresh")

    other = "run" if command == "saturation" else "saturation"
    call(other, "saved")
    call(other, "other")
    assert lines_of(tmp_path / "saved")[: len(saved)] == saved
    assert len(lines_of(tmp_path / "saved")) == len(saved) + len(lines_of(tmp_path / "other"))
    assert points_of(tmp_path / "saved") == points_of(tmp_path / "other")


@pytest.mark.parametrize("command", FLAGS)
def test_python_takes_what_the_program_stored(command, spec, program, tmp_path):
    spec["sweep"] = {"switch.scheme": ["1q", "obqa"]}
    spec.save(tmp_path / "spec.toml")
    assert program(command, tmp_path / "spec.toml", *FLAGS[command], "--out", tmp_path / "out")[0] == 0
    loaded = hw.load(tmp_path / "out")
    run = hw.sweep(spec, out=tmp_path / "out")
    search = hw.sweep(spec, saturation=SEARCH, out=tmp_path / "out")
    assert [run.reused, search.reused] == ([2, 0] if command == "run" else [0, 2])
    assert [point.result for point in loaded] == [point.result for point in (run if command == "run" else search)]
    other = hw.sweep(spec, saturation={**SEARCH, "times": 5}, out=tmp_path / "out")
    assert other.reused == 0


def test_the_directory_of_a_search_says_so(spec, tmp_path):
    hw.saturation(spec, **SEARCH).save(tmp_path / "out")
    said = "saturation search: precision 0.3, share 0.97, times 4, lowest 0.01"
    assert (tmp_path / "out/spec.toml").read_text().startswith(f"# {said}\n\n")
    assert json.loads((tmp_path / "out/manifest.json").read_text())["search"] == said
    hw.run(spec, out=tmp_path / "out")
    assert not (tmp_path / "out/spec.toml").read_text().startswith("#")
    assert "search" not in json.loads((tmp_path / "out/manifest.json").read_text())


def test_a_changed_copy_of_the_spec_is_not_what_is_saved(spec, tmp_path):
    sweep = hw.sweep(spec, {"traffic.flow[0].load": [0.3]})
    changed = sweep.spec
    changed["switch.scheme"] = "obqa"
    spec["switch.scheme"] = "voqnet"
    sweep.save(tmp_path / "out")
    assert hw.load(tmp_path / "out").spec["switch.scheme"] == "1q"
    assert hw.sweep(changed, out=tmp_path / "out").reused == 0
    assert hw.sweep(sweep.spec, out=tmp_path / "out").reused == 1


def test_points_that_are_not_of_one_command_are_refused(spec, tmp_path):
    runs, searches = (hw.sweep(spec, {"seed": [1, 2]}, saturation=how) for how in (False, SEARCH))
    runs.points[1] = searches.points[1]
    with pytest.raises(ValueError, match="not those of the spec"):
        runs.save(tmp_path / "out")
    searches.points.reverse()
    with pytest.raises(ValueError, match="not those of the spec"):
        searches.save(tmp_path / "out")


def test_a_file_counts_by_its_content_whatever_its_name(spec, program, tmp_path):
    spec = spec.replaced({"switch.scheme": "table", "switch.by": ["destination"]})
    spec["switch.file"] = np.array([0, 1, 0, 1])
    hw.run(spec, out=tmp_path / "out")
    for directory in ("out", "elsewhere"):
        spec.save(tmp_path / directory / "my.toml")
        assert program("run", tmp_path / directory / "my.toml", "--out", tmp_path / "out")[0] == 0
    assert len(lines_of(tmp_path / "out")) == 1


def test_files_are_replaced_as_a_whole(spec, tmp_path):
    spec.save(tmp_path / "my.toml")
    before = (tmp_path / "my.toml").read_text()
    (tmp_path / "my.toml.tmp").mkdir()  # so that the new file cannot be written
    spec["switch.scheme"] = "obqa"
    with pytest.raises(OSError):
        spec.save(tmp_path / "my.toml")
    assert (tmp_path / "my.toml").read_text() == before
