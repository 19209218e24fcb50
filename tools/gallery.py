#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/gallery from examples/: a page for each example, its picture, and README.md with all pictures.

The comment at the top of an example is its page: a title, a text, and commands. This script runs the commands as a reader
would, in an empty directory with the examples in it, shows what they print, and keeps the picture of the last plot.

usage: tools/gallery.py BUILD [NAME...]      BUILD holds the program and the Python package; NAMEs limit what is run
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from recording import printed

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs/gallery"

# The order of the gallery. Every example is in it once.
SECTIONS = {
    "Fabrics": [
        "2048-nodes-36-ports", "fat-tree-64-ports", "dragonfly-cray-ex", "dragonfly-1056-nodes", "dragonfly-plus",
        "hyperx-4096-nodes", "slim-fly", "torus", "rails", "fabric-from-a-dump", "failed-spines",
        "flapping-link",
    ],
    "Congestion, and what helps": [
        "hot-spot", "hot", "isolation", "congestion-control", "all-schemes", "vftree", "lanes-for-storage", "priorities",
    ],
    "Applications": [
        "storage-incast", "incast", "all-to-all", "all-reduce-incast", "all-reduce-in-switches", "training", "jobs-that-wait", "trace",
    ],
    "Ways to ask": ["saturation", "sweep"],
}  # fmt: skip


def read(example):
    """The title, text and commands of an example, and its content below them."""
    content = example.read_text()
    if example.suffix == ".py":
        licence, comment, code = content.split('"""', 2)
        lines = comment.splitlines()
    else:
        comment, code = re.fullmatch(r"((?:#[^\n]*\n)+)\n(.*)", content, re.S).groups()
        lines = [line[2:] for line in comment.splitlines() if not line.startswith("#:schema")]
    commands = [line.strip() for line in lines if line.startswith("  ")]
    text = [line for line in lines[1:] if not line.startswith("  ")]
    return lines[0], "\n".join(text).strip(), commands, code.strip()


def shown(output):
    """What a page shows of the lines of an output: details of single points, and the names of figures, are left out."""
    lines = []
    details = False  # below the line with the star, each point says why
    for line in output:
        details = details or line.startswith("* ")
        left_out = (details and line.startswith("  ")) or line.startswith("out/")
        if not left_out:
            lines.append(line)
        elif not lines or lines[-1] != "...":
            lines.append("...")
    return "\n".join(lines)


def run(name, commands, build):
    """What each command prints. The last picture goes to docs/gallery."""
    with tempfile.TemporaryDirectory() as directory:
        here = Path(directory)
        (here / "examples").symlink_to(ROOT / "examples")
        (here / "matplotlibrc").write_text("svg.hashsalt: headway")  # the same bytes every time
        environment = dict(os.environ, PATH=f"{build}:/usr/bin:/bin", PYTHONPATH=f"{build}/python")
        environment.update(MPLBACKEND="svg", SOURCE_DATE_EPOCH="0")
        outputs = [shown(printed(command, here, environment)) for command in commands]
        pictures = [*here.glob("out/*/plot/figure.svg"), *here.glob("*.svg")]
        shutil.copy(pictures[0], PAGES / f"{name}.svg")
        return outputs


def page(name, build):
    example = next((ROOT / "examples").glob(f"{name}.*"))
    title, text, commands, code = read(example)
    outputs = run(name, commands, build)
    python = example.suffix == ".py"
    session = "\n".join(f"$ {command}" + (f"\n{output}" if output else "") for command, output in zip(commands, outputs))
    return f"""# {title}

*Written by `./dev docs gallery` from [examples/{example.name}](../../examples/{example.name}); do not edit.*

{text}

![{title}]({name}.svg)

```{"text" if python else "console"}
{session}
```

```{"python" if python else "toml"}
{code}
```
"""


def index():
    sections = []
    for section, names in SECTIONS.items():
        cells = []
        for name in names:
            title = read(next((ROOT / "examples").glob(f"{name}.*")))[0]
            cells.append(f"[![{title}]({name}.svg)<br>{title}]({name}.md)")
        rows = [cells[i : i + 2] for i in range(0, len(cells), 2)]
        table = "\n".join("| " + " | ".join(row + [""] * (2 - len(row))) + " |" for row in rows)
        sections.append(f"## {section}\n\n|  |  |\n|---|---|\n{table}\n")
    return (
        "# Gallery\n\n*Written by `./dev docs gallery`; do not edit.*\n\nSpecs that run in seconds, each with its picture, what it prints, and what to see in it. All are in\n[examples](../../examples). Copy one and change it.\n\n" + "\n".join(sections)
    )


def main():
    build = Path(sys.argv[1]).resolve()
    PAGES.mkdir(exist_ok=True)
    listed = [name for names in SECTIONS.values() for name in names]
    there = [path.stem for path in (ROOT / "examples").iterdir() if path.suffix in (".toml", ".py")]
    if sorted(listed) != sorted(there):
        sys.exit(f"SECTIONS and examples/ differ: {sorted(set(listed) ^ set(there))}")
    for name in sys.argv[2:] or listed:
        print(name, file=sys.stderr)
        (PAGES / f"{name}.md").write_text(page(name, build))
    (PAGES / "README.md").write_text(index())


main()
