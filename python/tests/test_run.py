# SPDX-License-Identifier: Apache-2.0
import gc
import json
import pickle
import signal
import threading
import time

import headway as hw
import numpy as np
import pytest


def test_a_run_is_that_of_the_program(spec, program, tmp_path):
    (tmp_path / "s.toml").write_text(spec.to_toml())
    _, said, _ = program("run", tmp_path / "s.toml", "--json")
    (point,) = json.loads(said)["points"]
    result = hw.run(spec)
    assert result.status == point["status"]
    assert result.metrics == point["metrics"]
    assert result.trace_hash == point["trace_hash"]
    assert {name: column.tolist() for name, column in result.series.items()} == {
        name: [np.nan if value is None else value for value in column] for name, column in point["series"].items()
    } or np.isnan(result.series["latency_mean_ns"]).any()


def test_metrics_are_attributes_with_the_names_that_they_have_everywhere(spec):
    result = hw.run(spec)
    for name, value in result.metrics.items():
        assert getattr(result, name) == value or np.isnan(value)
        assert name in dir(result)
    assert " ".join(hw.Result.accepted_load.__doc__.split()).endswith("Unit: fraction of link rate.")


def test_a_metric_that_a_run_does_not_have_says_why(spec):
    result = hw.run(spec)
    with pytest.raises(AttributeError, match='needs runs with "fairness" in measure.tables'):
        result.jain_index
    assert not hasattr(result, "jain_index")
    assert "jain_index" not in dir(result)
    with pytest.raises(AttributeError, match="did you mean 'accepted_load'"):
        result.acepted_load
    spec["measure.tables"] = ["fairness"]
    assert 0 < hw.run(spec).jain_index <= 1


def test_metrics_with_numbers_in_their_names():
    spec = hw.Spec(kernel="slotted", network={"topology": "omega", "nodes": 16}, measure={"slots": 6400})
    result = hw.run(spec)
    assert result.class_1_throughput == result.metrics["class_1_throughput"] > 0
    with pytest.raises(AttributeError):
        result.class_9_throughput


def test_tables_are_arrays_that_share_the_memory_of_the_result(spec):
    result = hw.run(spec)
    first, again = result.series["accepted_load" if "accepted_load" in result.series else "time_ns"], result.series
    column = again["time_ns"]
    assert column.dtype == np.float64 and column.ndim == 1 and not column.flags.writeable and not column.flags.owndata
    assert np.shares_memory(column, result.series["time_ns"])
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 1
    kept = column.copy()
    del result, again, first
    gc.collect()
    assert (column == kept).all()


def test_unknown_tables_and_columns_name_the_nearest(spec):
    result = hw.run(spec)
    with pytest.raises(KeyError, match="did you mean one of offered_efficiency, network_efficiency"):
        result.series["efficiency"]
    for lacking in (lambda: result.tables["per_destination"], lambda: result.table("per_destination")):
        with pytest.raises(KeyError, match="this run has no table 'per_destination': see measure.tables"):
            lacking()
    with pytest.raises(KeyError, match="did you mean 'time_ns'"):
        result.series["time_n"]
    with pytest.raises(KeyError, match="there is no table 'rots'"):
        result.table("rots")
    assert list(result.tables) == ["per_stage", "series"]
    assert result.series.rows == len(result.series["time_ns"])


def test_results_are_picklable_to_the_last_bit(spec):
    result = hw.run(spec.replaced({"seeds": 2}))
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.intervals == result.intervals and len(again.runs) == 2
    for name, table in result.tables.items():
        for column, values in table.items():
            assert np.array_equal(again.tables[name][column], values, equal_nan=True)


def test_seeds_give_a_mean_with_intervals(spec):
    result = hw.run(spec.replaced({"seeds": 3}), seed=5)
    loads = [run.accepted_load for run in result.runs]
    assert len(set(loads)) > 1
    assert result.accepted_load == pytest.approx(np.mean(loads))
    assert result.intervals["accepted_load"] > 0
    assert result.runs[0] == hw.run(spec, seed=5)


