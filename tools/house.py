#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the structure of src/headway: lines, rooms, arrows, floors, circles, and the walk of a value through the rooms.

usage: ./dev house [FOLDER] [COMMIT...]
       ./dev house walk FILE:FUNCTION[:PARAMETER] [COMMIT...]

With several COMMITs, their numbers stand beside each other. `.` is the working tree, which is measured if no COMMIT is given.

A room is a folder of src/headway. With FOLDER, it is a file of this folder: a header together with its sources.
An arrow goes from room A to room B if a file of A includes a header of B. A floor is one more than the highest floor below a room.
A circle is a set of rooms that can all reach each other; only an arrow within a circle can run up.

A walk follows the calls from a function, in the order of the text, branch after branch, as long as they pass on the PARAMETER, a part
of it, a changed copy of it, or an object that was made with it; without PARAMETER, all calls. Each function is entered once for each such set of arguments.
Here a room is a file. Calls that come one after another into the same room are a stay. A return is a stay in a room that was left
before, and a climb is a stay on a higher floor (of files) than the one before. The way of a call back to its caller is no step.
The walk reads the code by libclang, which takes a minute or more. It leaves out functions of one line, and does not follow virtual calls, calls through pointers, or macros whose text the build writes.
"""
import collections
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from includes import includes, is_test, sources

ROOT = pathlib.Path(__file__).resolve().parent.parent


def tree_of(commit, scratch):
    """The folder src/headway of a commit."""
    if commit == ".":
        return ROOT / "src/headway"
    archive = subprocess.run(["git", "-C", ROOT, "archive", commit, "src/headway"], stdout=subprocess.PIPE)
    if archive.returncode:
        sys.exit("house: Give a folder of src/headway, or a commit.")
    folder = pathlib.Path(scratch) / commit.replace("/", "_")
    tarfile.open(fileobj=io.BytesIO(archive.stdout)).extractall(folder)
    return folder / "src/headway"


def file_room(place):
    return str(place.with_suffix(""))


class House:
    def __init__(self, root, files=False, folder=None):
        """Rooms are folders, or files: of one folder or of all."""
        room_of = file_room if files else lambda place: place.parts[0]
        self.lines, self.arrows = collections.Counter(), collections.defaultdict(set)
        self.tests = sum(len(path.read_text().splitlines()) for path in (root / (folder or "")).rglob("*.cpp") if is_test(path))
        for path in sources(root):
            place = path.relative_to(root)
            if len(place.parts) == 1 or place.parts[0] != (folder or place.parts[0]):
                continue
            text, room = path.read_text(), room_of(place)
            self.lines[room] += len(text.splitlines())
            for _, header, layer in includes(text):
                other = room_of(pathlib.PurePath(header))
                if other != room and layer == (folder or layer):
                    self.arrows[room].add(other)
        self._find_circles()

    def _find_circles(self):
        """Tarjan's algorithm, which finishes a circle after all that it reaches, so that floors can be counted."""
        self.floor, self.circles = {}, []
        number, low, path = {}, {}, []

        def visit(room):
            number[room] = low[room] = len(number)
            path.append(room)
            for other in sorted(self.arrows[room]):
                if other not in number:
                    visit(other)
                if other in path:
                    low[room] = min(low[room], low[other])
            if low[room] == number[room]:
                circle = path[path.index(room):]
                del path[path.index(room):]
                below = {other for member in circle for other in self.arrows[member]} - set(circle)
                for member in circle:
                    self.floor[member] = 1 + max((self.floor[other] for other in below), default=0)
                if len(circle) > 1:
                    self.circles.append(sorted(circle))

        for room in sorted(self.lines):
            if room not in number:
                visit(room)

    def sums(self):
        return {"lines": sum(self.lines.values()), "lines of tests": self.tests, "rooms": len(self.lines),
                "arrows": sum(map(len, self.arrows.values())), "floors": max(self.floor.values()), "circles": len(self.circles)}


