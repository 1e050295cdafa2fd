"""Captures that others made, read as far as they can be read honestly.

Each format is one module with a `FORMAT`: its decoder gives the items that a recording's
reader gives, and says what the capture can't prove (`Evidence`). A module that is put here is
found; nothing else names it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from mcptap.captures.format import Format


@cache
def formats() -> tuple[Format, ...]:
    """All formats, the surest first."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return tuple(sorted((module.FORMAT for module in modules), key=lambda one: (one.certainty, one.name)))
