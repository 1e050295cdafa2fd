"""What a difference means for those who use a server: it breaks them, it is new to them, or it is nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, Protocol

from mcptap.jsontext.diff import ADDED, CHANGED, REMOVED, Change, Steps
from mcptap.protocol.revisions.names import LISTS, OPENERS


class Severity(IntEnum):
    """How much a difference matters, least first."""

    NOISE = 0
    """Taken as the same: it differs from run to run and means nothing."""
    CONTENT = 1
    """Answers, texts, what was added: whoever used the server before can go on."""
    CONTRACT = 2
    """Whoever used the server before may fail now: a tool is gone, an argument is required …"""

    @property
    def word(self) -> str:
        """As in options and output."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference with what it means. `why`: what breaks, or as what it was taken for the same."""

    change: Change
    severity: Severity = Severity.CONTENT
    why: str = ""


class Found(Protocol):
    """What a comparison comes to."""

    @property
    def severity(self) -> Severity:
        """That of the worst difference."""

    @property
    def overlooked(self) -> list[str]:
        """For each difference that was taken as the same, as what."""


def fails(found: Found, fail_on: str) -> bool:
    """Whether there is a difference of the severity `fail_on` (its word) or a worse one."""
    least = Severity[fail_on.upper()]
    if least is Severity.NOISE:
        return bool(found.overlooked) or found.severity > least
    return found.severity >= least


_NAMED = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_INDEXED = ("anyOf", "oneOf", "allOf", "prefixItems")
_NESTED = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")

_OTHERS = ("allOf", "not", "items", "prefixItems")

SETS: Final = ("required", "enum", "supportedVersions")
"""Members that are lists whose order means nothing."""


def judged(change: Change, method: str) -> Judged:
    """A difference in the answer to `method` (the body without id), that is not taken as the same."""
    why = _breaks(change, method)
    return Judged(change, Severity.CONTRACT if why else Severity.CONTENT, why)


def _breaks(change: Change, method: str) -> str:
    """What the change breaks, in words; empty if nothing."""
    steps = change.steps
    if len(steps) == 1 and steps[0] in ("result", "error"):
        works = (steps[0] == "result") == (change.kind != REMOVED)
        return "it succeeds, where it failed" if works else "it fails, where it succeeded"
    if steps[:1] == ("error",):
        return "another error code" if steps[1:] == ("code",) else ""
    if steps[:1] != ("result",):
        return ""
    inner = steps[1:]
    if method in OPENERS:
        return _opening(change, inner)
    if method in LISTS and inner[:1] == (LISTS[method],):
        return _item(change, method, inner[1:])
    return _answer(change, inner)


def _opening(change: Change, steps: Steps) -> str:
    if steps == ("protocolVersion",):
        return "another revision of the protocol"
    if steps[0] == "supportedVersions" and change.kind == REMOVED:
        return "a revision is no longer supported"
    if steps[0] == "capabilities" and (change.kind == REMOVED or (change.kind == CHANGED and not change.new)):
        return "a capability is gone"
    return ""


def _item(change: Change, method: str, steps: Steps) -> str:
    what = method.split("/")[0].removesuffix("s") if method != "resources/templates/list" else "template"
    if len(steps) < 2:
        return f"the {what} is gone" if change.kind == REMOVED else ""
    if what in ("resource", "template") and steps[1] in ("uri", "uriTemplate"):
        return f"the {what} has another address"
    if what == "tool":
        return _tool(change, steps[1:])
    if what == "prompt" and steps[1] == "arguments":
        if len(steps) == 3 and change.kind == REMOVED:
            return "an argument is gone"
        required = change.new.get("required") if isinstance(change.new, dict) else change.new
        if (len(steps) == 3 or steps[3:] == ("required",)) and required is True:
            return "an argument is required now"
    return ""


def _tool(change: Change, steps: Steps) -> str:
    if steps[0] == "inputSchema":
        return _taken(change, *_keyword(steps[1:]))
    if steps[0] == "outputSchema":
        return _given(change, *_keyword(steps[1:]))
    if steps[0] == "execution" and "required" in (change.new, _member(change.new, "taskSupport")):
        return "it can only be called as a task now"
    return ""


