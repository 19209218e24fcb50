# SPDX-License-Identifier: Apache-2.0
"""Measurements as JSON: one row for each simulator at each point. A recording can be made in several calls."""
import json
from pathlib import Path

KEY = ("network", "flits", "load", "simulator")


def read(path):
    return json.loads(Path(path).read_text()) if Path(path).exists() else {"versions": {}, "rows": []}


def merged(recording, versions, rows):
    """The recording with these rows, which replace rows of the same point and simulator. A value that a row lacks stays as it was."""
    old = {tuple(row[key] for key in KEY): row for row in recording["rows"]}
    for row in rows:
        key = tuple(row[key] for key in KEY)
        old[key] = {**old.get(key, {}), **row}
    return {"versions": {**recording["versions"], **versions}, "rows": list(old.values())}


def write(path, recording):
    """One row a line."""
    rows = ",\n".join("  " + json.dumps(row) for row in recording["rows"])
    Path(path).write_text(f'{{"versions": {json.dumps(recording["versions"])},\n"rows": [\n{rows}\n]}}\n')
