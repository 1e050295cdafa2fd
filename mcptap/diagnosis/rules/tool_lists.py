"""Tools as they are listed: names, schemas, what a model has to choose by."""

from __future__ import annotations

import re
from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import everywhere, since, stateless
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.rules.shapes import SCHEMA
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.listings import Tool
from mcptap.protocol.model.session import Session
from mcptap.protocol.schema.schema_faults import schema_fault
from mcptap.text.units import size

TOOLS = "all revisions, server/tools"
LISTED = "s2c result tools/list"
NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
HOST_LIMIT = 64
"""How many characters of a name model APIs take."""
MANY_TOOLS = 40
"""Above how many tools a list is large."""
LARGE_LIST = 100_000
"""Above how many bytes a list is large."""


def page(session: Session) -> list[Tool]:
    """The tools of the page that came just now."""
    listing = session.listings.of["tools/list"]
    tools = session.listings.tools
    names = [
        item["name"]
        for item in listing.last_page
        if isinstance(item, dict) and isinstance(item.get("name"), str)
    ]
    return [tools[name] for name in dict.fromkeys(names) if name in tools]


@rule(
    "tool-name-invalid",
    everywhere(Level.INFO) | since("2025-11-25", Level.WARNING),
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="2025-11-25 and 2026-07-28 server/tools: tool names",
    says='The tool name "{name}" (record {n}) has characters or a length that many clients and model APIs refuse',
    remedy="Use 1 to 128 of A-Z, a-z, 0-9, underscore, hyphen and dot; better at most 64 and no dot.",
    fault=Fault.TOOL_NAME,
)
def tool_name_invalid(session: Session, message: Message) -> Hits:
    return [
        hit(message.number, tool.name, name=tool.name)
        for tool in page(session)
        if NAME.fullmatch(tool.name) is None
    ]


@rule(
    "tool-name-host-limit",
    Level.INFO,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="observed: model APIs take names of at most 64 of [A-Za-z0-9_-]; hosts prefix them with mcp__SERVER__",
    says='"{name}" (record {n}) fits MCP but not the limit of model APIs ({why})',
    leads_to="hosts rename or hide it",
    remedy="Use short names without dots.",
    fault=Fault.LONG_TOOL_NAME,
    design=True,
)
def tool_name_host_limit(session: Session, message: Message) -> Hits:
    prefix = len(f"mcp__{session.header.name}__") if session.header is not None else 0
    hits: list[Hit] = []
    for tool in page(session):
        if NAME.fullmatch(tool.name) is None:
            continue
        if "." in tool.name:
            why = "it has a dot"
        elif len(tool.name) > HOST_LIMIT:
            why = f"{len(tool.name)} characters, at most {HOST_LIMIT}"
        elif prefix + len(tool.name) > HOST_LIMIT:
            why = f"{prefix + len(tool.name)} characters with a host's prefix, at most {HOST_LIMIT}"
        else:
            continue
        hits.append(hit(message.number, tool.name, name=tool.name, why=why))
    return hits


@rule(
    "tool-name-duplicate",
    Level.WARNING,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="2025-11-25 and 2026-07-28 server/tools: names should be unique",
    says='"{name}" is listed twice (record {n})',
    leads_to="only one of them can be called",
    remedy="Give each tool a name of its own.",
)
def tool_name_duplicate(session: Session, message: Message) -> Hits:
    walk = session.listings.of["tools/list"].walk
    repeated = walk.repeated if walk is not None else []
    return [hit(message.number, name, name=name) for name in dict.fromkeys(repeated)]


