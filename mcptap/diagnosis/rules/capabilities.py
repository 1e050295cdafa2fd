"""Capabilities: what each side declared, and what it then did."""

from __future__ import annotations

from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.clients.recognition import recognise
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import between, everywhere, handshake, only, since, unknown, until
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Check, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.diagnosis.rules.common import UNANSWERED, side_of
from mcptap.diagnosis.rules.interaction import client_declares, needed_capabilities
from mcptap.diagnosis.rules.waiting import WAIT_US
from mcptap.protocol.model.message import NOTIFICATION, Message
from mcptap.protocol.model.parts.party import declares
from mcptap.protocol.model.request import ANSWERED
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import LISTS, METHOD_NOT_FOUND
from mcptap.protocol.schema.values import typed
from mcptap.wire import SERVER_TO_CLIENT

SERVER_CAPABILITIES = ("tools", "resources", "prompts", "logging", "completions", "tasks")
CLIENT_CAPABILITIES = ("sampling", "roots", "elicitation")
LONG_SESSION_US = 10_000_000
"""After how long (µs) a client that stays should have asked for the tools."""
SHORT_SESSION_US = 2_000_000
"""A session shorter than this (µs) may only have checked the connection."""
ROOTS_US = 10_000_000
"""After how long (µs) a request for roots, which asks no person, should be answered."""

_METHODS = {
    "tools": ("tools/list", "tools/call"),
    "resources": ("resources/list", "resources/templates/list", "resources/read"),
    "prompts": ("prompts/list", "prompts/get"),
    "logging": ("logging/setLevel",),
    "completions": ("completion/complete",),
    "tasks": ("tasks/get", "tasks/result", "tasks/list", "tasks/cancel"),
}
_NOTIFICATIONS = {
    "tools": ("notifications/tools/list_changed",),
    "resources": ("notifications/resources/list_changed", "notifications/resources/updated"),
    "prompts": ("notifications/prompts/list_changed",),
    "logging": ("notifications/message",),
    "completions": (),
    "tasks": ("notifications/tasks/status",),
}
_PROMISED = {
    # tools/call and resources/read may answer so for an unknown tool or resource.
    "tools": ("tools/list",),
    "resources": ("resources/list", "resources/templates/list", "resources/subscribe"),
    "prompts": ("prompts/list", "prompts/get"),
    "logging": ("logging/setLevel",),
    "completions": ("completion/complete",),
}
_LEVELS = {
    "completions": since("2025-03-26", Level.ERROR) | unknown(Level.ERROR),
    "tasks": only("2025-11-25", Level.ERROR),
}
_CAPABILITY_OF = {method: name for name, methods in _METHODS.items() for method in methods}


def _declared_at(session: Session) -> int | None:
    """The record in which the server declared its capabilities."""
    request = session.handshake.initialize if session.handshake.done else session.stateless.discover
    return request.answer if request is not None else None


def _listed(message: Message) -> list[Any] | None:
    """What a result lists, None if it is none of a list."""
    result, method = message.result, message.method
    if type(result) is not dict:
        return None
    if method == "completion/complete":
        completion = result.get("completion")
        items = completion.get("values") if isinstance(completion, dict) else None
    else:
        items = result.get("tasks" if method == "tasks/list" else LISTS.get(method, ""))
    return items if isinstance(items, list) else None


def _undeclared(capability: str) -> Check:
    def check(session: Session, message: Message) -> Hits:
        if session.server.capabilities is None or declares(session.server.capabilities, capability):
            return None
        if capability in session.server.capabilities:
            return None  # null or false: a matter of its shape
        method, level, how = message.method, None, "answers"
        effect = "clients that trust the declaration never ask"
        if message.kind == NOTIFICATION:
            how, effect = "sends", "clients that trust the declaration may drop it"
        elif (items := _listed(message)) is not None:
            if not items:  # as the Go SDK answers each list that there is not
                level, effect = Level.INFO, "the list is empty, so nothing is missed"
            else:
                effect = "the agents of clients that trust the declaration, and so never ask, see none of it"
        return hit(
            message.number,
            capability,
            level=level,
            how=how,
            method=method,
            capability=capability,
            effect=effect,
        )

    return check