def _keyword(steps: Steps) -> tuple[str, Steps]:
    """The keyword of JSON Schema in which a change lies, and the steps behind it."""
    while steps:
        keyword, rest = steps[0], steps[1:]
        if keyword in (*_NAMED, *_INDEXED) and len(rest) > 1:
            steps = rest[1:]
        elif keyword in _NESTED and rest:
            steps = rest
        else:
            return keyword, rest
    return "", ()


def _taken(change: Change, keyword: str, rest: Steps) -> str:
    """What a change of a schema of arguments breaks: what was valid may be refused."""
    removed, new = change.kind == REMOVED, change.new
    if not keyword:
        return "" if change.kind == ADDED else "the schema is another"
    if keyword == "required":
        return "" if removed else "an argument is required now"
    if keyword == "properties":
        return "an argument is gone" if removed else ""
    if keyword == "enum":
        is_narrower = removed if rest else change.kind == ADDED
        return "a value is no longer allowed" if is_narrower else ""
    if keyword == "type" and rest:
        return "" if change.kind == ADDED else "an argument has another type"
    if keyword == "type":
        return (
            ""
            if removed or _types(new) >= _types(change.old, change.kind)
            else "an argument has another type"
        )
    if keyword in _LEAST or keyword in _MOST:
        return "a limit is tighter" if _is_tighter(change, keyword in _LEAST) else ""
    if keyword in ("uniqueItems", "unevaluatedProperties", "unevaluatedItems"):
        return "what is allowed is another" if not removed and new is (keyword == "uniqueItems") else ""
    if keyword == "dependentRequired":
        return "" if removed else "an argument is required now"
    if keyword in (
        "const",
        "pattern",
        "format",
        "multipleOf",
        "$ref",
        "allOf",
        "not",
        "items",
        "prefixItems",
    ):
        return "" if removed else "what is allowed is another"
    if keyword in ("anyOf", "oneOf"):
        return "what is allowed is less" if removed or change.kind == CHANGED else ""
    if keyword == "additionalProperties":
        return "other arguments are refused now" if not removed and new is False else ""
    return ""


def _given(change: Change, keyword: str, rest: Steps) -> str:
    """What a change of a schema of results breaks: what was promised may not come."""
    if not keyword:
        return "" if change.kind == ADDED else "the result is no longer described"
    if keyword == "properties" and rest:
        return "a member of the result is gone" if change.kind == REMOVED else ""
    if keyword == "required":
        return "a member of the result is no longer promised" if change.kind == REMOVED else ""
    if keyword == "type" and change.kind == CHANGED:
        return "" if _types(change.new) <= _types(change.old) else "a member of the result has another type"
    return ""


def _answer(change: Change, steps: Steps) -> str:
    name, deeper = steps[0], steps[1:]
    if name == "isError" and not deeper and (change.old is True) != (change.new is True):
        return "it fails, where it succeeded" if change.new else "it succeeds, where it failed"
    if name == "resultType" and change.kind == CHANGED:
        return "another kind of result"
    if (
        name in ("structuredContent", "content", "contents", "messages")
        and change.kind == REMOVED
        and not deeper
    ):
        return "a member of the result is gone"
    if name == "structuredContent" and change.kind == REMOVED:
        return "a member of the result is gone"
    if name == "content" and len(deeper) == 2 and deeper[1] == "type":
        return "content of another type"
    if name == "contents" and len(deeper) == 2 and deeper[1] in ("text", "blob") and change.kind == REMOVED:
        return "content of another type"
    if (
        name == "structuredContent"
        and change.kind == CHANGED
        and _kind_of(change.old) != _kind_of(change.new)
    ):
        return "a member of the result has another type"
    return ""


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _types(value: Any, kind: str = CHANGED) -> frozenset[str]:
    """The types that a `type` allows; without one, all."""
    every = frozenset(("null", "boolean", "object", "array", "number", "string", "integer"))
    if kind == ADDED:
        return every
    named = value if isinstance(value, list) else [value]
    found = frozenset(name for name in named if isinstance(name, str))
    return found | {"integer"} if "number" in found else found


def _is_tighter(change: Change, is_least: bool) -> bool:
    if change.kind != CHANGED:
        return change.kind == ADDED
    try:
        return bool(change.new > change.old if is_least else change.new < change.old)
    except TypeError:
        return True


def _kind_of(value: Any) -> str:
    return (
        "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__
    )
