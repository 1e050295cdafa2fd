"""JSON-RPC 2.0: is it a message, and does a response belong to a request?"""

from __future__ import annotations

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.clients.recognition import recognise
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import stateless
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import as_json, in_words, quote
from mcptap.diagnosis.rules.common import UNANSWERED, sender, side_of, stray_remedy
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import MEMBERS, RESPONSE, Flaw, Match, Message
from mcptap.protocol.model.requests import Homeless
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import KNOWN, REQUESTS
from mcptap.protocol.schema.values import typed
from mcptap.recording.format.model import Event
from mcptap.wire import CLIENT_TO_SERVER

BASIC = "all revisions, basic: messages"
JSON_RPC = "JSON-RPC 2.0"


@rule(
    "jsonrpc-version",
    Level.ERROR,
    side=SERVER,
    on="flaw version",
    stage=Stage.SHAPE,
    source=f"{BASIC}; {observed(Fault.JSONRPC_VERSION)}",
    says='{What} (record {n}) {wrong} "jsonrpc": "2.0"',
    leads_to="every SDK discards such a message",
    remedy='Put "jsonrpc": "2.0" (a string) into every message.',
    fault=Fault.JSONRPC_VERSION,
    explains=UNANSWERED,
)
def jsonrpc_version(_session: Session, message: Message) -> Hits:
    value = message.line.value
    wrong = f'has "jsonrpc": {as_json(value["jsonrpc"])} instead of' if "jsonrpc" in value else "lacks"
    return hit(message.number, side=side_of(message), what=in_words(message), wrong=wrong)


@rule(
    "message-shape",
    Level.ERROR,
    side=SERVER,
    on="frame malformed, flaw bad params, event log",
    stage=Stage.SHAPE,
    source=f"{JSON_RPC} sections 4 and 5; schema of all revisions; the log of the client that rejected it",
    says="Record {n} is JSON but no message of JSON-RPC ({why})",
    brief="{Sender} sent JSON that is no message ({why})",
    leads_to="{effect?}",
    remedy="If it is a log line, send it to stderr; if it was meant as a message, correct its shape.",
    about_pollution=True,
)
def message_shape(session: Session, message: Message | Event) -> Hits:
    if isinstance(message, Event):
        return _rejected(session, message)
    level = None
    remedy = stray_remedy(session, message)
    if Flaw.BAD_PARAMS in message.flaws:
        remedy = "Send params as an object, or leave them out."
        params = message.line.value["params"]
        why = f"params of {message.method} is {typed(params)}, not an object"
        client = recognise(session).client if message.channel == CLIENT_TO_SERVER else None
        if client is not None and params is None and client.habits.null_params.value:
            level = Level.INFO
            remedy = f"None is needed in the server: {client.name} sends so to each."
        subject = message.method if message.method in KNOWN else "params"
    elif Flaw.BAD_METHOD in message.flaws:
        remedy = "Name the method in a string."
        why, subject = f"method is {typed(message.line.value['method'])}, not a string", "method"
    else:
        keys = ", ".join(quote(str(key), 20) for key in list(message.line.value)[:6])
        why, subject = f"it has neither method nor result nor error, but {keys or 'nothing'}", ""
        if "level" in message.line.value or "msg" in message.line.value:
            why += "; it looks like a structured log line"
    return hit(
        message.number,
        subject,
        level=level,
        side=side_of(message),
        remedy=remedy,
        why=why,
        effect="" if Flaw.BAD_PARAMS in message.flaws else "no receiver can use it",
    )


def _rejected(session: Session, event: Event) -> Hits:
    """A line that is not in the log of a client, which tells why it could not use it."""
    if "rejected" not in event.fields:
        return None
    why = f"so the client that rejected it says: {quote(event.fields['text'])}"
    return hit(event.number, remedy=stray_remedy(session), why=why, effect="no tool and no model saw it")


@rule(
    "response-result-and-error",
    Level.ERROR,
    side=SERVER,
    on="flaw result and error",
    stage=Stage.SHAPE,
    source=f"2024-11-05 to 2025-06-18 basic: responses; schema of 2025-11-25 and 2026-07-28; {observed(Fault.RESULT_AND_ERROR)}",
    says="{What} (record {n}) has a result and an error",
    leads_to="its receiver cannot tell success from failure",
    remedy="Send one of the two.",
    fault=Fault.RESULT_AND_ERROR,
)
def response_result_and_error(_session: Session, message: Message) -> Hits:
    return hit(message.number, side=side_of(message), what=in_words(message))


