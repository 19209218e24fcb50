# SPDX-License-Identifier: Apache-2.0
"""No circle of imports, in the package and in the script of the page of headway view."""

import graphlib
import re

import pytest
from conftest import SOURCE

IMPORTS = {
    "python/headway/*.py": r"^\s*(?:from|import) headway\.(\w+)",
    "src/headway/view/viewer/src/*.ts": r"^import .*from \"\./(\w+)\"",
}


@pytest.mark.parametrize("files", IMPORTS)
def test_modules_import_each_other_in_one_direction(files):
    found = {path.stem: set(re.findall(IMPORTS[files], path.read_text(), re.M)) for path in SOURCE.glob(files)}
    assert len(found) > 10 and any(found.values())
    assert set(graphlib.TopologicalSorter(found).static_order()) >= found.keys()
