"""Which environment variables a text asks for. A word in capitals is one only if the text says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_NAME = r"[A-Z][A-Z0-9_]*[A-Z0-9]"
_COMPOUND = r"[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9]"
_NAMES = re.compile(rf"\b{_COMPOUND}\b")
_READ = re.compile(
    rf"""
    process\.env(?:\.|\[['"]) ({_NAME})
    | os\.environ(?:\.get)?[\[(]['"] ({_NAME})
    | \bENV(?:\.fetch)?[\[(]['"] ({_NAME})
    | \b(?:os\.getenv|getenv|env::var|env\.get|GetEnvironmentVariable|Getenv|LookupEnv)\(['"] ({_NAME})
    | \benv\ access\ to\ ['"] ({_NAME})
    """,
    re.VERBOSE,
)
"""How programs read a variable, in a line of their source or in what their language says of it."""
_CALLED = re.compile(r"\b(?:environment|env)[ _-]*var(?:iable)?s?\b", re.I)
_BEHIND = re.compile(rf"\W{{0,4}}(?:named |called |is not set: |missing: )?[`'\"$]{{0,2}}({_NAME})\b")
_BEFORE = re.compile(rf"\b({_NAME})[`'\"]?[ (]{{0,2}}(?:as an? )?$")
_PLAIN_VARIABLE = re.compile(rf"\bvariables? [`'\"]?({_COMPOUND})\b")
_SET = re.compile(
    rf"\b(?:set|export|define|provide)(?: the)? [`'\"]?({_COMPOUND})\b"
    rf"|\b({_COMPOUND})[`'\"]?"
    r"(?: (?:is|was|must|has|needs|to|be|been|not|isn't|should|either))* (?:unset|set)\b"
)
_SIGN = re.compile(rf"\$\{{?({_NAME})\b|%({_NAME})%|(?:^|[\s`'\"(])({_COMPOUND})=")
_WANTED = re.compile(
    r"\b(?:required?|requires|missing|undefined|unset|not set|must|needs?|set|export|not defined|empty)\b",
    re.I,
)
_FINE = re.compile(r"default|using|fall(?:ing)? ?back|optional|ignor|skip|disabl|deprecated", re.I)
_KEY_ERROR = re.compile(rf"^KeyError: ['\"]({_NAME})['\"]$")
_SETTINGS = re.compile(r"validation errors? for \w*(?:Settings|Config|Env)\w*", re.I)
_FIELD = re.compile(rf"^{_NAME}$")
_CODE = re.compile(r"^(?:ERR_.*|E[A-Z]+)$")
"""Codes of errors, as Node and the C library name them."""


def wanted_variables(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Variables that these lines say are wanted, each with the line that says so."""
    found: dict[str, str] = {}
    for index, line in enumerate(lines):
        for name in _in_line(line, lines[:index], lines[index + 1 : index + 2]):
            found.setdefault(name, line)
    return list(found.items())


def _in_line(line: str, before: Sequence[str], behind: Sequence[str]) -> Iterator[str]:
    if _FINE.search(line):
        return
    yield from _groups(_READ, line)
    for called in _CALLED.finditer(line):
        rest, front = line[called.end() :], line[: called.start()]
        first = _BEHIND.match(rest)
        if first is not None and not _CODE.match(first[1]):
            yield first[1]
        yield from _names(rest[:160])
        last = _BEFORE.search(front)
        if last is not None and not _CODE.match(last[1]):
            yield last[1]
    yield from (name for name in _groups(_PLAIN_VARIABLE, line) if not _CODE.match(name))
    if _WANTED.search(line):
        yield from (name for name in _groups(_SIGN, line) if not _CODE.match(name))
        yield from (name for name in _groups(_SET, line) if not _CODE.match(name))
    key = _KEY_ERROR.match(line.strip())
    if key is not None and any("os.environ" in text or "<frozen os>" in text for text in before[-8:]):
        yield key[1]
    required = _FIELD.match(line.strip()) and behind and "Field required" in behind[0]
    if required and any(_SETTINGS.search(text) for text in before[-30:]):
        yield line.strip()


def _names(text: str) -> Iterator[str]:
    return (name for name in _NAMES.findall(text) if not _CODE.match(name))


def _groups(pattern: re.Pattern[str], line: str) -> Iterator[str]:
    for match in pattern.finditer(line):
        yield next(name for name in match.groups() if name)
