# SPDX-License-Identifier: Apache-2.0
"""Settings of Sphinx for the site; tools/site/build.py writes its sources and calls it."""

import os
import re

from docutils import nodes
from sphinx.domains import Domain, ObjType

project = "Headway"
version = release = os.environ["HEADWAY_VERSION"]
source_suffix = {".md": "markdown"}
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = []
html_theme = "furo"
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_title = f"Headway {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_extra"]
html_copy_source = False
html_show_search_summary = False  # summaries are fetched, which pages without a server cannot do
html_show_copyright = False
myst_heading_anchors = 4
# A link to a heading of another page is checked by build.py, in the finished pages.
suppress_warnings = ["myst.header"]
autodoc_member_order = "bysource"
highlight_language = "none"


class Names(Domain):
    """Keys and metrics: the search finds them by name, and shows them before the pages that mention them."""

    name = "headway"
    label = "Headway"
    object_types = {"key": ObjType("key of a spec"), "metric": ObjType("metric"), "family": ObjType("choice"), "term": ObjType("term")}
    initial_data = {"objects": {}}

    def get_type_name(self, kind, primary=False):
        return kind.lname

    def get_objects(self):
        for (kind, name), (page, anchor) in sorted(self.data["objects"].items()):
            yield name, name, kind, page, anchor, 0  # 0: the search ranks it high

    def resolve_any_xref(self, *_):
        return []  # pages do not refer to these names

    def clear_doc(self, page):
        self.data["objects"] = {k: v for k, v in self.data["objects"].items() if v[0] != page}

    def merge_domaindata(self, pages, other):
        self.data["objects"].update({k: v for k, v in other["objects"].items() if v[0] in pages})


def note_names(app, tree):
    """Gives every row of the tables of keys, metrics and words an address and a name in the search."""
    page = app.env.docname
    kind = {"docs/keys": "key", "docs/metrics": "metric"}.get(page)
    objects = app.env.get_domain("headway").data["objects"]
    if page == "docs/architecture":
        note_words(page, tree, objects)
    if page == "docs/families":
        for section in tree.findall(nodes.section):
            if section.parent and isinstance(section.parent, nodes.section) and section.parent.parent is not tree:
                objects["family", section[0].astext()] = (page, section["ids"][0])
    for row in tree.findall(nodes.row) if kind else []:
        first = row[0]
        literals = list(first.findall(nodes.literal))
        if not literals:
            continue
        name = literals[0].astext()
        anchor = f"{kind}-{name}"
        if (kind, name) not in objects:
            objects[kind, name] = (page, anchor)
            first.insert(0, nodes.target("", "", ids=[anchor]))


def note_words(page, tree, objects):
    """The glossary: a word, its meaning, and other words for it."""
    for table in tree.findall(nodes.tgroup):
        head, *rows = table.findall(nodes.row)
        if head.astext().split("\n\n") != ["word", "meaning", "also called"]:
            continue
        for row in rows:
            words = [word.strip() for cell in (row[0], row[2]) for word in cell.astext().split(",")]
            anchor = "word-" + re.sub(r"\W+", "-", words[0].lower())
            row[0].insert(0, nodes.target("", "", ids=[anchor]))
            for word in words:
                if word != "–":
                    objects.setdefault(("term", word), (page, anchor))


def setup(app):
    app.add_domain(Names)
    app.connect("doctree-read", note_names)


# Debian's stylesheet of Furo lacks the dark colours that a browser asks for by itself. These are those of Furo.
html_theme_options = {
    "dark_css_variables": {
        "color-problematic": "#ee5151",
        "color-foreground-primary": "#ffffffcc",
        "color-foreground-secondary": "#9ca0a5",
        "color-foreground-muted": "#81868d",
        "color-foreground-border": "#666666",
        "color-background-primary": "#131416",
        "color-background-secondary": "#1a1c1e",
        "color-background-hover": "#1e2124ff",
        "color-background-hover--transparent": "#1e212400",
        "color-background-border": "#303335",
        "color-background-item": "#444",
        "color-brand-primary": "#2b8cee",
        "color-brand-content": "#368ce2",
        "color-highlighted-background": "#083563",
        "color-highlight-on-target": "#333300",
        "color-api-keyword": "var(--color-foreground-secondary)",
    }
}
