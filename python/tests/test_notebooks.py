# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs/tutorial print their stored output. `./dev docs` updates the stored output."""

import importlib.util
import json
import re

import pytest
from conftest import SOURCE

pytest.importorskip("matplotlib")
TUTORIAL = SOURCE / "docs/tutorial"


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("notebooks", SOURCE / "tools/notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(path.name for path in TUTORIAL.glob("*.ipynb")))
def test_notebook(name, tool, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stored = json.loads((TUTORIAL / name).read_text())
    made = tool.run(stored)
    for before, now in zip(stored["cells"], made["cells"], strict=True):
        assert now == before
    text = "".join("".join(cell["source"]) for cell in stored["cells"] if cell["cell_type"] == "markdown")
    pictures = re.findall(r"!\[.*\]\((.*)\)", text)
    assert pictures
    for picture in pictures:
        assert (tmp_path / picture).stat().st_size > 5000
        assert (TUTORIAL / picture).exists()


def test_there_are_five():
    assert len(list(TUTORIAL.glob("*.ipynb"))) == 5
    assert all(path.name in (TUTORIAL / "README.md").read_text() for path in TUTORIAL.glob("*.*") if path.suffix != ".md")


def test_outputs_are_those_of_a_notebook(tool):
    outputs = tool.run_cell(["print(1)\n", "2 + 2"], {})
    assert [output["output_type"] for output in outputs] == ["stream", "execute_result"]
    assert outputs[1]["data"] == {"text/plain": ["4"]}
    assert tool.run_cell(["2;"], {}) == tool.run_cell(["x = 2"], {}) == []
