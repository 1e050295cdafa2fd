"""Framing and encoding: what has to be right before anything is a message."""

from __future__ import annotations

from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import everywhere, only, since, unknown
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, LAUNCH, SERVER, STDIO_ONLY, Hits, Stage, hit
from mcptap.diagnosis.explain.launchers import login_shell, terminal_hint
from mcptap.diagnosis.explain.origin import LENGTH_HEADER, origin_of
from mcptap.diagnosis.explain.wording import answer_of, called, in_words, quote
from mcptap.diagnosis.rules.common import (
    JOINED_REMEDY,
    STDIN_REMEDY,
    UNANSWERED,
    name_of,
    side_of,
    stray_remedy,
)
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import MESSAGES, TEXT, Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.format.lines import BEGINS
from mcptap.text.sentences import snippet, telling_line
from mcptap.text.units import size
from mcptap.wire import SERVER_TO_CLIENT, other_side

STDIO = "all revisions, basic/transports: stdio"

LONG = 1 << 20
"""From how many bytes on a line is remarkable."""
TOO_LONG = 10 << 20
"""From how many bytes on clients built on the TypeScript SDK close the connection."""
LETTERS = 500
"""Of so many characters of a line the letters are counted: of a banner, the line that has most is shown."""
AROUND_MESSAGE = 50
"""How many characters are shown of the text beside a message."""


def broken_of(message: Message) -> Broken:
    """What stands in a line that is no message."""
    if message.broken is None:
        message.broken = Broken(message.line.data)
    return message.broken


def intended(session: Session, message: Message, values: list[dict[str, Any]]) -> str:
    """What the broken line was meant to be, in words."""
    for value in values:
        key = value.get("id")
        if isinstance(value.get("method"), str):
            return str(value["method"]) + (f" (id {spell_id(key)})" if _is_id(key) else "")
        if _is_id(key):
            request = _asked(session, message, key)
            name = f"{request.method} " if request is not None else ""
            return f"the reply to {name}(id {spell_id(key)})"
    return "a message"


def _is_id(key: object) -> bool:
    return isinstance(key, int | str) and not isinstance(key, bool)


def _asked(session: Session, message: Message, key: object) -> Request | None:
    assert isinstance(key, int | str)
    return session.requests.open[other_side(message.channel)].get(key)


@rule(
    "stderr-joined",
    Level.ERROR,
    side=LAUNCH,
    on="s2c frame text, s2c frame scalar, s2c frame malformed",
    stage=Stage.LAUNCH,
    source=f"{STDIO}: a server may write to stderr, and must not write anything to stdout that is not a message",
    says="stdout and stderr of the server are one by how it was started (2>&1, stderr=STDOUT)",
    leads_to='what it writes to stderr reaches the client among the messages, as record {n} may have ("{shown}")',
    remedy=JOINED_REMEDY,
    transports=STDIO_ONLY,
    fault=Fault.NOT_JSON,
    explains="stdout-not-json stdout-glued frame-not-object message-shape",
    about_pollution=True,
)
def stderr_joined(session: Session, message: Message) -> Hits:
    if not session.process.is_joined:
        return None
    return hit(message.number, shown=quote(broken_of(message).text))


