#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/peers without the other simulators: configurations, what is read from outputs, recordings, tables, and the page.

usage: tests/bench/peers.py PROGRAM
"""
import collections
import json
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/peers"))
sys.dont_write_bytecode = True

import flow_simulators  # noqa: E402
import measure  # noqa: E402
import recording  # noqa: E402
import report  # noqa: E402
from flow_simulators import Hpcc, Htsim, ImportedHeadway  # noqa: E402
from flows import OWN_FLOWS, Flows  # noqa: E402
from networks import NETWORKS, Point  # noqa: E402
from simulators import Booksim, Caminos, Headway, Unreadable  # noqa: E402

PROGRAM = sys.argv.pop()
BY_NAME = {network.name: network for network in NETWORKS}
TREE = Point(BY_NAME["4-ary 3-tree"], 8, 0.4)

BOOKSIM_OUTPUT = """Class 0:
Accepted packet rate average = 0.07
Accepted flit rate average= 0.6
Hops average = 9
Time taken is 1100 cycles
====== Overall Traffic Statistics ======
Accepted packet rate average = 0.05 (1 samples)
Accepted flit rate average = 0.4 (1 samples)
	minimum = 0.38 (1 samples)
Hops average = 4.5 (1 samples)
"""
CAMINOS_OUTPUT = """git_id=unknown version_number=0.6.3
Result {
	cycle: 1000,
	injected_load: 0.401,
	accepted_load:
	0.4,
	average_message_delay:
	20.5,
	average_packet_hops:
	3.5,
}
"""


def row(simulator, **values):
    return {"network": TREE.network.name, "flits": 8, "load": 0.4, "simulator": simulator, **values}


class Configurations(unittest.TestCase):
    def test_every_network_has_the_nodes_and_the_load_that_its_name_and_its_row_say(self):
        for network in NETWORKS:
            with self.subTest(network.name), tempfile.TemporaryDirectory() as folder:
                headway = Headway(PROGRAM)
                headway.prepare(Point(network, 8, network.load), 1000, Path(folder))
                done = subprocess.run([PROGRAM, "check", "headway.toml", "--json"], cwd=folder, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                spec = (Path(folder) / "headway.toml").read_text()
                self.assertIn(f"load = {network.load:g}", spec)
                self.assertIn('packet = "8 flits"', spec)
                if network.caminos:
                    self.assertIn(f"servers: {network.nodes},", Caminos.configuration(Point(network, 8, network.load), 1000))

    def test_nodes_of_headway(self):
        for name in ("4-ary 4-tree", "8 x 8 torus", "dragonfly 342", "HyperX 4 x 4 x 4"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                point = Point(BY_NAME[name], 1, 0.1)
                command = Headway(PROGRAM).prepare(point, 400, Path(folder))
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
                accepted, hops = Headway.read(done.stdout, point, 400)
                self.assertAlmostEqual(accepted, 0.1, delta=0.01)
                # as many packet-hops as packets of that number of nodes make, each crossing 1 to 7 switches
                packets = accepted * point.network.nodes * 400
                self.assertTrue(packets < hops < 7 * packets, (packets, hops))

    def test_booksim(self):
        text = Booksim.configuration(TREE, 2000)
        for line in ("topology = fattree;", "k = 4;", "n = 3;", "packet_size = 8;", "injection_rate = 0.4;", "sample_period = 500;",
                     "vc_buf_size = 32;"):
            self.assertIn(line + "\n", text)
        self.assertIn("vc_buf_size = 256;\n", Booksim.configuration(Point(BY_NAME["dragonfly 342"], 1, 0.3), 2000))

    def test_caminos(self):
        text = Caminos.configuration(TREE, 2000)
        for part in ("warmup: 500, measured: 1500,", "XGFT { height: 2, down: [4, 4], up: [4, 4], servers_per_leaf: 4 }", "servers: 64,",
                     "message_size: 8", "flit_size: 8", "output_buffer_size: 8,", "load: 0.4,"):
            self.assertIn(part, text)
        self.assertEqual(text.count("{"), text.count("}"))

    def test_caminos_gives_a_ring_a_bubble_and_memory_of_two_lanes(self):
        torus = Caminos.configuration(Point(BY_NAME["8 x 8 torus"], 8, 0.3), 2000)
        for part in ("bubble: true,", "buffer_size: 64,", "output_buffer_size: 16,", "sides: [8, 8]"):
            self.assertIn(part, torus)


class Outputs(unittest.TestCase):
    def test_booksim_counts_the_packets_of_all_its_cycles(self):
        accepted, hops = Booksim.read(BOOKSIM_OUTPUT, TREE, 1000)
        self.assertEqual(accepted, 0.4)
        self.assertAlmostEqual(hops, 0.05 * 64 * 1100 * 4.5)

    def test_caminos_counts_links_and_we_count_routers(self):
        accepted, hops = Caminos.read(CAMINOS_OUTPUT, TREE, 1000)
        self.assertEqual(accepted, 0.4)
        self.assertAlmostEqual(hops, 0.4 * 64 * 1000 / 8 * 4.5)

    def test_headway_has_the_hops_of_its_window(self):
        text = "a warning\n" + json.dumps({"points": [{"metrics": {"accepted_load": 0.4, "packet_hops": 750}}]})
        self.assertEqual(Headway.read(text, TREE, 1000), (0.4, 1000))

    def test_an_output_without_results_is_not_read(self):
        for simulator in (Booksim, Caminos, Headway):
            with self.subTest(simulator.name), self.assertRaises(Unreadable):
                simulator.read("Segmentation fault", TREE, 1000)

    def test_limits_that_end_a_run(self):
        limits = measure.Limits(20, 4)
        self.assertEqual(measure.why_stopped("", -signal.SIGXCPU, limits), "more than 20 min")
        self.assertEqual(measure.why_stopped("terminate called ... std::bad_alloc", -signal.SIGABRT, limits), "more than 4 GiB")
        self.assertEqual(measure.why_stopped("memory allocation of 2147483648 bytes failed", -signal.SIGABRT, limits), "more than 4 GiB")
        self.assertIsNone(measure.why_stopped("", 255, limits))  # the status of BookSim after success


class FlowsOfJobs(unittest.TestCase):
    ONE_FLOW = OWN_FLOWS[0]
    # (500 packets + 5 on the way) x 4000 B / 12.5 B/ns + 6 links x 1 us
    LAST_US = 167.6

    def run_headway(self, headway, flows, folder):
        text, status, _, _ = measure.ran(headway.prepare(flows, folder), folder, None)
        self.assertEqual(status, 0, text)
        return headway.read(text, flows, folder)

    def test_headway_takes_the_time_of_a_tree_of_three_levels(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_headway(flow_simulators.Headway(PROGRAM, "ecmp", "output-queued, pauses"), self.ONE_FLOW, Path(folder))
            self.assertAlmostEqual(done.last_us, self.LAST_US)

    def test_the_files_of_hpcc_are_the_same_network_with_headers(self):
        for control, header in (("PFC alone", 48), ("DCQCN", 48), ("HPCC", 90)):
            with self.subTest(control), tempfile.TemporaryDirectory() as folder:
                done = self.run_headway(ImportedHeadway(PROGRAM, control), self.ONE_FLOW, Path(folder))
                self.assertAlmostEqual(done.last_us, self.LAST_US + 505 * header / 12500)

    def test_all_ports_of_a_tree_are_linked(self):
        for flows in (self.ONE_FLOW, Flows("none", 8, ""), Flows("none", 16, "")):
            counts, switches, *links = flows.hpcc_topology().splitlines()
            ports = collections.Counter(end for link in links for end in link.split()[:2])
            self.assertEqual([len(ports), len(switches.split()), len(links)], list(map(int, counts.split())))
            for end, count in ports.items():
                self.assertEqual(count, 1 if int(end) < flows.nodes else flows.radix)

    def test_times_are_read_if_all_flows_are_complete(self):
        line = "0b000001 0b000f01 10000 100 2000000 2000000000 175574 175560\n"
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "fct.txt").write_text(line)
            self.assertEqual(Hpcc.read("", self.ONE_FLOW, Path(folder)).last_us, 175.574)
            for text, lines in (("", ""), ("", 2 * line), ("2000100000 17 Drop: queue:1,3: Headroom full", line)):
                (Path(folder) / "fct.txt").write_text(lines)
                with self.assertRaises(Unreadable):
                    Hpcc.read(text, self.ONE_FLOW, Path(folder))
        finished = "Flow eqds_0_15 flowId 1 finished at 178.5 total bytes 2000000\n"
        self.assertEqual(Htsim.read(finished, self.ONE_FLOW, None).last_us, 178.5)
        with self.assertRaises(Unreadable):
            Htsim.read("Segmentation fault", self.ONE_FLOW, None)


class Shell:
    """Stands for a simulator: runs a script of sh."""
    name = "shell"

    def __init__(self, script):
        self.script = script

    def prepare(self, point, cycles, folder):
        return ["sh", "-c", self.script]

    read = staticmethod(Booksim.read)


class Measurements(unittest.TestCase):
    def run_script(self, script, limits):
        with tempfile.TemporaryDirectory() as folder:
            return measure.measured(Shell(script), TREE, 1000, Path(folder), limits)

    def test_a_run_is_timed_and_read(self):
        run = self.run_script(f"cat <<'END'\n{BOOKSIM_OUTPUT}END\nexit 255", measure.Limits(1, 1))
        self.assertEqual(run.accepted, 0.4)
        self.assertGreater(run.mebibytes, 0)

    def test_a_run_without_end_is_stopped(self):
        with self.assertRaisesRegex(measure.Stopped, "more than 0.02 min"):
            self.run_script("while true; do :; done", measure.Limits(0.02, 1))


class Recordings(unittest.TestCase):
    def test_rows_of_the_same_point_are_replaced_and_keep_what_was_not_measured_again(self):
        first = recording.merged({"versions": {"BookSim": "1"}, "rows": []}, {}, [row("BookSim", speed=1, instructions=7)])
        second = recording.merged(first, {"BookSim": "2"}, [row("BookSim", speed=2), row("Headway", speed=9)])
        self.assertEqual(second["versions"], {"BookSim": "2"})
        self.assertEqual(second["rows"], [row("BookSim", speed=2, instructions=7), row("Headway", speed=9)])

    def test_a_recording_is_read_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "recording.json"
            self.assertEqual(recording.read(path)["rows"], [])
            written = {"versions": {"Headway": "1.0"}, "rows": [row("Headway", speed=1), row("BookSim", stopped="more than 4 GiB")]}
            recording.write(path, written)
            self.assertEqual(recording.read(path), written)


class Reports(unittest.TestCase):
    RECORDING = {"versions": {}, "rows": [
        row("Headway", accepted=0.4, speed=15.04e6, mebibytes=12.3, instructions=800),
        row("BookSim", accepted=0.41, speed=0.5e6, faster=30.08, mebibytes=20.1, instructions=9000),
        row("CAMINOS", stopped="more than 4 GiB")]}

    def test_speed(self):
        accepted, speed, faster = "0.4000 | 0.4100 (!) | more than 4 GiB", "15 | 0.5 | more than 4 GiB", "30 | more than 4 GiB"
        self.assertIn(f"| 4-ary 3-tree | 8 | 0.4 | {accepted} | {speed} | {faster} |", report.speed_table(self.RECORDING))

    def test_work(self):
        self.assertIn("| 4-ary 3-tree | 64 | 8 | 0.4 | 800 | 9,000 | more than 4 GiB | 12 | 20 | more than 4 GiB |",
                      report.work_table(self.RECORDING))

    def test_the_figure_has_a_gap_where_nothing_was_measured(self):
        self.assertIn('"4-ary 3-tree" 15.04 0.5 NaN\n', report.figure_script(self.RECORDING, "figure.svg"))

    def test_settings_name_every_network(self):
        for network in NETWORKS:
            self.assertIn(f"| {network.name} | {network.cycles} |", report.settings())


class Page(unittest.TestCase):
    def test_its_tables_are_those_of_the_recording(self):
        page = (ROOT / "docs/benchmarks.md").read_text()
        self.assertEqual(report.with_tables(page, recording.read(ROOT / "bench/peers/recorded.json")), page,
                         "run bench/peers/run --page")

    def test_rows_that_differ_are_explained(self):
        page = (ROOT / "docs/benchmarks.md").read_text()
        differing = {line.split("|")[1].strip() for line in page.splitlines() if "(!)" in line and line.startswith("|")}
        explanation = page[page.index("## Where loads differ"):]
        for network in differing:
            self.assertIn(network, explanation)
        self.assertTrue(re.search(r"BookSim 2 [0-9a-f]{7}", page))


unittest.main()
