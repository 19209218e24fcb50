# SPDX-License-Identifier: Apache-2.0
"""Runs the examples in the documents and docstrings, and compares their output with the text."""

import doctest
import importlib
import re
import subprocess
import sys

import pytest
from conftest import SOURCE

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = [path.stem for path in (SOURCE / "python/headway").glob("[!_]*.py")]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_docstrings(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(f"headway.{module}"), optionflags=FLAGS).failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page, tmp_path, monkeypatch):
    """All ```pycon blocks of a page are one session; a ```toml block that begins with # NAME.toml is a file."""
    monkeypatch.chdir(tmp_path)
    text = (SOURCE / page).read_text()
    for name, content in re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", text, re.S):
        (tmp_path / name).write_text(content)
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.S)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("example", sorted((SOURCE / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples(example, tmp_path):
    """An example prints what its page in the gallery shows, and the page has its text and its code."""
    page = (SOURCE / f"docs/gallery/{example.stem}.md").read_text()
    printed = subprocess.run([sys.executable, example], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert f"$ python3 examples/{example.name}\n{printed}```" in page
    for line in example.read_text().splitlines()[2:]:
        assert line.strip(' "') in page, "run ./dev docs gallery"
