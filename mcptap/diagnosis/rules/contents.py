"""Resources, prompts, and lists that come in pages."""

from __future__ import annotations

import re
from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake, stateless
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import quote
from mcptap.diagnosis.rules.shapes import SCHEMA
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import INVALID_PARAMS, LISTS

RESOURCES = "all revisions, server/resources"
PROMPTS = "all revisions, server/prompts"
PAGINATION = "all revisions, server/utilities/pagination"
LISTED = ", ".join(f"s2c result {method}" for method in LISTS)
ASKED = ", ".join(f"c2s request {method}" for method in LISTS)
REFUSED = ", ".join(f"s2c error {method}" for method in LISTS)
NEXT_PAGE_WAIT_US = 2_000_000
"""After how long (µs) the next page should have been asked for."""

MOST_PAGES = 64
"""As many pages of a list the TypeScript SDK 2.x reads; of a list that has more it gives up all."""

_NOT_THERE = re.compile(r"not found|unknown|no such|does not exist|doesn't exist|not exist", re.I)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@rule(
    "resource-error-code",
    handshake(Level.WARNING) | stateless(Level.ERROR),
    side=SERVER,
    on="s2c error resources/read",
    stage=Stage.CONTENT,
    source="handshake revisions, server/resources: should be -32002; 2026-07-28: must be -32602",
    says='A missing resource was answered with {code} (record {n}: "{shown}")',
    leads_to="in {revision} it is {wanted}",
    remedy="Use the code of the agreed revision.",
    yields_to="error-code-unlisted",
)
def resource_error_code(_session: Session, message: Message) -> Hits:
    request, error = message.request, message.error
    if request is None or request.error_code is None or type(error) is not dict:
        return None
    text = error.get("message")
    wanted = message.revision.resource_not_found
    if not isinstance(text, str) or not _NOT_THERE.search(text) or request.error_code == wanted:
        return None
    if "method not found" in text.lower():
        return None
    return hit(
        message.number,
        code=request.error_code,
        shown=quote(text, 80),
        revision=message.revision,
        wanted=wanted,
    )


def _template_covers(template: str, uri: str) -> bool:
    """Whether a URI may come from a template: its fixed pieces stand in it, in their order."""
    at = 0
    pieces = re.split(r"\{[^{}]*\}", template)
    if not uri.startswith(pieces[0]):
        return False
    for piece in pieces:
        found = uri.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return len(pieces) > 1 or uri == template


@rule(
    "resource-contents-empty",
    handshake(Level.INFO) | stateless(Level.ERROR),
    side=SERVER,
    on="s2c result resources/read",
    stage=Stage.CONTENT,
    source="2026-07-28 server/resources: must not answer an unknown resource with empty contents",
    says="The unknown resource {uri} was answered with nothing (record {n}), which looks like an empty file",
    remedy="Answer with an error.",
)
def resource_contents_empty(session: Session, message: Message) -> Hits:
    result, request = message.result, message.request
    if type(result) is not dict or result.get("contents") != [] or request is None or request.params is None:
        return None
    uri, lists = request.params.get("uri"), session.listings.of
    resources, templates = lists["resources/list"].newest, lists["resources/templates/list"]
    if resources is None or not isinstance(uri, str) or uri in resources.names:
        return None
    if templates.newest is None or any(_template_covers(t, uri) for t in templates.newest.names):
        return None
    return hit(message.number, uri, uri=quote(uri, 80))