@rule(
    "stdout-not-json",
    Level.ERROR,
    side=SERVER,
    on="s2c frame text, s2c rejected",
    stage=Stage.FRAMING,
    source=f"{STDIO}: a server must not write anything to stdout that is not a message",
    says="Record {n} on stdout is not MCP ({shown}){hint?}",
    leads_to="{late?}",
    brief="{who} on stdout, where only MCP may stand",
    remedy="Send everything that is no message to stderr.",
    transports=STDIO_ONLY,
    fault=Fault.NOT_JSON,
    yields_to="stdout-glued invalid-utf8",
    about_pollution=True,
)
def stdout_not_json(session: Session, message: Message) -> Hits:
    if message.line.known == BEGINS:
        begin = quote(message.line.data.decode(errors="replace"))
        line = f'a line that began "{begin}"' if begin else "a line of which its log does not quote anything"
        return hit(
            message.number,
            remedy=stray_remedy(session) or "",
            shown=f"the client rejected {line}",
            who=f"The client rejected {line if any(map(str.isalnum, begin)) else 'a line'}",
        )
    broken = broken_of(message)
    if broken.bom and (broken.value is not NOT_JSON or not broken.text.strip()):
        return None  # but for its byte-order mark it would be JSON
    if broken.constant:
        return None  # but for one value it would be a message
    origin = origin_of(broken.text)
    is_dict = broken.torn and broken.text.lstrip().startswith("{'")
    if is_dict:
        origin = "it is a printed Python dict, not JSON"
    shell = login_shell(session.process.argv) if session.traffic.first_answer is None else ""
    if shell and not origin:
        origin = f"`{shell}` reads the user's profile first, and what that prints stands here: use -c alone"
    return hit(
        message.number,
        level=Level.INFO if session.nobody_waits and not message.lost else None,
        remedy=stray_remedy(session)
        or ("Write the message with json.dumps(…)." if is_dict else _framing_remedy(broken)),
        telling=sum(map(str.isalpha, broken.text[:LETTERS])),
        shown=f'"{quote(broken.text)}"',
        who=f'The server printed "{quote(broken.text)}"',
        hint=f": {origin}" if origin else "",
        late=_unreadable(message) or ("the client was gone by then" if session.nobody_waits else ""),
        reaction_seen=session.nobody_waits,
    )


@rule(
    "json-constant",
    Level.ERROR,
    side=SERVER,
    on="frame text",
    stage=Stage.FRAMING,
    source=f"RFC 8259 section 6: numbers that JSON has no digits for are not permitted; {observed(Fault.NOT_A_NUMBER)}",
    says="{Meant} holds {constant} (record {n}), which JSON does not have",
    brief="{Meant} holds {constant}, which JSON does not have",
    leads_to="who reads JSON to the letter drops the whole line",
    remedy="Write null, or leave the key out (in Python json.dumps(…, allow_nan=False) finds the place).",
    transports=STDIO_ONLY,
    fault=Fault.NOT_A_NUMBER,
)
def json_constant(session: Session, message: Message) -> Hits:
    broken = broken_of(message)
    if not broken.constant:
        return None
    meant = broken.meant if isinstance(broken.meant, list) else [broken.meant]
    words = intended(session, message, [value for value in meant if isinstance(value, dict)])
    return hit(message.number, side=side_of(message), meant=words, constant=broken.constant)


@rule(
    "stdout-echo",
    Level.ERROR,
    side=LAUNCH,
    on="s2c echo",
    stage=Stage.FRAMING,
    source=f"{STDIO}: a server must not write anything to stdout that is not a message; observed: ssh -tt, docker -t, cat",
    says="What the client sent (record {asked}) comes back on the server's stdout (record {n})",
    leads_to="the client takes its own requests for the server's; {why}",
    remedy="Start the server without a terminal: no `-t` for ssh or docker, no `tty: true` in compose.",
    requires="order directions framing",
    transports=STDIO_ONLY,
    explains=UNANSWERED,
)
def stdout_echo(session: Session, message: Message) -> Hits:
    why = terminal_hint(session.process.argv) or "a terminal is in between, or a program such as cat"
    return hit(message.number, asked=message.about or 0, why=why)


