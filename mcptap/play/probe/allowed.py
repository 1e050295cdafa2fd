"""What the user allows a probe to do that may act: nothing else is done to a server's tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the user asked for; `cancel` if it is to be cancelled on its way."""

    name: str
    arguments: dict[str, Any]
    cancel: bool = False


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the user allows that may act: nothing but this is done to a server's tools."""

    calls: tuple[ToolCall, ...] = ()
    wrong_arguments: tuple[str, ...] = ()
    """Names of tools that may be called with arguments that their schema refuses."""
    read_only: bool = False
    """Whether the tools may be called that say they only read."""
