# SPDX-License-Identifier: Apache-2.0
"""The simulators of flows: each writes the files of a run, says its command, and reads when the flows were complete."""
import dataclasses
import json
import os
import re
import statistics
import subprocess
from pathlib import Path

from simulators import Unreadable, commit


@dataclasses.dataclass
class Done:
    last_us: float  # completion of the last flow
    mean_us: float


def done(times, flows):
    if len(times) != len(flows.pairs):
        raise Unreadable(f"{len(times)} of {len(flows.pairs)} flows were complete")
    return Done(max(times), statistics.mean(times))


class Htsim:
    """EQDS, whose receivers pull packets that are sprayed over all paths, or RoCE with PFC."""

    def __init__(self, folder, protocol):
        self.name = f"htsim, {protocol}"
        self.folder = Path(folder).resolve() / "sim/datacenter"
        self.program = self.folder / f"htsim_{protocol.lower()}"
        self.version = f"htsim {commit(folder)}".strip()

    def prepare(self, flows, folder):
        """Writes the files into the folder and returns the command to run there."""
        if not self.program.exists():
            for where, target in ((self.folder.parent, "libhtsim.a"), (self.folder, self.program.name)):
                subprocess.run(["make", "-j", str(os.cpu_count()), "-C", where, target], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        (folder / "flows.cm").write_text(flows.matrix)
        return [self.program, "-nodes", flows.nodes, "-tiers", 3, "-mtu", 4000, "-end", 60_000, "-strat", "ecmp_host", "-paths", 128,
                "-tm", "flows.cm"]

    @staticmethod
    def read(text, flows, folder):
        return done([float(time) for time in re.findall(r"^Flow \S+ .*?finished at ([\d.e+]+)", text, re.M)], flows)


class Hpcc:
    """HPCC's ns-3: RoCE whose switches pause links, with hashed paths."""
    CONTROLS = {"PFC alone": 0, "DCQCN": 1, "HPCC": 3}  # its modes; 0 is no control

    def __init__(self, folder, control):
        self.name = f"HPCC's ns-3, {control}"
        self.build = Path(folder).resolve() / "simulation/build"
        if not (self.build / "scratch/third").exists():
            raise SystemExit(f"{self.build} has no scratch/third: docs/benchmarks.md says how to build it")
        self.control = control
        self.version = f"HPCC {commit(folder)}".strip()

    @classmethod
    def write(cls, flows, folder, control):
        """The settings are those that HPCC's run.py chooses at 100 Gb/s, but for the memory of a switch with PFC alone: 256 KiB a port,
        as in Headway, because no link would pause with 32 MiB."""
        window = int(control == "HPCC")
        files = {"topology.txt": flows.hpcc_topology(), "hpcc-flows.txt": flows.hpcc_flows(), "trace.txt": "0\n", "config.txt": f"""\
TOPOLOGY_FILE topology.txt
FLOW_FILE hpcc-flows.txt
TRACE_FILE trace.txt
TRACE_OUTPUT_FILE trace.tr
FCT_OUTPUT_FILE fct.txt
PFC_OUTPUT_FILE pfc.txt
QLEN_MON_FILE qlen.txt
QLEN_MON_START 4000000000
ENABLE_TRACE 0
SIMULATOR_STOP_TIME 3
PACKET_PAYLOAD_SIZE 4000
BUFFER_SIZE {flows.radix // 4 if control == "PFC alone" else 32}
USE_DYNAMIC_PFC_THRESHOLD 1
ENABLE_QCN 1
KMIN_MAP 1 100000000000 400
KMAX_MAP 1 100000000000 1600
PMAX_MAP 1 100000000000 0.2
CC_MODE {cls.CONTROLS[control]}
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 300
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI {40 if window else 20}Mb/s
RATE_HAI {40 if window else 200}Mb/s
MIN_RATE 1000Mb/s
L2_CHUNK_SIZE 4000
L2_ACK_INTERVAL 1
HAS_WIN {window}
VAR_WIN {window}
FAST_REACT {window}
U_TARGET 0.95
MI_THRESH 0
INT_MULTI {4 if window else 1}
MULTI_RATE 0
ACK_HIGH_PRIO {1 - window}
"""}
        for name, text in files.items():
            (folder / name).write_text(text)

    def prepare(self, flows, folder):
        self.write(flows, folder, self.control)
        (folder / "fct.txt").unlink(missing_ok=True)
        return ["env", f"LD_LIBRARY_PATH={self.build}", self.build / "scratch/third", "config.txt"]

    @staticmethod
    def read(text, flows, folder):
        """A line has addresses and ports of source and destination, bytes, start, duration, and the duration in an empty network."""
        if "Drop" in text:
            raise Unreadable("it lost packets")
        fct = folder / "fct.txt"
        return done([int(line.split()[6]) / 1000 for line in fct.read_text().splitlines()] if fct.exists() else [], flows)


class Headway:
    """Packets sprayed as in EQDS or flows by hash as in RoCE; memory of 256 KiB a port."""

    OUTPUT_QUEUED = 'architecture = "oq"\nscheme = "voqsw"\narbiter = "oldest-first"\nswitching = "store-and-forward"'
    SWITCHES = {
        "output-queued": f'{OUTPUT_QUEUED}\nflow_control = "lane-credits"',
        "output-queued, pauses": f'{OUTPUT_QUEUED}\nflow_control = "pfc-shared"',
        "1q": 'scheme = "1q"',
    }

    def __init__(self, program, routing, switches):
        self.name = f"Headway, {routing}, {switches}"
        self.program = Path(program).resolve()
        self.routing, self.switches = routing, self.SWITCHES[switches]
        said = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout
        self.version = said.split("\n")[0]

    def prepare(self, flows, folder):
        (folder / "flows.cm").write_text(flows.matrix)
        (folder / "flows.toml").write_text(f"""[network]
topology = "pgft"
radix = {flows.radix}
nodes = {flows.nodes}
link = {{ rate = "12.5 GB/s", delay = "1 us" }}
[routing]
algorithm = "{self.routing}"
[switch]
{self.switches}
input_memory = "256 KiB"
[traffic]
packet = "4000 B"
[[traffic.job]]
name = "flows"
program = "htsim"
file = "flows.cm"
[measure]
limit = "1 s"
""")
        return self.command()

    def command(self):
        return [self.program, "run", "flows.toml", "--json", "--quiet", "--jobs", "1", "--threads", "1"]

    @staticmethod
    def read(text, flows, folder):
        if "{" not in text:
            raise Unreadable("it printed no JSON")
        metrics = json.JSONDecoder().raw_decode(text[text.find("{"):])[0]["points"][0]["metrics"]
        return Done(metrics["makespan_ns"] / 1000, metrics["completion_mean_ns"] / 1000)


class ImportedHeadway(Headway):
    """The spec that `headway import` makes of the files of HPCC's ns-3."""

    def __init__(self, program, control):
        super().__init__(program, "ecmp", "output-queued, pauses")
        self.name, self.control = f"Headway, imported {control}", control

    def prepare(self, flows, folder):
        Hpcc.write(flows, folder, self.control)
        for path in folder.glob("flows.*"):  # import writes over nothing
            path.unlink()
        subprocess.run([self.program, "import", "config.txt", "--out", "flows.toml", "--quiet"], cwd=folder, check=True)
        return self.command()
