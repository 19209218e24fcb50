# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown and a figure of a recording."""
import re
import subprocess

from networks import NETWORKS, Point
from simulators import Booksim, Caminos, Headway

PEERS = [Booksim.name, Caminos.name]
NAMES = [Headway.name, *PEERS]
AGREES = 0.02  # accepted loads that differ by less agree


def points_of(recording):
    """(network, flits, load) and its rows by simulator, in the order of NETWORKS."""
    points = {}
    for row in recording["rows"]:
        points.setdefault((row["network"], row["flits"], row["load"]), {})[row["simulator"]] = row
    order = {network.name: place for place, network in enumerate(NETWORKS)}
    return sorted(points.items(), key=lambda item: (order[item[0][0]], item[0][2], item[0][1]))


def cell(row, key, form):
    """A value, why there is none, or nothing if it was not measured."""
    if row is None:
        return ""
    return form(row[key]) if row.get(key) is not None else row.get("stopped", "")


def accepted(row, headway):
    def form(value):
        differs = headway and headway.get("accepted") and abs(value / headway["accepted"] - 1) > AGREES
        return f"{value:.4f}{' (!)' if differs else ''}"
    return cell(row, "accepted", form)


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)


def of_each(what, names=NAMES):
    return [f"{what}: {names[0]}", *names[1:]]


def speed_table(recording, wanted=lambda network, flits, load: True):
    lines = []
    for (network, flits, load), rows in points_of(recording):
        if wanted(network, flits, load) and any("accepted" in row or "stopped" in row for row in rows.values()):
            lines.append([network, flits, load, *(accepted(rows.get(name), rows.get(Headway.name)) for name in NAMES),
                          *(cell(rows.get(name), "speed", lambda value: f"{value / 1e6:.3g}") for name in NAMES),
                          *(cell(rows.get(name), "faster", lambda value: f"{value:.1f}" if value < 10 else f"{value:.0f}")
                            for name in PEERS)])
    return table(["network", "flits", "load", *of_each("accepted"), *of_each("million packet-hops/s"),
                  *of_each("Headway is faster than", PEERS)], lines)


def work_table(recording):
    lines = []
    for (network, flits, load), rows in points_of(recording):
        if any("instructions" in row for row in rows.values()):
            nodes = next(each.nodes for each in NETWORKS if each.name == network)
            lines.append([network, f"{nodes:,}", flits, load,
                          *(cell(rows.get(name), "instructions", lambda value: f"{value:,.0f}") for name in NAMES),
                          *(cell(rows.get(name), "mebibytes", lambda value: f"{value:,.0f}") for name in NAMES)])
    return table(["network", "nodes", "flits", "load", *of_each("instructions per packet-hop"), *of_each("peak MiB")], lines)


def settings():
    """The configurations of all networks, as far as they differ."""
    lines = []
    for network in NETWORKS:
        booksim = ", ".join(f"{name} = {value}" for name, value in network.booksim.items())
        caminos = ", ".join(f"{name}: {value}" for name, value in (network.caminos or {}).items())
        lines.append([network.name, network.cycles, f"`{booksim}`", f"`{caminos}`" if caminos else "no minimal routing"])
    return table(["network", "cycles", "BookSim, and Headway by import", "CAMINOS"], lines)


def common_settings():
    """The settings that all networks share, and the whole configurations of one."""
    point = Point(NETWORKS[0], 8, NETWORKS[0].load)
    return (f"```\n{Booksim.configuration(point, point.network.cycles)}```\n\n"
            f"```\n{Caminos.configuration(point, point.network.cycles).expandtabs(2)}```\n")


def figure_script(recording, path):
    """For gnuplot: bars of the packet-hops per processor second of each network at its own load, for each size of packets."""
    loads = {network.name: network.load for network in NETWORKS}
    shown = [(key, rows) for key, rows in points_of(recording) if key[2] == loads[key[0]] and Headway.name in rows]
    sizes = sorted({flits for (_, flits, _), _ in shown})
    blocks, plots = [], []
    for flits in sizes:
        lines = [f'"{network}" ' + " ".join(
            f"{rows[name]['speed'] / 1e6:.4g}" if rows.get(name, {}).get("speed") else "NaN" for name in NAMES)
            for (network, size, _), rows in shown if size == flits]
        blocks.append(f"$flits{flits} << EOD\n" + "\n".join(lines) + "\nEOD\n")
        bars = ", ".join(f"$flits{flits} using {column + 2}:xtic(1) title '{name}'" for column, name in enumerate(NAMES))
        plots.append(f"set title '{'one flit' if flits == 1 else f'{flits} flits'} a packet'\nplot {bars}\n")
    return f"""set terminal svg size 900,{380 * len(sizes)} dynamic background 'white' font 'sans,12'
set output '{path}'
{''.join(blocks)}set multiplot layout {len(sizes)},1
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set linetype 1 lc rgb '#0b5fa5'
set linetype 2 lc rgb '#d98c1f'
set linetype 3 lc rgb '#5a9c5a'
set logscale y
set yrange [0.01:100]
set format y '%g'
set ylabel 'million packet-hops / s'
set xtics rotate by -30 nomirror
set ytics nomirror
set grid ytics lc rgb '#dddddd'
set key outside right top
{''.join(plots)}unset multiplot
"""


def draw(recording, path):
    subprocess.run(["gnuplot"], input=figure_script(recording, path), text=True, check=True)


def versions(recording):
    return ", ".join(recording["versions"][name] for name in NAMES if name in recording["versions"]) + ".\n"


def with_tables(page, recording):
    """The page with the tables of a recording between <!-- peers NAME --> and <!-- end -->."""
    loads = {network.name: network.load for network in NETWORKS}
    parts = {"versions": versions(recording),
             "speed": speed_table(recording, lambda network, flits, load: load == loads[network]),
             "loads": speed_table(recording, lambda network, flits, load: load != loads[network]),
             "work": work_table(recording), "settings": settings(), "common settings": common_settings()}
    return re.sub(r"<!-- peers ([a-z ]+) -->\n.*?<!-- end -->",
                  lambda found: f"<!-- peers {found[1]} -->\n{parts[found[1]]}<!-- end -->", page, flags=re.S)
