#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `./dev demo` costs from a fresh clone: processor time of the build, also as a multiple of
compiling bench/calibration.cpp, which does not change, because machines differ and change their speed.

usage: build_cost.py [COMMIT...]

Commits are built one after the other, without a compiler cache; by default, the current one. The packages
that the demo needs must be installed. Needs git, a compiler and about 200 MB in the directory for temporary files.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
WITHOUT_CACHE = os.environ | {"CCACHE_DISABLE": "1"}


def timed(*command, where):
    """Seconds of the clock, and of processors, that the command and what it starts take."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=where, env=WITHOUT_CACHE, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def calibrated(folder):
    compiler = os.environ.get("CXX", "c++")
    _, seconds = timed(compiler, "-std=c++20", "-O3", "-o", str(folder / "calibration"), str(ROOT / "bench/calibration.cpp"), where=folder)
    return seconds


def cost(commit):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        timed("git", "clone", "--quiet", "--no-checkout", str(ROOT), "clone", where=folder)
        clone = folder / "clone"
        timed("git", "checkout", "--quiet", commit, where=clone)
        before = calibrated(folder)
        configure = timed("cmake", "--preset", "release", "-D", "HEADWAY_TESTS=OFF", "-D", "HEADWAY_PYTHON=OFF", where=clone)
        build = timed("cmake", "--build", "--preset", "release", "--target", "headway_cli", where=clone)
        unit = (before + calibrated(folder)) / 2
        size = sum(path.stat().st_size for path in (clone / "build").rglob("*") if path.is_file())
    print(f"{commit[:10]:<10}  {configure[1]:>10.1f}  {build[0]:>8.0f}  {build[1]:>10.0f}  {unit:>11.2f}  {build[1] / unit:>12.1f}  {size / 1e6:>4.0f}", flush=True)


def main():
    print("commit      configure/s  build/s  processor/s  calibration/s  calibrations   MB")
    for commit in sys.argv[1:] or ["HEAD"]:
        cost(commit)


if __name__ == "__main__":
    main()
