#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of a site that is in several versions, each in a folder beside the others: versions.html lists them, and
index.html leads to the newest. Every page of a version has a link to versions.html.

usage: tools/site/versions.py SITE      again after a version was added
"""

import re
import sys
from pathlib import Path


def write_versions(site):
    numbers = [path.parent.name for path in site.glob("*/index.html") if re.fullmatch(r"\d+(\.\d+)+", path.parent.name)]
    numbers.sort(key=lambda number: [int(part) for part in number.split(".")], reverse=True)
    links = "\n".join(f'<li><a href="{number}/index.html">Headway {number}</a></li>' for number in numbers)
    head = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Headway</title>\n'
    (site / "versions.html").write_text(f"{head}<h1>Versions of Headway</h1>\n<ul>\n{links}\n</ul>\n")
    (site / "index.html").write_text(f'{head}<meta http-equiv="refresh" content="0; url={numbers[0]}/index.html">\n')


if __name__ == "__main__":
    write_versions(Path(sys.argv[1]))
