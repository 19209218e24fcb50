#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the site: static pages that need no server, from the Markdown pages of the repository.

The pages keep their paths. docs/README.md is the structure: its sections are those of the site, and its links the order of the
pages. What only the site has: a page per section, notebooks as pages, pages of `headway view` to try, the Python package from its
docstrings, and the headers of the library by Doxygen. Every address in the finished pages is checked; one that leads nowhere, or
lets the browser load something from outside of the site, fails the build.

usage: tools/site/build.py BUILD OUT      BUILD holds the program and the Python package; the site is in OUT/VERSION, beside those of other versions
"""

import html.parser
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

from versions import write_versions

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Pages that only the site has, by their sections.
ADDED = {
    "Gallery": {"live.md": "pages of `headway view` to try"},
    "Reference": {"python-api.md": "classes and functions of the Python package", "cpp.md": "types of the C++ library"},
    "Code": {"README.md": "all pages in one list"},
}
LIVE = [
    ("A hot spot with one queue per port and with OBQA", "hot-spot", ["examples/hot-spot.toml"], ["--point", "1", "--point", "2"]),
    (
        "A congestion tree in a small network",
        "hot",
        ["examples/hot.toml", "--set", "observe.waiting=true", "--set", "observe.keep=true"],
        [],
    ),
]


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns], cwd=ROOT, check=True, capture_output=True, text=True)
    return [Path(name) for name in listed.stdout.splitlines()]


def link_for(page, target):
    """The address of a link in the site: a folder means its README, and a folder without one is no link."""
    if re.match(r"[a-z]+:|#", target):
        return target
    path, mark, fragment = target.partition("#")
    there = Path(os.path.normpath(page.parent / path))
    if there == Path("examples"):
        there = Path("docs/gallery")
    if (ROOT / there).is_dir():
        there /= "README.md"
        if there == page or not (ROOT / there).exists():
            return None
    if there == Path("README.md"):
        there = Path("index.md")
    if there.suffix == ".ipynb":
        there = there.with_suffix(".md")
    return os.path.relpath(there, page.parent) + mark + fragment


def staged(page, text, titles):
    """The text of a page as the site needs it. A link that shows the name of a file shows the title of its page."""

    def link(found):
        target = link_for(page, found[2])
        if target is None:
            return found[1]
        there = Path(os.path.normpath(page.parent / target))
        return f"[{titles.get(there, found[1]) if found[1].endswith('.md') else found[1]}]({target})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)  # code blocks are not changed
    parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def notebook(path):
    """A notebook as Markdown: its texts, its code, and what the code printed."""
    parts = []
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            text = output.get("text") or output["data"]["text/plain"]
            parts.append("```text\n" + "".join(text).rstrip() + "\n```")
    return "\n\n".join(parts) + "\n"


def sections():
    """The sections of docs/README.md: title, list, and the pages of the list in order."""
    text = (ROOT / "docs/README.md").read_text()
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        yield title, body, [os.path.normpath(f"docs/{target}") for target in re.findall(r"\]\(([^)]+)\)", body)]


def page_of(section):
    """The page of a section. It is in docs/, so that the links of docs/README.md hold in it, too."""
    return Path(f"docs/part-{section.lower().replace(' ', '-')}.md")


def toctree(pages, here="."):
    lines = [":hidden:", *(os.path.relpath(page, here).removesuffix(".md") for page in pages)]
    return "\n```{toctree}\n" + "\n".join(lines) + "\n```\n"


def live(extra, build):
    """Pages of `headway view` in the folder live, and the page that shows them."""
    (extra / "live").mkdir(parents=True)
    text = (
        "# Live pages\n\nPages that `headway view` made; [view.md](view.md) explains what they show. Move the slider, and click "
        "on a switch, a link or a tree.\n"
    )
    for title, name, run, points in LIVE:
        out = build / "site" / name
        program = build / "headway"
        subprocess.run([program, "run", *run, "--quiet", "--out", out], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        runs = [out] * max(1, len(points) // 2)
        page = extra / f"live/{name}.html"
        subprocess.run([program, "view", "--quiet", *runs, *points, "-o", page], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        text += f"\n## {title}\n\nThe spec is [{name}.toml](gallery/{name}.md).\n\n"
        text += f'<p><a href="../live/{name}.html">Open the page by itself</a></p>\n'
        text += f'<iframe src="../live/{name}.html" title="{title}" loading="lazy"></iframe>\n'
    return text


PYTHON_PAGE = """# Python package