@rule(
    "response-null-member",
    Level.ERROR,
    side=SERVER,
    on="flaw null member",
    stage=Stage.SHAPE,
    source=f"{JSON_RPC} section 5 (the other member must not exist); {observed(Fault.NULL_MEMBER)}",
    says='{What} (record {n}) carries "{member}": null',
    leads_to="the TypeScript SDK throws such a reply away",
    remedy="Leave out members that are null.",
    fault=Fault.NULL_MEMBER,
)
def response_null_member(_session: Session, message: Message) -> Hits:
    member = "error" if message.line.value.get("error") is None else "result"
    return hit(message.number, message.method, side=side_of(message), what=in_words(message), member=member)


@rule(
    "message-extra-member",
    Level.WARNING,
    side=SERVER,
    on="flaw extra member",
    stage=Stage.SHAPE,
    source=observed(Fault.EXTRA_MEMBER),
    says='{What} (record {n}) has "{key}" at its top, which no message of JSON-RPC has',
    leads_to="{effect?}",
    remedy="Move it into _meta of params or of the result.",
    requires="directions",
    fault=Fault.EXTRA_MEMBER,
)
def message_extra_member(_session: Session, message: Message) -> Hits:
    extra = [key for key in message.line.value if key not in MEMBERS[message.kind]]
    key = quote(str(extra[0]), 40)
    misplaced = key == "_meta"
    return hit(
        message.number,
        key,
        side=side_of(message),
        what=in_words(message),
        key=key,
        effect="nobody looks for it there" if misplaced else "",
        remedy=f"Move it into {'the result' if message.kind is RESPONSE else 'params'}." if misplaced else "",
    )


@rule(
    "id-null",
    Level.ERROR,
    side=CLIENT,
    on="flaw null id",
    stage=Stage.SHAPE,
    source=f"{BASIC}: the id must not be null; observed: C# rejects it, TypeScript drops it, Python 1.x takes it for a notification",
    says="{method} (record {n}) was sent with id null: neither a notification nor a valid request, which SDK peers do not answer",
    remedy="Give each request an id of its own; leave the key out for a notification.",
    explains="result-without-id",
)
def id_null(_session: Session, message: Message) -> Hits:
    return hit(message.number, message.method, side=side_of(message), method=message.method)


@rule(
    "id-type",
    Level.ERROR,
    side=CLIENT,
    on="flaw bad id",
    stage=Stage.SHAPE,
    source=f"{BASIC}: the id must be a string or an integer",
    says="The id {id} of {what} (record {n}) has a type that MCP does not allow",
    remedy="Use a string or an integer.",
    explains=f"response-unknown-id {UNANSWERED}",
)
def id_type(_session: Session, message: Message) -> Hits:
    name = message.method or "a response"
    return hit(message.number, side=side_of(message), id=quote(spell_id(message.id), 40), what=name)


@rule(
    "id-reused",
    Level.ERROR,
    side=CLIENT,
    on="request",
    stage=Stage.SHAPE,
    source=f"{BASIC}: the id must not have been used before in this session (2026-07-28: while unanswered)",
    says="The id {id} of {method} (record {n}) was used before{where?}",
    leads_to="{effect?}",
    remedy="Count ids up and never use one twice on a connection.",
    requires="directions one_process",
    needs_start=True,
    explains=UNANSWERED,
    odd_only=True,
)
def id_reused(session: Session, message: Message) -> Hits:
    if message.match != Match.REUSED_OPEN and (
        message.match != Match.REUSED or message.revision.allows_ids_again
    ):
        return None
    before = session.requests.reused
    where = f", by {before.method} in record {before.number}, which still waits" if before is not None else ""
    return hit(
        message.number,
        side=side_of(message),
        id=spell_id(message.id),
        method=message.method,
        where=where,
        effect="the reply may reach the wrong call" if before is not None else "",
    )


