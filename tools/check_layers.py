#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a source file includes a higher layer, if hot code includes the code that makes its tables, if a
feature includes the command line outside its commands, or if two files define a type of the same name in the same namespace, which
the linker does not notice.

usage: check_layers.py SOURCE_DIR       (the folder whose subfolders are the layers; docs/architecture.md)
Tests and benchmarks may include anything.
"""
import pathlib
import re
import sys

LAYERS = [
    ["base"],
    ["config"],
    ["topology"],
    ["routing"],
    ["queueing", "traffic", "trace", "programs", "congestion", "arbitration", "selection"],
    ["engine", "slotted"],
    ["observe", "analysis"],
    ["metrics"],
    ["spec"],
    ["io"],
    ["compile"],
    ["run"],
    ["cli"],
    # features, without which the rest is whole
    ["why", "catalogue", "cluster", "exports", "imports", "program_files"],
    ["pictures"],
    ["papers", "view", "traces"],
]
HEIGHT = {folder: height for height, folders in enumerate(LAYERS) for folder in folders}
HOT = {"engine", "congestion", "arbitration", "selection"}
MAKERS = {"topology", "routing", "queueing"}
PRODUCTS = {"topology/graph.h", "routing/routes.h", "routing/route_table.h", "routing/lanes.h", "routing/reach.h", "queueing/queue_map.h"}
NAMESPACE = re.compile(r"^namespace(?: ([\w:]+))? \{")
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?) (?:alignas\([^)]*\) )?(\w+)\b(?!<|::)(?:[^;{]*|[^;{]*\{.*)$")  # nested types are indented
INCLUDE = re.compile(r'^\s*#\s*include\s+"headway/(([a-z_]+)/[^"]+)"')

root = pathlib.Path(sys.argv[1])
faults, files = [], 0
defined = {}  # full name of a type -> its place


def define_types(path, lines):
    names = []  # of the namespaces around a line; an anonymous one has the name of its file
    for number, line in enumerate(lines, 1):
        if found := NAMESPACE.match(line):
            names.append(found[1] or str(path))
        elif line.startswith("}  // namespace"):
            names.pop()
        elif found := TYPE.match(line):
            name = "::".join([*names, found[1]])
            if name in defined:
                faults.append(f"{path}:{number}: {name} is also defined at {defined[name]}")
            defined.setdefault(name, f"{path}:{number}")


for path in sorted(root.rglob("*")):
    if path.suffix not in {".h", ".inl", ".cpp"} or re.search(r"\.(test|bench)\.cpp$", path.name):
        continue
    files += 1
    lines = path.read_text().splitlines()
    define_types(path, lines)
    folder = path.relative_to(root).parts[0]
    if folder == "headway.h":  # the public library may include what users may include
        continue
    for number, line in enumerate(lines, 1):
        if not (found := INCLUDE.match(line)):
            continue
        header, layer = found.groups()
        if HEIGHT[layer] > HEIGHT[folder]:
            faults.append(f"{path}:{number}: {folder} is below {layer}, so it cannot include {header}")
        if layer == "cli" and folder != "cli" and not path.name.startswith("command_"):
            faults.append(f"{path}:{number}: only the commands of {folder} (command_*.cpp) see the command line, so it cannot include {header}")
        if folder in HOT and layer in MAKERS and header not in PRODUCTS:
            faults.append(f"{path}:{number}: {folder} sees only the products ({', '.join(sorted(PRODUCTS))}), not {header}")

print("\n".join(faults) or f"{files} files keep to the layers")
sys.exit(bool(faults) or not files)
