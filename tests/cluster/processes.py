#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs that several processes simulate together, started by mpirun, have the results of one process to the byte. If a process
dies, the command ends, says so, and keeps the finished runs.

usage: processes.py HEADWAY HEADWAY-MPI
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HEADWAY, TOGETHER = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:])
TREE = """\
[network]
k = 4
n = 3
[measure]
warmup = "5 us"
duration = "20 us"
tables = ["per-link", "destination-series"]
[observe]
waiting = true
[[traffic.flow]]
load = 0.6
[[traffic.flow]]
pattern = "hotspot"
destination = 3
load = 0.3
sources = { first = 8 }
"""
SPECS = {
    "schemes": TREE + '[sweep]\n"switch.scheme" = ["1q", "obqa", "fbicm", "dbbm-unshared"]\n',
    "pauses": TREE + '[switch]\nflow_control = "pfc"\n[sweep]\n"routing.algorithm" = ["det", "adaptive"]\n',
    "control": TREE + '[switch]\nmarking = "red"\n[node]\nreaction = "dcqcn"\n',
    "dragonfly": TREE.replace('k = 4\nn = 3', 'topology = "dragonfly"\np = 2\na = 4\nh = 2') + '[routing]\nalgorithm = "valiant"\n',
    "torus": TREE.replace('k = 4\nn = 3', 'topology = "torus"\nsides = [4, 4]') + '[routing]\nalgorithm = "dor"\n',
}
random.seed(11)


def mpirun(processes, *arguments):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processes), TOGETHER, *arguments]


def files_of(directory):
    return {path.name: path.read_bytes() for path in sorted(directory.glob("*.csv"))}


def expect_the_same(folder):
    for name, text in SPECS.items():
        spec = folder / f"{name}.toml"
        spec.write_text(text)
        one = folder / name
        subprocess.run([HEADWAY, "run", str(spec), "--out", str(one), "--quiet"], check=True, stdout=subprocess.DEVNULL)
        assert len(files_of(one)) > 5, name
        for processes, threads in [(1, 1), (2, 1), (2, 2), (4, 1)]:
            out = folder / f"{name}-{processes}-{threads}"
            subprocess.run([*mpirun(processes, "run", str(spec), "--out", str(out), "--quiet"), "--threads", str(threads)],
                           check=True, stdout=subprocess.DEVNULL)
            assert files_of(out) == files_of(one), f"{name}: {processes} processes with {threads} threads"
        print(f"{name}: the same bytes", flush=True)


def children(process):
    listed = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(word) for word in listed.split()]


def expect_survival(folder):
    """Kills processes until all runs have finished."""
    spec = folder / "long.toml"
    spec.write_text(TREE.replace('"20 us"', '"100 us"') + '[sweep]\n"traffic.flow[0].load" = { from = 0.1, to = 0.8, step = 0.05 }\n')
    one, out = folder / "long", folder / "killed"
    subprocess.run([HEADWAY, "run", str(spec), "--out", str(one), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    kills = 0
    while True:
        journal = out / "journal.jsonl"
        before = journal.read_bytes().count(b"\n") if journal.exists() else 0
        run = subprocess.Popen(mpirun(2, "run", str(spec), "--out", str(out), "--quiet"), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        while kills < 5 and run.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") <= before):
            time.sleep(0.01)
        if kills < 5 and run.poll() is None and children(run.pid):
            os.kill(random.choice(children(run.pid)), signal.SIGKILL)
            kills += 1
            error = run.communicate(timeout=120)[1]
            assert run.returncode != 0 and "signal 9" in error, error
            continue
        error = run.communicate(timeout=600)[1]
        assert run.returncode == 0, error
        break
    assert kills > 0
    assert files_of(out) == files_of(one), "killed and continued"
    print(f"{kills} processes killed: the same bytes", flush=True)


with tempfile.TemporaryDirectory() as name:
    expect_the_same(pathlib.Path(name))
    expect_survival(pathlib.Path(name))
