#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version of CMakeLists.txt is also that of CITATION.cff and CHANGELOG.md, and the dates are the same.

usage: tests/release/versions.py VERSION
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VERSION = sys.argv[1]
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def read(name):
    return (ROOT / name).read_text()


def found(pattern, name):
    match = re.search(pattern, read(name), re.M)
    expect(match, f"{name} has nothing like {pattern}")
    return match[1] if match else None


cited = found(r'^version: "?([\d.]+)"?$', "CITATION.cff")
expect(cited == VERSION, f"CITATION.cff has version {cited}, not {VERSION}")
date = found(r'^date-released: "?(\d{4}-\d\d-\d\d)"?$', "CITATION.cff")

# The changes since the last release are a section Unreleased; the first section of a release is that of the version.
headings = [line for line in re.findall(r"^## (.*)", read("CHANGELOG.md"), re.M) if line != "Unreleased"]
expect(headings[0] == f"{VERSION}, {date}", f"CHANGELOG.md has '{headings[0]}', not '{VERSION}, {date}'")

for failure in failures:
    print(failure, file=sys.stderr)
print(f"versions: {len(failures)} failures")
sys.exit(bool(failures))
