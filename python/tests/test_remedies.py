# SPDX-License-Identifier: Apache-2.0
"""Causes and remedies that runs with changes show: training beside writes to storage, on 32 nodes."""

import concurrent.futures
import json
import pickle
import signal
import time

import headway as hw
import numpy as np
import pytest

TABLES = {
    "network": {
        "topology": "pgft", "children": [8, 4], "parents": [1, 8], "links": [1, 1],
        "link": {"rate": "50 GB/s", "delay": "200 ns"},
    },
    "routing": {"algorithm": "ecmp"},
    "switch": {"input_memory": "256 KiB", "scheme": "1q"},
    "traffic": {
        "packet": "4 KiB",
        "job": [
            {
                "name": "train", "program": "training-step", "layers": 2, "forward_ns": [2000], "backward_ns": [4000],
                "gradient_bytes": [262144], "nodes": {"random": 0.5},
            },
            {
                "name": "storage", "program": "incast", "senders": 12, "receivers": 1, "size": "64 KiB",
                "nodes": {"rest": True}, "placement": "random", "background": True,
            },
        ],
    },
}  # fmt: skip
TRIES = {"fewer writers": {"traffic.job[1].senders": 4}, "four times the memory": {"switch.input_memory": "1 MiB"}}
LANES = {"own lane": {"switch.lanes": 2, "traffic.job[1].service_level": 1}, "unused lane": {"switch.lanes": 2}}


@pytest.fixture
def train():
    return hw.Spec(**TABLES)


@pytest.fixture(scope="module")
def found():
    return hw.remedies(hw.Spec(**TABLES), tries=TRIES, seeds=2)


def rows_of(table):
    return [[str(cell) for cell in row] for row in zip(*table.values(), strict=True)]


def test_the_cause_and_what_helps(found):
    assert found.goal == "train.completion_ns" and found.complete
    assert found.causes[0].change == "without storage" and found.causes[0].gain > 1.5
    assert found.causes[0].keys == {"what_if.without": ["storage"]}
    assert found.causes[0].seeds == 2 and found.causes[0].gain_low <= found.causes[0].gain <= found.causes[0].gain_high
    assert "one perfect switch" in [row.change for row in found.bounds]
    gains = [row.gain for row in found.remedies]
    assert gains[0] > 1.5 and gains == sorted(gains, reverse=True)
    assert {row.kind for row in found.remedies} <= {"remedy", "pair", "own"}
    assert not {row.change for row in found.remedies} & {row.change for row in found.causes}
    assert [step.change for step in found.followed if step.needed][0] == "without storage"
    assert found.base.metrics["train.completion_ns"] == pytest.approx(found.causes[0].value * found.causes[0].gain)


def test_every_row_is_a_spec_that_can_be_run(found):
    base = found.base.metrics["train.completion_ns"]
    for row in [*found.causes, *found.bounds, *found.remedies]:
        result = hw.run(found.spec_of(row))
        assert result.metrics["train.completion_ns"] == row.value == pytest.approx(base / row.gain)
    for step in found.followed:
        assert base / hw.run(found.spec_of(step)).metrics["train.completion_ns"] == pytest.approx(step.gain)
    assert found.spec_of("without storage") == found.spec_of(found.causes[0])
    with pytest.raises(KeyError, match="did you mean 'without storage'"):
        found.spec_of("without storag")


def test_own_changes_are_rows_with_their_names(found):
    own = {row.change: row for row in found.rows if row.kind == "own"}
    assert own.keys() == TRIES.keys()
    assert own["fewer writers"].keys == TRIES["fewer writers"] and own["fewer writers"].gain > 0
    slower = own["four times the memory"]
    assert slower.port_memory_bytes == 1 << 20 and slower.status == "unfinished" and slower.gain == 0
    assert found.spec_of("fewer writers")["traffic.job[1].senders"] == 4


def test_an_own_change_that_others_have_is_a_row_too(train):
    switch = {"what_if.perfect_switch": True}
    found = hw.remedies(train, tries={"my switch": switch}, seeds=1, budget="2 s")
    gains = {row.kind: row.gain for row in found.rows if row.keys == switch}
    assert gains.keys() == {"bound", "own"} and gains["bound"] == gains["own"] > 1