def measure(roots, folder):
    def table(title, houses, lines):
        row = "  {:24}" + "{:>12}" * len(houses)
        print(row.format(title, *columns))
        for room in sorted(set().union(*(house.lines for house in houses)) if lines else []):
            print(row.format(room, *(house.lines.get(room, "-") for house in houses)))
        sums = [house.sums() for house in houses]
        for name in sums[0]:
            print(row.format(name, *(each[name] for each in sums)))
        for column, house in zip(columns, houses):
            for circle in house.circles:
                print(f"  circle ({column}): {' '.join(circle)}")

    table(f"files of {folder}" if folder else "folders", [House(root, bool(folder), folder) for root in roots], True)
    if not folder:
        table("files", [House(root, True) for root in roots], False)


class Walk:
    def __init__(self, root):
        from clang import cindex  # Debian's python3-clang
        self.kinds, self.index, self.root = cindex.CursorKind, cindex.Index.create(), root
        self.classes = {self.kinds.CLASS_DECL, self.kinds.STRUCT_DECL, self.kinds.CLASS_TEMPLATE}
        self.options = ["-std=c++20", "-xc++", f"-I{root.parent}", f"-I{ROOT}/build/release/generated"]
        self.texts = {path: path.read_text() for path in sources(root)}
        self.units, self.done, self.holders, self.steps = {}, set(), set(), []

    def functions(self, path):
        """The functions that a source defines, by their USR. Few sources are kept, because each takes some 200 MB."""
        if path not in self.units:
            found, unit = {}, self.index.parse(str(path), self.options)

            def collect(cursor):
                for child in cursor.get_children():
                    if child.location.file and child.location.file.name == str(path):
                        if child.kind == self.kinds.NAMESPACE or child.kind in self.classes:
                            collect(child)
                        elif child.is_definition():
                            found.setdefault(child.get_usr(), child)

            collect(unit.cursor)
            self.units[path] = found
            if len(self.units) > 8:
                del self.units[next(iter(self.units))]
        return self.units[path]

    def definition(self, callee):
        if here := callee.get_definition():
            return here
        owner = callee.semantic_parent.spelling if callee.semantic_parent.kind in self.classes else ""
        start = re.compile(rf"^\w[^\n;]*\b{owner}{'::' if owner else ''}{re.escape(callee.spelling)}\(", re.MULTILINE)
        places = [path for path, text in self.texts.items() if path.suffix == ".cpp" and start.search(text)]
        stem = pathlib.Path(callee.location.file.name).stem
        for path in sorted(places, key=lambda path: path.stem != stem):
            if found := self.functions(path).get(callee.get_usr()):
                return found
        return None

    def carries(self, cursor, names):
        """Whether an expression has a name of the value outside the arguments of a call, whose result is another value unless it has the same type."""
        if cursor.referenced is not None and cursor.referenced.get_usr() in names:
            return True
        children = list(cursor.get_children())
        if cursor.kind == self.kinds.CALL_EXPR and cursor.referenced is not None and cursor.referenced.kind != self.kinds.CONSTRUCTOR:
            if self.in_house(cursor.referenced) and not self.returns_value(cursor, names):
                children = children[:1]
        return any(self.carries(child, names) for child in children)

    def returns_value(self, call, names):
        """Whether the result of a call has the type of an argument that carries the value: it is the value with changes."""
        plain = lambda kind: re.sub(r"\bconst\b|&", "", kind.get_canonical().spelling).strip()
        result = plain(call.referenced.result_type)
        return any(plain(argument.type) == result and self.carries(argument, names)
                   for argument in call.get_arguments() if argument is not None)

    def in_house(self, cursor):
        return cursor.location.file is not None and cursor.location.file.name.startswith(str(self.root))

    def enter(self, function, passed):
        """Follows the calls of a function. `passed`: the indices of the parameters with the value; None: follow all calls."""
        key = function.get_usr(), passed
        if key in self.done:
            return
        self.done.add(key)
        parameters = [child for child in function.get_children() if child.kind == self.kinds.PARM_DECL]
        names = None if passed is None else {parameters[i].get_usr() for i in passed if i < len(parameters)} | self.holders
        self.follow(function, names)

    def follow(self, cursor, names):
        pending = None  # the field that the next child initialises
        if cursor.kind == self.kinds.CXX_FOR_RANGE_STMT and names is not None:
            variable, *over = list(cursor.get_children())[:-1]
            if any(self.carries(part, names) for part in over):
                names.add(variable.get_usr())
        for child in cursor.get_children():
            if child.kind == self.kinds.MEMBER_REF:
                pending = child.referenced
            elif names is not None and pending is not None and self.carries(child, names):
                self.hold(pending, names)
                pending = None
            self.follow(child, names)
            if names is not None and child.kind == self.kinds.VAR_DECL and any(self.carries(part, names) for part in child.get_children()):
                names.add(child.get_usr())
        if cursor.kind == self.kinds.CALL_EXPR and cursor.referenced is not None and self.in_house(cursor.referenced):
            self.call(cursor, names)

    def hold(self, field, names):
        """An object of the class of `field` has the value from now on."""
        for usr in (field.get_usr(), field.semantic_parent.get_usr()):
            self.holders.add(usr)
            names.add(usr)

    def call(self, cursor, names):
        callee = cursor.referenced
        passed = None
        if names is not None:
            passed = tuple(i for i, argument in enumerate(cursor.get_arguments()) if argument is not None and self.carries(argument, names))
            if not passed and callee.semantic_parent.get_usr() not in self.holders:
                return
        definition = self.definition(callee)
        if definition is None or (definition.get_usr(), passed) in self.done or definition.extent.start.line == definition.extent.end.line:
            return
        room = file_room(pathlib.Path(definition.location.file.name).relative_to(self.root))
        self.steps.append((room, definition.spelling))
        self.enter(definition, passed)


