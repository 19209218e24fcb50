# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import subprocess
import sys

import headway as hw
import pytest


def test_names_are_explained_as_by_the_program(program):
    for name in ("obqa", "switch.scheme", "accepted_load", "load", "cfqs_stage_2"):
        assert program("explain", name)[1] == str(hw.explain(name))
    with pytest.raises(ValueError, match="did you mean 'obqa'"):
        hw.explain("obqqa")


def test_families_are_listed_as_by_the_program(program):
    for family in ("schemes", "topologies", "switch.scheme", "arbiters"):
        _, said, _ = program("list", family)
        for name, text in hw.list(family).items():
            assert name in said and text in said
    with pytest.raises(ValueError, match="did you mean 'schemes'"):
        hw.list("schems")


def test_metrics_have_units():
    units = {metric.name: metric.unit for metric in hw.metrics() if not metric.table}
    assert units["latency_mean_ns"] == "ns"


def test_papers_come_with_the_package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "obqa" in hw.papers()
    made = hw.paper("obqa", figure="t3")
    assert made.out == pathlib.Path("out/obqa") and (made.out / "claims.json").exists()
    (figure,) = made.figures
    assert figure.id == "t3" and figure.curves
    assert {claim.verdict for claim in made.claims} == {"holds"}
    with pytest.raises(ValueError, match="unknown paper"):
        hw.paper("obqqqq")
    with pytest.raises(ValueError, match="unknown figure"):
        hw.paper("obqa", figure="99z")


def test_importing_the_package_loads_nothing_heavy():
    text = "import sys, headway; print([n for n in ('pandas', 'matplotlib', 'tqdm') if n in sys.modules])"
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=os.environ, check=True)
    assert said.stdout == "[]\n"
