# SPDX-License-Identifier: Apache-2.0
"""Sweeps on the executors of other packages, where these are installed."""

import os
import shutil
import subprocess
import sys

import headway as hw
import pytest

AXES = {"traffic.flow[0].load": [0.1, 0.2, 0.3], "seed": list(range(8))}
SAME = ("results.json", "results.csv", "spec.toml")


def check_same(spec, directory, tmp_path):
    hw.sweep(spec, AXES, out=tmp_path / "alone")
    for name in SAME:
        assert (directory / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


@pytest.fixture
def one_by_one(monkeypatch):
    monkeypatch.setattr("headway.executors._TASKS_AT_ONCE", 1)


@pytest.fixture
def dask():
    """Two worker processes of Dask."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (pip install distributed)")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_dask_writes_the_same_directory(spec, dask, tmp_path):
    hw.sweep(spec, AXES, out=tmp_path / "out", executor=dask.get_executor())
    check_same(spec, tmp_path / "out", tmp_path)


def test_a_dask_worker_is_killed(spec, dask, one_by_one, tmp_path):
    spec["measure.duration"] = "2 ms"
    pids = list(dask.run(os.getpid).values())
    killed = []

    def told(_, done, runs):
        if done >= 3 and not killed:
            killed.append(done)
            os.kill(pids[0], 9)

    hw.sweep(spec, AXES, out=tmp_path / "out", executor=dask.get_executor(), progress=told)
    assert killed and killed[0] < 24
    check_same(spec, tmp_path / "out", tmp_path)


def test_mpi_writes_the_same_directory(spec, tmp_path):
    pytest.importorskip("mpi4py", reason="mpi4py is not installed (Debian: python3-mpi4py)")
    mpiexec = shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("there is no mpiexec (Debian: openmpi-bin)")
    path = tmp_path / "sweep.py"
    path.write_text(f"""\
import headway as hw
from mpi4py.futures import MPIPoolExecutor
if __name__ == "__main__":
    spec = hw.Spec.from_toml('''{spec.to_toml()}''')
    with MPIPoolExecutor() as executor:
        hw.sweep(spec, {AXES!r}, out="out", executor=executor)
""")
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(path)]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | allowed, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    check_same(spec, tmp_path / "out", tmp_path)
