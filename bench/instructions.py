#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the instructions that the program executes per packet-hop, or per operation of a job, as callgrind counts them.

Every case is a spec of bench/instructions with some keys changed. It runs for two durations, and the difference of
the two counts is divided by the difference of the packet-hops or operations. So what a run does before its first event
does not count. The counts depend on the compiler, but not on the machine or on its load.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SPECS = pathlib.Path(__file__).resolve().parent / "instructions"

DBBM = {"switch.scheme": "dbbm", "switch.queues": 4}
OBQA = {"switch.scheme": "obqa", "switch.queues": 4}
ADAPTIVE = {"routing.algorithm": "adaptive"}
UGAL = {"routing.algorithm": "ugal"}
CELL = {"switch.cell": "64 B"}
# [spec, name, changed keys, loads (None: without flows), the two durations in microseconds]
CASES = [
    ("4-ary-4-tree", "1q", {}, (0.5, 0.9), (20, 40)),
    ("4-ary-4-tree", "dbbm-4", DBBM, (0.9,), (20, 40)),
    ("4-ary-4-tree", "obqa-4", OBQA, (0.9,), (20, 40)),
    ("4-ary-4-tree", "adaptive", ADAPTIVE, (0.5, 0.9), (20, 40)),
    ("4-ary-4-tree", "cells", CELL, (0.5,), (20, 40)),
    ("16-ary-3-tree", "1q", {}, (0.5,), (2, 3)),
    ("16-ary-3-tree", "dbbm-4", DBBM, (0.9,), (2, 3)),
    ("16-ary-3-tree", "adaptive", ADAPTIVE, (0.5,), (2, 3)),
    ("4-ary-3-tree", "1q", {}, (0.5, 0.9), (40, 80)),
    ("4-ary-3-tree", "dbbm-4", DBBM, (0.9,), (40, 80)),
    ("4-ary-3-tree-cioq", "1q", {}, (0.5, 0.9), (40, 80)),
    ("4-ary-3-tree-cioq", "dbbm-4", DBBM, (0.9,), (40, 80)),
    ("dragonfly", "minimal", {}, (0.5,), (10, 20)),
    ("dragonfly", "ugal", UGAL, (0.5,), (10, 20)),
    ("torus", "dor", {}, (0.5,), (40, 80)),
    ("torus", "adaptive", ADAPTIVE, (0.5,), (40, 80)),
    ("all-to-all", "pairwise", {}, (None,), (20, 40)),
    ("all-to-all", "linear", {"traffic.exchange.algorithm": "linear"}, (None,), (20, 40)),
]
# The metric by which instructions are divided, where it is not that of the packet-hops.
UNITS = {"all-to-all": "exchange.operations"}


def run(program, spec, keys, duration, folder):
    """Returns the path of callgrind's counts and the packet-hops or operations of a run."""
    counts = folder / f"{spec}-{duration}-{os.urandom(4).hex()}"
    changes = {"measure.warmup": "0 us", "measure.duration": f"{duration} us", **keys}
    settings = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", program, "run",
               SPECS / f"{spec}.toml", "--json", "--quiet", "--jobs", "1", "--threads", "1", *settings]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return counts, json.loads(done.stdout)["points"][0]["metrics"][UNITS.get(spec, "packet_hops")]


def total(counts):
    return int(re.search(r"^(?:totals|summary): (\d+)", counts.read_text(), re.M)[1])


def lines(counts):
    """Returns the instructions of every source line, (file, line) -> instructions; inlined code counts where it is written."""
    names, result = {}, collections.Counter()
    file, line, called = "", 0, False
    for text in counts.read_text().splitlines():
        if found := re.match(r"(c?)f[lie]=\((\d+)\)(?: (.*))?$", text):
            name = names.setdefault(found[2], found[3])
            file = file if found[1] else name
        elif found := re.match(r"([+-]?\d+|\*) (\d+)$", text):
            line = line if found[1] == "*" else int(found[1]) + (line if found[1][0] in "+-" else 0)
            if not called:  # the line after calls= has the instructions of the called function
                result[file, line] += int(found[2])
        called = text.startswith("calls=")
    return result


def function_at(file, line, starts={}):
    """Returns "file:function", with the function that the source file defines around a line."""
    if file not in starts:
        found = []
        if os.path.isfile(file) and "headway" in file:
            for number, text in enumerate(pathlib.Path(file).read_text().splitlines(), 1):
                if name := re.match(r" {0,2}[\w\[\]:&*<>, ]*?(operator\S+|\w+)\((?!.*;$)", text):
                    found.append((number, name[1]))
        starts[file] = found
    before = [name for number, name in starts[file] if number <= line]
    return f"{pathlib.Path(file).name}:{before[-1] if before else '-'}"


def main():
    parser = argparse.ArgumentParser(prog="./dev bench instructions", description=__doc__.split("\n")[0])
    parser.add_argument("--case", default="", metavar="TEXT", help="runs only the cases whose name contains TEXT")
    parser.add_argument("--parts", action="store_true", help="prints the instructions of every function, as it is written in "
                        "the source: an inlined function counts by itself")
    parser.add_argument("--program", default="build/bench/headway", help="measures this program")
    options = parser.parse_args()

    def measure(spec, scheme, keys, load, durations):
        changes = keys if load is None else {"traffic.flow.load": load, **keys}
        with tempfile.TemporaryDirectory() as folder:
            (first, hops), (second, more_hops) = (run(options.program, spec, changes, duration, pathlib.Path(folder))
                                                  for duration in durations)
            hops = more_hops - hops
            parts = collections.Counter()
            if options.parts:
                after, before = lines(second), lines(first)
                for place in after:
                    parts[function_at(*place)] += (after[place] - before[place]) / hops
            return (total(second) - total(first)) / hops, parts

    cases = [(f"{spec} {scheme}" + ("" if load is None else f" {load}"), (spec, scheme, keys, load, durations))
             for spec, scheme, keys, loads, durations in CASES for load in loads]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = [(name, pool.submit(measure, *case)) for name, case in cases if options.case in name]
        if not wanted:
            sys.exit(f"no case has a name that contains '{options.case}'")
        for name, future in wanted:
            instructions, parts = future.result()
            print(f"{name:<30}{instructions:8.0f}", flush=True)
            for part, count in parts.most_common():
                if count >= 1:
                    print(f"    {part:<50}{count:8.1f}")


main()
