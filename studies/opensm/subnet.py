# SPDX-License-Identifier: Apache-2.0
"""OpenSM in a fabric that ibsim simulates: the forwarding tables, service levels and lanes of a routing engine.

No InfiniBand hardware, kernel module or privilege is needed: ibsim-run preloads a library that sends the datagrams to ibsim.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from fabric import Tables

ENGINES = ["minhop", "updn", "ftree", "dfsssp", "lash", "dor", "torus-2QoS"]
WITH_LANES = {"dfsssp", "lash", "torus-2QoS"}  # the others send everything at service level 0
PROGRAMS = {"opensm": "opensm", "ibsim": "ibsim-utils", "ibsim-run": "ibsim-utils"}
LIMIT_S = 300
LOG_FLAGS = "0x43"  # errors, progress, and dumps of the tables


class Refused(Exception):
    """OpenSM has no tables of the engine for the fabric."""


def missing_packages():
    folders = os.get_exec_path() + ["/usr/sbin", "/sbin"]
    return sorted({package for program, package in PROGRAMS.items()
                   if not any(os.access(os.path.join(folder, program), os.X_OK) for folder in folders)})


class Subnet:
    """ibsim with one network. Its sockets and OpenSM's files are in a directory of its own."""

    def __init__(self, net, fabric):
        self.net, self.fabric = pathlib.Path(net).resolve(), fabric

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="headway-opensm-")
        self.path = pathlib.Path(self.folder.name)
        self.environment = {
            **os.environ, "IBSIM_SOCKNAME": f"headway-{os.getpid()}", "OSM_TMP_DIR": str(self.path), "OSM_CACHE_DIR": str(self.path),
            "SIM_HOST": f"S-{self.fabric.guids[self.fabric.centre()]:016x}",  # where OpenSM runs
            "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}
        nodes, switches = len(self.fabric.nodes), len(self.fabric.names)
        ports = sum(1 for _ in self.fabric.links) * 4 + 300 * switches
        self.ibsim = self._start(["ibsim", "-s", "-n", "-N", str(nodes + switches + 1), "-S", str(switches + 1), "-P", str(ports),
                                  str(self.net)], "ibsim.log")
        self._wait(self.ibsim, "ibsim.log", "simulator ready")
        return self

    def __exit__(self, *_):
        stop(self.ibsim)
        self.folder.cleanup()

    def _start(self, command, log):
        with open(self.path / log, "wb") as output:
            return subprocess.Popen(command, cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                                    stderr=subprocess.STDOUT)

    def _wait(self, process, log, *texts):
        """Waits until the log has one of the texts; returns the log."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            written = (self.path / log).read_text(errors="replace") if (self.path / log).exists() else ""
            if any(text in written for text in texts):
                return written
            if process.poll() is not None:
                raise RuntimeError(f"{process.args[0]} ended: {written.strip()[-2000:]}")
            time.sleep(0.02)
        raise RuntimeError(f"{process.args[0]} took more than {LIMIT_S} s: {written.strip()[-2000:]}")

    def route(self, engine, torus_conf=None):
        """The Tables of an engine; throws Refused."""
        for old in self.path.glob("opensm*"):
            old.unlink()
        with_lanes = engine in WITH_LANES
        settings = {"routing_engine": f"{engine},no_fallback", "qos": with_lanes,  # without qos it sets no tables of lanes
                    "log_flags": LOG_FLAGS, "force_log_flush": True, "log_file": self.path / "opensm.log", "dump_files_dir": self.path}
        if torus_conf:
            settings["torus_config"] = pathlib.Path(torus_conf).resolve()
        (self.path / "opensm.conf").write_text("".join(f"{key} {str(value).upper() if value in (True, False) else value}\n"
                                                       for key, value in settings.items()))
        command = ["ibsim-run", "opensm", "-F", str(self.path / "opensm.conf")]
        opensm = self._start(command, "opensm.out")
        try:
            self._wait(opensm, "opensm.log", "SUBNET UP", "No routing engine able")
            log = (self.path / "opensm.log").read_text(errors="replace")
            if "No routing engine able" in log:
                raise Refused("OpenSM says: " + reason(log))
            levels = lanes_of = None
            if with_lanes:
                levels = self._service_levels()
                lanes_of = self._lane_tables()
            return Tables(self._ports(), levels, lanes_of, lanes_in(log))
        finally:
            stop(opensm)

    def _ports(self):
        ports = [dict() for _ in self.fabric.names]
        switch = None
        for line in (self.path / "opensm-lfts.dump").read_text(errors="replace").splitlines():
            if found := re.match(r"Unicast lids .* guid 0x([0-9a-f]+)", line):
                switch = self.fabric.number_of_guid.get(int(found[1], 16))
            elif (found := re.match(r"0x([0-9a-f]+) (\d+) ", line)) and switch is not None:
                ports[switch][int(found[1], 16)] = int(found[2])
        return ports

    def _service_levels(self):
        """One query per pair, as the nodes would ask."""
        guids = self.path / "guids"
        guids.write_text("".join(f"{node.port_guid:x}\n" for node in self.fabric.nodes))
        answer = subprocess.run(["ibsim-run", sys.executable, pathlib.Path(__file__).with_name("path_records.py"), guids], env=self.environment,
                                cwd=self.path, capture_output=True, timeout=LIMIT_S)
        if answer.returncode != 0:
            raise RuntimeError("the subnet administrator did not answer: " + answer.stderr.decode(errors="replace")[-2000:])
        count = len(self.fabric.nodes)
        none = 255
        return [[None if level == none else level for level in answer.stdout[source * count:(source + 1) * count]]
                for source in range(count)]

    def _lane_tables(self):
        """The lanes of all service levels by switch, input and output."""
        lanes_of, switch = {}, None
        for line in (self.path / "opensm-sl2vl.dump").read_text(errors="replace").splitlines():
            if found := re.match(r"Switch 0x([0-9a-f]+)", line):
                switch = self.fabric.number_of_guid.get(int(found[1], 16))
            elif line.startswith(("Channel", "CA", "Router")):
                switch = None
            elif (found := re.match(r"(\d+) +(\d+) +:((?: +\d+)+)", line)) and switch is not None:
                lanes_of[switch, int(found[1]), int(found[2])] = [int(lane) for lane in found[3].split()]
        return lanes_of


def stop(process):
    """OpenSM needs a moment to end, and some versions do not end at all."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def lanes_in(log):
    found = re.findall(r"Lanes needed: (\d+)", log)
    return int(found[-1]) if found else None


def reason(log):
    """The errors of the first attempt, without times and codes."""
    texts = []
    for line in log.splitlines():
        if "No routing engine able" in line:
            break
        if found := re.search(r" 0x01 -> (.*)", line):
            text = re.sub(r"ERR [0-9A-F]{4}: ", "", found[1])
            if text not in texts and "'no_fallback'" not in text:  # this option is no engine, as some versions complain
                texts.append(text)
    return "; ".join(text.rstrip(" :") for text in texts[:2]) or "no reason"
