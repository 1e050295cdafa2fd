"""Arguments for a tool made from its input schema: surely wrong ones, or the least that is right.

Wrong arguments must be refused by any server that looks at its own schema, and do the least in
one that does not (many handlers run all the same). Only one way is both: to leave out everything, where
something is required. A value of a wrong type could be taken for a right one (`1` for `"1"`) and acted
upon; a tool that requires nothing could run.
"""

from __future__ import annotations

from typing import Any


def wrong_arguments(tool: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """Arguments that the schema forbids, or None and why none can be built safely."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        return None, "it has no input schema"
    required = schema.get("required")
    properties = schema.get("properties")
    if not isinstance(required, list) or not required or not isinstance(properties, dict):
        return None, "it requires no argument, so that leaving them out could be a call"
    needed = [name for name in required if isinstance(name, str)]
    if all(_has_default(properties.get(name)) for name in needed):
        return None, "all that it requires has defaults, so that leaving them out could be a call"
    return {}, ""


def right_arguments(tool: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """The least arguments that the schema allows, or None and why they can't be known."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        return None, "it has no input schema"
    required = schema.get("required", [])
    properties = schema.get("properties", {})
    if not isinstance(required, list) or not isinstance(properties, dict):
        return None, "its input schema is not understood"
    arguments: dict[str, Any] = {}
    for name in required:
        value = _example(properties.get(name))
        if value is None:
            return None, f"the schema gives no value for {name}; use --call"
        arguments[str(name)] = value
    return arguments, ""


def is_read_only(tool: dict[str, Any]) -> bool:
    """Whether a tool says of itself that it changes nothing (a hint, as all annotations).

    One that says at once that it destroys is not believed.
    """
    return _hint(tool, "readOnlyHint") and not _hint(tool, "destructiveHint")


def _hint(tool: dict[str, Any], name: str) -> bool:
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get(name) is True


def _has_default(schema: Any) -> bool:
    return isinstance(schema, dict) and "default" in schema


def _example(schema: Any) -> Any:
    """A value that the schema itself names; None if it names none."""
    if not isinstance(schema, dict):
        return None
    for name in ("default", "const"):
        if schema.get(name) is not None:
            return schema[name]
    for name in ("examples", "enum"):
        values = schema.get(name)
        if isinstance(values, list) and values and values[0] is not None:
            return values[0]
    return None
