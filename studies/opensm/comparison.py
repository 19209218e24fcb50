# SPDX-License-Identifier: Apache-2.0
"""Runs of Headway over the tables of OpenSM, as a study of `headway paper`, and their table and picture."""
import csv
import math
import re
import shutil
import struct
import subprocess

PACKET_KIB = 1
BLOCK_KIB = 16  # of each pair of nodes in the all-to-all
PACKETS_OF_A_QUEUE = 4  # with eight lanes; all engines have the same memory
MOST_LANES = 8
WINDOW_PACKETS = 2400  # of the fastest link
COLOURS = {"whole": "#3b6ea5", "failed": "#d9863d"}


class Row:
    """An engine on a fabric in one state. Without tables, `walk` is None; `says` has the reason why there is no run."""

    def __init__(self, fabric_name, state, engine, whole, fabric, walk):
        self.fabric_name, self.state, self.engine = fabric_name, state, engine
        self.whole, self.fabric = whole, fabric
        self.walk, self.says = (None, str(walk)) if isinstance(walk, Exception) else (walk, "")
        self.accepted = self.makespan = self.status = None
        self.failed = [whole.place(here) for here, _ in sorted(whole.cables() - fabric.cables())]
        if self.walk and self.walk.lost and not self.failed:
            self.says = f"leaves {len(self.walk.lost)} pairs of nodes without a path"

    @property
    def name(self):
        """Of the curve."""
        return self.engine if self.state == "whole" else f"{self.engine}-failed"

    @property
    def stem(self):
        return f"{self.state}-{self.engine}"

    def can_run(self):
        return self.walk is not None and not self.says

    def lanes(self):
        return max(self.walk.lanes, default=0) + 1

    def lanes_needed(self):
        """As the engine says it, otherwise the lanes that paths use; None if links can wait for each other in a cycle."""
        if self.walk.cyclic:
            return None
        return self.walk.tables.says_lanes or self.lanes()

    def levels_are_lanes(self):
        return all(lanes == {level} for (level, _, _), lanes in self.walk.lane_table.items())

    def write_tables(self, folder):
        """The files of routing.file, switch.service_levels_file and switch.lane_table_file."""
        if self.walk is None:
            return
        if not self.levels_are_lanes() and any(len(lanes) > 1 for lanes in self.walk.lane_table.values()):
            self.says = "its tables of lanes differ from switch to switch"
            return
        lids = {node.lid: node for node in self.fabric.nodes}
        with open(folder / f"{self.stem}.lfts", "w") as out:
            for switch, routes in enumerate(self.walk.kept):
                out.write(f"Unicast lids of switch guid 0x{self.fabric.guids[switch]:016x} ({self.fabric.names[switch]}):\n")
                for lid, port in sorted(routes.items()):
                    out.write(f"0x{lid:04x} {port:03} : ('{lids[lid].name}')\n")
        if self.lanes() == 1:
            return
        levels = self.walk.tables.levels
        with open(folder / f"{self.stem}.levels.npy", "wb") as out:
            shape = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(levels)}, {len(levels)}), }}"
            header = shape.ljust(117) + "\n"
            out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
            for levels_of_source in levels:
                out.write(bytes(level or 0 for level in levels_of_source))
        if not self.levels_are_lanes():
            with open(folder / f"{self.stem}.lanes.txt", "w") as out:
                out.write("service_level input output lane\n* * * 0\n")
                for (level, port, output), lanes in sorted(self.walk.lane_table.items()):
                    out.write(f"{level} {port} {output} {min(lanes)}\n")

    def settings(self):
        """The swept keys of the spec."""
        many = self.lanes() > 1
        return {"routing.file": f'"{self.fabric_name}/{self.stem}.lfts"',
                "routing.cycles": '"allow"' if self.walk.cyclic else '"lanes"' if many else '"refuse"',
                "network.failures.at": "[" + ", ".join(f'"{place}"' for place in self.failed) + "]",
                "switch.lanes": str(self.lanes()),
                "switch.service_levels_file": f'"{self.fabric_name}/{self.stem}.levels.npy"' if many else '""',
                "switch.lane_table_file": '""' if self.levels_are_lanes() else f'"{self.fabric_name}/{self.stem}.lanes.txt"'}

    def exchanging(self):
        """The nodes that take part in the all-to-all: those that are not cut off. Empty if others have no path either."""
        nodes, pairs = self.walk.cut_off()
        return [] if pairs else [number for number in range(len(self.fabric.nodes)) if number not in nodes]

    def ideal_ns(self):
        """The time in which the slowest link of a node carries its blocks."""
        nodes = self.exchanging()
        return (len(nodes) - 1) * BLOCK_KIB * 1024 / min(self.fabric.nodes[node].rate for node in nodes)

    def read_results(self, results):
        for figure, column in ((self.fabric_name, "accepted"), (f"{self.fabric_name}-all-to-all", "makespan")):
            path = results / figure / "data.csv"
            if not path.exists():
                continue
            with open(path) as rows:
                for cells in csv.reader(rows):
                    if cells[0] == self.name:
                        setattr(self, column, float(cells[1]) if cells[1] else None)
                        self.status = "deadlock" if "deadlock" in (self.status, cells[-1]) else cells[-1]

    def slowdown(self):
        return None if self.makespan is None else self.makespan / self.ideal_ns()


