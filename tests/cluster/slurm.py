# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one controller and two node daemons on this machine, for tests: its files are in one folder, and it needs no account,
no key and no cgroup."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

NODES = ["north", "south"]
CPUS = 4  # that each node claims to have, so that all tasks of a small array run at the same time

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=6
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_delay=0
ReturnToService=2
KillWait=2
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdSpoolDir={folder}/spool-%n
SlurmdParameters=config_overrides
NodeName={first} NodeHostname={host} NodeAddr=127.0.0.1 Port={first_port} CPUs={cpus} RealMemory=4000 State=UNKNOWN
NodeName={second} NodeHostname={host} NodeAddr=127.0.0.1 Port={second_port} CPUs={cpus} RealMemory=4000 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(number):
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ["state", *(f"spool-{node}" for node in NODES)]:
            (self.folder / name).mkdir(parents=True)
        controller, first, second = free_ports(3)
        config = self.folder / "slurm.conf"
        config.write_text(CONFIG.format(
            host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.getuid()).pw_name, folder=self.folder, cpus=CPUS,
            controller_port=controller, first=NODES[0], first_port=first, second=NODES[1], second_port=second))
        self.environment = {**os.environ, "SLURM_CONF": str(config)}
        self.daemons = []

    def __enter__(self):
        try:
            self.start("slurmctld", "-D", "-i")
            for node in NODES:
                self.start("slurmd", "-D", "-N", node)
            self.wait_for_nodes()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self, name, *arguments):
        program = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
        log = (self.folder / f"{name}-{len(self.daemons)}.out").open("w")
        self.daemons.append(subprocess.Popen([program, *arguments], env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL))

    def run(self, *command, **options):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True, check=True, **options).stdout

    def wait_for_nodes(self, seconds=60):
        end = time.monotonic() + seconds
        while True:
            shown = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %t"], env=self.environment, text=True, capture_output=True)
            states = dict(line.split() for line in shown.stdout.splitlines())
            if all(states.get(node) == "idle" for node in NODES):
                return
            if time.monotonic() > end:
                logs = "\n".join(f"{log}:\n{log.read_text()[-2000:]}" for log in sorted(self.folder.glob("*.log")))
                raise RuntimeError(f"the nodes are not idle: {shown.stdout}{shown.stderr}\n{logs}")
            time.sleep(0.2)

    def stop(self):
        if self.daemons:
            subprocess.run(["scancel", "--user", pwd.getpwuid(os.getuid()).pw_name], env=self.environment, capture_output=True)
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = []
        self.kill_leftovers()

    def kill_leftovers(self):
        """After a failed test: the processes of its jobs, which outlive the daemons."""
        mark = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:  # it has ended, or is of another user
                pass
