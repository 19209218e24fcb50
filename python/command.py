#!python
# SPDX-License-Identifier: Apache-2.0
"""The command `headway` of an installed Python package: runs the program in the package, without importing the package."""

import importlib.util
import os
import sys

PACKAGE = os.path.dirname(importlib.util.find_spec("headway").origin)
os.execv(os.path.join(PACKAGE, "bin", "headway"), sys.argv)
