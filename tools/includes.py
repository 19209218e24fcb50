# SPDX-License-Identifier: Apache-2.0
"""How the files of src/headway include each other, for check_layers.py and house.py."""
import re

INCLUDE = re.compile(r'^\s*#\s*include\s+"headway/(([a-z_]+)/[^"]+)"')
SUFFIXES = {".h", ".inl", ".cpp"}


def is_test(path):
    """Tests and benchmarks may include anything."""
    return path.name.endswith((".test.cpp", ".bench.cpp"))


def sources(root):
    """The files of the program below the folder `root`, in order."""
    return [path for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES and not is_test(path)]


def includes(text):
    """(number of the line, header, folder of the header) of what a text includes from src/headway."""
    return [(number, found[1], found[2]) for number, line in enumerate(text.splitlines(), 1) if (found := INCLUDE.match(line))]
