# SPDX-License-Identifier: Apache-2.0
"""Sweeps on executors give what they give without: the same files, and what is done survives a worker that dies."""

import concurrent.futures
import os
import pathlib
import re
import signal

import headway as hw
import numpy as np
import pytest

AXES = {"traffic.flow[0].load": [0.1, 0.2, 0.3], "seed": [1, 5]}
SAME = ("results.json", "results.csv", "series.csv", "per_stage.csv", "spec.toml")


def files_of(directory):
    return {name: (directory / name).read_bytes() for name in SAME if (directory / name).exists()}


def journal_of(directory):
    """The lines without the processor time and their sum, in no order."""
    lines = (directory / "journal.jsonl").read_text().splitlines()
    return sorted(re.sub(r'"cpu_s": ?[-+.e\d]+|"sum": ?"\w+"', "", line) for line in lines)


def check_same(spec, executor, tmp_path, **options):
    alone = hw.sweep(spec, AXES, out=tmp_path / "alone", **options)
    shared = hw.sweep(spec, AXES, out=tmp_path / "shared", executor=executor, **options)
    assert files_of(tmp_path / "shared") == files_of(tmp_path / "alone")
    assert journal_of(tmp_path / "shared") == journal_of(tmp_path / "alone")
    assert [p.result.trace_hash for p in shared] == [p.result.trace_hash for p in alone]
    again = hw.sweep(spec, AXES, out=tmp_path / "shared", executor=executor, **options)
    assert again.reused == sum(len(point.runs) for point in alone)


@pytest.fixture
def processes():
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        yield executor


def test_processes_write_the_same_directory(spec, processes, tmp_path):
    check_same(spec, processes, tmp_path, seeds=2)


def test_seeds_until_an_interval_is_narrow_enough(spec, processes, tmp_path):
    check_same(spec, processes, tmp_path, seeds={"until": "latency_mean_ns", "relative": 0.01, "at_most": 8})


def test_searches(spec, processes, tmp_path):
    check_same(spec, processes, tmp_path, saturation={"precision": 0.2})
    found = hw.saturation(spec, precision=0.2, executor=processes)
    assert found.trace_hash == hw.saturation(spec, precision=0.2).trace_hash


def test_contents_and_snapshots_travel(spec, processes, tmp_path):
    own = spec.replaced({"switch": {"scheme": "table", "by": ["destination"], "file": np.arange(4) % 2}})
    own["observe"] = {"waiting": True, "keep": True}
    for name, executor in (("alone", None), ("shared", processes)):
        hw.sweep(own, {"seed": [1, 2]}, out=tmp_path / name, executor=executor)
    kept = [sorted(p.name for p in (tmp_path / name).glob("**/*") if p.is_file()) for name in ("alone", "shared")]
    assert kept[0] == kept[1]
    for path in (tmp_path / "alone").glob("snapshots/*"):
        assert path.read_bytes() == (tmp_path / "shared" / "snapshots" / path.name).read_bytes()


def test_progress_is_reported(spec):
    seen = []
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        hw.sweep(spec, AXES, executor=executor, progress=lambda *now: seen.append(now))
    assert seen[-1] == (1.0, 6, 6)
    assert [fraction for fraction, _, _ in seen] == sorted(fraction for fraction, _, _ in seen)


def test_mistakes_are_told_as_without(spec, processes):
    trace = spec.replaced({"traffic": {"trace": [{"format": "csv", "file": os.devnull}]}})
    for executor in (None, processes):
        with pytest.raises(hw.SpecError):
            hw.sweep(trace, {"seed": [1, 2]}, executor=executor)
    with pytest.raises(ValueError, match="jobs and threads have no effect"):
        hw.sweep(spec, AXES, executor=processes, jobs=2)
    with pytest.raises(TypeError, match="must have submit"):
        hw.sweep(spec, AXES, executor=4)


class Lossy(concurrent.futures.ThreadPoolExecutor):
    """Loses tasks: those with these numbers, counted from 0."""

    def __init__(self, lost):
        super().__init__(1)
        self.lost, self.count = lost, 0

    def submit(self, fn, /, *args):
        self.count += 1
        if self.count - 1 in self.lost:
            return super().submit(self.lose)
        return super().submit(fn, *args)

    @staticmethod
    def lose():
        raise ConnectionError("the worker is gone")


@pytest.fixture
def one_by_one(monkeypatch):
    monkeypatch.setattr("headway.executors._TASKS_AT_ONCE", 1)


def test_a_lost_task_is_sent_again(spec, one_by_one, tmp_path):
    with Lossy({0, 3}) as executor:
        check_same(spec, executor, tmp_path)


def test_what_is_lost_twice_is_an_error_and_the_rest_is_kept(spec, one_by_one, tmp_path):
    with Lossy({2, 6}) as executor, pytest.raises(RuntimeError, match="no result of 1 of 6 runs") as error:
        hw.sweep(spec, AXES, out=tmp_path, executor=executor)
    assert isinstance(error.value.__cause__, ConnectionError)
    assert len(hw.load(tmp_path)) == 5
    assert hw.sweep(spec, AXES, out=tmp_path).reused == 5


def die(job, tasks):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_takes_no_finished_run(spec, one_by_one, tmp_path, monkeypatch):
    class Deadly(concurrent.futures.ProcessPoolExecutor):
        count = 0

        def submit(self, fn, /, *args):
            self.count += 1
            if self.count == 4:
                concurrent.futures.wait(self.first)  # so that some runs are done
                return super().submit(die, *args)
            future = super().submit(fn, *args)
            self.first = [*getattr(self, "first", []), future]
            return future

    with Deadly(1) as executor, pytest.raises(RuntimeError, match="no result of 3 of 6 runs"):
        hw.sweep(spec, AXES, out=tmp_path / "broken", executor=executor)
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        assert hw.sweep(spec, AXES, out=tmp_path / "broken", executor=executor).reused == 3
    hw.sweep(spec, AXES, out=tmp_path / "alone")
    assert files_of(tmp_path / "broken") == files_of(tmp_path / "alone")


def test_ctrl_c_keeps_what_is_done(spec, script, tmp_path):
    out = pathlib.Path(tmp_path / "out")
    spec["measure.duration"] = "20 ms"
    process = script(f"""\
import concurrent.futures
import headway as hw
if __name__ == "__main__":
    spec = hw.Spec.from_toml('''{spec.to_toml()}''')
    def told(fraction, done, runs):
        if done >= 1:
            print("some", flush=True)
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        try:
            hw.sweep(spec, {{"seed": list(range(200))}}, out={str(out)!r}, executor=executor, progress=told)
        except KeyboardInterrupt:
            print("stopped", flush=True)
""")
    assert process.stdout.readline() == "some\n"
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert rest.endswith("stopped\n")
    assert 1 <= len(hw.load(out)) < 200
