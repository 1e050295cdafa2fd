"""What is known of a message of which only the beginning was kept."""

from __future__ import annotations

import re
from typing import Any

from mcptap.captures.lines import is_message
from mcptap.recording.format.model import NOT_JSON, parse_line

_NAME = re.compile(rb'\s*"([^"\\]{1,40})"\s*:\s*')
_SCALAR = re.compile(rb'("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)\s*([,}])')
_NEXT = re.compile(rb"\s*,")
_GLUED = re.compile(rb'\{\s*"jsonrpc"')
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)


def members_of(begun: bytes) -> dict[str, Any] | None:
    """The known members of a message at its outer level; `params` and `result` without what they hold.

    None if it can't be told what the message is: its method, or that it answers which id.
    """
    text = begun.lstrip()
    if not text.startswith(b"{"):
        return None
    members: dict[str, Any] = {}
    at = 1
    while found := _NAME.match(text, at):
        name = found[1].decode(errors="replace")
        if scalar := _SCALAR.match(text, found.end()):
            members[name] = parse_line(scalar[1])
            at = scalar.end()
            continue
        members[name] = {}
        end = _end(text, found.end())
        if end < 0:
            break
        if name == "error":
            members[name] = parse_line(text[found.end() : end])
        behind = _NEXT.match(text, end)
        if behind is None:
            break
        at = behind.end()
    else:
        if re.match(rb'\s*"re', text[at:]):
            members["result"] = {}
    if NOT_JSON in members.values() or ("error" in members and not members["error"]):
        return None
    method = members.get("method")
    if "id" in members:
        return members if isinstance(method, str) or "result" in members or "error" in members else None
    return members if isinstance(method, str) and method.startswith("notifications/") else None


def ends_in_message(text: bytes) -> bool:
    """Whether text stands in front of a whole message, at the end of a line whose beginning is not known.

    Whatever that beginning was, the message is spoilt by it: of an object that is still open its last brace
    would be missing, and within a string its quotation marks would be escaped.
    """
    text = text.strip()
    found = _GLUED.search(text)
    if found is None or not found.start():
        return False
    value = parse_line(text[found.start() :])
    return is_message(value) and "id" in value


def _end(text: bytes, at: int) -> int:
    """Where the object or array at this place ends; -1 if it does not."""
    depth = 0
    for found in _TOKEN.finditer(text, at):
        sign = found[0]
        depth += (sign in (b"{", b"[")) - (sign in (b"}", b"]"))
        if depth <= 0:
            return found.end() if sign in (b"}", b"]") else -1
    return -1
