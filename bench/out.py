#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much longer a sweep takes with --out: `bench/out.py PROGRAM [PAIRS]`.

Prints the medians, over pairs of consecutive runs, of the ratios of wall time, user time and user plus system time, and the
largest memory of both. Times of one run are those of this machine and of what else it does; the ratios of pairs are less so.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

NETWORK = '[network]\nk = {k}\nn = {n}\n[measure]\nwarmup = "0 us"\nduration = "{duration}"\ntables = [{tables}]\n'
LOADS = '[sweep]\n"traffic.flow.load" = {{ from = 0.1, to = 0.9, step = {step} }}\n'

CASES = {
    "short runs": NETWORK.format(k=2, n=2, duration="5 us", tables="") + LOADS.format(step="0.0005"),
    "tables per pair": NETWORK.format(k=4, n=3, duration="50 us", tables='"per-pair"') + LOADS.format(step="0.02"),
}


def run(command: list[str]) -> tuple[float, float, float, float]:
    """Wall time, user time and user plus system time in seconds, and memory in MB."""
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    wall = time.monotonic() - start
    return wall, usage.ru_utime, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    program = os.path.realpath(sys.argv[1])
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    print(f"{'case':<18}{'s without':>10}{'s with':>8}{'wall':>7}{'user':>7}{'+ system':>10}{'MB without':>12}{'MB with':>9}")
    for name, spec in CASES.items():
        without, with_out = [], []
        with tempfile.TemporaryDirectory(dir=".") as directory:
            file = pathlib.Path(directory) / "spec.toml"
            file.write_text(spec)
            for pair in range(pairs):
                command = [program, "run", str(file)]
                without.append(run(command))
                with_out.append(run([*command, "--out", f"{directory}/{pair}"]))
        ratios = [
            statistics.median(b[i] / a[i] for a, b in zip(without, with_out)) for i in range(3)
        ]
        walls = [statistics.median(wall for wall, *_ in runs) for runs in (without, with_out)]
        memory = [max(runs[3] for runs in all_runs) for all_runs in (without, with_out)]
        print(
            f"{name:<18}{walls[0]:>10.2f}{walls[1]:>8.2f}{ratios[0]:>7.2f}{ratios[1]:>7.2f}{ratios[2]:>10.2f}"
            f"{memory[0]:>12.0f}{memory[1]:>9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
