"""One thing that a server offers: what changed in it and in which class, and what of it is hashed.

| class | what |
| --- | --- |
| words | titles, descriptions, instructions, defaults, examples: what a model reads |
| broken | who used it before may fail: an argument is required now, a value refused, a result gone |
| wider | more than before, for nobody less |
| weakened | annotations: no longer read-only, destructive now, reaches out into the world now |
| rights | another annotation |
| new, gone | it is not in the lock, or only there |

Style is no change: `$schema`, the order of keys, what is as good as absent, references
followed, icons, `_meta`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from mcptap.jsontext.diff import ABSENT, Steps, equal
from mcptap.protocol.contract.canonical import canonical, digest
from mcptap.protocol.revisions import REVISIONS
from mcptap.protocol.schema.compare.changes import Meaning, schema_changes
from mcptap.protocol.schema.compare.normal import STYLE, WORDS, is_as_good_as_absent
from mcptap.protocol.schema.schema_faults import LISTS, MAPS, SINGLE

TOOL, PROMPT, RESOURCE, TEMPLATE, INSTRUCTIONS = "tool", "prompt", "resource", "template", "instructions"

METHODS: Final = {
    TOOL: "tools/list",
    PROMPT: "prompts/list",
    RESOURCE: "resources/list",
    TEMPLATE: "resources/templates/list",
}
"""The method that lists each kind."""


class Class(Enum):
    """What a change is to those who approved what was there before."""

    WORDS = "words"
    BROKEN = "broken"
    WIDER = "wider"
    WEAKENED = "weakened"
    RIGHTS = "rights"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One change in an item. `old` and `new` are the two values, `ABSENT` where there is none."""

    cls: Class
    steps: Steps
    why: str
    old: Any = ABSENT
    new: Any = ABSENT


_OF_SCHEMA = {Meaning.TEXT: Class.WORDS, Meaning.WIDER: Class.WIDER, Meaning.BREAKING: Class.BROKEN}
_SILENT = ("name", "uri", "uriTemplate", "icons", "_meta")
_OF_RESOURCES = (*_SILENT, "size", "annotations")
"""Of a resource also what is data: how large it is, when it was changed."""
_JUDGED = ("inputSchema", "outputSchema", "annotations", "execution", "arguments", "mimeType")
_SINCE = {
    "annotations": "2025-03-26",
    "title": "2025-06-18",
    "outputSchema": "2025-06-18",
    "execution": "2025-11-25",
}
"""Since which revision there is a member: to a client of an older one a server may leave it out."""
_HINTS = (
    ("r", "readOnlyHint", False, True, "it is no longer said to be read-only", "it is called read-only now"),
    ("d", "destructiveHint", True, False, "it may destroy now", "it is said to destroy nothing now"),
    ("o", "openWorldHint", True, False, "it reaches outside now", "it is said to reach nothing outside now"),
    ("i", "idempotentHint", False, None, "repeating a call may do more now", "repeating a call does no more"),
)
"""Of each annotation: its letter, name and default (2025-11-25, schema), which value is the stronger promise
(None: neither), and words for less of it, or for more."""


def item_changes(
    kind: str, old: Mapping[str, Any], new: Mapping[str, Any], revision: str = ""
) -> list[ItemChange]:
    """All changes between two definitions; the new one was given in this revision of the protocol."""
    new = {**_left_out(old, new, revision), **new}
    found = _words(kind, old, new)
    if kind == TOOL:
        found += _schemas(old, new)
        found += _execution(old.get("execution"), new.get("execution"))
        found += rights_changes(rights(old), rights(new))
    elif kind == PROMPT:
        found += _arguments(_by_name(old), _by_name(new))
    elif kind != INSTRUCTIONS and old.get("mimeType") != new.get("mimeType"):
        values = old.get("mimeType", ABSENT), new.get("mimeType", ABSENT)
        found.append(ItemChange(Class.BROKEN, ("mimeType",), "its content is of another type", *values))
    return found