@rule(
    "resource-content-shape",
    Level.ERROR,
    side=SERVER,
    on="s2c result resources/read",
    stage=Stage.CONTENT,
    source=SCHEMA,
    says="The contents of {uri} cannot be read (record {n}): {why}",
    remedy="Give each item its uri and either text or blob.",
)
def resource_content_shape(_session: Session, message: Message) -> Hits:
    contents = message.result.get("contents") if type(message.result) is dict else None
    for item in contents if type(contents) is list else []:
        if type(item) is not dict:
            why = "an item is not an object"
        elif not isinstance(item.get("uri"), str):
            why = "an item has no uri"
        elif ("text" in item) == ("blob" in item):
            why = "an item has both text and blob" if "text" in item else "an item has neither text nor blob"
        elif not isinstance(item.get("text", item.get("blob")), str):
            why = "text or blob is not a string"
        else:
            continue
        params = message.request.params if message.request is not None else None
        uri = (params or {}).get("uri", "a resource")
        return hit(message.number, str(uri), uri=quote(str(uri), 80), why=why)
    return None


@rule(
    "resource-uri-invalid",
    Level.ERROR,
    side=SERVER,
    on="s2c result resources/list, c2s result roots/list",
    stage=Stage.CONTENT,
    source=f"{RESOURCES}; client/roots: file:// only",
    says="{uri} (record {n}) is no absolute URI{wanted?}",
    remedy="Write it with its scheme, as in file:///project/a.txt.",
)
def resource_uri_invalid(_session: Session, message: Message) -> Hits:
    result = message.result
    if type(result) is not dict:
        return None
    roots = message.request is not None and message.request.method == "roots/list"
    items: Any = result.get("roots" if roots else "resources")
    hits: list[Hit] = []
    for item in items if isinstance(items, list) else []:
        uri = item.get("uri") if isinstance(item, dict) else None
        if not isinstance(uri, str):
            continue
        if roots and not uri.startswith("file://"):
            wanted = " with file://"
        elif not _SCHEME.match(uri):
            wanted = ""
        else:
            continue
        side = CLIENT if roots else SERVER
        hits.append(hit(message.number, uri, side=side, uri=f'"{quote(uri, 80)}"', wanted=wanted))
    return hits


@rule(
    "prompt-error-code",
    Level.WARNING,
    side=SERVER,
    on="s2c error prompts/get",
    stage=Stage.CONTENT,
    source=f"{PROMPTS}: error handling (should); observed: Python SDK 1.x answers 0",
    says='prompts/get {why} was answered with {code} (record {n}: "{shown}")',
    leads_to="it should be -32602",
    remedy="Answer with -32602.",
    yields_to="capability-unimplemented-* error-code-unlisted",
)
def prompt_error_code(session: Session, message: Message) -> Hits:
    request, error, newest = message.request, message.error, session.listings.of["prompts/list"].newest
    if (
        request is None
        or request.params is None
        or newest is None
        or request.error_code in (None, INVALID_PARAMS)
    ):
        return None
    name = request.params.get("name")
    if not isinstance(name, str):
        return None
    if name not in newest.names:
        why = f'of the unknown prompt "{quote(name, 60)}"'
    else:
        missing = _missing_arguments(session, request.params, name)
        if not missing:
            return None
        why = f'of "{quote(name, 60)}" without {missing[0]}'
    text = error.get("message") if type(error) is dict else ""
    return hit(message.number, name, why=why, code=request.error_code, shown=quote(str(text), 80))


def _missing_arguments(session: Session, params: dict[str, Any], name: str) -> list[str]:
    given = params.get("arguments")
    given = given if isinstance(given, dict) else {}
    return [wanted for wanted in session.listings.prompt_arguments.get(name, ()) if wanted not in given]


@rule(
    "prompt-argument-missing",
    Level.INFO,
    side=CLIENT,
    on="c2s request prompts/get",
    stage=Stage.CONTENT,
    source=PROMPTS,
    says="The prompt {name} needs {argument}, which prompts/get (record {n}) does not give",
)
def prompt_argument_missing(session: Session, message: Message) -> Hits:
    name = message.params.get("name") if message.params is not None else None
    if not isinstance(name, str) or message.params is None:
        return None
    return [
        hit(message.number, f"{name} {argument}", name=quote(name, 60), argument=quote(argument, 40))
        for argument in _missing_arguments(session, message.params, name)
    ]