@rule(
    "stdout-glued",
    Level.ERROR,
    side=SERVER,
    on="s2c frame text",
    stage=Stage.FRAMING,
    source=f"{STDIO}: messages are delimited by newlines; {observed(Fault.GLUED_TEXT)}",
    says='Text without a newline of its own is glued to {meant} in record {n} ("{shown}"){hint?}',
    brief="{Sender} {glued}, so the line is no JSON",
    leads_to="clients drop the whole line{effect?}",
    remedy="Remove the print, or send it to stderr.",
    transports=STDIO_ONLY,
    fault=Fault.GLUED_TEXT,
)
def stdout_glued(session: Session, message: Message) -> Hits:
    broken = broken_of(message)
    if not broken.objects:
        return None
    origin = origin_of(broken.text)
    return hit(
        message.number,
        remedy=stray_remedy(session) or _framing_remedy(broken),
        meant=intended(session, message, broken.objects),
        shown=_around_message(broken.text),
        glued=_glued(broken, "its reply" if message.lost else "a message"),
        hint=f": {origin}" if origin else "",
        effect=_with_it(message),
    )


def _unreadable(message: Message) -> str:
    """What a line answers, if it was to be an answer, in a clause; empty if it was none."""
    request = message.request
    if not message.lost or request is None:
        return ""
    return f"{name_of(request)} (record {request.number}) was answered in record {message.number}, in a form that no client can read"


def _with_it(message: Message) -> str:
    if not message.lost:
        return ""
    unreadable = _unreadable(message)
    return ", and the answer in it" + (f": {unreadable}" if unreadable else "")


def _framing_remedy(broken: Broken) -> str:
    """What to do about headers in front of messages; empty if there are none."""
    if not LENGTH_HEADER.search(broken.text):
        return ""
    return "Write one message a line, without headers: use the stdio transport of an MCP SDK, not that of language servers."


def _glued(broken: Broken, message: str) -> str:
    """What was done that spoilt the line, as a verb: of the text beside a message, the telling line."""
    before, behind = (text.strip() for text in broken.beside)
    if not before and not behind:
        return f"wrote {len(broken.objects)} messages on one line"
    printed = snippet(telling_line(before or behind), 6, 40)
    return f'printed "{printed}" {"in front of" if before else "behind"} {message}'


def _around_message(text: str) -> str:
    """The part of a line that shows what stands beside the message."""
    text = text.strip()
    if text.startswith("{") and len(text) > AROUND_MESSAGE:
        return "…" + quote(text[-AROUND_MESSAGE:])
    return quote(text, AROUND_MESSAGE)


@rule(
    "embedded-newline",
    Level.ERROR,
    side=SERVER,
    on="pieces",
    stage=Stage.FRAMING,
    source=f"{STDIO}: messages must not contain embedded newlines; {observed(Fault.MESSAGE_OVER_LINES)}",
    says="{Meant} is pretty-printed over {count} lines, from record {n} on",
    brief="{Meant} is spread over {count} lines, and the other side reads line by line",
    leads_to="the other side reads line by line and never sees it",
    remedy="Serialise each message on one line (no indent).",
    requires="framing",
    transports=STDIO_ONLY,
    fault=Fault.MESSAGE_OVER_LINES,
)
def embedded_newline(session: Session, message: Message) -> Hits:
    broken = broken_of(message)
    pieces = broken.numbers
    assert broken.joined is not None
    words = intended(session, message, [broken.joined])
    return hit(
        pieces[0], side=side_of(message), more_records=tuple(pieces[1:]), meant=words, count=len(pieces)
    )


@rule(
    "utf8-bom",
    Level.ERROR,
    side=SERVER,
    on="frame text, frame bytes",
    stage=Stage.FRAMING,
    source=f"RFC 8259 section 8.1; {observed(Fault.BYTE_ORDER_MARK)}",
    says="Record {n} starts with a byte-order mark{where?}, so {victim} is unreadable for the other side",
    brief="A byte-order mark stands in front of {victim}, so it is no JSON",
    remedy="Write UTF-8 without a byte-order mark.",
    requires="framing",
    transports=STDIO_ONLY,
    fault=Fault.BYTE_ORDER_MARK,
)
def utf8_bom(session: Session, message: Message) -> Hits:
    broken = broken_of(message)
    if not broken.bom:
        return None
    first = session.traffic.first_line[message.channel] == message.number
    where = (
        " (the first bytes of the stream)" if first else " in the middle of the stream, as of a file appended"
    )
    victim = intended(session, message, broken.messages()) if broken.messages() else "whatever it holds"
    return hit(message.number, side=side_of(message), where=where, victim=victim)