def words_hash(kind: str, item: Mapping[str, Any]) -> str:
    """The hash of all that a model reads of it."""
    words: dict[str, Any] = {key: item[key] for key in item if key not in _unworded(kind)}
    if isinstance(hints := item.get("annotations"), dict) and kind == TOOL and "title" in hints:
        words["annotations"] = {"title": hints["title"]}
    for key in ("inputSchema", "outputSchema"):
        if kind == TOOL and (said := split(item.get(key))[0]):
            words[key] = said
    if kind == PROMPT:
        words["arguments"] = {
            name: {key: text for key, text in one.items() if key not in ("name", "required")}
            for name, one in _by_name(item).items()
        }
    return digest(f"mcptap.lock words {kind}", words)


def contract_hash(kind: str, item: Mapping[str, Any]) -> str:
    """The hash of all that callers rely on."""
    contract: dict[str, Any] = {}
    if kind == TOOL:
        contract = {key: split(item[key])[1] for key in ("inputSchema", "outputSchema") if key in item}
        contract["task"] = _task_support(item.get("execution"))
    elif kind == PROMPT:
        contract = {name: one.get("required") is True for name, one in _by_name(item).items()}
    elif "mimeType" in item:
        contract = {"mimeType": item["mimeType"]}
    return digest(f"mcptap.lock contract {kind}", contract)


def rights(tool: Mapping[str, Any]) -> str:
    """What a tool says that it may do, a letter each: r read-only, d destructive, o open world, i idempotent.

    What is absent has its default. What is read-only destroys nothing.
    """
    hints = tool.get("annotations")
    said = hints if isinstance(hints, dict) else {}
    values = {
        letter: said[name] if isinstance(said.get(name), bool) else default
        for letter, name, default, *_ in _HINTS
    }
    values["d"] = values["d"] and not values["r"]
    return "".join(letter if is_set else "-" for letter, is_set in values.items())


def split(schema: Any) -> tuple[dict[str, Any], Any]:
    """What a schema says, and what it allows without style; both keep the places of what they hold."""
    if not isinstance(schema, dict):
        return {}, schema
    words: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for key, value in schema.items():
        if key in WORDS:
            words[key] = value
        elif key in MAPS and isinstance(value, dict):
            pairs = {name: split(inner) for name, inner in value.items()}
            said, made = (
                {name: w for name, (w, _) in pairs.items() if w},
                {n: r for n, (_, r) in pairs.items()},
            )
            words |= {key: said} if said else {}
            rest |= {key: made} if made else {}
        elif key in (*LISTS, "prefixItems") and isinstance(value, list):
            both = [split(inner) for inner in value]
            words |= {key: [w for w, _ in both]} if any(w for w, _ in both) else {}
            rest[key] = [r for _, r in both]
        elif key in (*SINGLE, "items") and isinstance(value, dict):
            said, made = split(value)
            words |= {key: said} if said else {}
            rest |= {} if is_as_good_as_absent(key, made) else {key: made}
        elif key not in STYLE and not is_as_good_as_absent(key, value):
            is_set = key in ("required", "enum", "type") and isinstance(value, list)
            rest[key] = sorted(value, key=canonical) if is_set else value
    return words, rest


def _left_out(old: Mapping[str, Any], new: Mapping[str, Any], revision: str) -> dict[str, Any]:
    """What the server may not give in this revision, as it was."""
    if revision not in REVISIONS:
        return {}
    at = REVISIONS.index(revision)
    return {
        key: old[key]
        for key, since in _SINCE.items()
        if key in old and key not in new and at < REVISIONS.index(since)
    }


def _unworded(kind: str) -> tuple[str, ...]:
    silent = _OF_RESOURCES if kind in (RESOURCE, TEMPLATE) else _SILENT
    return (*silent, *_JUDGED)