for _name in SERVER_CAPABILITIES:
    rule(
        f"capability-undeclared-{_name}",
        _LEVELS.get(_name, Level.ERROR),
        side=SERVER,
        on=", ".join(
            [f"s2c result {m}" for m in _METHODS[_name]]
            + [f"s2c notification {m}" for m in _NOTIFICATIONS[_name]]
        ),
        stage=Stage.CAPABILITY,
        source="all revisions, server features: capabilities must be declared"
        + (f"; {observed(Fault.UNDECLARED_TOOLS)}" if _name == "tools" else ""),
        says='The server {how} {method} (record {n}) but does not declare "{capability}"',
        leads_to="{effect}",
        remedy=f"Declare capabilities.{_name} in the answer to initialize (or server/discover).",
        fault=Fault.UNDECLARED_TOOLS if _name == "tools" else None,
        silence="The server answers tools but does not declare them; {client} {reaction}."
        if _name == "tools"
        else "",
        explains="tools-never-listed",
        needs_start=True,
    )(_undeclared(_name))


@rule(
    "capability-none",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.CAPABILITY,
    source="all revisions, server features",
    says="The server declares nothing that an agent can use (record {n}{declared?}){asked?}",
    remedy="Register tools before connecting, and declare capabilities.tools.",
    fault=Fault.UNDECLARED_TOOLS,
    silence="The server declares nothing that an agent can use; {client} {reaction}.",
    unless="capability-undeclared-* capability-shape",
    needs_start=True,
    judges_probes=True,
)
def capability_none(session: Session) -> Hits:
    declared = session.server.capabilities
    if declared is None or session.has_extensions:
        return None
    if any(name in declared for name in ("tools", "resources", "prompts")):
        return None
    used = [m for name in ("tools", "resources", "prompts") for m in _METHODS[name]]
    asked = next((method for method in used if method in session.traffic.by_method), "")
    return hit(
        _declared_at(session),
        level=None if asked else Level.INFO,
        declared="" if SERVER_TO_CLIENT in session.unseen else f": {as_json(declared)}",
        asked=f", and the client asked for {asked} all the same" if asked else "",
    )


@rule(
    "capability-shape",
    Level.ERROR,
    side=SERVER,
    on="s2c result initialize, s2c result server/discover, c2s request initialize",
    stage=Stage.CAPABILITY,
    source=f"schema.ts of each revision; {observed(Fault.CAPABILITY_SHAPE)}; {observed(Fault.CAPABILITY_NULL, 'null')}",
    says="{path} is {kind} (record {n}), not an object",
    brief="{Sender} gives {path} as {kind}, where an object belongs",
    leads_to="{effect?}",
    remedy="Write {} for a capability without options.",
    fault=Fault.CAPABILITY_SHAPE,
    explains="tools-never-listed initialized-missing",
    loses_request=True,
)
def capability_shape(_session: Session, message: Message) -> Hits:
    holder = message.result if message.channel == SERVER_TO_CLIENT else message.params
    declared = holder.get("capabilities") if isinstance(holder, dict) else None
    if declared is None:
        return None
    side = side_of(message)
    effect = "strict clients fail the whole initialize" if side == SERVER else ""
    if not isinstance(declared, dict):
        return hit(
            message.number,
            "capabilities",
            side=side,
            path="capabilities",
            kind=typed(declared),
            effect=effect,
        )
    return [
        hit(
            message.number,
            str(name),
            side=side,
            path=f"capabilities.{quote(str(name), 40)}",
            kind=typed(value),
            effect=effect,
            fault=Fault.CAPABILITY_NULL if value is None else None,
        )
        for name, value in declared.items()
        if not isinstance(value, dict)
    ]


def _unimplemented(capability: str) -> Check:
    def check(session: Session, message: Message) -> Hits:
        request = message.request
        if request is None or request.error_code != METHOD_NOT_FOUND:
            return None
        if request.revision and request.method not in request.revision.methods:
            return None  # the revision has no such method: the refusal is right
        path = "resources.subscribe" if request.method == "resources/subscribe" else capability
        if not declares(session.server.capabilities, path):
            return None
        listings = session.listings.of
        if request.method == "prompts/get" and listings["prompts/list"].answered:
            return None  # said of one prompt, not of the method
        level = None
        if request.method == "resources/templates/list":
            level = Level.WARNING
        return hit(message.number, request.method, level=level, capability=path, method=request.method)

    return check


for _name in _PROMISED:
    rule(
        f"capability-unimplemented-{_name}",
        _LEVELS.get(_name, Level.ERROR),
        side=SERVER,
        on=", ".join(f"s2c error {m}" for m in _PROMISED[_name]),
        stage=Stage.CAPABILITY,
        source="all revisions, server features: what is declared must be answered",
        says='The server promises "{capability}" but answers {method} with "method not found" (record {n})',
        leads_to="a client that trusts the declaration gets an error for it",
        remedy=f"Serve the method, or stop declaring capabilities.{_name}.",
        needs_start=True,
    )(_unimplemented(_name))