@rule(
    "invalid-utf8",
    everywhere(Level.ERROR) | only("2024-11-05", Level.WARNING),
    side=SERVER,
    on="frame text, frame bytes",
    stage=Stage.FRAMING,
    source=f"2025-03-26 and later, basic/transports: messages must be UTF-8; {observed(Fault.INVALID_UTF8)}",
    says="Record {n} is not UTF-8 but looks like {encoding}",
    brief="What {sender} wrote is not UTF-8 but looks like {encoding}",
    leads_to="{effect}",
    remedy="Force UTF-8 on standard output (PYTHONIOENCODING=utf-8, [Console]::OutputEncoding, chcp 65001).",
    requires="framing",
    transports=STDIO_ONLY,
    fault=Fault.INVALID_UTF8,
    yields_to="stdin-not-json",
)
def invalid_utf8(_session: Session, message: Message) -> Hits:
    broken = broken_of(message)
    if message.kind is TEXT and not broken.utf16:
        return None
    if broken.utf16 or broken.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        fault = Fault.UTF16
        encoding = "UTF-16 (every second byte is zero), as PowerShell writes it"
        effect = f"no {'client' if message.channel == SERVER_TO_CLIENT else 'server'} can read it"
    else:
        fault = Fault.INVALID_UTF8
        encoding = "Latin-1 or Windows-1252"
        effect = "its reader shows broken letters, or stops"
        if message.channel == SERVER_TO_CLIENT:
            effect = "Python clients read nothing more, TypeScript and C# clients show broken letters"
    return hit(
        message.number,
        side=side_of(message),
        remedy="" if message.channel == SERVER_TO_CLIENT else "Write UTF-8 to the server's input.",
        fault=fault,
        encoding=encoding,
        effect=effect,
    )


@rule(
    "batch-array",
    since("2025-06-18", Level.ERROR) | unknown(Level.ERROR) | only("2024-11-05", Level.WARNING),
    side=SERVER,
    on="frame batch",
    stage=Stage.FRAMING,
    source="2025-06-18 changelog: batches removed; 2024-11-05 schema has no array",
    says="A batch of {count} messages arrived in record {n} under {revision}, which has no batches",
    brief="{Sender} sent a batch of {count} messages, and {revision} has no batches",
    leads_to="{effect?}",
    remedy="Send one object a line.",
    requires="client",
    fault=Fault.BATCH,
)
def batch_array(_session: Session, message: Message) -> Hits:
    count = len(message.line.value)
    return hit(
        message.number,
        side=side_of(message),
        count=count,
        revision=message.revision or "an unknown revision",
        effect="the clients of the SDKs drop it whole" if message.channel == SERVER_TO_CLIENT else "",
    )


@rule(
    "batch-b",
    only("2025-03-26", Level.INFO),
    side=SERVER,
    on="frame batch",
    stage=Stage.FRAMING,
    source=f"2025-03-26 basic (batching) and lifecycle (initialize must not be in one); {observed(Fault.BATCH)}",
    says="Record {n} is a batch: allowed in 2025-03-26, but today's SDK clients ignore it",
    brief="{Sender} sent a batch: allowed in 2025-03-26, but today's SDK clients ignore it",
    leads_to="{why?}",
    remedy="Send one object a line.",
    fault=Fault.BATCH,
)
def batch_b(_session: Session, message: Message) -> Hits:
    value = message.line.value
    fault = ""
    if not value:
        fault = "this one is empty, which is no batch"
    elif any(isinstance(entry, dict) and entry.get("method") == "initialize" for entry in value):
        fault = "initialize must not be part of one"
    return hit(message.number, side=side_of(message), level=Level.ERROR if fault else None, why=fault)


