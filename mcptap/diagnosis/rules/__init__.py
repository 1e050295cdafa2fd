"""The catalogue: importing this package registers every rule."""

from mcptap.diagnosis.rules import (
    cancelling,
    capabilities,
    contents,
    design,
    features,
    framing,
    interaction,
    jsonrpc,
    lifecycle,
    process,
    shapes,
    stateless,
    tasks,
    tool_calls,
    tool_lists,
    waiting,
)

__all__ = [
    "cancelling",
    "capabilities",
    "contents",
    "design",
    "features",
    "framing",
    "interaction",
    "jsonrpc",
    "lifecycle",
    "process",
    "shapes",
    "stateless",
    "tasks",
    "tool_calls",
    "tool_lists",
    "waiting",
]
