# SPDX-License-Identifier: Apache-2.0
import csv
import pickle

import headway as hw
import numpy as np
import pytest

AXES = {"switch.scheme": ["1q", "obqa"], "traffic.flow[0].load": [0.2, 0.5, 0.9]}


@pytest.fixture
def sweep(spec):
    return hw.sweep(spec, AXES, seeds=2)


def files_of(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.suffix in (".csv", ".toml", ".json")}


def test_writes_the_bytes_of_the_program(spec, program, tmp_path):
    spec["measure.tables"] = ["per-destination", "fairness"]
    text = spec.replaced({"seeds": 2, "sweep": AXES}).to_toml()
    (tmp_path / "s.toml").write_text(text)
    assert program("run", tmp_path / "s.toml", "--out", tmp_path / "program")[0] == 0
    hw.sweep(spec, AXES, seeds=2, out=tmp_path / "python")
    hw.sweep(spec, AXES, seeds=2).save(tmp_path / "saved")
    there, here, saved = (files_of(tmp_path / name) for name in ("program", "python", "saved"))
    assert sorted(here) == sorted(there) == sorted(saved)
    for name in there.keys() - {"manifest.json"}:
        assert here[name] == there[name], name
        assert saved[name] == there[name], name


def test_what_one_began_the_other_continues(spec, program, tmp_path):
    (tmp_path / "s.toml").write_text(spec.replaced({"sweep": AXES}).to_toml())
    assert program("run", tmp_path / "s.toml", "--out", tmp_path / "out")[0] == 0
    assert hw.sweep(spec, AXES, out=tmp_path / "out").reused == 6
    hw.sweep(spec, AXES, seeds=2, out=tmp_path / "other")
    (tmp_path / "t.toml").write_text(spec.replaced({"sweep": AXES, "seeds": 2}).to_toml())
    assert program("run", tmp_path / "t.toml", "--out", tmp_path / "other")[0] == 0
    assert len((tmp_path / "other" / "journal.jsonl").read_text().splitlines()) == 12