@rule(
    "frame-not-object",
    Level.ERROR,
    side=SERVER,
    on="frame scalar",
    stage=Stage.FRAMING,
    source=STDIO,
    says="Record {n} is the bare value {shown}, which is no message{instead?}",
    leads_to="it is dropped",
    brief="{Sender} wrote the bare value {shown}, which is no message",
    remedy="Find the stray print; send it to stderr.",
    transports=STDIO_ONLY,
    yields_to="stdin-not-json",
    about_pollution=True,
    fault=Fault.BARE_VALUE,
)
def frame_not_object(session: Session, message: Message) -> Hits:
    about = session.requests.notification_before(message)
    return hit(
        message.number,
        side=side_of(message),
        shown=quote(message.line.data.decode(errors="replace"), 40),
        instead=""
        if about is None
        else f": it stands where an answer to the notification {about.method} (record {about.number}) would",
        remedy="Answer no notification, not with an empty value either."
        if about is not None
        else stray_remedy(session, message),
    )


@rule(
    "stdin-not-json",
    Level.ERROR,
    side=CLIENT,
    on="c2s frame text, c2s frame bytes",
    stage=Stage.FRAMING,
    source=f"{STDIO}; observed: TypeScript and Python servers stay silent about it, C# answers where it finds an id",
    says='The client wrote something to the server\'s stdin that is not JSON (record {n}: "{shown}")',
    leads_to="SDK servers stay silent about such a line",
    remedy=STDIN_REMEDY,
    transports=STDIO_ONLY,
    yields_to="utf8-bom json-constant",
    explains=UNANSWERED,
)
def stdin_not_json(_session: Session, message: Message) -> Hits:
    return hit(message.number, shown=quote(broken_of(message).text))


@rule(
    "line-unterminated",
    Level.WARNING,
    side=SERVER,
    on="s2c line",
    stage=Stage.FRAMING,
    source=STDIO,
    says="The server's last line ({size}, record {n}) has no newline, so {victim} was never delivered",
    remedy="End each message with a newline and flush; do not exit before all is written.",
    requires="framing",
    transports=STDIO_ONLY,
)
def line_unterminated(_session: Session, message: Message) -> Hits:
    if message.line.eol or not message.line.data.strip():
        return None
    if not message.line.complete:  # the recording breaks off here: the rest may have come
        return None
    whole = message.kind in MESSAGES
    victim = "this message" if whole else "whatever it was to be"
    return hit(
        message.number,
        level=Level.ERROR if whole else None,
        size=size(len(message.line.data)),
        victim=victim,
    )


@rule(
    "blank-line",
    Level.INFO,
    side=SERVER,
    on="frame blank",
    stage=Stage.FRAMING,
    source=observed(Fault.BLANK_LINE),
    says="Record {n} is a blank line",
    leads_to="harmless, but some peers log an error for each",
    remedy="Leave blank lines out.",
    requires="framing",
    transports=STDIO_ONLY,
    fault=Fault.BLANK_LINE,
)
def blank_line(_session: Session, message: Message) -> Hits:
    return hit(message.number, side=side_of(message))


@rule(
    "crlf",
    Level.INFO,
    side=SERVER,
    on="line",
    stage=Stage.FRAMING,
    source=observed(Fault.CRLF),
    says="Lines end with CR LF (first: record {n})",
    leads_to="all known SDKs accept that",
    requires="framing",
    transports=STDIO_ONLY,
    fault=Fault.CRLF,
)
def crlf(_session: Session, message: Message) -> Hits:
    if message.line.eol != b"\r\n":
        return None
    return hit(message.number, message.channel, side=side_of(message))