def test_an_own_change_can_have_several_keys_and_can_be_refused(train):
    found = hw.remedies(train, tries=LANES, seeds=1, budget="2 s")
    lane, unused = (row for row in found.rows if row.kind == "own")
    assert lane.lanes == 2 and lane.gain > 2 and lane in found.remedies
    assert "service level 0" in unused.skipped and unused.seeds == 0 and np.isnan(unused.gain)
    assert unused not in found.remedies


def test_the_same_call_gives_the_same_table_and_text(found, train):
    again = hw.remedies(train, tries=TRIES, seeds=2, jobs=1)
    assert rows_of(again.table) == rows_of(found.table)
    assert (again.conclusion, again.followed) == (found.conclusion, found.followed)
    assert str(again.rows) == str(found.rows)
    assert again.base == found.base


def test_the_table_and_the_text_are_those_of_the_program(found, train, program, tmp_path):
    train.save(tmp_path / "s.toml")
    tries = [word for keys in TRIES.values() for key, value in keys.items() for word in ("--try", f"{key}={value}")]
    code, said, _ = program("why", tmp_path / "s.toml", *tries, "--seeds", 2, "--json", "--out", tmp_path / "out")
    (point,) = json.loads(said)["points"]
    names = {" ".join(f"{key}={value}" for key, value in keys.items()): name for name, keys in TRIES.items()}
    table = point["remedies"]
    table["change"] = [names.get(change, change) for change in table["change"]]
    assert code == 0 and table.keys() == found.table.keys()
    for name, column in table.items():
        values = found.table[name].tolist()
        assert [None if value != value else value for value in values] == column, name
    (stored,) = hw.load(tmp_path / "out")
    assert stored.result.tables["remedies"]["gain"].tolist() == pytest.approx(found.table["gain"].tolist(), nan_ok=True)
    _, page, _ = program("why", tmp_path / "s.toml", "--try", "--seeds", 2)
    sentences = [line for line in page.splitlines() if "storage" in line and "own" not in line]
    assert len(sentences) > 3
    for line in sentences:
        assert line in found.conclusion.splitlines()


def test_a_directory_keeps_the_runs_and_the_table(train, program, tmp_path):
    first = hw.remedies(train, budget="3 s", seeds=1, out=tmp_path)
    journal = (tmp_path / "runs/journal.jsonl").read_text()
    calls = []
    again = hw.remedies(train, budget="3 s", seeds=1, out=tmp_path, progress=lambda *call: calls.append(call))
    assert rows_of(again.table) == rows_of(first.table)
    assert (tmp_path / "runs/journal.jsonl").read_text().count('"metrics"') == journal.count('"metrics"')
    (stored,) = hw.load(tmp_path)
    assert rows_of(stored.result.tables["remedies"]) == rows_of(first.table)
    assert stored.result.tables["remedies"]["change"].tolist() == [row.change for row in first.rows]
    code, page, _ = program("why", tmp_path)
    assert code == 0 and "without storage" in page
    assert hw.load(tmp_path).spec == hw.load(tmp_path).spec


def test_frames_plots_and_notebooks(found):
    assert repr(found).startswith("<Remedies for train.completion_ns: ")
    assert "best cause: without storage, " in repr(found) and "best remedy: " in repr(found)
    assert "<td>without storage</td>" in found._repr_html_()
    assert repr(found.conclusion).splitlines()[0].startswith("Job train took")
    pytest.importorskip("pandas")
    assert list(found.frame().columns) == list(found.table) and len(found.frame()) == len(found.rows)
    pytest.importorskip("matplotlib")
    ax = found.plot()
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert labels[0] == "without storage" and ax.get_xscale() == "log"
    assert ax.get_xlabel() == "gain of train.completion_ns (times better)"
    assert {text.get_text() for text in ax.get_legend().get_texts()} >= {"cause", "bound", "remedy"}
    assert found.plot(ax=ax) is ax


