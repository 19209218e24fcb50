# SPDX-License-Identifier: Apache-2.0
"""Runs a command with limits, and measures its processor time, its memory and its instructions."""
import dataclasses
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

from simulators import Unreadable


@dataclasses.dataclass
class Run:
    accepted: float  # flits per node and cycle
    hops: float  # packet-hops of the whole run
    seconds: float  # of the processor, in user mode
    mebibytes: float  # peak of resident memory
    instructions: int = 0

    def speed(self):
        return self.hops / self.seconds


class Stopped(Exception):
    """A run that ended without results; the text says why."""


@dataclasses.dataclass
class Limits:
    minutes: float  # of the processor
    gibibytes: float  # of address space

    def set(self):
        seconds, size = int(self.minutes * 60), int(self.gibibytes * 2**30)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def why_stopped(text, status, limits):
    """The limit that ended a run with this output and exit status, negative for a signal; None: it ended by itself."""
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"more than {limits.minutes:g} min"
    if "bad_alloc" in text or "memory allocation of" in text:
        return f"more than {limits.gibibytes:g} GiB"
    return None


def peak_of(pid):
    """The peak of resident memory of a running process, in KiB. The usage that wait4 gives has that of this script before exec, too."""
    found = re.search(r"^VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.M)
    return int(found[1]) if found else 0


def ran(command, folder, limits):
    """Runs a command to its end. Returns its output, exit status, seconds of the processor in user mode, and peak in MiB. Without limits
    it may take what it needs. Raises Stopped if a limit ended it."""
    with open(folder / "out.txt", "w+", errors="replace") as out:
        process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=subprocess.STDOUT, cwd=folder,
                                   preexec_fn=limits.set if limits else None)
        kibibytes = 0
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            kibibytes = max(kibibytes, peak_of(process.pid))
            time.sleep(0.02)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if limits and (reason := why_stopped(text, process.returncode, limits)):
        raise Stopped(reason)
    return text, process.returncode, usage.ru_utime, kibibytes / 1024


def measured(simulator, point, cycles, folder, limits, callgrind=False):
    """One run. Raises Stopped if it ends without results."""
    command = simulator.prepare(point, cycles, folder)
    counts = folder / "callgrind.out"
    if callgrind:
        command = ["valgrind", "--log-file=/dev/null", "--tool=callgrind", f"--callgrind-out-file={counts}", *command]
    text, status, seconds, mebibytes = ran(command, folder, None if callgrind else limits)
    try:
        # The exit status does not count: that of BookSim is 255 after success.
        accepted, hops = simulator.read(text, point, cycles)
    except Unreadable:
        raise SystemExit(f"{simulator.name}, {point.network.name}: ended with status {status}\n{text[-2000:]}") from None
    instructions = int(re.search(r"^(?:totals|summary): (\d+)", counts.read_text(), re.M)[1]) if callgrind else 0
    return Run(accepted, hops, seconds, mebibytes, instructions)


def instructions_per_hop(simulator, point, folder, limits):
    """From two short runs, so that what comes before the first cycle does not count."""
    cycles = point.network.counted_cycles()
    short, long = (measured(simulator, point, length, folder, limits, callgrind=True) for length in (cycles, 2 * cycles))
    return (long.instructions - short.instructions) / (long.hops - short.hops)