@rule(
    "request-without-id",
    Level.ERROR,
    side=CLIENT,
    on="notification",
    stage=Stage.SHAPE,
    source=f"{BASIC}: a request must have an id; {JSON_RPC} section 4.1: a notification gets no reply",
    says="{method} was sent without an id (record {n}), which makes it a notification",
    leads_to="no peer has to answer it",
    remedy="Give each request an id of its own, and wait for the response with that id.",
    explains=f"initialize-not-first error-id-null result-without-id tools-never-listed {UNANSWERED}",
)
def request_without_id(_session: Session, message: Message) -> Hits:
    if message.method not in REQUESTS:
        return None
    return hit(message.number, message.method, side=side_of(message), method=message.method)


def homeless(session: Session, *, to_notification: bool) -> list[Homeless]:
    """Responses that came for nothing while requests waited, of which it is now known what they answered."""
    return [
        response
        for response in session.requests.homeless
        if response.to_notification == to_notification and (to_notification or session.ended)
    ]


@rule(
    "error-id-null",
    Level.INFO,
    side=SERVER,
    on="flaw no id, state",
    stage=Stage.SHAPE,
    source=f"{JSON_RPC} section 5; since 2025-11-25 the id of an error is optional; TypeScript drops id null",
    says="Record {n} is an error without an id: a message before it could not be read{about?}",
    requires="client",
    fault=Fault.ERROR_WITHOUT_ID,
    yields_to="notification-answered",
)
def error_id_null(session: Session, message: Message | None = None) -> Hits:
    if message is None:
        return [
            hit(response.number, side=sender(response.channel), about=f" (see record {response.about})")
            for response in homeless(session, to_notification=False)
            if response.error and response.id is None
        ]
    if message.error is None or message.match == Match.PERHAPS_TO_NOTIFICATION:
        return None
    about = f" (see record {message.about})" if message.about is not None else ""
    return hit(message.number, side=side_of(message), about=about)


@rule(
    "result-without-id",
    Level.ERROR,
    side=SERVER,
    on="flaw no id, state",
    stage=Stage.SHAPE,
    source=f"{BASIC}: a response carries the id of its request",
    says="Record {n} is a result without an id, which belongs to no request",
    brief="{Sender} sent a result without an id, which belongs to no request",
    leads_to="{what}",
    remedy="Copy the id of the request into the response; answer no notification.",
    yields_to="notification-answered",
    explains=UNANSWERED,
)
def result_without_id(session: Session, message: Message | None = None) -> Hits:
    lost = "its sender lost the id, or answered what had none"
    if message is None:
        return [
            hit(response.number, side=sender(response.channel), what=lost)
            for response in homeless(session, to_notification=False)
            if not response.error and response.id is None
        ]
    if message.error is not None or message.match == Match.PERHAPS_TO_NOTIFICATION:
        return None
    return hit(message.number, side=side_of(message), what=lost)


@rule(
    "notification-answered",
    Level.ERROR,
    side=SERVER,
    on="unmatched, state",
    stage=Stage.SHAPE,
    source=f"{BASIC}: the receiver of a notification must not send a response",
    says="Record {n} is an answer to {method}{about?}, a notification",
    brief="{Sender} answered {method}, which is a notification",
    leads_to="a strict receiver takes it for an error, and may drop the connection",
    remedy="Stay silent on messages without an id, known or not.",
    requires="order directions",
    needs_start=True,
)
def notification_answered(session: Session, message: Message | None = None) -> Hits:
    if message is None:
        return [
            hit(
                response.number,
                response.method,
                side=sender(response.channel),
                method=response.method,
                about=f" (record {response.about})",
            )
            for response in homeless(session, to_notification=True)
        ]
    if message.match != Match.TO_NOTIFICATION:
        return None
    about = f" (record {message.about})" if message.about is not None else ""
    return hit(message.number, message.method, side=side_of(message), method=message.method, about=about)