def test_tables_of_seeds_say_whose_their_rows_are(spec):
    busy = {"seeds": 2, "traffic.flow[0].load": 0.9, "observe.waiting": True, "observe.interval": "1 us"}
    result = hw.run(spec.replaced(busy), seed=5)
    trees, found = [run.table("trees") for run in result.runs], result.table("trees")
    assert all(table.rows > 0 and "seed" not in table for table in trees)
    assert found["seed"].tolist() == [5] * trees[0].rows + [6] * trees[1].rows
    for column in trees[0]:
        assert list(map(str, found[column])) == [str(cell) for table in trees for cell in table[column]]
    roots = [set(zip(table["kind"], table["port"])) for table in (run.table("roots") for run in result.runs)]
    found = result.table("roots")
    rows = list(zip(found["kind"], found["port"]))
    assert set(rows) == roots[0] | roots[1]
    assert list(found.get("seeds", [2] * len(rows))) == [sum(row in each for each in roots) for row in rows]


def test_frames(spec):
    pytest.importorskip("pandas")
    result = hw.run(spec)
    assert result.frame().loc[0, "accepted_load"] == result.accepted_load
    assert list(result.series_frame().columns) == list(result.series)


def test_a_spec_with_a_sweep_is_for_sweep(spec):
    spec["sweep"] = {"seed": [1, 2]}
    with pytest.raises(hw.SpecError, match="headway.sweep"):
        hw.run(spec)


def test_mistakes_are_reported_before_anything_runs(spec):
    with pytest.raises(hw.SpecError) as raised:
        hw.run(spec.replaced({"measure.watch_destination": 99, "switch.input_memory": "1 B"}))
    assert {mistake.key for mistake in raised.value.mistakes} == {"measure.watch_destination", "switch.input_memory"}


