"""Secrets out of what leaves the machine: by the names of keys, and by the looks of values.

It errs towards masking: a bug report can bear a `***` too many. What was masked is counted by
kind, so that the reader of an export knows what is missing, and its owner what to look for.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from mcptap.jsontext.tree import Number, Object

MASK = "***"

_KEY = re.compile(
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|credential"
    r"|authorization|auth[-_]?header|cookie|session[-_]?id|client[-_]?secret|signature|bearer)s?$",
    re.IGNORECASE,
)
_HARMLESS_KEYS = frozenset(("progresstoken", "maxtokens", "tokens", "nextcursor", "max_tokens"))
"""Keys of the protocol, and of language models, that only look like secrets."""

_PATTERNS = (
    (
        "private key",
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", re.DOTALL),
    ),
    ("bearer token", re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}")),
    ("JSON web token", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*")),
    ("API key", re.compile(r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}")),
    ("GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})")),
    ("Slack token", re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}")),
    ("AWS key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("Google key", re.compile(r"\bAIza[A-Za-z0-9_-]{30,}")),
    ("password in a URL", re.compile(r"(?<=://)[^\s/:@\"']+:[^\s/@\"']+(?=@)")),
    (
        "secret parameter",
        re.compile(r"(?i)(?<=[?&])(?:api_?key|access_token|token|secret|password|sig|signature)=[^&\s\"']+"),
    ),
    (
        "secret setting",
        re.compile(
            r"(?i)\b[A-Z0-9_]*(?:API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD)[\"']?\s*[=:]\s*[\"']?[^\s\"',}]{6,}"
        ),
    ),
)


class Masker:
    """Masks texts and JSON values, and counts what it masked."""

    def __init__(self) -> None:
        self.masked: Counter[str] = Counter()

    def text(self, text: str) -> str:
        """The text without what looks like a secret."""
        for kind, pattern in _PATTERNS:
            text, number = pattern.subn(_masked, text)
            if number:
                self.masked[kind] += number
        return text

    def value(self, value: Any, key: str = "") -> Any:
        """A JSON value (of `jsontext.tree` or an ordinary one) without secrets."""
        if isinstance(value, Object):
            return Object((name, self._member(name, item)) for name, item in value)
        if isinstance(value, dict):
            return {name: self._member(name, item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.value(item, key) for item in value]
        if isinstance(value, str) and not isinstance(value, Number):
            return self.text(value)
        return value

    def _member(self, name: str, item: Any) -> Any:
        plain = name.lower()
        if plain in _HARMLESS_KEYS or not _KEY.search(plain) or item in (None, "", True, False):
            return self.value(item, name)
        if isinstance(item, (str, int, float)):
            self.masked[f'value of "{name}"'] += 1
            return MASK
        return self.value(item, name)

    def words(self) -> str:
        """What was masked, for people; empty if nothing was."""
        return ", ".join(f"{kind} ×{number}" for kind, number in sorted(self.masked.items()))


def _masked(found: re.Match[str]) -> str:
    """Keep the name in `NAME=value`; everything else goes."""
    text = found[0]
    for sign in ("=", ":"):
        name, separator, _ = text.partition(sign)
        if separator and re.fullmatch(r"[\w\"' ]+", name):
            return f"{name}{separator}{MASK}"
    return MASK