def test_in_a_deadlock_no_change_has_a_gain():
    """All go clockwise around a ring of four switches; port 0 has the node."""
    ring = hw.graph([[0, 0], [1, 0], [2, 0], [3, 0]], [[0, 1, 1, 2], [1, 1, 2, 2], [2, 1, 3, 2], [3, 1, 0, 2]])
    ways = np.ones((4, 4), int) - np.eye(4, dtype=int)
    spec = hw.Spec(
        network={"topology": "file", "file": ring, "link": {"rate": "1 GB/s", "delay": "10 ns"}},
        routing={"algorithm": "table", "file": ways, "cycles": "allow"},
        switch={"input_memory": "256 B"},
        traffic={"packet": "64 B", "job": [{"program": "all-to-all", "algorithm": "linear", "size": "64 KiB"}]},
    )
    found = hw.remedies(spec, seeds=1)
    assert repr(found).endswith("changes run; without changes: deadlock>")
    assert not found.causes + found.bounds + found.remedies
    assert "no deadlock is possible: its routes have no cycle [theorem]" in found.conclusion
    assert "ok" in {row.status for row in found.rows if row.group == "routing"}
    with pytest.raises(ValueError, match="no change has a gain"):
        found.plot()


def test_it_is_picklable(found):
    again = pickle.loads(pickle.dumps(found))
    assert str(again.rows) == str(found.rows) and again.conclusion == found.conclusion
    assert again.spec_of("fewer writers") == found.spec_of("fewer writers")


@pytest.mark.parametrize(
    "words, keywords, settings",
    [
        (["perfect-switch"], {}, ["perfect_switch=true"]),
        ([], {"without": ["storage"]}, ['without=["storage"]']),
        (["no-delay", "no_computing"], {"without": "train"}, ['without=["train"]', "no_delay=true", "no_computing=true"]),
        ([], {"usual_rates": "all", "no_overhead": True}, ['usual_rates=["all"]', "no_overhead=true"]),
        (["fast-receivers"], {"doubled": "nodes", "repaired": "all"}, ['repaired=["all"]', "fast_receivers=true", "doubled=nodes"]),
        ([], {"stagger": np.int64(7)}, ["stagger=7"]),
    ],
)
def test_what_if_is_like_set(train, program, tmp_path, words, keywords, settings):
    train.save(tmp_path / "s.toml")
    sets = [word for setting in settings for word in ("--set", f"what_if.{setting}")]
    _, said, _ = program("run", tmp_path / "s.toml", "--json", *sets)
    (point,) = json.loads(said)["points"]
    result = hw.run(hw.what_if(train, *words, **keywords))
    assert {name: None if value != value else value for name, value in result.metrics.items()} == point["metrics"]
    assert result.trace_hash == point["trace_hash"]
    assert "what_if" not in train.to_dict()


def test_what_if_adds_to_lists(train):
    both = hw.what_if(hw.what_if(train, without="storage"), without=["train", "storage"])
    assert both["what_if.without"] == ["storage", "train"]
    assert hw.what_if(train, no_delay=False)["what_if.no_delay"] is False


def test_what_if_knows_all_keys_that_are_true_or_false(train):
    flags = [path.removeprefix("what_if.") for path, kind, *_ in hw._headway.keys() if path.startswith("what_if.")]
    others = {"without", "usual_rates", "repaired", "doubled", "stagger"}
    assert {"perfect_switch", "no_delay"} < set(flags) and others < set(flags)
    for flag in set(flags) - others:
        assert hw.what_if(train, flag.replace("_", "-")) == hw.what_if(train, **{flag: True})


def test_wrong_names_are_told_the_valid_ones(train):
    with pytest.raises(ValueError, match="there is no change 'perfect-swich'; did you mean 'perfect-switch'"):
        hw.what_if(train, "perfect-swich")
    with pytest.raises(ValueError, match="there is no change 'xyzzy'; there are .*no-delay"):
        hw.what_if(train, xyzzy=True)
    with pytest.raises(hw.SpecError, match='there is no flow, trace or job "storag"; did you mean "storage"'):
        hw.what_if(train, without="storag")
    with pytest.raises(hw.SpecError, match="valid: train, storage"):
        hw.what_if(train, without=["xyzzy"])
    with pytest.raises(hw.SpecError, match="what_if.usual_rates"):
        hw.what_if(train, usual_rates="99:1")
    with pytest.raises(hw.SpecError, match='"nodes" or "switches"|valid: none, nodes, switches|nodes'):
        hw.what_if(train, doubled="node")
    with pytest.raises(TypeError, match="a change is a text"):
        hw.what_if(train, 3)
    with pytest.raises(TypeError, match="not str; headway.Spec.read"):
        hw.what_if("my.toml", "no-delay")


