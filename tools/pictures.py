#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the README by the commands that it names, and notes of what they are.

docs/figures/pictures.json has a hash of what each picture is made from (the version of the model, its specs, the code of the page) and of
the picture itself. A test compares them (tests/documents/pages.py), because to make all pictures takes six minutes of processor time.
Choice: code that draws curves is not in the hash; it changes how a picture looks, not what it says.

usage: tools/pictures.py FOLDER [PICTURE...]   FOLDER holds the program; without a name, makes those that are not of today
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs/figures"
NOTES = FIGURES / "pictures.json"


class Picture:
    """`command`: as the README has it. `inputs`: patterns of the files from which it is made."""

    def __init__(self, command, inputs, make):
        self.command, self.inputs, self.make = command, inputs, make


def headway(folder, *words):
    subprocess.run([folder / "headway", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def of_study(study, figure, figures):
    """A figure of a study. All figures that the README has of it are made at once, in the same directory."""
    command = f"headway paper studies/{study} {' '.join('--figure ' + name for name in figures)} --no-titles"

    def make(folder, here, into):
        out = here / study
        if not out.exists():
            headway(folder, *command.split()[1:], "--quiet", "--out", out)
        shutil.copy(out / figure / "figure.svg", into)

    return Picture(command, [f"studies/{study}/paper.toml", f"studies/{study}/hot-spot.toml"], make)


def page_of_demo(folder, here, into):
    out = here / "hot-spot"
    headway(folder, "run", "examples/hot-spot.toml", "--quiet", "--out", out)
    headway(folder, "view", "--quiet", out, out, "--point", "1", "--point", "2", "-o", here / "congestion.html")
    chromium = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1700,1080"]
    chromium += [f"--user-data-dir={here / 'profile'}", "--virtual-time-budget=20000", f"--screenshot={into}"]
    subprocess.run([*chromium, (here / "congestion.html").as_uri()], check=True, stderr=subprocess.DEVNULL)


def page_of_remedies(folder, here, into):
    subprocess.run([sys.executable, ROOT / "tools/recording.py", folder, ROOT / "docs/remedies.md"], check=True)


PICTURES = {
    "view.png": Picture("./dev demo", ["examples/hot-spot.toml", "src/headway/view/*.cpp", "src/headway/view/viewer/**/*"], page_of_demo),
    "blocking-roots-1q.svg": of_study("blocking", "roots-1q", ["roots-1q", "victims"]),
    "blocking-victims.svg": of_study("blocking", "victims", ["roots-1q", "victims"]),
    "congestion-victims.svg": of_study("congestion", "victims", ["victims", "nearest"]),
    "congestion-nearest.svg": of_study("congestion", "nearest", ["victims", "nearest"]),
    "remedies.svg": Picture("--table remedies", ["examples/all-reduce-incast.toml", "src/headway/remedies/*.cpp"], page_of_remedies),
}


def digest(*contents):
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]


def made_from(picture):
    """The hash of what a picture is made from today."""
    version = (ROOT / "src/headway/base/version.h").read_text()
    model = re.search(r"kModelVersion = (\d+)", version)[1]
    files = sorted(path for pattern in picture.inputs for path in ROOT.glob(pattern) if path.is_file() and ".test." not in path.name)
    return digest(model.encode(), *(path.read_bytes() for path in files))


def today(name):
    """What the notes say of a picture that is of today."""
    return {"made_from": made_from(PICTURES[name]), "picture": digest((FIGURES / name).read_bytes())}


def main():
    folder, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    notes = json.loads(NOTES.read_text()) if NOTES.exists() else {}
    here = Path(tempfile.mkdtemp())
    try:
        for name in names or [name for name in PICTURES if notes.get(name) != today(name)]:
            PICTURES[name].make(folder, here, FIGURES / name)
            notes[name] = today(name)
            NOTES.write_text(json.dumps(notes, indent=1, sort_keys=True) + "\n")
            print(os.path.relpath(FIGURES / name, ROOT))
    finally:
        shutil.rmtree(here)


if __name__ == "__main__":
    main()