def test_columns_are_those_of_results_csv(sweep, tmp_path):
    sweep.save(tmp_path / "out")
    with open(tmp_path / "out" / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = sweep.columns()
    assert list(columns) == list(rows[0])
    for name, values in columns.items():
        for row, value in zip(rows, values, strict=True):
            if isinstance(value, str):
                assert row[name] == value
            else:
                assert (row[name] == "" and np.isnan(value)) or float(row[name]) == value


def test_repetitions_until_an_interval_is_narrow_enough(spec, program, tmp_path):
    seeds = {"until": "accepted_load", "relative": 0.01, "at_least": 2, "at_most": 4}
    sweep = hw.sweep(spec, {"traffic.flow[0].load": [0.2, 0.4]}, seeds=seeds)
    assert all(2 <= len(point.runs) <= 4 and point.narrow_enough is not None for point in sweep)
    sweep.save(tmp_path / "python")
    text = spec.replaced({"seeds": seeds, "sweep": {"traffic.flow[0].load": [0.2, 0.4]}}).to_toml()
    (tmp_path / "s.toml").write_text(text)
    assert program("run", tmp_path / "s.toml", "--out", tmp_path / "program")[0] == 0
    there, here = files_of(tmp_path / "program"), files_of(tmp_path / "python")
    assert {name: here[name] for name in there if name != "manifest.json"} == {
        name: content for name, content in there.items() if name != "manifest.json"
    }
    with open(tmp_path / "program" / "results.csv", newline="") as file:
        assert list(sweep.columns()) == list(hw.load(tmp_path / "program").columns()) == next(csv.reader(file))
    assert hw.Spec.from_toml(text)["seeds"] == seeds


def test_points_come_in_order_with_typed_parameters(sweep):
    assert [tuple(point.params.values()) for point in sweep] == [
        (scheme, load) for scheme in AXES["switch.scheme"] for load in AXES["traffic.flow[0].load"]
    ]
    assert sweep["accepted_load"].shape == (6,)
    assert len(sweep.where({"switch.scheme": "obqa"})) == 3
    with pytest.raises(KeyError, match="did you mean 'switch.scheme'"):
        sweep.where({"switch.shceme": "obqa"})
    assert [len(point.runs) for point in sweep] == [2] * 6
    with pytest.raises(KeyError, match="did you mean 'accepted_load'"):
        sweep["acepted_load"]


def test_axes_add_to_the_sweep_of_the_spec(spec):
    spec["sweep"] = {"seed": [1, 2], "switch.scheme": ["1q"]}
    points = hw.sweep(spec, {"switch.scheme": ["1q", "obqa"]})
    assert len(points) == 4
    assert len(hw.sweep(spec)) == 2


def test_zipped_axes(spec):
    axes = {"zip": [{"traffic.flow[0].load": [0.1, 0.2], "seed": np.array([3, 4])}]}
    assert [point.params for point in hw.sweep(spec, axes)] == [
        {"traffic.flow[0].load": 0.1, "seed": 3},
        {"traffic.flow[0].load": 0.2, "seed": 4},
    ]


def test_mistakes_of_all_points_come_together(spec):
    with pytest.raises(hw.SpecError) as raised:
        hw.sweep(spec, {"switch.scheme": ["1q", "obqq"], "traffic.flow[0].laod": [1, 2], "seed": []})
    assert {mistake.key for mistake in raised.value.mistakes} >= {"switch.scheme", "sweep.seed"}


def test_loaded_results_are_the_same(sweep, tmp_path):
    sweep.save(tmp_path / "out")
    loaded = hw.load(tmp_path / "out")
    assert [point.result for point in loaded] == [point.result for point in sweep]
    assert [point.runs for point in loaded] == [point.runs for point in sweep]
    assert loaded.columns().keys() == sweep.columns().keys()
    with pytest.raises(ValueError, match="copy their directory"):
        loaded.save(tmp_path / "again")


def test_is_picklable(sweep, tmp_path):
    again = pickle.loads(pickle.dumps(sweep))
    assert [point.result for point in again] == [point.result for point in sweep]
    again.save(tmp_path / "out")


def test_jobs_do_not_change_results(spec):
    one, many = (hw.sweep(spec, AXES, jobs=jobs) for jobs in (1, 4))
    assert [point.result for point in one] == [point.result for point in many]
    for jobs in (0, -1, 5000):
        with pytest.raises(ValueError, match="jobs must be from 1 to 4096"):
            hw.sweep(spec, AXES, jobs=jobs)


def test_threads_do_not_change_results():
    spec = hw.Spec(network={"k": 4, "n": 3}, traffic={"flow": [{"load": 0.8}]}, measure={"warmup": "1 us", "duration": "5 us"})
    assert hw.run(spec, threads=1) == hw.run(spec, threads=2) == hw.run(spec)
    assert hw.sweep(spec, threads=3)[0].result == hw.run(spec, threads=1)
    for threads in (0, -1, 65):
        with pytest.raises(ValueError, match="threads must be from 1 to 64"):
            hw.run(spec, threads=threads)


def test_saturation_is_that_of_the_program(spec, program, tmp_path):
    (tmp_path / "s.toml").write_text(spec.to_toml())
    assert program("saturation", tmp_path / "s.toml", "--precision", 0.1, "--out", tmp_path / "p")[0] == 0
    result = hw.saturation(spec, precision=0.1, out=tmp_path / "q")
    assert files_of(tmp_path / "p")["results.json"] == files_of(tmp_path / "q")["results.json"]
    assert result.saturation_load_low <= result.saturation_load <= result.saturation_load_high
    assert result.limited_by in ("share", "latency", "saturated", "too_short")
    swept = hw.sweep(spec, {"switch.scheme": ["1q", "voqnet"]}, saturation={"precision": 0.1})
    assert swept[0].result.saturation_load == result.saturation_load
    assert hw.sweep(spec, out=tmp_path / "p", saturation={"precision": 0.1}).reused == 1


def test_saturation_names_bad_limits(spec):
    with pytest.raises(hw.SpecError, match="precision") as caught:
        hw.saturation(spec, precision=0)
    assert "seed" not in str(caught.value)
    with pytest.raises(hw.SpecError, match="latency"):
        hw.saturation(spec, latency="soon")
    with pytest.raises(TypeError):
        hw.sweep(spec, saturation={"precison": 0.1})


def test_frames(sweep):
    pandas = pytest.importorskip("pandas")
    frame = sweep.frame()
    assert len(frame) == 6 and frame["traffic.flow[0].load"].dtype == np.float64
    series = sweep.series_frame()
    assert len(series) == sum(point.result.series.rows for point in sweep)
    assert isinstance(series, pandas.DataFrame) and list(series.columns[:3]) == [*AXES, "seed"]
    with pytest.raises(KeyError, match="there is no table"):
        sweep.series_frame("roots")


def test_plots_have_the_look_of_the_program(sweep):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = sweep.plot("offered_load", "latency_mean_ns", by="switch.scheme")
    assert ax.get_xlabel() == "offered load (fraction of link rate)"
    assert ax.get_ylabel() == "latency mean (ns)"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1q", "obqa"]
    assert ax.get_lines()[0].get_color() == "#000000"
    hollow = [face for dots in ax.collections for face in dots.get_facecolors().tolist() if face[:3] == [1, 1, 1]]
    assert len(hollow) == sum(point.result.status != "ok" for point in sweep)
    with pytest.raises(ValueError, match="several points"):
        sweep.plot("traffic.flow[0].load", "accepted_load", by=[])
    with pytest.raises(ValueError, match="is not swept"):
        sweep.plot("traffic.flow[0].load", "accepted_load", by="switch.queues")
    with pytest.raises(KeyError, match="did you mean"):
        sweep.plot("traffic.flow[0].load", "acepted_load")


def test_optional_packages_are_named_when_they_are_missing(sweep, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(hw.MissingPackage, match="pip install pandas"):
        sweep.frame()


def test_notebooks_show_results(sweep):
    assert "obqa" in sweep._repr_html_()
    assert "accepted_load" in sweep[0].result._repr_html_()
    assert repr(sweep) == "<Sweep of 6 points over switch.scheme, traffic.flow[0].load>"