@rule(
    "cursor-loop",
    Level.ERROR,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source=f"{PAGINATION}; {observed(Fault.CURSOR_LOOP)}",
    says="{method} returns a cursor that it gave before (record {n})",
    leads_to="clients loop, or stop after a limit and drop the list",
    remedy="Leave nextCursor out on the last page, and give each page another one.",
    requires="values",
    fault=Fault.CURSOR_LOOP,
)
def cursor_loop(session: Session, message: Message) -> Hits:
    assert message.request is not None
    method = message.request.method
    return hit(message.number, method, method=method) if session.listings.of[method].looped else None


@rule(
    "cursor-endless",
    Level.WARNING,
    side=SERVER,
    on=LISTED,
    stage=Stage.CONTENT,
    source=f"{PAGINATION}: a missing nextCursor ends it; {observed(Fault.ENDLESS_LIST)}",
    says="{method} has {pages} pages, and the last of them (record {n}) names another one{new?}",
    leads_to="clients ask on and on, or stop after a limit and drop the list",
    remedy="Leave nextCursor out on the last page, and put more on each page.",
    requires="values",
    fault=Fault.ENDLESS_LIST,
    explains="tool-name-duplicate",
)
def cursor_endless(session: Session, message: Message) -> Hits:
    assert message.request is not None
    method = message.request.method
    listing = session.listings.of[method]
    walk = listing.walk
    if walk is None or walk.pages != MOST_PAGES or walk.waiting is None or listing.looped:
        return None
    new = len(walk.repeated) < len(listing.last_page)
    return hit(
        message.number,
        method,
        level=None if new else Level.ERROR,
        method=method,
        pages=walk.pages,
        new="" if new else ", with nothing new on it",
    )


@rule(
    "cursor-not-followed",
    Level.WARNING,
    side=CLIENT,
    on="state",
    stage=Stage.CONTENT,
    source=f"{PAGINATION} (an empty string is a cursor, too)",
    says="The client read {pages} of {method} and did not follow nextCursor (record {n})",
    leads_to="what stands on later pages is invisible to the agent",
    remedy="Upgrade the client, or return the whole list on one page.",
    requires="values whole",
)
def cursor_not_followed(session: Session) -> Hits:
    hits: list[Hit] = []
    for method, listing in session.listings.of.items():
        walk = listing.walk
        if walk is None or walk.waiting is None or listing.followed == walk.waiting or listing.looped:
            continue
        went_on = session.traffic.requests > walk.page_requests
        if not went_on or (session.timed and session.end_us - walk.page_us <= NEXT_PAGE_WAIT_US):
            continue
        pages = "one page" if walk.pages == 1 else f"{walk.pages} pages"
        last = max(walk.names.values(), default=walk.number)
        hits.append(hit(last, method, method=method, pages=pages))
    return hits


@rule(
    "cursor-unknown",
    Level.WARNING,
    side=CLIENT,
    on=ASKED,
    stage=Stage.CONTENT,
    source=PAGINATION,
    says="The client asked {method} for a cursor (record {n}) that no page gave",
    remedy="Use nextCursor as it was given, and only for the same method.",
    requires="values whole",
    needs_start=True,
)
def cursor_unknown(_session: Session, message: Message) -> Hits:
    request = message.request
    return (
        hit(message.number, request.method, method=request.method)
        if request is not None and request.bad_cursor
        else None
    )


@rule(
    "cursor-error-code",
    Level.WARNING,
    side=SERVER,
    on=REFUSED,
    stage=Stage.CONTENT,
    source=f"{PAGINATION}: should be -32602",
    says="A bad cursor of {method} was answered with {code} (record {n})",
    leads_to="it should be -32602",
    remedy="Answer with -32602.",
    needs_start=True,
    yields_to="capability-unimplemented-* error-code-unlisted",
)
def cursor_error_code(_session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or not request.bad_cursor or request.error_code in (None, INVALID_PARAMS):
        return None
    return hit(message.number, request.method, method=request.method, code=request.error_code)