@rule(
    "line-too-long",
    Level.INFO,
    side=SERVER,
    on="s2c line",
    stage=Stage.FRAMING,
    source=observed(Fault.LONG_LINE),
    says="Record {n} ({what}) is {size} long",
    brief="{What} is {size} long{over?}",
    leads_to="{limit?}",
    remedy="Page the answer, or hand out a link to the data.",
    requires="framing",
    transports=STDIO_ONLY,
    fault=Fault.LONG_LINE,
)
def line_too_long(_session: Session, message: Message) -> Hits:
    length = len(message.line.data)
    if length < LONG:
        return None
    over = length >= TOO_LONG
    return hit(
        message.number,
        level=Level.WARNING if over else None,
        what=in_words(message),
        size=size(length),
        over=", more than some clients take" if over else "",
        limit="clients built on the TypeScript SDK close the connection above 10 MiB" if over else "",
    )


@rule(
    "stdout-not-flushed",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FRAMING,
    source="observed: block-buffered stdout, the usual state of a pipe",
    says="{method} (record {asked}) was answered only {late} later, in record {n}, at the moment when {moment}: the server's stdout is buffered and is not flushed",
    brief="{Answer} came only {late} later, when {moment}: the server's stdout is buffered",
    remedy="Flush after each message (python -u or flush=True, setvbuf, stdbuf -oL).",
    requires="times process",
    transports=STDIO_ONLY,
    fault=Fault.UNFLUSHED,
    explains=f"response-slow {UNANSWERED}",
    loses_request=True,
)
def stdout_not_flushed(session: Session) -> Hits:
    hits = []
    for request, moment in session.timing.held_answers(session.process):
        hits.append(
            hit(
                request.answer,
                method=request.method,
                answer=f"the answer of {called(request)}" if request.tool else answer_of(request),
                asked=request.number,
                late=session.lasting(request.answered_us - request.t_us),
                moment=moment,
                reaction_seen=session.process.client_closed is not None,
            )
        )
    return hits


@rule(
    "line-separator",
    Level.ERROR,
    side=CLIENT,
    on="state",
    stage=Stage.FRAMING,
    source=f"{STDIO}: messages are delimited by newlines; RFC 8259 section 7 allows U+2028, U+2029 and U+0085 in strings",
    says="Record {n} holds {name} as it is, which is no end of a line for MCP{lost?}",
    brief="A message holds {name}{taken?}",
    leads_to="{harm?}",
    remedy="Split lines at LF alone (in Python not by str.splitlines); until then the writer can escape it, as \\uXXXX.",
    requires="framing",
    transports=STDIO_ONLY,
    explains=f"cancel-unknown {UNANSWERED}",
)
def line_separator(session: Session) -> Hits:
    hits = []
    separators = session.separators
    for channel, (number, name) in separators.first.items():
        loss = separators.losses.get(channel)
        reader, side = ("client", CLIENT) if channel == SERVER_TO_CLIENT else ("server", SERVER)
        if loss is None:
            harm = f"a {reader} that splits there would lose it"
            hits.append(hit(number, channel, level=Level.INFO, side=side, name=name, harm=harm))
        elif loss.request is not None:
            lost = (
                f": the answer to {name_of(loss.request)} never reached the client, which gave the request"
                f" up as timed out all the same (record {loss.shown_by})"
            )
            harm = "it splits lines there" if loss.number == number else ""
            taken = f", where the client cut the answer to {name_of(loss.request)}"
            hits.append(hit(loss.number, channel, side=side, name=name, lost=lost, taken=taken, harm=harm))
        else:
            lost = (
                f": the server read it as several lines, and refused them one by one (record {loss.shown_by})"
            )
            taken = ", where the server cut the line, and refused the pieces"
            hits.append(hit(loss.number, channel, side=side, name=name, lost=lost, taken=taken))
    return hits


@rule(
    "http2-on-stdio",
    Level.INFO,
    side=CLIENT,
    on="state",
    stage=Stage.LAUNCH,
    source="RFC 9113 section 3.4: the connection preface of HTTP/2; MCP's roadmap of August 2026",
    says="The client's stream begins as HTTP/2 does (record {n}): this is HTTP/2 over stdio, which is recorded and not judged",
    transports=STDIO_ONLY,
)
def http2_on_stdio(session: Session) -> Hits:
    number = session.traffic.http2
    return None if number is None else hit(number)