def spec_text(rows, points, traffic, measure):
    """One spec for all engines and states of a fabric; `points` are the settings of each."""
    fabric = rows[0].whole
    memory = len(fabric.nodes) * MOST_LANES * PACKETS_OF_A_QUEUE * PACKET_KIB
    axes = "".join(f'"{key}" = [{", ".join(point[key] for point in points)}]\n' for key in points[0])
    return f"""# Written by studies/opensm/run. A queue per destination: only the routes limit the traffic.
seeds = 3

[network]
topology = "file"
file = "{rows[0].fabric_name}/whole.net"
link = {{ delay = "20 ns" }}

[network.failures]
unreachable = "reported"

[routing]
algorithm = "table"

[switch]
scheme = "voqnet"
input_memory = "{memory} KiB"

[traffic]
packet = "{PACKET_KIB} KiB"

{traffic}
{measure}
[[sweep.zip]]
{axes}"""


def figure_text(name, number, title, rows, columns, quick):
    curves = "".join(f'  {{ name = "{row.name}", label = "{row.engine}{", links failed" if row.state == "failed" else ""}", '
                     f'where = {{ "routing.file" = {row.settings()["routing.file"]} }} }},\n' for row in rows)
    return f"""
[[figure]]
id = "{name}"
number = "Table {number}"
title = "{title}"
spec = "{name}.toml"
draw = "table"
columns = {columns}
quick = {quick}
curve = [
{curves}]
"""


def write_study(given, rows, claims):
    """paper.toml, its specs and its claims, for `headway paper`. Returns the claims that cannot be judged."""
    text = 'title = "Routing engines of OpenSM"\ncitation = "Headway, studies/README.md"\n'
    names = list(dict.fromkeys(row.fabric_name for row in rows))
    for number, name in enumerate(names, 1):
        mine = [row for row in rows if row.fabric_name == name and row.can_run()]
        if not mine:
            continue
        fastest = max(mine[0].whole.rates.values())
        window = math.ceil(WINDOW_PACKETS * PACKET_KIB * 1024 / fastest / 1000)  # us
        uniform = spec_text(mine, [row.settings() for row in mine], f'[[traffic.flow]]\npattern = "uniform"\nload = {given.load}\n',
                            f'[measure]\nwarmup = "{math.ceil(window / 4)} us"\nduration = "{window} us"\n')
        (given.out / f"{name}.toml").write_text(uniform)
        quick = f'{{ seeds = 2, "measure.warmup" = "{math.ceil(window / 8)} us", "measure.duration" = "{math.ceil(window / 3)} us" }}'
        text += figure_text(name, f"{number}(a)", f"{name}: uniform traffic at load {given.load}", mine, '["accepted_load"]', quick)
        whole = [row for row in mine if len(row.exchanging()) > 1]  # an all-to-all needs all pairs
        if whole:
            job = f'[[traffic.job]]\nname = "exchange"\nprogram = "all-to-all"\nsize = "{BLOCK_KIB} KiB"\n'
            (given.out / f"{name}-all-to-all.toml").write_text(
                spec_text(whole, [{**row.settings(), "traffic.job.nodes": f"{{ nodes = {row.exchanging()} }}"} for row in whole], job, ""))
            text += figure_text(f"{name}-all-to-all", f"{number}(b)", f"{name}: an all-to-all", whole, '["makespan_ns"]', "{ seeds = 2 }")
    (given.out / "paper.toml").write_text(text)
    path = given.out / "claims.toml"
    if not claims:
        path.unlink(missing_ok=True)
        return []
    kept, missing = claims_with_curves(claims.read_text(), text)
    path.write_text(kept)
    return missing


def claims_with_curves(claims, figures):
    """The claims about curves that the figures have, and the names of the others: some engine gives no tables."""
    curves = {re.match(r'id = "(.*)"', figure)[1]: set(re.findall(r'{ name = "([^"]*)"', figure))
              for figure in figures.split("[[figure]]\n")[1:]}
    kept, missing = "", []
    for claim in claims.split("[[claim]]\n")[1:]:
        figure = re.search(r'^figure = "(.*)"$', claim, re.M)[1]
        if set(re.findall(r"value\('([^']*)'", claim)) <= curves.get(figure, set()):
            kept += "[[claim]]\n" + claim
        else:
            missing.append(re.match(r'id = "(.*)"', claim)[1])
    return kept, missing


HEADINGS = ["fabric", "links", "engine", "accepted load", "hottest link (times what it can carry)", "links over", "nodes cut off", "lanes needed",
            "all-to-all slowdown"]


