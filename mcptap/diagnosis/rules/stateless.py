"""Revision 2026-07-28: requests that stand for themselves, and the two eras side by side."""

from __future__ import annotations

from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake, stateless, unknown
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, STDIO_ONLY, Hits, Stage, hit
from mcptap.diagnosis.explain.last_words import last_words
from mcptap.diagnosis.explain.origin import reason_of_end
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.diagnosis.rules.common import UNANSWERED, stderr_of
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import ERROR, PENDING
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import NEWEST_STATELESS, looks_stateless
from mcptap.protocol.revisions.names import (
    COMPLETE,
    LISTS,
    META_CLIENT_INFO,
    META_SERVER_INFO,
    METHOD_NOT_FOUND,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
)
from mcptap.recording.format.model import Event
from mcptap.text.enumeration import listed

BASIC = "2026-07-28 basic"
PROBE_US = 5_000_000
"""After how long (µs) an unanswered server/discover costs a client time."""
SHOWN_WITHOUT_HINTS = frozenset({"resources/read", "resources/templates/list"})
"""Methods whose results stand without hints for caching in examples of the specification."""
SIBLING_PROBE = "server-discover-probe-"
"""How the probe of the TypeScript SDK 2.x begins its id; it starts the server a second time for it."""


@rule(
    "meta-missing",
    Level.ERROR,
    side=CLIENT,
    on="c2s request",
    stage=Stage.LIFECYCLE,
    source=f"{BASIC}: _meta of requests",
    says="{method} (record {n}) lacks {key} in _meta",
    leads_to="the server must refuse it (-32602)",
    remedy="Put protocolVersion and clientCapabilities into params._meta of every request.",
    needs_start=True,
    explains=UNANSWERED,
    odd_only=True,
)
def meta_missing(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.method == "initialize":
        return None
    if message.revision.is_stateless:
        if not request.missing_meta:
            return None
        return hit(message.number, method=message.method, key=request.missing_meta)
    if message.params is None or session.handshake.done:
        return None
    meta = message.meta or message.line.value.get("_meta")
    if not isinstance(meta, dict) or not any(key in meta for key in NEWEST_STATELESS.request_meta):
        return None
    return hit(message.number, method=message.method, key=NEWEST_STATELESS.request_meta[0])


@rule(
    "meta-missing-accepted",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.LIFECYCLE,
    source=f"{BASIC}: _meta of requests",
    says="The server answered {method} (record {n}) although its _meta lacks {key}",
    remedy="Refuse such requests with -32602.",
    needs_start=True,
)
def meta_missing_accepted(_session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or not request.missing_meta:
        return None
    return hit(message.number, method=request.method, key=request.missing_meta)


@rule(
    "client-info-missing",
    stateless(Level.INFO),
    side=CLIENT,
    on="c2s request",
    stage=Stage.LIFECYCLE,
    source=f"{BASIC}: a client should name itself",
    says="The client does not name itself: _meta of {method} (record {n}) has no clientInfo",
)
def client_info_missing(_session: Session, message: Message) -> Hits:
    if META_CLIENT_INFO in message.meta or (message.request is not None and message.request.missing_meta):
        return None
    return hit(message.number, method=message.method)


@rule(
    "server-info-missing",
    stateless(Level.INFO),
    side=SERVER,
    on="s2c result",
    stage=Stage.LIFECYCLE,
    source=f"{BASIC}: a server should name itself",
    says="The server does not name itself: _meta of its result (record {n}) has no serverInfo",
)
def server_info_missing(_session: Session, message: Message) -> Hits:
    result = message.result
    meta = result.get("_meta") if type(result) is dict else None
    if type(meta) is dict and META_SERVER_INFO in meta:
        return None
    return hit(message.number)


@rule(
    "version-not-rejected",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/versioning; observed: TypeScript SDK 2.4.0 does so once it serves this revision",
    says='The server answered {method} (record {n}) in version "{version}", which it does not support ({supported})',
    remedy="Refuse it with -32022 and data.supported.",
    needs_start=True,
)
def version_not_rejected(session: Session, message: Message) -> Hits:
    request = message.request
    if (
        request is None
        or not request.version
        or request.version == request.revision
        or session.stateless.discovered is None
    ):
        return None
    supported = session.stateless.supported or ()
    if request.version in supported or not supported or request.method == "server/discover":
        return None
    return hit(
        message.number,
        method=request.method,
        version=quote(request.version, 40),
        supported=listed(list(supported)),
    )


@rule(
    "unsupported-version",
    stateless(Level.INFO),
    side=SERVER,
    on="s2c error",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/versioning; schema: UnsupportedProtocolVersionError",
    says="The server refuses version {requested} (record {n}){lacks?}",
    leads_to="{supported?}",
    remedy="Retry with a version that both sides know; the error names the server's in data.supported.",
)
def unsupported_version(_session: Session, message: Message) -> Hits:
    request, error = message.request, message.error
    if request is None or request.error_code != UNSUPPORTED_VERSION or type(error) is not dict:
        return None
    data = error.get("data")
    data = data if isinstance(data, dict) else {}
    supported = data.get("supported")
    named = isinstance(supported, list) and all(isinstance(v, str) for v in supported)
    absent = "data.supported" if not named else "data.requested" if "requested" not in data else ""
    lacks = f", but the error lacks {absent}" if absent else ""
    return hit(
        message.number,
        level=Level.ERROR if absent else None,
        requested=quote(str(data.get("requested", request.version)), 40),
        lacks="" if named else lacks,
        supported=f"it speaks {listed(supported)}{lacks}" if named and isinstance(supported, list) else "",
    )


@rule(
    "discover-missing",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 server/discover: servers must implement it",
    says="The server answers requests of 2026-07-28, but not server/discover (record {n}: -32601)",
    leads_to="clients that know both eras take it for an old one",
    remedy="Implement server/discover.",
    needs_start=True,
)
def discover_missing(session: Session) -> Hits:
    probe = session.stateless.discover
    if probe is None or probe.error_code != METHOD_NOT_FOUND or not session.stateless.enveloped_results:
        return None
    return hit(probe.answer)


@rule(
    "discover-unanswered",
    handshake(Level.WARNING),
    side=SERVER,
    on="state",
    stage=Stage.LIFECYCLE,
    source=f"2026-07-28 basic/transports/stdio; {observed(Fault.NO_DISCOVER_RESPONSE)}",
    says="The server did not answer server/discover (record {n}){wait?}, so each start wastes the time that the client waits before it falls back to initialize",
    remedy="Answer unknown requests with -32601.",
    requires="times",
    fault=Fault.NO_DISCOVER_RESPONSE,
    needs_start=True,
)
def discover_unanswered(session: Session) -> Hits:
    probe, opening = session.stateless.discover, session.handshake.initialize
    if probe is None or opening is None or not session.handshake.done or probe.number > opening.number:
        return None
    if probe.answer is not None and probe.answer < opening.number:
        return None
    waited = opening.t_us - probe.t_us
    if (session.timed and waited <= PROBE_US) or (not session.timed and probe.answer is not None):
        return None
    wait = f" within {session.lasting(waited)}" if session.timed else ""
    return hit(probe.number, wait=wait, reaction_seen=session.timed)


@rule(
    "exit-on-probe",
    Level.WARNING,
    side=SERVER,
    on="event exit",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/transports/stdio; observed: Rust servers end on a first request that they do not know",
    says="The server ended ({ending}) on server/discover (record {n}), before it answered anything",
    leads_to="clients that probe in the same process cannot fall back",
    remedy="Answer unknown requests with -32601 and go on.",
    requires="process",
    transports=STDIO_ONLY,
    explains="server-exited-early",
    judges_probes=True,
    needs_start=True,
)
def exit_on_probe(session: Session, _event: Event) -> Hits:
    first, process = session.traffic.first_request, session.process
    if first is None or first.method != "server/discover" or session.traffic.first_answer is not None:
        return None
    if process.client_closed is not None or process.signals or not session.traffic.only_discover:
        return None
    if reason_of_end(last_words(stderr_of(process)).telling, process.exit_code):
        return None  # it had another reason, which server-exited-early names
    return hit(first.number, ending=process.ending)


@rule(
    "era-no-fallback",
    Level.ERROR,
    side=CLIENT,
    on="state",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/versioning: which client works with which server",
    says="{why?}server/discover (record {n}) {answer}, and the client left{then?}",
    remedy="Upgrade the server, or use a client that falls back to initialize.",
    requires="whole",
    judges_probes=True,
    needs_start=True,
    loses_request=True,
)
def era_no_fallback(session: Session) -> Hits:
    probe, process = session.stateless.discover, session.process
    if (
        probe is None
        or not session.ended
        or not session.traffic.only_discover
        or session.stateless.discovered is not None
    ):
        return None
    if session.sibling or (session.sibling is None and str(probe.id).startswith(SIBLING_PROBE)):
        return None
    if process.client_closed is None and not process.signals and session.timed:
        return None
    if probe.state == ERROR:
        if probe.error_code == UNSUPPORTED_VERSION:
            return None
        return hit(
            probe.number,
            why="The client speaks only 2026-07-28, the server only the handshake (initialize): ",
            answer=f"was refused ({probe.error_code})",
        )
    waited = session.end_us - probe.t_us
    if probe.state != PENDING or (session.timed and waited <= PROBE_US):
        return None  # what is still starting may speak any revision
    return hit(
        probe.number,
        answer=f"had no answer in {session.lasting(waited)}" if session.timed else "had no answer",
        then=" without trying the handshake (initialize)",
    )


@rule(
    "era-legacy-client",
    Level.ERROR,
    side=SERVER,
    on="s2c error initialize",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/versioning",
    says="The server serves only 2026-07-28{process?} and refused initialize (record {n}: {code})",
    leads_to="clients of the handshake have no way forward{there?}",
    remedy="Add the handshake to the server, or pin a version of it that has one.",
    loses_request=True,
)
def era_legacy_client(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or (
        request.error_code != UNSUPPORTED_VERSION and session.stateless.discovered is None
    ):
        return None
    discover, code = session.stateless.discover, as_json(request.error_code)
    if discover is not None and discover.number < request.number:
        # Libraries hold a process to the era of its first message; what it says to a fresh one is not known.
        return hit(
            message.number,
            code=code,
            process=f" in this process, which began with server/discover (record {discover.number}),",
            there=" in it",
            remedy="Let it start in less time than the client waits for server/discover, or take initialize "
            "behind that as well.",
        )
    return hit(message.number, code=code)


@rule(
    "era-wrong-fallback",
    handshake(Level.WARNING) | unknown(Level.WARNING),
    side=CLIENT,
    on="c2s request initialize",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/transports/stdio",
    says="The client fell back to initialize (record {n}) although the server speaks 2026-07-28{how?}",
    remedy="Go on with requests of 2026-07-28.",
    needs_start=True,
)
def era_wrong_fallback(session: Session, message: Message) -> Hits:
    probe, supported = session.stateless.discover, session.stateless.supported
    if probe is None or supported is None or not any(looks_stateless(v) for v in supported):
        return None
    how = "" if session.stateless.discovered is not None else " and only refused the version asked for"
    return hit(message.number, how=how)


@rule(
    "era-mixed",
    Level.WARNING,
    side=CLIENT,
    on="c2s request",
    stage=Stage.LIFECYCLE,
    source="2026-07-28 basic/versioning; observed: Python SDK 2.3.0 refuses the second era with -32600 or -32022",
    says="One connection mixes both eras: {method} (record {n}) {what}",
    remedy="Keep to the era in which the connection began.",
    yields_to="era-wrong-fallback",
    needs_start=True,
    odd_only=True,
)
def era_mixed(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None:
        return None
    if request.is_stateless and session.handshake.done:
        return hit(
            message.number,
            method=message.method,
            what="is a request of 2026-07-28 after initialize succeeded",
        )
    if request.method == "initialize" and session.stateless.enveloped_results and not session.handshake.done:
        return hit(
            message.number, method=message.method, what="came after requests of 2026-07-28 were answered"
        )
    return None


@rule(
    "result-type-missing",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source=f"{BASIC}: results",
    says="The result of {method} (record {n}) lacks resultType",
    leads_to='clients fall back to "complete"',
    remedy='Put "resultType": "complete" into every result.',
)
def result_type_missing(_session: Session, message: Message) -> Hits:
    result = message.result
    if type(result) is not dict or isinstance(result.get("resultType"), str) or message.request is None:
        return None
    return hit(message.number, message.request.method, method=message.request.method)


@rule(
    "result-type-unknown",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source=f"{BASIC}: results",
    says="The result of {method} (record {n}) has the unknown resultType {kind}",
    leads_to="the client must treat it as invalid",
    remedy='Use "complete" or "input_required", or declare the extension that defines others.',
)
def result_type_unknown(session: Session, message: Message) -> Hits:
    result, request = message.result, message.request
    kind = result.get("resultType") if type(result) is dict else None
    if not isinstance(kind, str) or kind in message.revision.result_types or request is None:
        return None
    asked = session.client_capabilities_for(request) or {}
    extended = session.has_extensions or asked.get("extensions") or asked.get("experimental")
    return hit(
        message.number, level=Level.INFO if extended else None, method=request.method, kind=as_json(kind)
    )


@rule(
    "cache-hints-missing",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source="2026-07-28 server/utilities/caching",
    says="The result of {method} (record {n}) lacks {key}",
    leads_to="{effect?}",
    remedy="Send ttlMs (a whole number of milliseconds, 0 or more) and cacheScope (public or private).",
)
def cache_hints_missing(_session: Session, message: Message) -> Hits:
    request, result = message.request, message.result
    if request is None or request.method not in message.revision.cacheable or type(result) is not dict:
        return None
    if result.get("resultType", COMPLETE) != COMPLETE:
        return None
    if request.method in SHOWN_WITHOUT_HINTS and not {"ttlMs", "cacheScope"} & result.keys():
        return hit(
            message.number,
            request.method,
            level=Level.INFO,
            method=request.method,
            key=listed(["ttlMs", "cacheScope"]),
        )
    ttl = result.get("ttlMs")
    missing = []
    if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
        missing.append("ttlMs")
    if result.get("cacheScope") not in ("public", "private"):
        missing.append("cacheScope")
    if not missing:
        return None
    effect = "clients that know the types of this revision reject the result"
    return hit(message.number, request.method, method=request.method, key=listed(missing), effect=effect)


@rule(
    "cache-scope-mixed",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source="2026-07-28 server/utilities/caching",
    says="The pages of {method} differ in cacheScope (record {n})",
    remedy="Give all pages of one list the same scope.",
)
def cache_scope_mixed(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.method not in LISTS:
        return None
    walk = session.listings.of[request.method].walk
    if walk is None or not walk.scope_changed:
        return None
    return hit(message.number, request.method, method=request.method)


@rule(
    "server-request-stateless",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c request",
    stage=Stage.CAPABILITY,
    source="2026-07-28 basic/transports/stdio: the server must not send requests",
    says="The server sent {method} as a request (record {n})",
    leads_to="clients of 2026-07-28 never answer one",
    remedy="Return a result with resultType input_required instead.",
    requires="directions",
    needs_start=True,
)
def server_request_stateless(session: Session, message: Message) -> Hits:
    return hit(message.number, message.method, method=message.method) if session.is_stateless else None


@rule(
    "client-response-stateless",
    Level.ERROR,
    side=CLIENT,
    on="c2s result, c2s error, c2s unmatched, c2s unreadable",
    stage=Stage.CAPABILITY,
    source="2026-07-28 basic/transports/stdio",
    says="The client sent a response (record {n})",
    leads_to="in 2026-07-28 a client sends only requests and notifications",
    remedy="Put the answers into inputResponses of a retry.",
    requires="directions",
    needs_start=True,
)
def client_response_stateless(session: Session, message: Message) -> Hits:
    return hit(message.number) if session.is_stateless else None


@rule(
    "capability-needed",
    stateless(Level.WARNING),
    side=CLIENT,
    on="s2c error",
    stage=Stage.CAPABILITY,
    source=f"{BASIC}: error -32021",
    says="{method} (record {n}) needs a client capability: {needs}",
    remedy="Declare it in clientCapabilities of the request, or do without this call.",
)
def capability_needed(_session: Session, message: Message) -> Hits:
    request, error = message.request, message.error
    if request is None or request.error_code != MISSING_CLIENT_CAPABILITY or type(error) is not dict:
        return None
    data = error.get("data")
    needed: Any = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if isinstance(needed, dict | list) and needed:
        return hit(message.number, method=request.method, needs=listed([str(key) for key in needed]))
    needs = "the error does not say which (data.requiredCapabilities is absent)"
    return hit(message.number, level=Level.ERROR, side=SERVER, method=request.method, needs=needs)