def test_saved_results_are_loaded(spec, tmp_path):
    result = hw.run(spec, out=tmp_path / "a")
    result.save(tmp_path / "b")
    for name in ("results.json", "results.csv", "series.csv", "spec.toml"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    (point,) = hw.load(tmp_path / "b")
    assert point.result == result
    assert hw.load(str(tmp_path / "a")).spec == hw.Spec.from_toml(spec.to_toml(defaults=True))


def test_what_cannot_be_loaded_or_written(spec, tmp_path):
    with pytest.raises(ValueError, match="contains no results.json"):
        hw.load(tmp_path)
    (tmp_path / "results.json").write_text("{")
    with pytest.raises(ValueError, match="cannot read"):
        hw.load(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        hw.run(spec, out=tmp_path / "file" / "x")


def test_an_invariant_error_keeps_its_kind():
    assert issubclass(hw.InvariantError, RuntimeError)
    assert issubclass(hw.SpecError, ValueError)


def test_progress_is_called_with_the_work_done(spec):
    calls = []
    hw.sweep(spec, {"seed": list(range(20))}, progress=lambda *call: calls.append(call))
    assert calls[-1] == (1.0, 20, 20)
    assert calls == sorted(calls)


def test_an_exception_of_progress_ends_the_run(long_spec):
    def fail(fraction, done, runs):
        raise LookupError("enough")

    start = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        hw.run(long_spec, progress=fail)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_progress_is_shown_on_standard_error(spec, capsys, monkeypatch, with_tqdm):
    if with_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    hw.run(spec, progress=True)
    out, err = capsys.readouterr()
    assert out == "" and "of 1 run" in err
    hw.run(spec)
    assert capsys.readouterr().err == ""


def test_threads_run_at_once(spec):
    alone = [hw.run(spec, seed=seed) for seed in range(8)]
    together = [None] * 8

    def work(seed):
        together[seed] = hw.run(spec, seed=seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_other_threads_work_during_a_run(long_spec):
    ticks = []
    done = threading.Event()

    def count():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    hw.run(long_spec.replaced({"measure.duration": "1 ms"}))
    done.set()
    counter.join()
    assert len(ticks) > 5


INTERRUPTED = """
import sys, time
import headway as hw
spec = hw.Spec(network={"k": 4, "n": 4}, traffic={"flow": [{"load": 0.4}]}, measure={"warmup": "5 us", "bin": "10 us"})
axes = {"measure.duration": ["20 us", "30 us", "200 ms"]}
out = sys.argv[1] if len(sys.argv) > 1 else OUT
def ready(fraction, done, runs):
    if done == 2:
        print("ready", flush=True)
try:
    hw.sweep(spec, axes, out=out, progress=ready)
except KeyboardInterrupt:
    print("interrupted")
"""


LARGE = """
import headway as hw
spec = hw.Spec(network=NETWORK, routing=ROUTING, traffic={"flow": [{"load": 0.4}]}, measure={"duration": "1 us"})
print("ready", flush=True)
try:
    WORK
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    "network, routing, work",
    [
        ({"topology": "torus", "sides": [12, 12, 12]}, {"algorithm": "lash"}, "spec.check()"),
        ({"topology": "torus", "sides": [20, 20, 20]}, {"algorithm": "up-down"}, "hw.run(spec)"),
        ({"topology": "k-ary-n-tree", "k": 24, "n": 4}, {}, "hw.run(spec)"),
        ({"topology": "torus", "sides": [12, 12, 12]}, {"algorithm": "lash"}, "hw.export(spec, 'none')"),
    ],
)
def test_ctrl_c_stops_what_comes_before_a_run_of_a_large_network(script, network, routing, work):
    text = LARGE.replace("NETWORK", repr(network)).replace("ROUTING", repr(routing)).replace("WORK", work)
    process = script(text)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert time.monotonic() - start < 1.5  # one second, with a margin for a busy machine
    assert process.wait(timeout=60) == 0


def test_ctrl_c_stops_within_a_second_and_keeps_finished_points(script, tmp_path):
    process = script(INTERRUPTED.replace("OUT", repr(str(tmp_path / "out"))))
    assert process.stdout.readline() == "ready\n"
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    took = time.monotonic() - start
    assert out.endswith("interrupted\n"), err
    assert took < 2  # one second, with a margin for the interpreter's exit on a busy machine
    kept = hw.load(tmp_path / "out")
    assert [point.params["measure.duration"] for point in kept] == ["20 us", "30 us"]
    axes = {"measure.duration": ["20 us", "30 us", "200 ms"]}
    spec = hw.Spec(
        network={"k": 4, "n": 4}, traffic={"flow": [{"load": 0.4}]}, measure={"warmup": "5 us", "bin": "10 us"}
    )

    def stop(fraction, done, runs):
        raise StopIteration(runs)

    with pytest.raises(StopIteration) as stopped:
        hw.sweep(spec, axes, out=tmp_path / "out", progress=stop)
    assert stopped.value.args == (1,)  # one run is left


def test_a_path_in_place_of_a_spec_is_told_how_to_read_it():
    with pytest.raises(TypeError, match="not str; headway.Spec.read reads a file"):
        hw.run("my.toml")


def test_notebooks_show_results_as_tables_with_units(spec):
    result = hw.run(spec)
    shown = result._repr_html_()
    assert "<td>latency_mean_ns</td>" in shown and shown.count("<tr>") == len(result.metrics) + 2
    assert "<td>fraction of link rate</td>" in shown
    shown = result.series._repr_html_()
    assert shown.count("<tr>") == 12 and "<td>…</td>" in shown and "<th>time_ns</th>" in shown
    assert result.tables["per_stage"]._repr_html_().count("<tr>") == result.tables["per_stage"].rows + 1


def test_a_job_that_runs_alone_too_has_a_slowdown():
    jobs = [{"name": "sync", "size": "4 KiB"}, {"program": "incast", "senders": 3}]
    spec = hw.Spec(network={"k": 2, "n": 2}, traffic={"job": jobs}, measure={"alone": True})
    metrics = hw.run(spec).metrics
    assert metrics["sync.slowdown"] == metrics["sync.completion_ns"] / metrics["sync.alone_ns"] > 1
