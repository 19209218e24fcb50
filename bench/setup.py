#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the processor time and the memory that 'headway check' takes for every routing on networks that grow.

What a check takes is what every run takes before its first packet. The growth matters: tests/property/setup_work.test.cpp
bounds it by counts, which are the same on every machine.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile


def pgft(*children):
    parents = [1, *children[:-1]]
    return f'topology = "pgft"\nchildren = {list(children)}\nparents = {parents}'


def k_ary(k, n):
    return f'topology = "k-ary-n-tree"\nk = {k}\nn = {n}'


def dragonfly(h):
    return f'topology = "dragonfly"\np = {h}\na = {2 * h}\nh = {h}'


def grid(topology, sides, per_switch):
    return f'topology = "{topology}"\nsides = {sides}\nnodes_per_switch = {per_switch}'


# [family][nodes]; a number of leaves and of nodes at each, for a file
NETWORKS = {
    "pgft": {1024: pgft(16, 8, 8), 4096: pgft(16, 16, 16), 16384: pgft(32, 32, 16), 65536: pgft(64, 32, 32)},
    "4-ary": {1024: k_ary(4, 5), 4096: k_ary(4, 6), 16384: k_ary(4, 7)},
    "file": {1024: (64, 16), 4096: (128, 32), 16384: (256, 64), 65536: (512, 128)},
    "torus": {1024: grid("torus", [8, 8, 4], 4), 4096: grid("torus", [16, 16, 4], 4),
              16384: grid("torus", [16, 16, 16], 4)},
    "hyperx": {1024: grid("hyperx", [8, 8, 4], 4), 4096: grid("hyperx", [8, 8, 8], 8),
               16384: grid("hyperx", [16, 16, 8], 8)},
    "dragonfly": {1024: dragonfly(4), 4096: dragonfly(6), 16384: dragonfly(8)},
    "slim-fly": {q_nodes: f'topology = "slim-fly"\nq = {q}' for q_nodes, q in ((1024, 11), (4096, 17), (16384, 27))},
}
ROUTINGS = {
    "det": ("pgft", "4-ary", "file"), "random-up": ("pgft",), "turnaround": ("pgft",),
    "adaptive": ("pgft", "torus", "hyperx"), "ecmp": ("pgft", "4-ary", "file"), "spray": ("pgft", "file"),
    "dor": ("torus", "hyperx"), "minimal": ("dragonfly", "slim-fly"), "valiant": ("dragonfly", "slim-fly", "torus"),
    "ugal": ("dragonfly",), "par": ("dragonfly",), "up-down": ("pgft", "file", "dragonfly"),
    "lash": ("file", "dragonfly"), "dfsssp": ("pgft", "file", "dragonfly"),
}
SPEC = """
[network]
{network}
[routing]
algorithm = "{routing}"
[switch]
input_memory = "64 KiB"
[[traffic.flow]]
pattern = "permutation"
load = 0.1
[measure]
warmup = "1 us"
duration = "2 us"
"""


def leaves_and_spines(leaves, per_leaf):
    """A network file in which every leaf is linked to as many spines as it has nodes."""
    lines = [f"[[switch]]\nports = {2 * per_leaf}"] * leaves + [f"[[switch]]\nports = {leaves}"] * per_leaf
    lines += [f'[[node]]\nat = "{leaf}"\ncount = {per_leaf}' for leaf in range(leaves)]
    lines += [f'[[link]]\nends = ["{leaf}:{per_leaf + spine}", "{leaves + spine}:{leaf}"]'
              for leaf in range(leaves) for spine in range(per_leaf)]
    return "\n".join(lines)


def check(program, network, routing, folder, seconds):
    """Returns the seconds of processor time and the memory in MB of a check, or None if it takes longer."""
    if isinstance(network, tuple):
        (folder / "leaves.net.toml").write_text(leaves_and_spines(*network))
        network = 'topology = "file"\nfile = "leaves.net.toml"'
    spec = folder / "spec.toml"
    spec.write_text(SPEC.format(network=network, routing=routing))
    process = subprocess.Popen(["timeout", str(seconds), program, "check", spec], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/headway")
    parser.add_argument("--case", default="", help="measures only the lines that contain this text, as in 'ecmp file'")
    parser.add_argument("--nodes", default="1024,4096,16384", help="about as many nodes; default: %(default)s")
    parser.add_argument("--seconds", type=int, default=60, help="gives up after this time; default: %(default)s")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.nodes.split(",")]
    print(f"{'routing':10}  {'network':10}" + "".join(f"  {size:>8} nodes   " for size in sizes))
    with tempfile.TemporaryDirectory() as folder:
        for routing, families in ROUTINGS.items():
            for family in families:
                if arguments.case not in f"{routing} {family}":
                    continue
                cells = []
                for size in sizes:
                    network = NETWORKS[family].get(size)
                    took = network and check(arguments.program, network, routing, pathlib.Path(folder), arguments.seconds)
                    cells.append(f"  {took[0]:6.2f} s {took[1]:6.0f} MB" if took else f"  {'-':>17}")
                print(f"{routing:10}  {family:10}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
