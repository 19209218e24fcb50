#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of a page: runs them, compares what they print with what the page shows, or writes it into the page.

A line "$ COMMAND" of a ```console block is a command, and the lines below it are what it prints: "..." stands for any text within
a line, and a line with only "..." for any lines. A ```toml or ```text block that begins with "# NAME.toml" or "# NAME.txt" is this
file. The commands run in their order, in an empty directory with these files and the examples, and must succeed. A page with the
comment <!-- terminal: 80 columns --> shows what a terminal of this width shows.

usage: tools/recording.py FOLDER PAGE           writes into the page what its commands print, and the picture of the last plot
                                                to docs/figures; FOLDER holds the program
       tools/recording.py --check FOLDER PAGE   fails if the page shows something else, and writes nothing
"""

import difflib
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What depends on the machine: time, memory and the build.
VARIES = [
    (r"\b(about|in) (?:< )?\d[\d.]* s(?: to \d[\d.]* s)?\b", r"\1 ... s"),
    (r"\d[\d.]* [KMG]iB of memory", "... of memory"),
    (r"^(headway \S+ )\(.*\)$", r"\1(...)"),
    (r"^\w+ build for .*$", "..."),
]


def files(page):
    """The files that a page shows: pairs of a name and a content."""
    return re.findall(r"^```(?:toml|text)\n(?=# (\S+\.(?:toml|txt))\n)(.*?)^```", page, flags=re.S | re.M)


def commands(page):
    """The commands of a page: pairs of a command and the lines that the page shows."""
    blocks = re.findall(r"^```console\n(.*?)^```", page, flags=re.S | re.M)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


def terminal(page):
    """The columns of the terminal of a page; 0 if it has none."""
    found = re.search(r"<!-- terminal: (\d+) columns -->", page)
    return int(found.group(1)) if found else 0


def on_terminal(command, columns, here, environment):
    """What a command writes to a terminal, with its control characters, and its exit code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = dict(environment, NO_COLOR="1", TERM="xterm")
    shell = subprocess.Popen(["bash", "-c", command], cwd=here, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    output = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the end of a terminal
            break
        if not part:
            break
        output += part
    os.close(ours)
    return output.decode(), shell.wait()


def printed(command, here, environment, columns=0):
    """The lines that a command prints, or that a terminal shows in the end: a line of progress is replaced by the next line."""
    if columns:
        output, code = on_terminal(command, columns, here, environment)
    else:
        done = subprocess.run(["bash", "-c", command], cwd=here, env=environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output, code = done.stdout, done.returncode
    lines = [line.rstrip("\r").split("\x1b[K")[-1] for line in output.removesuffix("\n").split("\n")] if output else []
    if code:
        sys.exit(f"{command}\n" + "\n".join(lines))
    return lines


def fits(shown, lines):
    """Whether the lines are those shown."""
    pattern = "".join("(?:[^\n]*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", "[^\n]*") + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


def masked(line):
    for pattern, by in VARIES:
        line = re.sub(pattern, by, line)
    return line


def directory(page):
    """A directory with the files of a page and the examples."""
    here = Path(tempfile.mkdtemp())
    if (ROOT / "examples").exists():
        (here / "examples").symlink_to(ROOT / "examples")
    for name, content in files(page):
        if name.startswith("examples/"):  # the page shows a part of it
            assert (here / name).exists(), name
        else:
            (here / name).write_text(content)
    return here


def recorded(page, here, folder):
    """The page with what its commands print now."""
    environment = dict(os.environ, PATH=f"{folder}:/usr/bin:/bin")

    def block(found):
        result = []
        for command, shown in commands(found.group(0)):
            lines = printed(command, here, environment, terminal(page))
            result += ["$ " + command, *(shown if fits(shown, lines) else map(masked, lines))]
        return "```console\n" + "\n".join(result) + "\n```"

    return re.sub(r"^```console\n.*?^```", block, page, flags=re.S | re.M)


def main():
    check = sys.argv[1] == "--check"
    folder, page = Path(sys.argv[-2]).resolve(), Path(sys.argv[-1])
    shown = page.read_text()
    here = directory(shown)
    try:
        text = recorded(shown, here, folder)
        if check:
            if text != shown:
                sys.stdout.writelines(difflib.unified_diff(shown.splitlines(True), text.splitlines(True), "shown", "printed"))
                sys.exit(f"{page} shows something else")
        else:
            page.write_text(text)
            pictures = sorted(here.glob("**/plot/figure.svg"), key=os.path.getmtime)
            if pictures:
                shutil.copy(pictures[-1], ROOT / f"docs/figures/{page.stem}.svg")
    finally:
        shutil.rmtree(here)


if __name__ == "__main__":
    main()