@rule(
    "tools-list-empty",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.CAPABILITY,
    source="all revisions, server/tools (an empty list is legal)",
    says="{what} (record {n}){called?}",
    leads_to="the agent has no tool of this server",
    remedy="If there should be tools, look for what it needs to register them: working directory, configuration, environment, an import error.",
    requires="whole",
    silence="The server declares tools and then lists none, so {client} has nothing to call.",
    needs_start=True,
    judges_outlines=True,
)
def tools_list_empty(session: Session) -> Hits:
    listing = session.listings.of["tools/list"]
    walk = listing.newest
    if walk is None or walk.names or listing.changed_at or session.listings.tools:
        return None
    is_told = SERVER_TO_CLIENT in session.unseen and session.server.capabilities is None
    if not is_told and not declares(session.server.capabilities, "tools"):
        return None
    called = "tools/call" in session.traffic.by_method
    return hit(
        walk.number,
        what="The log tells that the client found no tools" if is_told else "tools/list is empty",
        level=None if called else Level.INFO,
        called=", and a tool was called all the same" if called else "",
    )


@rule(
    "tools-never-listed",
    Level.WARNING,
    side=CLIENT,
    on="state",
    stage=Stage.CAPABILITY,
    source="observed",
    says="The client never asked for the tools, although the server declares them (record {n}){how?}",
    remedy="Look at the client: is the server enabled, are its tools filtered, did it only check the connection?",
    requires="whole",
    unless="version-mismatch initialize-version-stateless capability-shape initialized-missing request-without-id id-null",
    needs_start=True,
)
def tools_never_listed(session: Session) -> Hits:
    if not declares(session.server.capabilities, "tools"):
        return None
    if session.listings.of["tools/list"].asked or session.traffic.by_method.get("tools/call"):
        return None
    opening = session.stateless.discover if session.is_stateless else session.handshake.initialize
    if opening is None or opening.state != ANSWERED:
        return None
    lasted = session.end_us - opening.answered_us
    if session.timed and lasted <= 0:
        return None  # it was answered too late for the client to ask
    closed = session.ended and session.process.client_closed is not None and not session.is_stateless
    if not closed and (not session.timed or lasted <= LONG_SESSION_US):
        return None
    short = session.timed and lasted < SHORT_SESSION_US
    return hit(
        opening.answer,
        level=Level.INFO if short else None,
        how=f" and stayed for {session.lasting(lasted)}" if session.timed else "",
    )


@rule(
    "client-uses-undeclared",
    everywhere(Level.INFO) | between("2025-06-18", "2025-11-25", Level.WARNING),
    side=CLIENT,
    on="s2c error",
    stage=Stage.CAPABILITY,
    source="2024-11-05 and 2025-03-26 basic/lifecycle: should, 2025-06-18 and 2025-11-25: must use only what was negotiated",
    says='The client asks for {method} (record {asked}) although the server does not declare "{capability}"',
    leads_to="it was refused, which is harmless",
    remedy="Ask only for what the server declares.",
    needs_start=True,
)
def client_uses_undeclared(session: Session, message: Message) -> Hits:
    request = message.request
    capability = _CAPABILITY_OF.get(request.method) if request is not None else None
    if request is None or capability is None or session.server.capabilities is None:
        return None
    facts = message.revision.methods.get(request.method)
    if declares(session.server.capabilities, capability) or facts is None or not facts.requires:
        return None
    if any(method in session.traffic.answered_methods for method in _METHODS[capability]):
        return None  # it is served all the same, which is another finding
    client = recognise(session).client
    is_habit = client is not None and bool(client.habits.lists_unasked.value) and request.method in LISTS
    return hit(
        request.number,
        request.method,
        level=Level.INFO if is_habit else None,
        remedy=f"None is needed: {client.name} asks so whatever a server declares."
        if client and is_habit
        else "",
        method=request.method,
        asked=request.number,
        capability=capability,
    )


def _client_lacks(capability: str) -> Check:
    def check(session: Session, message: Message) -> Hits:
        declared = session.client.capabilities
        if declared is None or session.is_stateless:
            return None
        fine = message.revision.splits_client_capabilities
        needs = needed_capabilities(message.method, message.params) if fine else [capability]
        missing = [path for path in needs if not client_declares(declared, path)]
        level = None
        if not missing:
            context = (message.params or {}).get("includeContext", "none")
            if (
                not fine
                or capability != "sampling"
                or context == "none"
                or client_declares(declared, "sampling.context")
            ):
                return None
            missing, level = ["sampling.context"], Level.WARNING
        path = missing[-1]
        if path == "elicitation.form" and "elicitation" not in declared:
            path = "elicitation"
        return hit(message.number, path, level=level, capability=path, method=message.method)

    return check


