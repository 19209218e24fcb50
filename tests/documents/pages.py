#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What all pages must keep to, and how tools/recording.py reads one. The command blocks themselves are tests of their own.

usage: pages.py PROGRAM
"""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import pictures  # noqa: E402
import recording  # noqa: E402

PROGRAM = sys.argv.pop()


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Pages(unittest.TestCase):
    def test_the_readme_shows_the_program_at_work(self):
        self.assertGreaterEqual(len(recording.commands((ROOT / "README.md").read_text())), 3)

    def test_the_readme_and_how_tos_fit_into_a_terminal_of_80_columns(self):
        for page in [ROOT / "README.md", *(ROOT / "docs/howto").glob("*.md")]:
            for _, shown in recording.commands(page.read_text()):
                for line in shown:
                    self.assertLessEqual(len(line), 80, f"{page}: {line}")

    def test_the_list_of_pages_fits_a_screen(self):
        lines = (ROOT / "docs/README.md").read_text().splitlines()
        self.assertLessEqual(len(lines), 50)
        self.assertLessEqual(max(map(len, lines)), 130)

    def test_every_page_is_two_clicks_away(self):
        def links(page):
            found = re.findall(r"\]\(([^)#\s]+\.md)[^)]*\)", page.read_text())
            return {(page.parent / target).resolve() for target in found}

        self.assertIn("(docs/README.md)", "\n".join((ROOT / "README.md").read_text().splitlines()[:15]))
        near = links(ROOT / "README.md") | links(ROOT / "docs/README.md")
        pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/howto").glob("*.md"), *(ROOT / "papers").glob("*/README.md")]
        self.assertEqual([], [str(page) for page in pages if page.resolve() not in near])

    def test_the_pictures_of_the_readme_are_those_of_its_commands_today(self):
        readme = (ROOT / "README.md").read_text()
        shown = re.findall(r"docs/figures/([\w.-]+)", readme)
        self.assertEqual(sorted(set(shown)), sorted(pictures.PICTURES))
        notes = json.loads(pictures.NOTES.read_text())
        for name, picture in pictures.PICTURES.items():
            self.assertIn(picture.command, " ".join(readme.split()), name)
            self.assertEqual(notes[name], pictures.today(name), f"{name}: run ./dev docs pictures")

    def test_blocks_that_no_test_runs_name_commands_that_exist(self):
        known = [(r"\./dev ([a-z]+)", said(ROOT / "dev", "help")), (r"build/release/headway ([a-z]+)", said(PROGRAM, "help"))]
        pages = [*ROOT.glob("*.md")]
        for folder in ("docs", "papers", "studies", "bench"):
            pages += (ROOT / folder).rglob("*.md")
        for page in pages:
            for pattern, help_text in known:
                for name in re.findall(pattern, page.read_text()):
                    self.assertRegex(help_text, f"\n  {name} ", page)


class Recording(unittest.TestCase):
    def test_commands_are_found_with_their_files_and_what_they_show(self):
        page = (
            "# Title\n```toml\n# a.toml\nseed = 1\n```\n```console\n$ headway run a.toml\nload 0.5 ok\nand so on ...\n$ true\n```\n"
            "```toml\nseed = 2\n```\n"
        )
        self.assertEqual(recording.files(page), [("a.toml", "# a.toml\nseed = 1\n")])
        self.assertEqual(recording.commands(page), [("headway run a.toml", ["load 0.5 ok", "and so on ..."]), ("true", [])])

    def test_commands_must_show_what_they_are_said_to_show(self):
        fits = recording.fits
        self.assertTrue(fits(["load 0.5 ..."], ["load 0.5 (any)"]))
        self.assertTrue(fits(["load ... in ... s, ..."], ["load 0.5 in 3 s, of 4"]))
        self.assertTrue(fits(["one", "two"], ["one", "two"]))
        self.assertTrue(fits(["...", "one", "...", "two", "..."], ["x", "one", "y", "two", "z"]))
        for shown, lines in [
            (["load 0.5 ok"], ["load 0.51 ok"]), (["load 0.5"], ["load 0.5 ok"]), (["load ... ok"], ["load"]),
            (["one", "two"], ["one", "y", "two"]), (["one"], ["one", "two"]), (["one", "two"], ["one"]),
            (["one"], []), ([], ["one"]),
        ]:  # fmt: skip
            self.assertFalse(fits(shown, lines), (shown, lines))


unittest.main()
