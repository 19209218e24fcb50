# SPDX-License-Identifier: Apache-2.0
"""What pickles of objects of the module _headway call. pickle finds functions of Python by name, but no static methods of
the module."""

from typing import Any

from headway import _headway


def restored(name: str, state: Any) -> Any:
    """An object of the class with this name."""
    return getattr(_headway, name)._restored(state)
