#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints, as Markdown, the processor time and the memory that jobs take: how they grow with the ranks, and how long ones run.

Of programs whose size grows, it measures 'headway check' and the first 20 us of a run, which have at most the first steps. Of long jobs,
it measures the whole run, with the skipping of stretches that repeat, without it, and on two threads. bench/README.md has results.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

WORKLOADS = pathlib.Path(__file__).resolve().parent / "workloads"


def spec(nodes, radix, program, scheme="1q", limit="20 s", placement="linear", rate="50 GB/s"):
    return f"""network = {{ topology = "pgft", radix = {radix}, nodes = {nodes}, link = {{ rate = "{rate}", delay = "500 ns" }} }}
routing = {{ algorithm = "det" }}
switch = {{ scheme = "{scheme}", input_memory = "512 KiB" }}
measure = {{ limit = "{limit}" }}
[traffic]
packet = "4 KiB"
[[traffic.job]]
placement = "{placement}"
{program}
"""


GROWING = {
    "all-reduce, ring": 'program = "all-reduce"\nsize = "64 MiB"',
    "all-reduce, double tree": 'program = "all-reduce"\nsize = "64 MiB"\nalgorithm = "double-tree"\nchunks = 8',
    "all-reduce, hierarchical": 'program = "all-reduce"\nsize = "64 MiB"\nalgorithm = "hierarchical"\nranks_per_group = 8',
    "all-to-all, linear": 'program = "all-to-all"\nsize = "64 KiB"\nalgorithm = "linear"',
    "all-to-all, linear, 8 at a time": 'program = "all-to-all"\nsize = "64 KiB"\nalgorithm = "linear"\nwindow = 8',
    "all-to-all, pairwise": 'program = "all-to-all"\nsize = "64 KiB"\nalgorithm = "pairwise"',
    "all-to-all, Bruck": 'program = "all-to-all"\nsize = "64 KiB"\nalgorithm = "bruck"',
    "training step": 'program = "training-step"\nlayers = 32\ntensor = 8\nstages = 4\nmicrobatches = 8',
}
RADIX = {1024: 64, 4096: 64, 16384: 64, 65536: 64}

GIB = 'size = "1 GiB"'
LONG = {
    "ring": (64, 16, f'program = "all-reduce"\n{GIB}', {}),
    "Rabenseifner": (64, 16, f'program = "all-reduce"\nalgorithm = "rabenseifner"\n{GIB}', {}),
    "hierarchical": (64, 16, f'program = "all-reduce"\nalgorithm = "hierarchical"\nranks_per_group = 8\n{GIB}', {}),
    "all-to-all, pairwise, 16 MiB a pair": (64, 16, 'program = "all-to-all"\nsize = "16 MiB"', {}),
    "ring, random": (64, 16, f'program = "all-reduce"\n{GIB}', {"placement": "random"}),
    "ring, random, VOQs": (64, 16, f'program = "all-reduce"\n{GIB}', {"placement": "random", "scheme": "voqsw"}),
    "ring of 64 MiB": (64, 16, 'program = "all-reduce"\nsize = "64 MiB"', {}),
    "Mixtral 8x7B": (64, 16, f'program = "astra-sim"\nfile = "{WORKLOADS / "mixtral-8x7b.txt"}"', {}),
}


def took(command, folder, seconds):
    """Returns the seconds of processor time, those of the clock and the memory in MB; None if there is too little of one."""
    log = folder / "log"
    with open(log, "w") as out:
        begin = os.times().elapsed
        process = subprocess.Popen(["timeout", str(seconds), *command], stdout=out, stderr=out, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
    code, text = os.waitstatus_to_exitcode(status), log.read_text()
    if code == 2 and "of memory" not in text:
        raise SystemExit(text)
    if code in (2, 124):
        return None
    return usage.ru_utime + usage.ru_stime, os.times().elapsed - begin, usage.ru_maxrss / 1024


def cell(values):
    return "-" if values is None else f"{values[0]:.2f} s {values[2]:.0f} MB"


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def growing(arguments, folder):
    sizes = [int(size) for size in arguments.ranks.split(",")]
    row("program", "", *(f"{size:,} ranks" for size in sizes))
    row("---", "---", *("---" for _ in sizes))
    for name, program in GROWING.items():
        if arguments.case not in name:
            continue
        checks, runs = [], []
        for size in sizes:
            (folder / "job.toml").write_text(spec(size, RADIX[size], program, limit="20 us"))
            checks.append(cell(took([arguments.program, "check", "job.toml"], folder, arguments.seconds)))
            runs.append(cell(took([arguments.program, "run", "job.toml", "--quiet", "--threads", "1"], folder, arguments.seconds)))
        row(name, "check", *checks)
        row("", "run", *runs)


def long_jobs(arguments, folder):
    jobs = dict(LONG)
    if arguments.gpt:
        jobs["GPT 13B"] = (128, 32, f'program = "astra-sim"\nranks = 128\nfile = "{arguments.gpt.resolve()}"', {"rate": "25 GB/s"})
    row("job", "ranks", "skipping, processor s", "without", "ratio", "two threads without, clock s", "MB")
    row(*["---"] * 7)
    for name, (nodes, radix, program, more) in jobs.items():
        if arguments.case not in name:
            continue
        (folder / "job.toml").write_text(spec(nodes, radix, program, **more))
        run = [arguments.program, "run", "job.toml", "--quiet", "--set", "seed=1"]
        rounds = [[took([*run, "--threads", "1"], folder, arguments.seconds),
                   took([*run, "--threads", "1", "--no-skip"], folder, arguments.seconds),
                   took([*run, "--threads", "2", "--no-skip"], folder, arguments.seconds)] for _ in range(arguments.repeat)]
        median = [None if any(one is None for one in column) else [statistics.median(values) for values in zip(*column)]
                  for column in zip(*rounds)]
        skipping, without, threads = median
        row(name, str(nodes), f"{skipping[0]:.2f}" if skipping else "-", f"{without[0]:.2f}" if without else "-",
            f"{without[0] / skipping[0]:.1f}" if skipping and without else "-", f"{threads[1]:.2f}" if threads else "-",
            f"{skipping[2]:.0f}" if skipping else "-")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda name: pathlib.Path(name).resolve(), default="build/release/headway")
    parser.add_argument("--case", default="", help="measures only the lines that contain this text")
    parser.add_argument("--ranks", default="1024,4096,16384,65536", help="sizes of what grows; default: %(default)s")
    parser.add_argument("--only", choices=["growing", "long"], help="prints only this table")
    parser.add_argument("--gpt", type=pathlib.Path, help="a workload of SimAI for 128 GPUs, such as AICB's for GPT 13B")
    parser.add_argument("--repeat", type=int, default=1, help="rounds of long jobs; the medians count; default: %(default)s")
    parser.add_argument("--seconds", type=int, default=600, help="gives up after this time; default: %(default)s")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.only != "long":
            growing(arguments, pathlib.Path(folder))
            print()
        if arguments.only != "growing":
            long_jobs(arguments, pathlib.Path(folder))


if __name__ == "__main__":
    main()
