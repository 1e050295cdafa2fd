"""Captures that others made, read as far as they can be read honestly.

Each format is one module with a `FORMAT`: its decoder gives the items that a recording's
reader gives, and says what the capture can't prove (`Evidence`). A module that is put here, or in
a folder here, is found; nothing else names it. Modules without a `FORMAT` help others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from mcptap.captures.format import Format


@cache
def formats() -> tuple[Format, ...]:
    """All formats, the surest first."""
    modules = [import_module(module.name) for module in walk_packages(__path__, f"{__name__}.")]
    found = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return tuple(sorted(found, key=lambda one: (one.certainty, one.name)))
