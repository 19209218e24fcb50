#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/validation.md: the anchors that tests state, and a summary of docs/reproduction.md.

Runs the tests of all files that include tests/support/anchor.h; their rows go between the comments
<!-- anchors GROUP --> and <!-- end --> of the page.

usage: tools/validation.py BUILD
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/validation.md"
HEAD = "| quantity | source | expected | Headway | difference | test |\n|---|---|---|---|---|---|\n"


def tests():
    """The names of the test suites in files that state anchors."""
    for path in sorted((ROOT / "tests").rglob("*.test.cpp")):
        text = path.read_text()
        if '#include "tests/support/anchor.h"' in text:
            yield from sorted(set(re.findall(r"^TEST(?:_F)?\((\w+),", text, re.M)))


def rows_of_groups(build):
    """The rows of each group, in the order in which the tests state them."""
    with tempfile.TemporaryDirectory() as directory:
        rows = Path(directory) / "rows"
        environment = dict(os.environ, HEADWAY_ANCHORS=str(rows))
        only = "--gtest_filter=" + ":".join(f"{suite}.*" for suite in tests())
        subprocess.run([build / "headway_tests", only, "--gtest_brief=1"], env=environment, check=True, stdout=sys.stderr)
        groups = {}
        for line in rows.read_text().splitlines():
            group, row = line.split("\t")
            groups.setdefault(group, []).append(row)
        return groups


def papers():
    """A row for each paper of docs/reproduction.md."""
    rows = ["| paper | claims | processor time |", "|---|---|---|"]
    text = (ROOT / "docs/reproduction.md").read_text()
    for key, title, citation, counts in re.findall(r"<!-- begin (\S+) -->\n## (.*?)\n\n(.*?)\n.*?\n(\d+ claims: .*?)\n", text, re.S):
        anchor = re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
        took = re.search(r", (\d+ (?:s|min)) of processor time\.$", citation)
        rows.append(f"| [{title}](reproduction.md#{anchor}) | {counts.rstrip('.')} | {took[1] if took else '–'} |")
    return "\n".join(rows) + "\n"


def main():
    groups = rows_of_groups(Path(sys.argv[1]).resolve())

    def table(comment):
        name = comment[1]
        if name == "papers":
            return f"<!-- papers -->\n{papers()}<!-- end -->"
        group = name.removeprefix("anchors ")
        return f"<!-- {name} -->\n{HEAD}" + "".join(row + "\n" for row in groups.pop(group)) + "<!-- end -->"

    page = re.sub(r"<!-- (anchors \w+|papers) -->\n.*?<!-- end -->", table, PAGE.read_text(), flags=re.S)
    if groups:
        sys.exit(f"{PAGE} has no table for the anchors {sorted(groups)}")
    PAGE.write_text(page)


main()
