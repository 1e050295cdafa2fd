"""The arguments of a tool: what a model gives, taken kindly, and refused in a sentence it can act on."""

from __future__ import annotations

from typing import Any

from mcptap.agent.tools import TOOLS
from mcptap.agent.untrusted import harmless
from mcptap.text.escape import visible

LONGEST = 1_000
"""No argument needs more characters; a filter of more is somebody's mistake."""

_KNOWN = {tool["name"]: tuple(tool["inputSchema"]["properties"]) for tool in TOOLS}


class ToolError(Exception):
    """A call that can't be answered: a sentence for the model, with the valid choices."""


class Arguments:
    """The arguments of one call. Raises ToolError for those that the tool does not have."""

    def __init__(self, tool: str, given: dict[str, Any]) -> None:
        self._given = {name: value for name, value in given.items() if value is not None}
        self.known = _KNOWN[tool]
        """Their names."""
        for name in self._given:
            if name not in self.known:
                raise ToolError(f"there is no argument {said(name)}; {tool} takes {', '.join(self.known)}")

    def text(self, name: str) -> str:
        """A string; empty if it is not given."""
        value = self._given.get(name, "")
        if not isinstance(value, str):
            raise ToolError(f"{name} has to be a string")
        if len(value) > LONGEST:
            raise ToolError(f"{name} has {len(value):,} characters; at most {LONGEST:,} are taken")
        return value.strip()

    def needed(self, name: str) -> str:
        """A string that has to be given."""
        value = self.text(name)
        if not value:
            raise ToolError(f"{name} is missing")
        return value

    def number(self, name: str, default: int | None, least: int = 1, most: int = 1 << 53) -> int:
        """A whole number; also where a model spelled it as a string. None as a default: it is needed."""
        value = self._given.get(name, default)
        if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 17:
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if value is None:
            raise ToolError(f"{name} is missing")
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise ToolError(f"{name} has to be a whole number, {least} or more")
        return min(value, most)

    def flag(self, name: str) -> bool:
        """A boolean; False if it is not given."""
        value = self._given.get(name, False)
        if isinstance(value, str) and value.lower() in ("true", "false"):
            value = value.lower() == "true"
        if not isinstance(value, bool):
            raise ToolError(f"{name} has to be true or false")
        return value

    def spelled(self, name: str) -> str:
        """An argument as it was given, for a call that goes on; empty if it was not."""
        value = self._given.get(name, "")
        return harmless(str(value).lower() if isinstance(value, bool) else str(value))

    def cursor(self) -> int:
        """The place behind the page that gave the cursor; 0 without one."""
        cursor = self.text("cursor")
        if cursor and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 17):
            raise ToolError("cursor has to be one that an earlier answer named")
        return int(cursor or 0)


def said(text: str) -> str:
    """What the model said, quoted back to it."""
    return repr(visible(text if len(text) <= 60 else text[:59] + "…"))
