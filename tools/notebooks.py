#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs notebooks and stores the output of their cells.

usage: notebooks.py FILE.ipynb...      (with the package on PYTHONPATH, such as build/release/python)
Each runs in its folder and writes its pictures there. `./dev docs` runs the notebooks of docs/tutorial, and a test
compares their output with the stored output. This script needs only the standard library.
"""
import ast
import contextlib
import io
import json
import os
import pathlib
import sys


def run_cell(source, names):
    """The outputs of a cell in the notebook format: its printed text and the value of its last expression."""
    tree = ast.parse("".join(source))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None and not "".join(source).rstrip().endswith(";"):
        outputs.append({"data": {"text/plain": repr(value).splitlines(True)}, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook):
    """Runs the cells in order, in the working directory; returns a copy of the notebook with their outputs."""
    names = {"__name__": "__main__"}
    made = json.loads(json.dumps(notebook))
    count = 0
    for cell in made["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        cell["outputs"] = run_cell(cell["source"], names)
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = count
    return made


def text_of(notebook):
    """The text of a notebook, formatted like Jupyter's."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main():
    os.environ.setdefault("MPLBACKEND", "Agg")
    for path in [pathlib.Path(name).absolute() for name in sys.argv[1:]]:
        os.chdir(path.parent)
        path.write_text(text_of(run(json.loads(path.read_text()))))


if __name__ == "__main__":
    main()
