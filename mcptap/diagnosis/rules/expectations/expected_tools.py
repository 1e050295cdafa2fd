"""What the user expects of a server's tools, with options of `check` and `probe` or in a settings file."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatchcase

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import quote
from mcptap.protocol.expectations.expectation import EXPECT_TOOL, FORBID_TOOL, MAX_LIST_TOKENS, Expectation
from mcptap.protocol.model.parts.listings import Tool, Walk
from mcptap.protocol.model.session import Session
from mcptap.protocol.statistics.counts import tokens
from mcptap.text.enumeration import listed
from mcptap.text.units import counted, size

SOURCE = "what you asked for: an option of check or probe, or a line of the settings file"
SEVERAL = "several processes wrote to this log, and no line tells which"


def wanted(session: Session, name: str) -> Iterator[Expectation]:
    """The expectations of this name."""
    return (one for one in session.expected.wanted if one.name == name)


@rule(
    "expectation-tool-missing",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.EXPECTATION,
    source=f"{SOURCE} (--expect-tool)",
    says="The server's list of tools (record {n}) has no {tool}, which was asked for{near?}",
    brief="The server's list of tools has no {tool}, which was asked for",
    remedy="Offer a tool of this name, or ask for the name that it has.",
    expected=True,
)
def expectation_tool_missing(session: Session) -> Hits:
    whole = whole_list(session)
    if whole is None:
        return None
    hits = []
    for one in wanted(session, EXPECT_TOOL):
        if not any(fnmatchcase(name, one.pattern) for name in whole.names):
            close = get_close_matches(one.pattern, whole.names, 1)
            near = f'; it has "{quote(close[0], 60)}"' if close else ""
            hits.append(hit(whole.number, one.value, tool=f'"{quote(one.value, 60)}"', near=near))
    return hits


@rule(
    "expectation-tool-forbidden",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.EXPECTATION,
    source=f"{SOURCE} (--forbid-tool)",
    says="The server lists {tool} (record {n}), which must not be there ({asked})",
    brief="The server lists {tool}, which must not be there",
    remedy="Leave the tool out, or allow it.",
    expected=True,
)
def expectation_toolforbidden(session: Session) -> Hits:
    return [
        hit(tool.record, f"{tool.name} by {one.value}", tool=f'"{quote(tool.name, 60)}"', asked=str(one))
        for one in wanted(session, FORBID_TOOL)
        for tool in forbidden(session, one)
    ]


def forbidden(session: Session, one: Expectation) -> list[Tool]:
    """The tools that it forbids, and that were listed."""
    return [tool for tool in session.listings.tools.values() if fnmatchcase(tool.name, one.pattern)]


@rule(
    "expectation-list-cost",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.EXPECTATION,
    source=f"{SOURCE} (--max-list-tokens); a token is taken for four bytes of JSON",
    says="The list of tools (record {n}) costs about {tokens} tokens ({size}); at most {most} were asked",
    leads_to="the largest: {largest}",
    remedy="Shorten descriptions and schemas, or leave out what is never called.",
    expected=True,
)
def expectation_list_cost(session: Session) -> Hits:
    walk = list_of_true_size(session)
    if walk is None:
        return None
    tools = [session.listings.tools[name] for name in walk.names if name in session.listings.tools]
    largest = sorted(tools, key=lambda tool: -tool.size)[:3]
    return [
        hit(
            walk.number,
            f"at most {one.value}",
            tokens=f"{tokens(walk.size):,}",
            size=size(walk.size),
            most=f"{one.most:,}",
            largest=listed([f"{quote(tool.name, 40)} ({tokens(tool.size):,})" for tool in largest]),
        )
        for one in wanted(session, MAX_LIST_TOKENS)
        if tokens(walk.size) > one.most
    ]


def whole_list(session: Session) -> Walk | None:
    """The newest list of tools that was read to its end; None if there is none."""
    if "one_process" in session.expected.unknown:
        return None
    return session.listings.of["tools/list"].newest


def list_of_true_size(session: Session) -> Walk | None:
    """The same, if its size is that which it had on the wire."""
    return None if "values" in session.expected.unknown else whole_list(session)


def why_no_list(session: Session) -> str:
    """Why it is not known what the server listed."""
    listing, unknown = session.listings.of["tools/list"], session.expected.unknown
    if "one_process" in unknown:
        return SEVERAL
    if not listing.answered and unknown & {"server", "messages", "contents"}:
        return "this capture does not hold what the server listed"
    if not listing.asked and not listing.answered:
        return "nobody asked for tools/list in it"
    if not listing.answered:
        return "tools/list got no answer with a list"
    walk = listing.walk
    if walk is not None and walk.is_cut:
        return f"the list is too long to be looked at to its end (more than {len(walk.names):,} tools)"
    if walk is not None and not walk.complete:
        return f"the list was not read to its end ({counted(walk.pages, 'page')}, and there are more)"
    if "values" in unknown and listing.newest is not None:
        return "values were replaced or shortened in this capture, so that sizes are not known"
    return "what the list holds is not known"
