"""What Zod, which checks messages in the TypeScript SDK, says of JSON that is no message.

The SDK holds a line against a union: request, notification, result, error. An error that is about the line
itself speaks of the members of a message; one about a result speaks of what is in it, and is no matter of
stdout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcptap.protocol.model.message import MEMBERS

_DECODER = json.JSONDecoder()
_MEMBERS = frozenset().union(*MEMBERS.values())
_STRANGE = "unrecognized_keys"
MOST_ISSUES = 2
"""So many issues are told: a line that is no message at all has one for each member."""

Issue = dict[str, Any]


def complaint(said: str) -> str:
    """What is wrong with a line, by an error that says it is no message; empty if it does not say that."""
    begin = said.find("[")
    if begin < 0:
        return ""
    try:
        issues, _ = _DECODER.raw_decode(said, begin)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(issues, list) or not all(isinstance(issue, dict) for issue in issues):
        return ""
    if not any(issue.get("code") == "invalid_union" and not issue.get("path") for issue in issues):
        return ""
    branches = [branch for issue in issues for branch in _branches(issue)]
    flat = [issue for branch in branches for issue in branch]
    if not all(_member(issue) in _MEMBERS or _is_about_all(issue) for issue in flat):
        return ""
    if not any(_member(issue) in _MEMBERS or _is_strange(issue) for issue in flat):
        return ""
    nearest = min(branches, key=len)
    return "; ".join(map(_words, nearest[:MOST_ISSUES]))


def _branches(issue: Issue) -> Iterator[list[Issue]]:
    """The issues of each kind of message that the line could have been; one of a union stands for itself."""
    found = False
    unions = issue.get("errors") if "errors" in issue else issue.get("unionErrors")
    for union in unions if isinstance(unions, list) else []:
        inner = union.get("issues") if isinstance(union, dict) else union
        if not isinstance(inner, list) or not all(isinstance(one, dict) for one in inner) or not inner:
            continue
        found = True
        nested = [one for one in inner if one.get("code") == "invalid_union" and not one.get("path")]
        if nested:
            for one in nested:
                yield from _branches(one)
        else:
            yield inner
    if not found:
        yield [issue]


def _member(issue: Issue) -> str:
    """The member of the message that an issue is about; empty if it is about the message as a whole."""
    path = issue.get("path")
    return str(path[0]) if isinstance(path, list) and path else ""


def _is_about_all(issue: Issue) -> bool:
    return not _member(issue)


def _is_strange(issue: Issue) -> bool:
    """Whether it is about a member that should not be there."""
    return issue.get("code") == _STRANGE or "nrecognized key" in str(issue.get("message", ""))


def _words(issue: Issue) -> str:
    member, message = _member(issue), " ".join(str(issue.get("message", issue.get("code", ""))).split())
    return f"{member}: {message}" if member else message