def _words(kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[ItemChange]:
    """Members that are text, and unknown ones: who shows a tool to a model may show them too."""
    known = _unworded(kind)
    names = [name for name in (*old, *(n for n in new if n not in old)) if name not in known]
    pairs: list[tuple[Steps, Any, Any]] = [
        ((name,), old.get(name, ABSENT), new.get(name, ABSENT)) for name in names
    ]
    if kind == TOOL:
        titles = (_object(item.get("annotations")).get("title", ABSENT) for item in (old, new))
        before, now = titles
        pairs.append((("annotations", "title"), before, now))
    return [
        ItemChange(Class.WORDS, steps, "other words", before, now)
        for steps, before, now in pairs
        if before is not now and not equal(before, now)
    ]


def _schemas(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[ItemChange]:
    found = [
        ItemChange(_OF_SCHEMA[change.meaning], change.steps, change.why, change.old, change.new)
        for key, given in (("inputSchema", False), ("outputSchema", True))
        if (given and key in old and key in new) or not given
        for change in schema_changes(_rooted(old.get(key)), _rooted(new.get(key)), given=given, steps=(key,))
    ]
    if "outputSchema" in old and "outputSchema" not in new:
        found.append(ItemChange(Class.BROKEN, ("outputSchema",), "its result is no longer described"))
    elif "outputSchema" in new and "outputSchema" not in old:
        found.append(ItemChange(Class.WIDER, ("outputSchema",), "its result is described now"))
    return found


def _rooted(schema: Any) -> Any:
    """Arguments and structured results are objects, said or not."""
    return {"type": "object", **schema} if isinstance(schema, dict) and "$ref" not in schema else schema


def _task_support(execution: Any) -> str:
    support = _object(execution).get("taskSupport")
    return support if isinstance(support, str) else "forbidden"


def _execution(old: Any, new: Any) -> list[ItemChange]:
    before, now = _task_support(old), _task_support(new)
    if before == now:
        return []
    words = {
        "required": "it can only be called as a task now",
        "forbidden": "it can't be called as a task any more",
    }
    cls = Class.BROKEN if now in words else Class.WIDER
    return [
        ItemChange(
            cls, ("execution", "taskSupport"), words.get(now, "it may be called as a task too"), before, now
        )
    ]


def rights_changes(old: str, new: str) -> list[ItemChange]:
    """The changes between what two tools say that they may do (`rights`)."""
    found = []
    for letter, name, _, stronger, less, more in _HINTS:
        before, now = letter in old, letter in new
        if before == now:
            continue
        is_weaker = stronger is not None and before is stronger
        cls = Class.WEAKENED if is_weaker else Class.RIGHTS
        why = less if is_weaker or (stronger is None and before) else more
        found.append(ItemChange(cls, ("annotations", name), why, before, now))
    return found


def _arguments(old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]]) -> list[ItemChange]:
    found = []
    for name, one in old.items():
        if name not in new:
            found.append(ItemChange(Class.BROKEN, ("arguments", name), f'the argument "{name}" is gone'))
            continue
        other = new[name]
        for key in sorted((one.keys() | other.keys()) - {"name", "required"}):
            before, now = one.get(key, ABSENT), other.get(key, ABSENT)
            if before is not now and not equal(before, now):
                found.append(ItemChange(Class.WORDS, ("arguments", name, key), "other words", before, now))
    for name, one in new.items():
        was, is_now = old.get(name, {}).get("required") is True, one.get("required") is True
        steps = ("arguments", name)
        if is_now and not was:
            found.append(ItemChange(Class.BROKEN, steps, f'the argument "{name}" is required now'))
        elif was and not is_now:
            found.append(ItemChange(Class.WIDER, steps, f'the argument "{name}" is no longer required'))
        elif name not in old:
            found.append(ItemChange(Class.WIDER, steps, f'the argument "{name}" is new'))
    return found


def _by_name(prompt: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    arguments = prompt.get("arguments")
    return {
        one["name"]: one
        for one in (arguments if isinstance(arguments, list) else [])
        if isinstance(one, dict) and isinstance(one.get("name"), str)
    }


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
