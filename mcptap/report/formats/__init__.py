"""The forms in which `mcptap check` reports. A form is a module here that has a `FORMAT`.

To add one: write the module, and add its name to `NAMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcptap.report.results import Results
    from mcptap.text.terminal import Terminal

NAMES = ("text", "json", "sarif", "github", "junit")
"""What `--format` takes, the default first."""


@dataclass(frozen=True, slots=True)
class Format:
    """One form: `write` gives its lines, without newlines, for the output that `terminal` describes."""

    name: str
    write: Callable[[Results, Terminal], Iterator[str]]


def load(name: str) -> Format:
    """The form of that name. Its module is imported only now."""
    found: Format = import_module(f"{__name__}.{name}").FORMAT
    return found
