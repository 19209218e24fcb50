#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/copyright names every Debian package whose headers the sources include, or whose libraries the products load.

Packages of the compiler, the C library, the kernel and Python are not inside the products.

usage: tests/release/licences.py PROGRAM MODULE
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SYSTEM = re.compile(r"libc6|libgcc|libstdc\+\+|linux-libc-dev|libpython|python3")


def packages_of(paths):
    """The Debian packages of files. A package's list may have a path with or without the folder /usr."""
    names = {}
    for path in paths:
        real = str(path.resolve())
        names |= dict.fromkeys((str(path), real, real.removeprefix("/usr"), "/usr" + real), path)
    found = subprocess.run(["dpkg-query", "--search", *names], capture_output=True, text=True).stdout
    packages = {names[name]: package for package, name in re.findall(r"^([^:,]+)\S*: (.*)$", found, re.M) if name in names}
    for path in paths:
        if path not in packages:
            sys.exit(f"{path} belongs to no Debian package")
    return packages


FOLDERS = [Path("/usr/include"), *Path("/usr/include").glob("*-linux-gnu")]


def path_of(header):
    return next((folder / header for folder in FOLDERS if (folder / header).exists()), None)


def headers():
    """The headers of other projects that the products are compiled with. headway-mpi is not in them."""
    sources = [*ROOT.glob("src/headway/**/*"), *ROOT.glob("python/src/*")]
    for source in sources:
        if source.suffix in (".cpp", ".h") and not re.search(r"\.(test|bench)\.cpp$|^mpi_", source.name):
            text = source.read_text()
            for name in re.findall(r"^#include <([^>]+\.(?:h|hpp))>", text, re.M):
                if f"__has_include(<{name}>)" not in text or path_of(name):
                    yield name


def libraries(product):
    loaded = subprocess.run(["ldd", product], check=True, capture_output=True, text=True).stdout
    return {Path(path) for path in re.findall(r"=> (/\S+)", loaded)}


files = set().union(*map(libraries, sys.argv[1:3]))
for name in set(headers()):
    path = path_of(name)
    if path is None:
        sys.exit(f"no Debian package has the header {name}")
    files.add(path)
listed = set(re.findall(r"[\w+.-]*\w", (ROOT / "packaging/copyright").read_text()))
needed = {package: path for path, package in packages_of(sorted(files)).items() if not SYSTEM.match(package)}
missing = [f"{package} ({path})" for package, path in needed.items() if package not in listed]
for line in missing:
    print(f"packaging/copyright does not name the package {line}", file=sys.stderr)
print(f"licences of {len(needed)} packages: {len(missing)} missing")
sys.exit(bool(missing))