@rule(
    "response-unknown-id",
    Level.ERROR,
    side=SERVER,
    on="unmatched, state",
    stage=Stage.SHAPE,
    source=f"{BASIC}; {observed(Fault.UNKNOWN_ID)}",
    says="Record {n} is a reply for id {id}, which was never asked",
    brief="{Sender} sent a reply for id {id}, which was never asked",
    leads_to="if it was meant for a request, that one waits on",
    remedy="Copy the id of the request unchanged.",
    requires="directions whole",
    fault=Fault.UNKNOWN_ID,
    needs_start=True,
    yields_to="notification-answered",
    explains=UNANSWERED,
)
def response_unknown_id(session: Session, message: Message | None = None) -> Hits:
    if message is None:
        return [
            hit(response.number, side=sender(response.channel), id=quote(spell_id(response.id), 40))
            for response in homeless(session, to_notification=False)
            if response.id is not None
        ]
    if message.match != Match.UNKNOWN or session.echo.is_answer(message):
        return None
    return hit(message.number, side=side_of(message), id=quote(spell_id(message.id), 40))


@rule(
    "response-id-type",
    Level.ERROR,
    side=SERVER,
    on="unmatched",
    stage=Stage.SHAPE,
    source=f"{BASIC}: the same id; {observed(Fault.ID_TYPE)}",
    says="The reply to {method} (record {n}) turned id {asked} into {id}",
    leads_to="a strict receiver never matches it",
    remedy="Echo the id unchanged, with its JSON type.",
    requires="directions",
    fault=Fault.ID_TYPE,
)
def response_id_type(_session: Session, message: Message) -> Hits:
    if message.match != Match.OTHER_TYPE or message.request is None:
        return None
    return hit(
        message.number,
        side=side_of(message),
        method=message.request.method,
        asked=spell_id(message.request.id),
        id=spell_id(message.id),
    )


@rule(
    "response-duplicate",
    Level.ERROR,
    side=SERVER,
    on="unmatched",
    stage=Stage.SHAPE,
    source=f"{JSON_RPC} section 5; {BASIC}",
    says="Record {n} answers request {id}{which?} a second time",
    brief="{Sender} answered request {id}{which?} a second time",
    leads_to="if it was meant for another request, that one waits on",
    remedy="Send one response for each request, with its own id.",
    requires="directions",
    fault=Fault.DUPLICATE_RESPONSE,
    explains=UNANSWERED,
)
def response_duplicate(_session: Session, message: Message) -> Hits:
    if message.match != Match.DUPLICATE:
        return None
    request = message.request
    which = f" ({request.method}, answered in record {request.answer})" if request is not None else ""
    return hit(message.number, side=side_of(message), id=spell_id(message.id), which=which)


@rule(
    "error-shape",
    Level.ERROR,
    side=SERVER,
    on="error, unmatched",
    stage=Stage.SHAPE,
    source=f"{BASIC}: error.code is an integer, error.message a string",
    says="{What} (record {n}) is a malformed error: {why}",
    leads_to="its receiver may drop it, or show it empty",
    remedy="Send an integer code and a string message.",
    explains="initialize-error",
)
def error_shape(_session: Session, message: Message) -> Hits:
    error = message.error
    if message.is_outline:
        return None  # what is missing may be missing in the log alone
    if type(error) is dict:
        if type(error.get("code")) is int and type(error.get("message")) is str:
            return None
        key = "code" if type(error.get("code")) is not int else "message"
        why = f"{key} is {typed(error[key])}" if key in error else f"{key} is absent"
    elif error is None:
        return None
    else:
        why = f"error is {typed(error)}"
    return hit(message.number, side=side_of(message), what=in_words(message), why=why)


@rule(
    "error-code-unlisted",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c error",
    stage=Stage.CONTENT,
    source="2026-07-28 basic: error codes",
    says="The error for {method} (record {n}) has code {code}, which must not be sent in 2026-07-28{why?}",
    leads_to="{instead?}",
    remedy="Use -32602 for what is wrong with the request, -32603 for a failure of the server.",
)
def error_code_unlisted(_session: Session, message: Message) -> Hits:
    request = message.request
    code = request.error_code if request is not None else None
    if code is None or request is None:
        return None
    reserved = -32099 <= code <= -32020 and code not in (-32021, -32022)
    if not reserved and code not in (-32002, -32042):
        return None
    instead = "a missing resource is -32602" if code == -32002 else ""
    level, why = None, ""
    if code == -32020:
        level, why = Level.WARNING, ": it is for HTTP only"
    return hit(
        message.number, str(code), level=level, method=request.method, code=code, why=why, instead=instead
    )
