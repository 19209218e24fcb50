# SPDX-License-Identifier: Apache-2.0
import headway as hw
import pytest

KEEP = {"waiting": True, "keep": True, "interval": "5 us"}


@pytest.fixture
def sweep(spec, tmp_path):
    """A directory with two points, and their snapshots."""
    hw.sweep(spec.replaced({"observe": KEEP}), {"switch.scheme": ["1q", "voqsw"]}, out=tmp_path / "sweep")
    return tmp_path / "sweep"


def test_writes_the_bytes_of_the_program(sweep, program, tmp_path):
    page = hw.view(sweep)
    assert page == sweep / "view.html"
    both = hw.view(sweep, sweep, point=(1, 2), out=tmp_path / "own" / "both.html")
    assert program("view", sweep, "-o", tmp_path / "one.html")[0] == 0
    assert program("view", sweep, sweep, "--point", 1, "--point", 2, "-o", tmp_path / "two.html")[0] == 0
    assert page.read_bytes() == (tmp_path / "one.html").read_bytes()
    assert both.read_bytes() == (tmp_path / "two.html").read_bytes()


def test_says_what_is_wrong(sweep, spec, tmp_path):
    with pytest.raises(ValueError, match="has 2 points, so there is no point 3"):
        hw.view(sweep, point=3)
    with pytest.raises(ValueError, match="points are numbered from 1, not 0"):
        hw.view(sweep, point=0)
    with pytest.raises(ValueError, match="one number for each directory"):
        hw.view(sweep, point=(1, 2))
    with pytest.raises(ValueError, match="contains no results.json"):
        hw.view(tmp_path / "nowhere")
    hw.run(spec, out=tmp_path / "plain")
    with pytest.raises(ValueError, match="observe.keep=true"):
        hw.view(tmp_path / "plain")
    hw.run(spec.replaced({"observe": KEEP, "network.n": 3}), out=tmp_path / "larger")
    with pytest.raises(ValueError, match="are of different networks"):
        hw.view(sweep, tmp_path / "larger")
    assert not (sweep / "view.html").exists()
