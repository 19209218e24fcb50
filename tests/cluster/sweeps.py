#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps whose processes are killed again and again, by Slurm and by Open MPI, have the results of an undisturbed command.

usage: sweeps.py HEADWAY [slurm] [mpi]       (by default both)
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from slurm import Slurm  # noqa: E402

HEADWAY = str(pathlib.Path(sys.argv[1]).resolve())
KILLS = 20
SPEC = """\
seed = 3
[network]
k = 4
n = 3
[measure]
warmup = "20 us"
duration = "2 ms"
[sweep]
"switch.scheme" = ["1q", "voqsw", "dbbm", "obqa"]
"traffic.flow.load" = { from = 0.02, to = 1, step = 0.02 }
"""
RUNS = 200
random.seed(7)


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def headway(*arguments, **options):
    done = subprocess.run([HEADWAY, *arguments], text=True, capture_output=True, **options)
    assert done.returncode == 0, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def lines_of(directory):
    for journal in sorted(directory.glob("shards/*.jsonl")):
        for line in journal.read_text().splitlines():
            try:
                yield journal, json.loads(line)
            except ValueError:  # torn by a kill
                pass


def keys_of(directory):
    return [line["key"] for _, line in lines_of(directory) if "key" in line]


def is_alive(pid):
    try:
        return "headway" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def processes_of(directory):
    """(shard, process) of those that run"""
    heads = [line["note"] for _, line in lines_of(directory) if "shard" in line.get("note", {})]
    return [(head["shard"], head["process"]) for head in heads if is_alive(head["process"])]


def parent_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def expect_undisturbed(directory, whole, folder):
    keys = keys_of(directory)
    assert len(keys) == RUNS, f"{len(keys)} runs, not {RUNS}"
    assert len(set(keys)) == RUNS, "a run was simulated twice"
    status = headway("status", str(directory), cwd=folder)
    assert f"{RUNS} of {RUNS} runs finished" in status, status
    headway("run", "sweep.toml", "--out", str(directory), cwd=folder)
    assert json.loads((directory / "manifest.json").read_text())["runs_reused"] == RUNS
    for file in sorted(whole.iterdir()):
        if file.name not in ["manifest.json", "journal.jsonl"]:
            assert (directory / file.name).read_bytes() == file.read_bytes(), f"{file.name} differs"
    assert not (directory / "shards").exists()


def slurm(folder, whole):
    out = folder / "slurm"
    with Slurm(folder / "daemons") as cluster:
        said = cluster.run(HEADWAY, "submit", "sweep.toml", "--out", str(out), "--shards", "8", "--", "--comment=a sweep", "--mem=100", cwd=folder)
        job = said.split("submitted job ")[1].split(",")[0]
        say(f"job {job} is submitted")

        def states():
            lines = cluster.run("squeue", "-h", "-r", "-j", job, "-o", "%K %t", "--states=all").splitlines()
            return dict((int(number), state) for number, state in (line.split() for line in lines))

        kills, waiting = 0, set()
        while True:
            now = states()
            for shard in sorted(waiting):
                if now.get(shard) in ["F", "NF", "CA"]:  # not in the queue, and not about to end
                    cluster.run("scontrol", "requeue", f"{job}_{shard}")
                    waiting.remove(shard)
                    now[shard] = "PD"
            running = [(shard, pid) for shard, pid in processes_of(out) if shard not in waiting]
            if kills < KILLS and running:
                shard, pid = random.choice(running)
                try:
                    kill(parent_of(pid))  # the script, which would try again
                except FileNotFoundError:  # it has just ended
                    continue
                kill(pid)
                waiting.add(shard)
                kills += 1
            if not waiting and all(state == "CD" for state in now.values()):
                break
            lost = {shard: state for shard, state in now.items() if state in ["F", "TO", "NF"] and shard not in waiting}
            assert not lost, f"{lost}\n{logs(out)}"
            time.sleep(0.2)
        assert kills == KILLS, f"the sweep ended after {kills} kills"
        say(f"the job is done after {kills} kills")
        print(cluster.run(HEADWAY, "status", str(out)))
    expect_undisturbed(out, whole, folder)


def logs(out):
    return "\n".join(f"{log}:\n{log.read_text()}" for log in sorted(out.glob("logs/*")))


def mpi(folder, whole):
    out = folder / "mpi"
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", HEADWAY, "run", "sweep.toml", "--out", str(out), "--shard", "auto"]
    for kills in range(KILLS + 1):
        before = len(keys_of(out))
        ranks = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while kills < KILLS and (len(keys_of(out)) == before or not processes_of(out)):
            assert ranks.poll() is None, f"mpirun ended before kill {kills}: {ranks.stderr.read()}"
            time.sleep(0.02)
        if kills < KILLS:
            kill(random.choice(processes_of(out))[1])
        error = ranks.communicate()[1]
    assert ranks.returncode == 0, error
    say(f"the ranks are done after {KILLS} kills")
    expect_undisturbed(out, whole, folder)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "sweep.toml").write_text(SPEC)
        headway("run", "sweep.toml", "--out", "whole", cwd=folder)
        say("the undisturbed sweep is done")
        for name, test in [("slurm", slurm), ("mpi", mpi)]:
            if name in (sys.argv[2:] or [name]):
                test(folder, folder / "whole")
                say(f"{name}: the same bytes")


main()
