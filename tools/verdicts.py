#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how often verdicts are wrong. Draws networks, schemes, message sizes, loads around saturation and windows.
Takes the correct verdict from a run 50 times as long as the longest window, or from theory if a single link is the
bottleneck. Then runs the short windows and counts their verdicts.

    tools/verdicts.py PROGRAM [--networks N] [--seed S] [--jobs J] [--out FILE]

writes one line per labelled run to FILE (default tests/verdicts/labelled.csv) and prints the rates of docs/verdicts.md.
30 networks (--networks 30) gave the committed set, in about five minutes of processor time.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

TIMES_AS_LONG = 50
FACTORS = [0.5, 0.7, 0.85, 0.92, 0.95, 0.97, 0.99, 1.01, 1.03, 1.06, 1.12, 1.25, 1.5]  # of saturation load
WINDOWS = [10, 40, 150, 600, 2500]  # message times
WARMUPS = [0.1, 0.2, 0.5, 1.0]  # of the window
MOST_MESSAGES = 40_000  # per window, over all nodes; bounds the cost of the long run
COLUMNS = ["network", "nodes", "scheme", "arrivals", "packet", "message", "slots", "load", "factor", "window_ns",
           "warmup_ns", "seed", "truth", "status"]


def toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + " }"
    return repr(value)


def spec_text(case, flows, warmup, duration, seeds):
    tables = {name: case[name] for name in ("network", "routing", "switch", "node", "traffic") if case[name]}
    tables["measure"] = {"warmup": f"{warmup} ns", "duration": f"{duration} ns"}
    text = ""
    for name, table in tables.items():
        text += f"[{name}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in table.items())
    for flow in flows:
        text += "[[traffic.flow]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in flow.items())
    return text + f"[sweep]\nseed = {toml(seeds)}\n"