def test_wrong_arguments(train):
    with pytest.raises(ValueError, match='no metric "train.completion"; did you mean "train.completion_ns"'):
        hw.remedies(train, goal="train.completion", budget="1 s")
    with pytest.raises(hw.SpecError, match='budget: "soon" is not a time; for example "60 s"'):
        hw.remedies(train, budget="soon")
    with pytest.raises(hw.SpecError, match="budget"):
        hw.remedies(train, budget="0 s")
    with pytest.raises(ValueError, match="seeds must be from 1 to 100, not 0"):
        hw.remedies(train, seeds=0)
    with pytest.raises(hw.SpecError, match='switch.lane: unknown key; did you mean "lanes"'):
        hw.remedies(train, tries={"two lanes": {"switch.lane": 2}})
    with pytest.raises(TypeError, match="tries must be a dict"):
        hw.remedies(train, tries={"two lanes": 2})
    with pytest.raises(hw.SpecError, match="headway.sweep"):
        hw.remedies(train.replaced({"sweep": {"seed": [1, 2]}}))
    with pytest.raises(hw.SpecError, match="photographs"):
        hw.remedies(hw.Spec(kernel="slotted", network={"topology": "omega", "nodes": 16}))


def test_files_in_memory_are_in_specs_and_in_changes(spec):
    spec["switch"] = {"scheme": "table", "by": ["destination"], "file": np.array([0, 1, 0, 1]), "queues": 2}
    spec["traffic.flow[0].name"] = "all"
    tries = {"all in one queue": {"switch.file": np.zeros(4, int)}}
    found = hw.remedies(spec, goal="latency_p90_ns", budget="1 s", seeds=1, tries=tries)
    (row,) = [row for row in found.rows if row.kind == "own"]
    assert row.skipped == "" and row.keys["switch.file"].array.tolist() == [0, 0, 0, 0]
    assert hw.run(found.spec_of(row)).latency_p90_ns == row.value
    assert row.value == hw.run(spec.replaced(tries["all in one queue"])).latency_p90_ns


def test_progress_never_falls_and_an_exception_of_it_ends_the_runs(train):
    calls = []
    hw.remedies(train, budget="2 s", seeds=1, progress=lambda *call: calls.append(call))
    fractions = [fraction for fraction, _, _ in calls]
    assert fractions == sorted(fractions) and 0 <= fractions[0] and 0.1 < fractions[-1] <= 1
    assert all(done <= runs for _, done, runs in calls) and calls[-1][2] > 3

    def fail(fraction, done, runs):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        hw.remedies(train, progress=fail)


INTERRUPTED = """
import headway as hw
spec = hw.Spec(network={"k": 4, "n": 3}, measure={"warmup": "5 us", "duration": "400 us"}, traffic={"flow": [
    {"name": "hot", "pattern": "hotspot", "destination": 3, "load": 0.6}, {"name": "rest", "load": 0.3}]})
def ready(fraction, done, runs):
    if runs > 2:
        print("ready", flush=True)
try:
    hw.remedies(spec, budget="600 s", progress=ready)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_stops_within_a_second(script):
    process = script(INTERRUPTED)
    assert process.stdout.readline() == "ready\n"
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.endswith("interrupted\n"), err
    assert time.monotonic() - start < 2  # one second, with a margin for the interpreter's exit on a busy machine


def test_an_executor_gives_the_same(train, found, tmp_path):
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        there = hw.remedies(train, tries=TRIES, seeds=2, out=tmp_path / "out", executor=executor)
        assert rows_of(there.table) == rows_of(found.table)
        again = hw.remedies(train, tries=TRIES, seeds=2, out=tmp_path / "out", executor=BrokenExecutor())
    assert rows_of(again.table) == rows_of(found.table)
    assert str(there.conclusion) == str(found.conclusion)


class BrokenExecutor:
    def submit(self, function, *arguments):
        raise RuntimeError("no worker is left")


def test_an_executor_without_workers_is_told(train):
    with pytest.raises(RuntimeError, match="no worker is left"):
        hw.remedies(train, seeds=1, executor=BrokenExecutor())
    with pytest.raises(ValueError, match="omit jobs"):
        hw.remedies(train, jobs=2, executor=BrokenExecutor())
    with pytest.raises(TypeError, match="must have submit"):
        hw.remedies(train, executor=3)
