# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the tests. ctest runs the tests with the package of the build tree (cmake/python_tests.cmake)."""

import os
import pathlib
import subprocess
import sys

import headway as hw
import pytest

SOURCE = pathlib.Path(os.environ.get("HEADWAY_SOURCE", pathlib.Path(__file__).parents[2]))

SMALL = """\
[network]
topology = "k-ary-n-tree"
k = 2
n = 2
[[traffic.flow]]
pattern = "uniform"
load = 0.4
[measure]
warmup = "5 us"
duration = "50 us"
"""


@pytest.fixture
def spec():
    """Four nodes for 55 us: a run of a few milliseconds."""
    return hw.Spec.from_toml(SMALL)


@pytest.fixture
def long_spec(spec):
    """A run of many seconds that often checks whether it is cancelled."""
    return spec.replaced({"network.k": 4, "network.n": 4, "measure.duration": "100 ms", "measure.bin": "10 us"})


@pytest.fixture
def program():
    """Runs the program of the same build; returns its exit code, standard output and standard error."""
    path = os.environ.get("HEADWAY_PROGRAM")
    if not path:
        pytest.skip("HEADWAY_PROGRAM does not name the program")

    def run(*words, **options):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, timeout=120, **options)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def script(tmp_path):
    """Starts an interpreter with a program, which prints a first line when it is ready."""

    def start(text):
        path = tmp_path / "script.py"
        path.write_text(text)
        return subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start