for _name, _method in (
    ("sampling", "sampling/createMessage"),
    ("roots", "roots/list"),
    ("elicitation", "elicitation/create"),
):
    rule(
        f"client-capability-missing-{_name}",
        until("2025-03-26", Level.WARNING) | between("2025-06-18", "2025-11-25", Level.ERROR),
        side=SERVER,
        on=f"s2c request {_method}",
        stage=Stage.CAPABILITY,
        source="handshake revisions, basic/lifecycle; 2025-11-25 client/sampling and client/elicitation: must not",
        says="The server asks this client for {capability} ({method}, record {n}), which it never offered",
        leads_to="a client without it refuses the request, or does not answer",
        remedy="Look at the client's capabilities first, and do without.",
        needs_start=True,
        explains=UNANSWERED,
    )(_client_lacks(_name))


@rule(
    "client-capability-broken",
    handshake(Level.ERROR),
    side=CLIENT,
    on="c2s error roots/list, c2s error sampling/createMessage, c2s error elicitation/create, state",
    stage=Stage.CAPABILITY,
    source="handshake revisions, client/roots, client/sampling, client/elicitation",
    says='The client declares "{capability}" but {how} {method} (record {n})',
    remedy="Register a handler for it in the client, or stop declaring it.",
    requires="whole",
    needs_start=True,
    explains=UNANSWERED,
)
def client_capability_broken(session: Session, message: Message | None = None) -> Hits:
    if message is not None:
        request = message.request
        if request is None or request.error_code != METHOD_NOT_FOUND:
            return None
        name = request.method.split("/")[0]
        if not declares(session.client.capabilities, name):
            return None
        return hit(message.number, request.method, capability=name, how="refuses", method=request.method)
    hits: list[Hit] = []
    for request in session.requests.unanswered():
        name = request.method.split("/")[0]
        if name not in CLIENT_CAPABILITIES or request.channel != SERVER_TO_CLIENT or not session.timed:
            continue
        # A person may have been asked, who may still answer or went away: only a long silence is one.
        person = name != "roots"
        if person and not session.ended:
            continue
        limit = WAIT_US if person else ROOTS_US
        if session.end_us - request.t_us >= limit and declares(session.client.capabilities, name):
            level = Level.WARNING if person else None
            how = "did not answer" if person else "never answers"
            hits.append(
                hit(
                    request.number,
                    request.method,
                    level=level,
                    capability=name,
                    how=how,
                    method=request.method,
                )
            )
    return hits


@rule(
    "list-changed-unpromised",
    Level.WARNING,
    side=SERVER,
    on="s2c notification notifications/tools/list_changed, s2c notification notifications/resources/list_changed, s2c notification notifications/prompts/list_changed",
    stage=Stage.CAPABILITY,
    source=f"all revisions, server features; {observed(Fault.UNPROMISED_LIST_CHANGED)}",
    says="The server announces a change ({method}, record {n}) that it did not promise",
    leads_to="clients that trust the declaration do not read the list again",
    remedy="Declare listChanged: true for the capability (tools, resources or prompts).",
    fault=Fault.UNPROMISED_LIST_CHANGED,
    needs_start=True,
)
def list_changed_unpromised(session: Session, message: Message) -> Hits:
    name = message.method.split("/")[1]
    if session.server.capabilities is None or declares(session.server.capabilities, f"{name}.listChanged"):
        return None
    return hit(
        message.number, name, method=message.method, remedy=f"Declare capabilities.{name}.listChanged: true."
    )


@rule(
    "list-changed-missed",
    Level.INFO,
    side=SERVER,
    on="s2c result tools/list, s2c result resources/list, s2c result prompts/list",
    stage=Stage.CAPABILITY,
    source="all revisions, server features: should notify",
    says="{method} has other names than before (record {n}), without the promised notification between",
    requires="whole",
    needs_start=True,
)
def list_changed_missed(session: Session, message: Message) -> Hits:
    assert message.request is not None
    method = message.request.method
    listing = session.listings.of[method]
    if not listing.unannounced or listing.newest is None or listing.walk is not listing.newest:
        return None
    if not declares(session.server.capabilities, f"{method.split('/')[0]}.listChanged"):
        return None
    return hit(message.number, method, method=method)


@rule(
    "roots-changed-unpromised",
    handshake(Level.WARNING),
    side=CLIENT,
    on="c2s notification notifications/roots/list_changed",
    stage=Stage.CAPABILITY,
    source="handshake revisions, client/roots",
    says="The client reports a change of its roots (record {n}) that it did not promise",
    remedy="Declare roots.listChanged: true.",
    needs_start=True,
)
def roots_changed_unpromised(session: Session, message: Message) -> Hits:
    if session.client.capabilities is None or declares(session.client.capabilities, "roots.listChanged"):
        return None
    return hit(message.number)