def number(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def cells(row, load):
    start = [row.fabric_name, row.state, row.engine]
    if row.walk is None:
        return [*start, "no tables", "", "", "", "", ""]
    hot = row.walk.hot_links(load)
    nodes, pairs = row.walk.cut_off()
    return [*start, "deadlock" if row.status == "deadlock" else number(row.accepted, 3),
            f"{row.fabric.cable(hot[0][1])} ({hot[0][0]:.2f})" if hot else "", str(sum(times > 1 for times, _ in hot)),
            str(len(nodes)) + (f" and {pairs} pairs" if pairs else ""), str(row.lanes_needed() or "can deadlock"),
            number(row.slowdown(), 2)]


def table(given, rows):
    lines = ["| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    lines += ["| " + " | ".join(cells(row, given.load)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def write_hot_links(given, rows, path):
    with open(path, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["fabric", "links", "engine", "from", "to", "times_its_capacity"])
        for row in rows:
            for times, link in row.walk.hot_links(given.load) if row.walk else []:
                writer.writerow([row.fabric_name, row.state, row.engine, row.fabric.place(link), row.fabric.place(row.fabric.links[link]),
                                 f"{times:.4f}"])


def picture(given, rows, folder):
    """One picture: accepted load and slowdown of every engine, a column per fabric."""
    names = list(dict.fromkeys(row.fabric_name for row in rows))
    blocks, panels = "", ""
    quantities = (("Accepted load", lambda row: row.accepted if row.status != "deadlock" else None, "[0:1]"),
                  ("All-to-all: time / ideal", lambda row: row.slowdown(), "[0:*]"))
    for label, value, reach in quantities:
        for name in names:
            block = f"$d{blocks.count('EOD') // 2}"
            blocks += f"{block} << EOD\n"
            for place, engine in enumerate(given.engines):
                row_of = {row.state: row for row in rows if (row.fabric_name, row.engine) == (name, engine)}
                bars, notes = "", ""
                for side, state in zip((-1, 1), COLOURS):
                    row = row_of[state]
                    bar = value(row)
                    bars += "NaN " if bar is None else f"{bar:.5g} "
                    note = "no tables" if row.walk is None else "deadlock" if row.status == "deadlock" else "not done"
                    notes += f'{place + side / 6:.3f} "{note if bar is None else ""}" '
                blocks += f'"{engine}" {bars}{notes}\n'
            blocks += "EOD\n"
            title = f'set title "{name}" noenhanced' if label == quantities[0][0] else "unset title"
            marks = ", ".join(f'{block} using {4 + 2 * side}:(0):{5 + 2 * side} with labels rotate by 90 left offset 0,0.3 '
                              'tc rgb "#888888" font ",9" noenhanced notitle' for side in range(len(COLOURS)))
            panels += (f'{title}\nset ylabel "{label}"\nset yrange {reach}\n'
                       f'plot {block} using 2:xtic(1) notitle lc rgb "{COLOURS["whole"]}", '
                       f'{block} using 3 notitle lc rgb "{COLOURS["failed"]}", {marks}\n')
    script = f"""{blocks}
set terminal svg size {max(700, 80 + 380 * len(names))},680 dynamic background rgb "white" font "sans,13"
set output "picture.svg"
set style data histograms
set style histogram clustered gap 1
set style fill solid 1 noborder
set xtics rotate by -40 noenhanced scale 0 nomirror
set ytics nomirror
set grid y lc rgb "#dddddd"
set border 3
unset key
set label 1 "█ all links" at screen 0.07,0.965 tc rgb "{COLOURS["whole"]}"
set label 2 "█ some links between switches failed" at screen 0.07,0.965 offset 14,0 tc rgb "{COLOURS["failed"]}"
set multiplot layout 2,{len(names)} rowsfirst margins screen 0.07,0.98,0.14,0.88 spacing screen {0.12 / len(names) + 0.03:.3f},0.17
{panels}"""
    (folder / "picture.gp").write_text(script)
    if shutil.which("gnuplot"):
        subprocess.run(["gnuplot", "picture.gp"], cwd=folder, check=True)


def report(given, rows):
    """Prints the table and what operators must know, and writes the files."""
    text = table(given, rows)
    (given.out / "table.md").write_text(text)
    write_hot_links(given, rows, given.out / "hot-links.csv")
    picture(given, rows, given.out)
    print("\n" + text)
    for row in rows:
        if row.says:
            print(f"{row.fabric_name}, {row.state}, {row.engine}: {row.says}")
    for row in rows:
        if row.walk:
            nodes, pairs = row.walk.cut_off()
            if nodes or pairs:
                names = ", ".join(row.fabric.nodes[node].name for node in nodes)
                print(f"{row.fabric_name}, {row.state}, {row.engine}: cut off: {names or 'no node as a whole'}"
                      + (f"; {pairs} other pairs have no path" if pairs else ""))
    print(f"\nfiles: {given.out}/table.md, picture.svg, hot-links.csv, and the tables of OpenSM in a folder per fabric")