def walk(root, column, start):
    place, function, *parameter = start.split(":")
    path = next((path for path in sources(root) if str(path).endswith("/" + place)), None)
    trip = Walk(root)
    found = path and [cursor for cursor in trip.functions(path).values() if cursor.spelling == function]
    if not found:
        return print(f"{column}: {start}: no such function")
    names = [argument.spelling for argument in found[0].get_arguments()]
    trip.steps.append((file_room(path.relative_to(root)), function))
    trip.enter(found[0], (names.index(parameter[0]),) if parameter else None)
    floor = House(root, files=True).floor
    stays = []
    for room, name in trip.steps:
        if not stays or stays[-1][0] != room:
            stays.append((room, []))
        stays[-1][1].append(name)
    rooms = [room for room, _ in stays]
    print(f"{column}: {len(stays)} stays, {len(set(rooms))} rooms, {len(stays) - len(set(rooms))} returns, "
          f"{sum(floor[b] > floor[a] for a, b in zip(rooms, rooms[1:]))} climbs")
    for room, entered in stays:
        print(f"  floor {floor[room]:2}  {room:34} {', '.join(dict.fromkeys(entered))}")


arguments = sys.argv[1:]
if arguments[:1] in (["-h"], ["--help"]) or arguments == ["walk"]:
    sys.exit(print(__doc__.strip()))
folders = {path.name for path in (ROOT / "src/headway").iterdir() if path.is_dir()}
subject = arguments.pop(0) if arguments and arguments[0] in {"walk", *folders} else None
start = arguments.pop(0) if subject == "walk" else None
columns = arguments or ["."]
sys.setrecursionlimit(10000)
with tempfile.TemporaryDirectory() as scratch:
    trees = [tree_of(commit, scratch) for commit in columns]
    if subject == "walk":
        for column, tree in zip(columns, trees):
            walk(tree, column, start)
    else:
        measure(trees, subject)
