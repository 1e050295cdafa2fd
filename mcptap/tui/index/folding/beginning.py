"""What the first bytes of a message tell, when the rest of it has not come or is not read."""

from __future__ import annotations

import re

from mcptap.jsontext.scanner import member_spans
from mcptap.tui.widgets.text import visible

LOOKED_AT = 1 << 12
"""Bytes that are looked at: envelopes are shorter."""

_NEXT = re.compile(r'\s*[{,]\s*"(\w+)"\s*:\s*')
_TEXT = re.compile(r'"text"\s*:\s*"')


class Beginning:
    """A message of which only the first bytes are known; all is empty that these do not tell."""

    def __init__(self, data: bytes) -> None:
        text = data[:LOOKED_AT].decode(errors="replace")
        members: dict[str, str] = {}
        behind = 0
        try:
            for name, start, end in member_spans(text):
                members[name] = text[start:end]
                behind = end
        except ValueError:
            pass  # it breaks off, or is no object
        self.is_message = text.lstrip()[:1] in ("{", "[")
        """Whether it may become one."""
        self.method = _string(members.get("method", ""))
        identity = members.get("id", "")
        self.id = visible(_string(identity) or identity)
        self.excerpt = visible(_content(text, behind))
        """Where its content begins, behind the envelope."""


def _string(value: str) -> str:
    """What a JSON string without escapes says; nothing for other values."""
    return value[1:-1] if value[:1] == '"' and "\\" not in value else ""


def _content(text: str, behind: int) -> str:
    """The text from the first value on that breaks off; of a result with text, that."""
    following = _NEXT.match(text, behind)
    if following is None:
        return text
    content = text[following.end() :]
    if following[1] == "result":
        said = _TEXT.search(content, 0, 200)
        if said is not None:
            return content[said.end() :].replace("\\n", "⏎")
    return content
