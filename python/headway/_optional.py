# SPDX-License-Identifier: Apache-2.0
"""Packages that some functions need and that need not be installed."""

from __future__ import annotations

import importlib
from typing import Any

from headway.errors import MissingPackage


def optional(name: str) -> Any:
    """The package, imported when it is used for the first time."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingPackage(
            f"this needs the package {package}; install it with pip install {package}, or on Debian with "
            f"apt-get install python3-{package}"
        ) from error
