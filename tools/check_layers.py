#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a source file includes a higher layer, if hot code includes the code that makes its tables, if a feature includes the
command line outside its commands, if two files define a type of the same name in the same namespace, which the linker does not
notice, or if a dynamic mechanism (a member of a TypeList) is named outside its own files and its list, or a kernel outside its folder,
so that one more would need more than a file and a line (CONTRIBUTING.md), or if a constant of a file hides one of a header.

usage: check_layers.py SOURCE_DIR       (the folder whose subfolders are the layers; docs/architecture.md)
Tests and benchmarks may include anything.
"""
import pathlib
import re
import sys

from includes import includes, sources

LAYERS = [
    ["base"],
    ["config"],
    ["topology"],
    ["routing"],
    ["queueing", "traffic", "trace", "programs", "congestion", "arbitration", "selection"],
    ["engine", "kernel"],
    ["observe", "analysis"],
    ["metrics"],
    ["spec"],
    ["io"],
    ["compile"],
    ["run"],
    ["cli"],
    # features, without which the rest is whole
    ["why", "catalogue", "cluster", "exports", "imports", "program_files", "slotted"],
    ["remedies", "pictures"],
    ["papers", "view", "traces"],
]
HEIGHT = {folder: height for height, folders in enumerate(LAYERS) for folder in folders}
HOT = {"engine", "congestion", "arbitration", "selection"}
MAKERS = {"topology", "routing", "queueing"}
PRODUCTS = {"topology/graph.h", "routing/routes.h", "routing/route_table.h", "routing/lanes.h", "routing/reach.h", "queueing/queue_map.h"}
NAMESPACE = re.compile(r"^namespace(?: ([\w:]+))? \{")
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?) (?:alignas\([^)]*\) )?(\w+)\b(?!<|::)(?:[^;{]*|[^;{]*\{.*)$")  # nested types are indented
LIST = re.compile(r"^using \w+ = TypeList<([^>]*)>;", re.MULTILINE)
SPEC_NAME = re.compile(r'kName = "([^"]+)"|entry\(\) \{[^}]*?return \{\s*"([^"]+)"', re.DOTALL)
CORE = {"engine", "observe", "metrics", "compile", "run"}
OTHER_WORDS = {"random", "window"}  # that have other meanings in the core

root = pathlib.Path(sys.argv[1])
faults = []
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


texts = {}  # place in the root -> contents


def check_mechanisms():
    for list_place, text in texts.items():
        for member in re.findall(r"\w+", " ".join(LIST.findall(text))):
            defines = re.compile(rf"^(?:struct {member}\b(?!;)|using {member} =)", re.MULTILINE)
            own = {place.with_suffix("") for place, other in texts.items() if defines.search(other)}
            own_text = "".join(other for place, other in texts.items() if place.with_suffix("") in own)
            names = {name for pair in SPEC_NAME.findall(own_text) for name in pair if name} - OTHER_WORDS
            for place, other in texts.items():
                if place == list_place or place.with_suffix("") in own or place.name == "registry.cpp":
                    continue
                if re.search(rf"\b{member}\b", other):
                    faults.append(f"{root / place}: names {member}, which only its own files and {list_place} may name")
                faults.extend(f'{root / place}: has "{name}", a name that {min(own)} owns'
                              for name in names if place.parts[0] in CORE and re.search(rf'(?<!\\)"{name}"', other))


def check_kernels():
    for owner, text in texts.items():
        for name in re.findall(r"^Entry<Kernel> (\w+)_kernel\(\)", text, re.MULTILINE):
            names = re.compile(rf'(?<!\\)"{name}"|\b{name}::|\b{name.capitalize()}')
            faults.extend(f"{root / place}: names the kernel {name}, which only its own folder may name"
                          for place, other in texts.items() if place.parts[0] != owner.parts[0] and names.search(other))


# Files of several folders are one unit (cmake/unity.cmake), in which a constant of an unnamed namespace hides that of a header.
CONSTANT = re.compile(r"^(?:inline |static )*(?:constexpr|const)\b[^\n=({;]*?\b(k[A-Z]\w*)\b", re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.MULTILINE | re.DOTALL)


def check_hidden_constants(folders):
    files = {path: path.read_text() for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in (".h", ".cpp")}
    owners = {name: path for path, text in files.items() if path.suffix == ".h" for name in CONSTANT.findall(text)}
    for path, text in files.items():
        faults.extend(f"{path}: {name} hides that of {owners[name]}"
                      for name in CONSTANT.findall("".join(UNNAMED.findall(text))) if name in owners)


for path in sources(root):
    text = path.read_text()
    texts[path.relative_to(root)] = re.sub(r"^ *//.*", "", text, flags=re.MULTILINE)
    define_types(path, text.splitlines())
    folder = path.relative_to(root).parts[0]
    if folder == "headway.h":  # the public library may include what users may include
        continue
    for number, header, layer in includes(text):
        if HEIGHT[layer] > HEIGHT[folder]:
            faults.append(f"{path}:{number}: {folder} is below {layer}, so it cannot include {header}")
        if layer == "cli" and folder != "cli" and not path.name.startswith("command_"):
            faults.append(f"{path}:{number}: only the commands of {folder} (command_*.cpp) see the command line, so it cannot include {header}")
        if folder in HOT and layer in MAKERS and header not in PRODUCTS:
            faults.append(f"{path}:{number}: {folder} sees only the products ({', '.join(sorted(PRODUCTS))}), not {header}")

check_mechanisms()
check_kernels()
check_hidden_constants([root, root.parent.parent / "tests"])
print("\n".join(faults) or f"{len(texts)} files keep to the layers")
sys.exit(bool(faults) or not texts)
