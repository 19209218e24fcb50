#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes into a page what its commands print, on a terminal of the width that the page names.

A page names it in a comment: <!-- terminal: 80 columns -->. Its ```console blocks hold commands ("$ COMMAND") and what they
print; a ```toml block that begins with "# NAME.toml" is this file. This script runs the commands in their order, in an empty
directory with the examples in it, as tests/cli/documented_commands.test.cpp does. What a page shows stays if it fits to what is printed: "..." stands for any text within a line, and a line with only "..." for any lines. The
picture of the last plot goes to docs/figures under the name of the page.

usage: tools/recording.py FOLDER PAGE           FOLDER holds the program
       tools/recording.py --check FOLDER PAGE   fails if the page shows something else, and writes nothing
"""

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
]


def printed(command, columns, here, environment):
    """The lines that a terminal shows in the end: a line of progress is replaced by the next line."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
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
    lines = [line.rstrip("\r").split("\x1b[K")[-1] for line in output.decode().removesuffix("\n").split("\n")] if output else []
    if shell.wait():
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


def recorded(page, folder):
    """The page with what its commands print now, and the directory in which they ran."""
    text = page.read_text()
    columns = int(re.search(r"<!-- terminal: (\d+) columns -->", text).group(1))
    here = Path(tempfile.mkdtemp())
    if (ROOT / "examples").exists():
        (here / "examples").symlink_to(ROOT / "examples")
    for name, content in re.findall(r"```(?:toml|text)\n(?=# (\S+\.(?:toml|txt))\n)(.*?)```", text, flags=re.S):
        (here / name).write_text(content)
    environment = dict(os.environ, PATH=f"{folder}:/usr/bin:/bin", NO_COLOR="1", TERM="xterm")

    def block(found):
        result = []
        parts = re.split(r"^\$ ", found.group(1), flags=re.M)
        for part in parts[1:]:
            command, *shown = part.splitlines()
            lines = printed(command, columns, here, environment)
            result += ["$ " + command, *(shown if fits(shown, lines) else map(masked, lines))]
        return "```console\n" + "\n".join(result) + "\n```"

    return re.sub(r"```console\n(.*?)\n```", block, text, flags=re.S), here


def main():
    check = sys.argv[1] == "--check"
    folder, page = Path(sys.argv[-2]).resolve(), Path(sys.argv[-1])
    text, here = recorded(page, folder)
    try:
        if check:
            if text != page.read_text():
                (here / "page.md").write_text(text)
                subprocess.run(["diff", page, here / "page.md"])
                sys.exit(f"{page} shows something else: run ./dev docs recording")
        else:
            page.write_text(text)
            pictures = sorted(here.glob("**/plot/figure.svg"), key=os.path.getmtime)
            if pictures:
                shutil.copy(pictures[-1], ROOT / f"docs/figures/{page.stem}.svg")
    finally:
        shutil.rmtree(here)


main()
