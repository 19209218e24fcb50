# SPDX-License-Identifier: Apache-2.0
"""Strict mypy on the package and on user code; and the stub of the module against the module."""

import os
import pathlib
import subprocess
import sys

import headway as hw
import pytest
from conftest import SOURCE

pytest.importorskip("mypy")
PACKAGE = SOURCE / "python/headway"

USE = """
import headway as hw
import numpy as np
from collections.abc import Iterator

spec = hw.Spec(network={"topology": "k-ary-n-tree", "k": 4}, traffic={"flow": [{"load": 0.5}]})
spec["switch.scheme"] = "obqa"
result = hw.run(spec)
load: float = result.accepted_load
times = result.series["time_ns"] * 2
swept = hw.sweep(spec, {"seed": [1, 2]}, seeds=3)
def pings() -> Iterator[tuple[int, int, int, int]]:
    yield 0, 0, 1, 64
own = hw.Spec(switch={"scheme": "table", "file": np.zeros((4, 4)), "by": ["switch", "destination"]},
              network={"topology": "file", "file": hw.graph([0, 0], [])},
              traffic={"trace": [{"format": "npy", "file": pings}]})
names: list[str] = [point.result.status for point in swept]
found = hw.remedies(hw.what_if(spec, "no-delay", without=["a"], no_computing=True), tries={"b": {"switch.lanes": 2}})
gains: list[float] = [row.gain for row in found.causes] + [step.alone for step in found.followed]
again: hw.Result = hw.run(found.spec_of(found.remedies[0]))
"""

WRONG = """
hw.run(spec).acepted_load
hw.Spec(network={"topologi": "torus"})
hw.Spec(switch={"scheme": "obqq"})
hw.run("my.toml")
hw.Spec(switch={"scheme": "table", "file": 3})
"""


def mypy(tmp_path, *words):
    environment = {**os.environ, "MYPYPATH": str(SOURCE / "python"), "MYPY_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, env=environment, cwd=tmp_path)
    return done.returncode, done.stdout + done.stderr


def test_the_package_is_typed_and_mistakes_in_its_use_are_found(tmp_path):
    (tmp_path / "use.py").write_text(USE + WRONG)
    _, said = mypy(tmp_path, "mypy", "--config-file", SOURCE / "pyproject.toml", PACKAGE, "use.py")
    first = USE.count("\n") + 2
    errors = [line.partition(": error")[0] for line in said.splitlines() if ": error" in line]
    assert errors == [f"use.py:{first + number}" for number in range(5)], said


def test_the_stub_is_that_of_the_module(tmp_path):
    configured = ["--mypy-config-file", SOURCE / "pyproject.toml"]
    # Classes of pybind11 have its own metaclass, and a generic __init__ if Python cannot construct them.
    (tmp_path / "allowed").write_text("headway\\._headway\\.[A-Z]\\w+(\\.__init__)?\n")
    words = ["--ignore-missing-stub", "--allowlist", "allowed", "--ignore-unused-allowlist"]
    code, said = mypy(tmp_path, "mypy.stubtest", "headway._headway", *words, *configured)
    assert code == 0, said


def test_the_package_says_that_it_is_typed():
    assert (pathlib.Path(hw.__file__).parent / "py.typed").exists()
