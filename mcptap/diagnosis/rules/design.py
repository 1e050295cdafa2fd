"""Tool design: what makes a model choose wrongly or learn nothing, though the wire is right.

These never fail a check unless that is asked for, and they judge real traffic only: what was
called and answered in this session.
"""

from __future__ import annotations

import re

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import quote
from mcptap.diagnosis.rules.tool_calls import called_tool, only_text
from mcptap.diagnosis.rules.tool_lists import LISTED, page
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.listings import Tool
from mcptap.protocol.model.session import Session
from mcptap.protocol.statistics.counts import tokens
from mcptap.text.enumeration import listed
from mcptap.text.units import size

COSTLY_BYTES = 20_000
"""From how many bytes on a tool list is worth a remark."""

_VERBS = frozenset(
    {
        "get", "fetch", "read", "find", "search", "lookup", "look", "up", "query", "show", "list", "retrieve",
        "load", "view", "check", "the", "a", "for", "by", "v1", "v2", "new", "old",
    }
)  # fmt: skip
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_SAYS = frozenset(
    {"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "not", "if", "pattern", "format"}
)


@rule(
    "schema-unrestricted",
    Level.INFO,
    side=SERVER,
    on=LISTED,
    stage=Stage.DESIGN,
    source="observed: a model guesses what a parameter without a type may be",
    says="The input schema of {tool} (record {n}) says nothing about {names}",
    remedy="Give each parameter a type, and where there are few values an enum.",
    requires="values",
    design=True,
)
def schema_unrestricted(session: Session, message: Message) -> Hits:
    hits: list[Hit] = []
    for tool in page(session):
        properties = (tool.input_schema or {}).get("properties")
        if not isinstance(properties, dict):
            continue
        loose = [
            str(name)
            for name, schema in properties.items()
            if schema is True or (isinstance(schema, dict) and not _SAYS & schema.keys())
        ]
        if loose:
            hits.append(hit(message.number, tool.name, tool=tool.name, names=listed(loose)))
    return hits


@rule(
    "tool-silent-fallback",
    Level.INFO,
    side=SERVER,
    on="s2c result tools/call",
    stage=Stage.DESIGN,
    source="observed: a model that gets an answer thinks that its argument was understood",
    says="{tool} was called with {name} (record {asked}), which its schema does not have, and answered without a word (record {n}): the argument was ignored",
    remedy="Refuse unknown arguments with isError, and say which there are (additionalProperties: false).",
    requires="values",
    design=True,
)
def tool_silent_fallback(session: Session, message: Message) -> Hits:
    tool, request, result = called_tool(session, message), message.request, message.result
    known = tool.parameters if tool is not None else None
    if known is None or tool is None or request is None or request.params is None:
        return None
    arguments = request.params.get("arguments")
    if type(result) is not dict or type(arguments) is not dict or result.get("isError") is True:
        return None
    for name in arguments:
        if name not in known and name not in tool.ignored:
            tool.ignored.add(name)  # once for each argument: the same call comes again and again
            return hit(
                message.number,
                f"{tool.name} {name}",
                tool=tool.name,
                name=quote(name, 40),
                asked=request.number,
            )
    return None


@rule(
    "tool-answers-differ",
    Level.INFO,
    side=SERVER,
    on="s2c result tools/call",
    stage=Stage.DESIGN,
    source="observed: of two tools that seem to do the same, a model takes either",
    says="{tool} and {other} got the same arguments and gave different answers (records {before} and {n})",
    leads_to="a model cannot tell which one to ask",
    remedy="Offer one of them, or say in both descriptions when to use which.",
    requires="values",
    design=True,
)
def tool_answers_differ(session: Session, message: Message) -> Hits:
    request, result = message.request, message.result
    tool = called_tool(session, message)
    about = _shared_subject(session, tool) if tool is not None else ""
    if not about or request is None or request.params is None or type(result) is not dict:
        return None
    arguments, text = request.params.get("arguments"), only_text(result)
    if not arguments or type(arguments) is not dict or text is None:
        return None
    before = session.listings.take_tool_answer(
        (about, repr(sorted(arguments.items()))), request.tool, text, message.number
    )
    if before is None:
        return None
    names = sorted((request.tool, before.tool))
    return hit(message.number, " ".join(names), tool=request.tool, other=before.tool, before=before.number)


def _shared_subject(session: Session, tool: Tool) -> str:
    """What a tool is about, if another one seems to be about the same; else an empty string."""
    about = tool.verdicts.get("shared subject")
    if about is None:
        about = _subject_of(tool.name)
        if not any(other != tool.name and _subject_of(other) == about for other in session.listings.tools):
            about = ""
        tool.verdicts["shared subject"] = about
    return about


def _subject_of(name: str) -> str:
    """What a tool is about, by its name: its words without those that only say get or find."""
    words = {word.lower().rstrip("s") for word in _WORDS.findall(name) if word.lower() not in _VERBS}
    return " ".join(sorted(words))


@rule(
    "tool-list-cost",
    Level.INFO,
    side=SERVER,
    on="state",
    stage=Stage.DESIGN,
    source="observed: each conversation pays for the whole list",
    says="The tool list (record {n}) is {size}, about {tokens} tokens in each conversation",
    leads_to="the largest: {largest}{idle?}",
    remedy="Shorten descriptions and schemas, and leave out what is never called.",
    requires="values",
    design=True,
)
def tool_list_cost(session: Session) -> Hits:
    walk = session.listings.of["tools/list"].newest
    if walk is None or walk.size < COSTLY_BYTES:
        return None
    tools = [session.listings.tools[name] for name in walk.names if name in session.listings.tools]
    largest = sorted(tools, key=lambda tool: -tool.size)[:3]
    idle = [tool.name for tool in tools if not tool.calls]
    called = any(tool.calls for tool in tools)
    return hit(
        walk.number,
        size=size(walk.size),
        tokens=f"{tokens(walk.size):,}",
        largest=listed([f"{quote(tool.name, 40)} ({tokens(tool.size):,})" for tool in largest]),
        idle=f"; never called here: {listed(idle)}" if called and idle else "",
    )
