#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema of specs accepts every spec of the repository, and refuses mistakes that `headway check` refuses.

usage: spec_schema.py PROGRAM

With taplo (of PyPI or crates.io) on the PATH or in $TAPLO, also checks what editors show: taplo marks the same mistakes, completes
keys and shows their help.
"""
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import jsonschema

program = sys.argv[1]
root = pathlib.Path(__file__).resolve().parents[2]
taplo = os.environ.get("TAPLO") or shutil.which("taplo")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def specs():
    for folder in ["examples", "papers", "studies", "bench", "tests/golden"]:
        for path in sorted((root / folder).rglob("*.toml")):
            if path.name not in ("paper.toml", "claims.toml", "headway.network.toml"):
                yield path


TABLE = re.compile(r"^\[+([a-z._-]+)\]+$")
KEY = re.compile(r'^("?)([a-z_.]+)"? = (.+?)( +#.*)?$')
FREE_TEXT = {"name", "file", "at"}  # any text is valid


def replacements(key, value, in_sweep):
    """Mistakes in a line: what is wrong, key and value."""
    yield "unknown key", key + "x", value
    if in_sweep:
        yield "no list", key, "true"
        return
    last = key.split(".")[-1]
    yield "wrong type", key, "7" if value in ("true", "false") else "true"
    if re.fullmatch(r"[0-9.]+", value):
        yield "out of range", key, "-7"
    if re.fullmatch(r'"[0-9.]+ [A-Za-z/]+"', value):
        if not value.startswith('"0 '):
            yield "negative", key, value.replace('"', '"-', 1)
        yield "no unit", key, value.strip('"').split()[0]
        yield "unknown unit", key, value[:-1] + 'x"'
    elif re.fullmatch(r'"[a-z0-9-]+"', value) and last not in FREE_TEXT:
        yield "misspelt choice", key, value[:-1] + 'x"'


def mistakes(text):
    """The text with one mistake, of every kind that its lines can have."""
    lines = text.splitlines()
    swept = [path.split(".")[-1] for path in re.findall(r'^"([^"]+)" =', text, re.M)]  # a sweep replaces their values
    in_sweep = False
    for number, line in enumerate(lines):
        if table := TABLE.match(line):
            in_sweep = table[1].startswith("sweep")
            yield f"line {number + 1}: unknown table", lines[:number] + [line.replace("]", "x]", 1)] + lines[number + 1:]
        elif found := KEY.match(line):
            quote, key, value = found[1], found[2], found[3]
            if key in swept:
                continue
            for what, new_key, new_value in replacements(key, value, in_sweep):
                changed = f"{quote}{new_key}{quote} = {new_value}"
                yield f"line {number + 1}: {what}: {changed}", lines[:number] + [changed] + lines[number + 1:]
        # the key of another choice
        if line == 'pattern = "uniform"':
            yield f"line {number + 1}: key of another choice", lines[:number + 1] + ["destination = 3"] + lines[number + 1:]


def is_refused(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options).returncode != 0


def check_starters(validator):
    for line in subprocess.run([program, "new"], capture_output=True, text=True, check=True).stdout.splitlines():
        family = line.split()[0]
        text = subprocess.run([program, "new", family], capture_output=True, text=True, check=True).stdout
        expect(validator.is_valid(tomllib.loads(text)), f"the schema refuses headway new {family}")


def check_specs(validator):
    for path in specs():
        for error in validator.iter_errors(tomllib.loads(path.read_text())):
            failures.append(f"{path}: {list(error.absolute_path)}: {error.message[:200]}")


def check_mistakes(validator, folder):
    count = 0
    shutil.copytree(root / "examples", folder / "examples")  # specs name files of their folder
    (folder / "build/release").mkdir(parents=True)
    (folder / "build/release/headway.schema.json").write_text(printed)
    copy = folder / "examples/mistake.toml"
    for path in sorted((root / "examples").glob("*.toml")):
        for what, lines in itertools.islice(mistakes(path.read_text()), None, None, 2):  # every second one
            text = "\n".join(lines) + "\n"
            count += 1
            expect(not validator.is_valid(tomllib.loads(text)), f"{path.name}: {what}: valid for the schema")
            copy.write_text(text)
            expect(is_refused([program, "check", copy]), f"{path.name}: {what}: valid for headway check")
            if taplo:
                expect(is_refused([taplo, "check", "--no-auto-config", copy]), f"{path.name}: {what}: valid for taplo")
    expect(count > 100, f"only {count} mistakes")
    print(f"{count} mistakes")


class Server:
    """taplo as a language server."""

    def __init__(self, folder):
        self.process = subprocess.Popen([taplo, "lsp", "stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self.call("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {},
                                 "workspaceFolders": [{"uri": folder.as_uri(), "name": "specs"}]})
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def call(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:  # a question of the server
                self.send({"id": message["id"], "result": [None]})

    def receive(self):
        length = None
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if length is None:
            raise EOFError
        return json.loads(self.process.stdout.read(length))


def check_editor():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "headway.schema.json").write_text(printed)
        lines = ["#:schema headway.schema.json", "[switch]", "sch = 1", 'scheme = "obqa"', "", "[[traffic.flow]]", "", "[traffic.job]",
                 "pro = 1", "[[traf]]"]
        text = "\n".join(lines) + "\n"
        (folder / "my.toml").write_text(text)
        uri = (folder / "my.toml").as_uri()
        try:
            server = Server(folder)
        except (EOFError, BrokenPipeError):
            return print("this taplo has no language server: what editors complete is not checked (cargo install taplo-cli --features lsp)")
        server.send({"method": "textDocument/didOpen",
                     "params": {"textDocument": {"uri": uri, "languageId": "toml", "version": 1, "text": text}}})

        def at(line, character):
            return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

        def labels(answer):
            items = answer["items"] if isinstance(answer, dict) else answer or []
            return {item["label"] for item in items}

        for line, character, key in [(2, 3, "scheme"), (6, 0, "load"), (8, 3, "program"), (9, 6, "traffic.flow")]:
            found = labels(server.call("textDocument/completion", at(line, character)))
            expect(key in found, f"taplo completes no {key} in line {line + 1}: {sorted(found)}")
        found = labels(server.call("textDocument/completion", at(3, 12)))
        expect('"voqsw"' in found or "voqsw" in found, f"taplo completes no scheme: {sorted(found)}")
        hover = json.dumps(server.call("textDocument/hover", at(3, 2)))
        expect("which queue of an input port" in hover, f"taplo shows no help: {hover}")
        server.process.kill()


printed = subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout
schema = json.loads(printed)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
check_specs(validator)
check_starters(validator)
with tempfile.TemporaryDirectory() as name:
    check_mistakes(validator, pathlib.Path(name))
if taplo:
    for example in sorted((root / "examples").glob("*.toml")):
        expect(not is_refused([taplo, "check", "--no-auto-config", example]), f"{example.name}: a mistake for taplo")
    check_editor()
else:
    print("no taplo on the PATH: what editors show is not checked (pip install taplo)")
print("\n".join(failures))
sys.exit(1 if failures else 0)
