# SPDX-License-Identifier: Apache-2.0
"""A user's first session, from a spec file to figures; and a series of a million rows."""

import tracemalloc

import headway as hw
import numpy as np
import pytest
from conftest import SMALL


def test_a_first_session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(SMALL)
    spec = hw.Spec.read("my.toml")
    spec["switch.scheme"] = "obqa"
    r = hw.run(spec)
    assert r.status == "ok" and 0.3 < r.accepted_load < 0.5
    assert isinstance(r.series["accepted_load"], np.ndarray)
    s = hw.sweep(
        spec,
        {"switch.scheme": ["1q", "obqa"], "traffic.flow[0].load": np.linspace(0.1, 1, 19)},
        seeds=3,
        out="out/s",
    )
    assert len(s) == 38 and len(s[0].runs) == 3
    assert hw.load("out/s")["accepted_load"].tolist() == s["accepted_load"].tolist()
    assert 0.5 < hw.saturation(spec).saturation_load <= 1
    pytest.importorskip("pandas")
    assert len(s.frame()) == 38
    pytest.importorskip("matplotlib")
    ax = s.plot("offered_load", "latency_mean_ns", by="switch.scheme")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1q", "obqa"]


def test_the_loads_of_a_series_are_those_of_the_sources():
    """With bins of equal length, the mean over bins is the metric of the same name."""
    spec = hw.Spec(
        network={"topology": "single-switch", "nodes": 8},
        traffic={"flow": [{"sources": {"first": 2}, "load": 0.6}]},
        measure={"warmup": "0 us", "duration": "100 us", "bin": "1 us"},
    )
    r = hw.run(spec)
    for name in ("offered_load", "accepted_load"):
        assert r.series[name].mean() == pytest.approx(r.metrics[name])
    assert r.series["network_efficiency"] * 4 == pytest.approx(r.series["accepted_load"])


def test_a_series_of_a_million_rows_is_not_copied():
    spec = hw.Spec(
        network={"topology": "single-switch", "nodes": 2},
        traffic={"flow": [{"load": 0.01}]},
        measure={"warmup": "0 us", "duration": "1 ms", "bin": "1 ns"},
    )
    r = hw.run(spec)
    tracemalloc.start()
    series = r.series
    columns = dict(series.items())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert series.rows == 1_000_000 and most < 100_000
    for name, column in columns.items():
        assert column.__array_interface__["data"] == r.series[name].__array_interface__["data"]