@rule(
    "input-schema-invalid",
    Level.ERROR,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source=f"{TOOLS}; {SCHEMA}; {observed(Fault.NO_INPUT_SCHEMA, 'none at all')}; {observed(Fault.INPUT_SCHEMA, 'another type')}",
    says="The input schema of {tool} (record {n}) is invalid: {why}",
    leads_to="strict clients throw away the whole tool list",
    remedy='Make it a JSON Schema object with "type": "object" at its root.',
    requires="values",
)
def input_schema_invalid(session: Session, message: Message) -> Hits:
    hits: list[Hit] = []
    for tool in page(session):
        why = tool.verdicts.get("input")
        if why is None:
            absent = "inputSchema" not in tool.definition
            why = "it is absent" if absent else schema_fault(tool.definition["inputSchema"], root_object=True)
            tool.verdicts["input"] = why
        if why:
            fault = _fault_of(tool.input_schema)
            hits.append(hit(message.number, tool.name, fault=fault, tool=tool.name, why=why))
    return hits


def _fault_of(schema: dict[str, Any] | None) -> Fault | None:
    """What of a wrong input schema clients are known to look at."""
    if schema is None:
        return Fault.NO_INPUT_SCHEMA
    return Fault.INPUT_SCHEMA if schema.get("type") != "object" else None


@rule(
    "output-schema-invalid",
    since("2025-06-18", Level.ERROR),
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="2025-06-18 and later, server/tools: output schema (2026-07-28: of any type)",
    says="The output schema of {tool} (record {n}) is invalid: {why}",
    leads_to="strict clients throw away the whole tool list",
    remedy="Correct the schema, or leave outputSchema out.",
    requires="values",
)
def output_schema_invalid(session: Session, message: Message) -> Hits:
    hits: list[Hit] = []
    for tool in page(session):
        schema = tool.definition.get("outputSchema")
        if schema is None:
            continue
        why = tool.verdicts.get("output")
        if why is None:
            why = tool.verdicts["output"] = schema_fault(
                schema, root_object=not message.revision.allows_any_structured_content
            )
        if why:
            hits.append(hit(message.number, tool.name, tool=tool.name, why=why))
    return hits


@rule(
    "tool-description-missing",
    Level.INFO,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="observed: a model chooses by the description",
    says="{tool} (record {n}) has no description",
    leads_to="the model has nothing to choose it by",
    remedy="Say what it does, when to use it, and what it returns.",
    design=True,
)
def tool_description_missing(session: Session, message: Message) -> Hits:
    return [
        hit(message.number, tool.name, tool=tool.name)
        for tool in page(session)
        if not tool.description.strip()
    ]


@rule(
    "annotation-contradiction",
    since("2025-03-26", Level.INFO),
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="2025-03-26 and later, schema: ToolAnnotations (hints, never to be trusted)",
    says="{tool} (record {n}) claims to be read-only and destructive at once",
    remedy="destructiveHint means something only if readOnlyHint is false.",
)
def annotation_contradiction(session: Session, message: Message) -> Hits:
    hits: list[Hit] = []
    for tool in page(session):
        hints = tool.definition.get("annotations")
        if (
            isinstance(hints, dict)
            and hints.get("readOnlyHint") is True
            and hints.get("destructiveHint") is True
        ):
            hits.append(hit(message.number, tool.name, tool=tool.name))
    return hits


@rule(
    "tool-order-unstable",
    stateless(Level.INFO),
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="2026-07-28 server/tools: the order should be stable",
    says="The same tools came in another order (record {n})",
    leads_to="caches of the model's prompt miss",
    remedy="List the tools in a fixed order.",
)
def tool_order_unstable(session: Session, message: Message) -> Hits:
    listing = session.listings.of["tools/list"]
    return hit(message.number) if listing.reordered and listing.walk is listing.newest else None


@rule(
    "tool-list-large",
    Level.INFO,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source="observed: hosts cut or defer such lists",
    says="The server lists {count} tools, {size} (record {n}): hosts cut or defer such lists",
    remedy="Offer fewer tools, with shorter descriptions and schemas.",
    design=True,
)
def tool_list_large(session: Session, message: Message) -> Hits:
    walk = session.listings.of["tools/list"].walk
    if walk is None or not walk.complete or walk.is_cut:
        return None
    if len(walk.names) <= MANY_TOOLS and walk.size <= LARGE_LIST:
        return None
    return hit(message.number, count=len(walk.names), size=size(walk.size))