def run(program, text):
    """The points of a spec, or None if the program refuses it."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False) as file:
        file.write(text)
    try:
        done = subprocess.run([program, "run", file.name, "--json", "--jobs", "1"], capture_output=True, text=True)
    finally:
        os.unlink(file.name)
    if done.returncode != 0:
        print("skipped:", done.stderr.strip().splitlines()[:1], file=sys.stderr)
        return None
    return json.loads(done.stdout)["points"]


def draw(rng):
    """A network with its traffic. `first` is the saturation load, the base of factors, if theory gives it."""
    kind = rng.choice(["bottleneck", "switch", "tree", "tree", "tree", "tree", "grid", "adaptive", "hot", "bmin"])
    packet = rng.choice([64, 64, 256, 1024, 2048])
    message = packet * rng.choice([1, 1, 1, 4, 16])
    slots = rng.choice([2, 4, 16, 64])
    scheme = rng.choice(["1q", "1q", "voqsw", "dbbm", "obqa", "voqnet"])
    flow = {"pattern": "uniform", "arrivals": rng.choice(["poisson", "poisson", "poisson", "bernoulli", "periodic"]),
            "message": f"{message} B"}
    case = {"kind": kind, "packet": packet, "message": message, "slots": slots, "first": None, "routing": {},
            "node": {}, "traffic": {"packet": f"{packet} B"}, "flows": [flow]}
    switch = {"arbiter": rng.choice(["round-robin", "oldest-first"])}
    if kind == "bottleneck":
        nodes = rng.choice([2, 4, 8, 16])
        network = {"topology": "single-switch", "nodes": nodes + 1}
        scheme = "1q"
        flow.update(pattern="hotspot", destination=nodes, sources={"first": nodes})
        case["first"] = 1 / nodes
    elif kind == "switch":
        nodes = rng.choice([4, 8, 16])
        network = {"topology": "single-switch", "nodes": nodes}
    elif kind == "grid":
        nodes = 16
        network = {"topology": rng.choice(["mesh", "torus"]), "sides": [4, 4]}
        case["routing"] = {"algorithm": "dor"}
        scheme = "voqsw" if scheme == "obqa" else scheme
    elif kind == "bmin":
        nodes = 64
        network = {"topology": "bmin", "nodes": nodes, "radix": 8, "wiring": "shuffle"}
        case["routing"] = {"algorithm": "turnaround", "up": "destination"}
    else:
        k, n = rng.choice([(2, 3), (4, 2), (4, 3), (4, 3)])
        nodes = k**n
        network = {"topology": "k-ary-n-tree", "k": k, "n": n}
        if kind == "adaptive":
            case["routing"] = {"algorithm": "adaptive", "selection": rng.choice(["sadp", "ff", "mc"])}
            scheme = "1q"
            switch.update(architecture="cioq", output_memory=f"{packet * 4} B")
        if kind == "hot":  # a light background and a hot flow near its destination's limit
            flow.update(sources={"fraction": 0.75}, load=rng.choice([0.3, 0.5]))
            case["flows"].append({"sources": {"rest": True}, "pattern": "hotspot", "destination": 1,
                                  "message": f"{message} B"})
            case["first"] = (1 - 0.75 * flow["load"]) / (nodes - round(nodes * 0.75))
    network["link"] = {"rate": "1 GB/s", "delay": rng.choice(["4 ns", "20 ns"])}
    queues = {"1q": 1, "voqsw": 8, "dbbm": 4, "obqa": 4, "voqnet": nodes + 1}[scheme]
    if "single-switch" in network.values() and scheme == "voqsw":
        queues = nodes + 1
    switch.update(scheme=scheme, input_memory=f"{packet * slots * queues} B")
    if rng.random() < 0.25:
        case["node"] = {"injection_memory": f"{packet * queues * slots * rng.choice([4, 16])} B"}
    case.update(network=network, switch=switch, nodes=nodes, scheme=scheme)
    return case


def at_load(case, load):
    return case["flows"][:-1] + [dict(case["flows"][-1], load=load)]


def truth_of(case, factor, point):
    """The truth: saturated, steady, or unknown. From theory if one link is the bottleneck, else from a long run."""
    if case["kind"] == "bottleneck":
        return "unknown" if abs(factor - 1) < 0.02 else "saturated" if factor > 1 else "steady"
    series = point["series"]
    outstanding = [a + b for a, b in zip(series["packets_in_network"], series["backlog_packets"])]
    quarter = len(outstanding) // 4
    middle = sum(outstanding[quarter : 2 * quarter]) / quarter
    end = sum(outstanding[3 * quarter :]) / (len(outstanding) - 3 * quarter)
    grows = (end - middle) / (point["metrics"]["packets_generated"] / 2)
    if grows > 0.003 and end > 1.5 * middle:
        return "saturated"
    if grows < 0.0015 and end < 1.25 * middle + 2:
        return "steady"
    return "unknown"


def labelled_runs(program, seed):
    """The labelled runs of one network."""
    rng = random.Random(seed)
    case = draw(rng)
    if case["first"] is None:  # measure the saturation throughput at full load
        window = 3000 * case["message"]
        points = run(program, spec_text(case, at_load(case, 1.0), window // 2, window, [7]))
        if points is None:
            return []
        case["first"] = points[0]["metrics"]["accepted_load"]
    rows = []
    for factor in rng.sample(FACTORS, 4):
        load = round(case["first"] * factor, 5)
        total = case["nodes"] * load if len(case["flows"]) == 1 else case["nodes"] * (
            0.75 * case["flows"][0]["load"] + 0.25 * load)
        windows = [n * case["message"] for n in rng.sample(WINDOWS, 3) if total * n <= MOST_MESSAGES]
        if load >= 1 or not windows:
            continue
        flows = at_load(case, load)
        points = run(program, spec_text(case, flows, 0, TIMES_AS_LONG * max(windows), [rng.randrange(1 << 30)]))
        if points is None:
            continue
        truth = truth_of(case, factor, points[0])
        for window in windows:
            for warmup in (int(window * share) for share in rng.sample(WARMUPS, 2)):
                seeds = [rng.randrange(1 << 30) for _ in range(2)]
                for point in run(program, spec_text(case, flows, warmup, window, seeds)) or []:
                    rows.append([case["kind"], case["nodes"], case["scheme"],
                                 case["flows"][-1].get("arrivals", "poisson"), case["packet"], case["message"],
                                 case["slots"], load, factor, window, warmup, point["seed"], truth, point["status"]])
    return rows


def summary(rows):
    counts = collections.Counter((row[-2], row[-1]) for row in rows)
    text = ""
    for truth in ("steady", "saturated", "unknown"):
        of_truth = {status: n for (label, status), n in sorted(counts.items()) if label == truth}
        total = sum(of_truth.values())
        parts = ", ".join(f"{status} {n} ({100 * n / total:.1f} %)" for status, n in of_truth.items())
        text += f"{truth}: {total} runs: {parts}\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default=os.path.join(os.path.dirname(__file__), "../tests/verdicts/labelled.csv"))
    arguments = parser.parse_args()
    seeds = [arguments.seed * 1_000_003 + i for i in range(arguments.networks)]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for done, of_network in enumerate(pool.map(lambda seed: labelled_runs(arguments.program, seed), seeds), 1):
            rows += of_network
            print(f"\r{done} of {len(seeds)} networks", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    os.makedirs(os.path.dirname(os.path.abspath(arguments.out)), exist_ok=True)
    with open(arguments.out, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    print(summary(rows), end="")


if __name__ == "__main__":
    main()
