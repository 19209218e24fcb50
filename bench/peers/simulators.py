# SPDX-License-Identifier: Apache-2.0
"""The simulators: each writes the configuration of a run, says its command, and reads loads and packet-hops from its output.

A packet-hop is the crossing of a switch by a packet.
"""
import json
import os
import re
import subprocess
from pathlib import Path


class Unreadable(Exception):
    """The output of a run lacks a result."""


def number(pattern, text):
    """The last number that the pattern finds in the text."""
    found = re.findall(pattern, text)
    if not found:
        raise Unreadable(pattern)
    return float(found[-1])


def commit(folder):
    """The commit of a checkout, or nothing."""
    done = subprocess.run(["git", "-C", folder, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip()


class Booksim:
    """BookSim 2: lanes of 32 flits, a head that takes two cycles in a router (routing 0, speculative allocation, crossbar 1), and
    thresholds with which a run does not stop by itself: a quarter of the cycles is warm-up."""
    name = "BookSim"
    longer = 1
    COMMON = {"vc_buf_size": 32, "routing_delay": 0, "speculative": 1, "injection_rate_uses_flits": 1, "traffic": "uniform",
              "warmup_periods": 1, "max_samples": 4, "latency_thres": 1e9, "warmup_thres": 1e9, "acc_warmup_thres": 1e9,
              "stopping_thres": 1e9, "acc_stopping_thres": 1e9, "seed": 1}

    def __init__(self, folder):
        self.program = Path(folder).resolve() / "src/booksim"
        if not self.program.exists():
            make = ["make", "-j", str(os.cpu_count()), "-C", self.program.parent]
            subprocess.run(make, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.version = f"BookSim 2 {commit(folder)}".strip()

    @classmethod
    def configuration(cls, point, cycles):
        settings = {**cls.COMMON, **point.network.booksim, "packet_size": point.flits, "injection_rate": point.load,
                    "sample_period": max(cycles // 4, 10)}
        return "".join(f"{name} = {value};\n" for name, value in settings.items())

    def prepare(self, point, cycles, folder):
        """Writes the configuration into the folder and returns the command to run there."""
        (folder / "booksim.cfg").write_text(self.configuration(point, cycles))
        return [self.program, "booksim.cfg"]

    @staticmethod
    def read(text, point, cycles):
        """The accepted load, in flits per node and cycle, and the packet-hops of the whole run. BookSim goes on until all measured
        packets have arrived, so its cycles are those that it says."""
        overall = text[text.rfind("Overall Traffic Statistics"):]
        time = number(r"Time taken is (\d+) cycles", text)
        packets = number(r"Accepted packet rate average *= *([\d.e+-]+)", overall) * point.network.nodes * time
        return number(r"Accepted flit rate average *= *([\d.e+-]+)", overall), packets * number(r"Hops average = ([\d.e+-]+)", overall)


class Headway:
    """Headway: the spec that `headway import` makes of BookSim's configuration, so both have the same settings."""
    name = "Headway"
    longer = 8  # times as many cycles in timed runs, which else last as long as the start of the program

    def __init__(self, program):
        self.program = Path(program).resolve()
        self.version = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]

    def prepare(self, point, cycles, folder):
        (folder / "booksim.cfg").write_text(Booksim.configuration(point, cycles))
        (folder / "headway.toml").unlink(missing_ok=True)
        subprocess.run([self.program, "import", "booksim.cfg", "--out", "headway.toml", "--quiet"], cwd=folder, check=True)
        warmup = cycles // 4
        return [self.program, "run", "headway.toml", "--json", "--quiet", "--jobs", "1", "--threads", "1",
                "--set", f'measure.warmup="{warmup} cycles"', "--set", f'measure.duration="{cycles - warmup} cycles"']

    @staticmethod
    def read(text, point, cycles):
        if "{" not in text:
            raise Unreadable("no JSON")
        metrics = json.JSONDecoder().raw_decode(text[text.find("{"):])[0]["points"][0]["metrics"]
        return metrics["accepted_load"], metrics["packet_hops"] * cycles / (cycles - cycles // 4)


class Caminos:
    """CAMINOS: the same network, lanes and memory in the router "Basic", which has no pipeline. A packet moves on if the next lane has
    room for all of it, as in Headway (flit_size is the size of a packet)."""
    name = "CAMINOS"
    longer = 1

    def __init__(self, folder):
        folder = Path(folder)
        places = folder / "bin/caminos", folder / "target/release/caminos"
        if not any(path.exists() for path in places):
            subprocess.run(["cargo", "build", "--release"], cwd=folder, check=True)
        self.program = next(path for path in places if path.exists()).resolve()
        said = subprocess.run([self.program, "--help"], capture_output=True, text=True).stdout
        self.version = "CAMINOS " + "".join(re.findall(r"version_number=(\S+)", said)[:1])

    @staticmethod
    def configuration(point, cycles):
        settings = {"virtual_channels": 1, "buffer_size": 32, "bubble": "false", **point.network.caminos}
        warmup, room = cycles // 4, max(4, (2 if settings["bubble"] == "true" else 1) * point.flits)
        return f"""Configuration {{
	random_seed: 1, warmup: {warmup}, measured: {cycles - warmup},
	topology: {settings["topology"]},
	traffic: HomogeneousTraffic {{ pattern: Uniform, servers: {point.network.nodes}, load: {point.load}, message_size: {point.flits} }},
	maximum_packet_size: {point.flits},
	router: Basic {{
		virtual_channels: {settings["virtual_channels"]}, virtual_channel_policies: [EnforceFlowControl, Random], delay: 0,
		buffer_size: {settings["buffer_size"]}, output_buffer_size: {room}, flit_size: {point.flits}, bubble: {settings["bubble"]},
		intransit_priority: false, allow_request_busy_port: true, output_prioritize_lowest_label: false,
	}},
	routing: {settings["routing"]},
	link_classes: [{", ".join(["LinkClass { delay: 1 }"] * 8)}],
	launch_configurations: [],
}}
"""

    def prepare(self, point, cycles, folder):
        (folder / "caminos.cfg").write_text(self.configuration(point, cycles))
        return [self.program, "caminos.cfg"]

    @staticmethod
    def read(text, point, cycles):
        accepted = number(r"\baccepted_load:\s+([\d.e+-]+)", text)
        # CAMINOS counts links between routers; a packet crosses one router more.
        hops = number(r"\baverage_packet_hops:\s+([\d.e+-]+)", text) + 1
        return accepted, accepted * point.network.nodes * cycles / point.flits * hops