[python.md](python.md) is a tour. These are the classes and functions, from their docstrings.

```{eval-rst}
.. automodule:: headway
   :members:
   :imported-members:
```
"""

CPP_PAGE = """# C++ library

<p><a href="../cpp/annotated.html">The types of the library's headers</a>, with what the headers say of them. A program includes
<code>headway/headway.h</code>; the start page has a small one.</p>

[architecture.md](architecture.md) is a walk through the code.
"""


def doxygen(extra):
    """The installed headers: headway.h and what it includes."""
    headers, todo = set(), ["headway/headway.h"]
    while todo:
        header = todo.pop()
        if header not in headers and (ROOT / "src" / header).exists():
            headers.add(header)
            todo += re.findall(r'#include [<"](headway/[^>"]+)[>"]', (ROOT / "src" / header).read_text())
    settings = f"""
        PROJECT_NAME = Headway
        PROJECT_NUMBER = {os.environ["HEADWAY_VERSION"]}
        INPUT = {" ".join(sorted("src/" + header for header in headers))}
        OUTPUT_DIRECTORY = {extra}
        HTML_OUTPUT = cpp
        GENERATE_LATEX = NO
        EXTRACT_ALL = YES
        HAVE_DOT = NO
        CLASS_GRAPH = NO
        QUIET = YES
        WARNINGS = NO
        STRIP_FROM_PATH = src
        INPUT_FILTER = "sed -E 's|^( *)// (.*)|\\1/// \\2|; s|; +// |; ///< |'"
    """
    subprocess.run(["doxygen", "-"], cwd=ROOT, input=settings, text=True, check=True)


def stage(source, build):
    """Writes the sources of Sphinx."""
    extra = source / "_extra"
    pages = {path: (ROOT / path).read_text() for path in tracked("*.md")}
    for path in tracked("docs/tutorial/*.ipynb"):
        pages[path.with_suffix(".md")] = notebook(ROOT / path)
    pages[Path("docs/live.md")] = live(extra, build)
    pages[Path("docs/python-api.md")] = PYTHON_PAGE
    pages[Path("docs/cpp.md")] = CPP_PAGE
    doxygen(extra)
    parts = {title: (body, names) for title, body, names in sections()}
    for title, more in ADDED.items():
        body, names = parts[title]
        parts[title] = (body.rstrip() + "".join(f"\n- [{name}]({name}): {what}" for name, what in more.items()), names + [f"docs/{name}" for name in more])
    for title, (body, _) in parts.items():
        pages[page_of(title)] = f"# {title}\n{body}\n"
    titles = {path: found[1] for path, text in pages.items() if (found := re.search(r"^# (.*)", text, re.M))}
    pages = {path: staged(path, text, titles) for path, text in pages.items()}

    trees = {Path("index.md"): toctree([page_of(title) for title in parts])}
    trees |= {page_of(title): toctree(names, "docs") for title, (_, names) in parts.items()}
    listed = {Path(name) for _, names in parts.values() for name in names} | {page_of(title) for title in parts}
    for folder in ("docs/gallery", "docs/tutorial"):
        names = re.findall(r"\]\(([\w-]+\.md)\)", pages[Path(folder) / "README.md"])
        trees[Path(folder) / "README.md"] = toctree(dict.fromkeys(names))
        listed |= {Path(folder) / name for name in names}

    pages[Path("index.md")] = pages.pop(Path("README.md"))
    for path, text in pages.items():
        for picture in re.findall(r'<img src="([^"]+)"', text):  # Sphinx copies those of Markdown only
            there = Path(os.path.normpath(path.parent / picture))
            (extra / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / there, extra / there)
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        orphan = "---\norphan: true\n---\n\n" if path not in listed | {Path("index.md")} else ""
        (source / path).write_text(orphan + text + trees.get(path, ""))
    for path in tracked():  # what pages show and link to: pictures, specs, sources
        if path.suffix not in (".md", ".ipynb") and (ROOT / path).is_file():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).symlink_to(ROOT / path)
    # Debian's Furo loads a second script as a module, which a page without a server cannot, and a stylesheet from the root of a server.
    furo = Path(importlib.util.find_spec("furo").origin).parent / "theme/furo/static"
    bundle = ["esbuild", "--bundle", "--log-level=warning"]
    subprocess.run([*bundle, furo / "scripts/furo.js", f"--outfile={source / '_static/scripts/furo.js'}"], check=True)
    style = (furo / "styles/furo.css").read_text()
    for imported in re.findall(r"@import url\((/javascript/[^)]+)\);", style):
        style = style.replace(f"@import url({imported});", Path("/usr/share" + imported).read_text())
    (source / "_static/styles").mkdir()
    (source / "_static/styles/furo.css").write_text(style)
    shutil.copy(HERE / "site.css", source / "_static")
    shutil.copy(HERE / "conf.py", source)
    (source / "_templates").mkdir()
    shutil.copy(HERE / "versions.html", source / "_templates")


class Addresses(html.parser.HTMLParser):
    """The addresses that a page refers to, and the names within it."""

    def __init__(self, page):
        super().__init__()
        self.used, self.loaded, self.names = set(), set(), set()  # links, what the browser loads, and places
        self.feed(page.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name") and value:
                self.names.add(value)
            elif key in ("href", "src"):
                (self.used if tag == "a" else self.loaded).add(value or "")


def dead_links(site):
    """The addresses in the pages that lead to no file of the site, or to no place in it."""
    pages = {page: Addresses(page) for page in site.rglob("*.html") if not {"cpp", "live"} & set(page.relative_to(site).parts)}
    for page, found in pages.items():
        for address in sorted(found.used | found.loaded):
            parts = urllib.parse.urlsplit(address)
            if address in found.loaded and (parts.scheme not in ("", "data") or address.startswith("/")):
                yield f"{page.relative_to(site)}: {address} is outside of the site"
            if parts.scheme or address.startswith("//"):
                continue
            there = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
            if not there.is_file():
                yield f"{page.relative_to(site)}: {address}"
            elif parts.fragment and there in pages and urllib.parse.unquote(parts.fragment) not in pages[there].names | {"top"}:
                yield f"{page.relative_to(site)}: {address}: no such place"
    for style in site.rglob("*.css"):
        for address in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", style.read_text(errors="replace")):
            loaded = "".join(address)
            if not loaded.startswith(("data:", "#")) and not (style.parent / re.sub(r"[?#].*", "", loaded)).resolve().is_relative_to(site):
                yield f"{style.relative_to(site)}: {loaded} is outside of the site"


def main():
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    version = subprocess.run([build / "headway", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    os.environ["HEADWAY_VERSION"] = version
    sys.path.insert(0, str(build / "python"))
    os.environ["PYTHONPATH"] = str(build / "python")
    source = out / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    stage(source, build)
    site = out / version
    shutil.rmtree(site, ignore_errors=True)
    sphinx = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-d", out / "doctrees", source, site]
    made = subprocess.run(sphinx)
    write_versions(out)
    dead = list(dead_links(site))
    for line in dead:
        print(f"dead link: {line}", file=sys.stderr)
    if made.returncode or dead:
        sys.exit("the site has mistakes")
    print(site / "index.html")


main()
