#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `headway check --cost` expects with what runs take.

usage: bench/prediction.py [--program PATH] [--set KEY=VALUE]... [SPEC]...

For each spec, by default those of examples/, prints the expected and the measured processor time and memory, and their
ratios. A spec whose points repeat others runs all of them. At the end, it prints how many ratios of time are within a
factor of 1.5, and how many of memory are within 10 %. Needs GNU time (Debian's package time).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]


def measured(command):
    """Processor time in seconds and peak memory in bytes of a process, and its standard output.

    GNU time starts the process, because one that Python starts counts Python's memory as its own.
    """
    with tempfile.NamedTemporaryFile("r") as usage:
        timed = ["/usr/bin/time", "-q", "-f", "%U %S %M", "-o", usage.name, *command]
        process = subprocess.run(timed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        user, system, kibibytes = usage.read().split()
        return process.returncode, float(user) + float(system), int(kibibytes) * 1024, process.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=SOURCE / "build/release/headway")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("specs", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    specs = given.specs or sorted((SOURCE / "examples").glob("*.toml"))
    settings = [word for setting in given.set for word in ("--set", setting)]
    print(f"{'spec':28} {'check s':>8} {'expected s':>11} {'run s':>8} {'ratio':>6}   {'MiB':>6} {'run MiB':>8} {'ratio':>6}")
    times, memories = [], []
    for spec in specs:
        code, check_s, _, text = measured([given.program, "check", spec, "--json", *settings])
        if code != 0:
            print(f"{spec.name:28} check ends with {code}")
            continue
        expected = json.loads(text)
        code, run_s, run_bytes, _ = measured([given.program, "run", spec, "--jobs", "1", *settings])
        if code != 0:
            print(f"{spec.name:28} run ends with {code}")
            continue
        times.append(expected["cpu_s"] / max(run_s, 0.005))  # it is measured in steps of 10 ms
        memories.append(expected["memory_bytes"] / run_bytes)
        print(
            f"{spec.name:28} {check_s:8.2f} {expected['cpu_s']:11.2f} {run_s:8.2f} {times[-1]:6.2f}   "
            f"{expected['memory_bytes'] / 2**20:6.0f} {run_bytes / 2**20:8.0f} {memories[-1]:6.2f}",
            flush=True,
        )
    near, of_memory = (sum(1 / 1.5 <= ratio <= 1.5 for ratio in ratios) for ratios in (times, memories))
    nearer = sum(0.9 <= ratio <= 1.1 for ratio in memories)
    print(f"within a factor of 1.5: time {near}, memory {of_memory} of {len(times)}; memory within 10 %: {nearer}")


if __name__ == "__main__":
    sys.exit(main())
