# SPDX-License-Identifier: Apache-2.0
"""Optional packages that only some functions need."""

from __future__ import annotations

import importlib
from typing import Any

from headway.errors import MissingPackage


def optional(name: str) -> Any:
    """Returns the package, which is imported at its first use."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MissingPackage(
            f"this needs the package {package}; install it with pip install {package}, or on Debian with "
            f"apt-get install python3-{package}"
        ) from error
