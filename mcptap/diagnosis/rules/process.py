"""The process: how it was started, and how it ended."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, LAUNCH, SERVER, STDIO_ONLY, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.last_words import LONGEST, last_words
from mcptap.diagnosis.explain.origin import reason_of_end
from mcptap.diagnosis.explain.wording import quote
from mcptap.diagnosis.rules.common import UNANSWERED, name_of, stderr_of
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.process import Process
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Event
from mcptap.text.enumeration import listed
from mcptap.text.units import duration
from mcptap.wire import CLIENT_TO_SERVER

LEAVE_US = 2_000_000
"""How long (µs) a server may take to end after its input was closed."""
BLOCKED_US = 5_000_000
"""From when on (µs) a server that does not read its input is remarkable."""

_UNFILLED = re.compile(r"\$\{[^{}]*\}|%[A-Za-z_][A-Za-z0-9_]+%")
_DOLLAR = re.compile(r"(?:^|[/=:])(\$[A-Z_][A-Z0-9_]*)")
_SHELLS = frozenset(
    {"sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "cmd.exe", "powershell", "pwsh", "powershell.exe"}
)
_CODE_FLAGS = frozenset({"-c", "-e", "--eval", "-p", "--print", "/c", "/C", "-Command", "-lc", "-ic"})
_PROMPTS = frozenset(
    {
        "PS1",
        "PS2",
        "PS3",
        "PS4",
        "PROMPT",
        "PROMPT_COMMAND",
        "RPROMPT",
        "LESSOPEN",
        "LESSCLOSE",
        "PATH",
        "Path",
    }
)
_MISSING_FILE = re.compile(
    r"no such file or directory|ENOENT|FileNotFoundError|cannot find the (?:file|path)|cannot find module|can't open file",
    re.I,
)
_QUOTED = re.compile(r"['\"`]([^'\"`\s]{1,300})['\"`]")
_ABSOLUTE = re.compile(r"(?:^|[\s:(])(?:/|[A-Za-z]:\\)\w")
_FILE_ENDING = re.compile(
    r"\.(?:json|jsonc|ya?ml|toml|ini|env|cfg|conf|py|m?js|cjs|ts|txt|md|db|sqlite3?|csv|xml|pem|key|sh)$",
    re.I,
)
_VARIABLE = re.compile(r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b")
_WANTED = re.compile(
    r"\brequired\b|\bnot set\b|\bis unset\b|\bmissing\b|\bundefined\b|\bmust be set\b|\bnot defined\b|\bplease set\b",
    re.I,
)
_FINE = re.compile(r"default|using|fall(?:ing)? ?back|optional|ignor|skip|disabl", re.I)

_TRANSPORT_CLOSED = 'the client has no server any more: its next call fails ("Transport closed")'


def _last_said(session: Session) -> str:
    """The last thing that the server said, for a sentence, with what it means."""
    process = session.process
    telling = last_words(stderr_of(process)).telling
    reason = reason_of_end(telling, process.exit_code)
    if telling:
        said = f'its last words: "{quote(telling, LONGEST)}"'
    elif session.timing.last_output is not None:
        said = f"it wrote nothing to stderr, and the last that it wrote to stdout is record {session.timing.last_output}"
    else:
        said = "it wrote not one byte, neither to stdout nor to stderr"
    return f"{said} ({reason})" if reason else said


def _remedy(session: Session) -> str:
    if last_words(stderr_of(session.process)).telling:
        return "Remove the cause that its last words name."
    return "Run the same command by hand, in the same folder and environment, and read what it says."


@rule(
    "server-exited-early",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LAUNCH,
    source="observed: clients say no more than failed, or connection closed",
    says='The server "{command}" {how} before it answered anything{error?}',
    leads_to='{words?}the agent only says "failed"',
    remedy="Run the same command by hand, in the same folder and environment, and read what it says.",
    requires="process whole",
    transports=STDIO_ONLY,
    fault=Fault.SERVER_EXIT,
    explains=UNANSWERED,
    judges_probes=True,
    loses_request=True,
)
def server_exited_early(session: Session) -> Hits:
    process = session.process
    command = quote(process.argv[0], 80) if process.argv else "?"
    failed = process.failed_to_start
    if failed is not None:
        error = str(failed.fields.get("error", ""))
        status = failed.fields.get("status")
        hint = "" if not isinstance(status, int) else f" (exit status {status})"
        return hit(
            failed.number,
            side=LAUNCH,
            command=command,
            how="could not be started, so it ended",
            error=(f": {quote(error, 300)}" if error else "") + hint,
            remedy="Correct the command in the client's configuration; an absolute path is safest.",
        )
    end = process.server_end
    if end is None or session.traffic.first_answer is not None or not process.server_ended_first:
        return None
    return hit(
        end.number if process.outlives_output or process.exit is None else process.exit.number,
        command=command,
        how=f"{_ended(process)} while the client was connected and",
        words=_last_said(session) + "; ",
        remedy=_remedy(session),
        quoted=last_words(stderr_of(process)).shown,
    )


def _ended(process: Process) -> str:
    """How the server ended, or that it only closed its output, as a verb."""
    if process.exit is not None and not process.outlives_output:
        return f"was ended by {process.ending}" if process.exit_signal else f"ended with {process.ending}"
    return (
        "closed its stdout, though its process went on," if process.outlives_output else "closed its stdout"
    )


@rule(
    "server-crashed",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source="handshake revisions, basic/lifecycle: shutdown; 2026-07-28 basic/transports/stdio: shutdown",
    says="The server {how} {when} (record {n})",
    leads_to="{words}; {effect}",
    remedy="Find the failure in its stderr; catch it, and answer with an error.",
    requires="process",
    transports=STDIO_ONLY,
    fault=Fault.SERVER_EXIT,
    explains=UNANSWERED,
    loses_request=True,
)
def server_crashed(session: Session) -> Hits:
    process, waiting = session.process, _open_requests(session)
    end = process.server_end
    if end is None or session.traffic.first_answer is None or not process.server_ended_first:
        return None
    if not waiting and _left(process):
        return None
    names = [name_of(request) for request in waiting]
    if process.exit is not None and not process.outlives_output:
        end = process.exit
    return hit(
        end.number,
        how=_ended(process),
        when=f"during {listed(names)}" if names else "while the client was still connected",
        words=_last_said(session),
        effect="the agent gets an error, or waits" if names else _TRANSPORT_CLOSED,
        more_records=tuple(request.number for request in waiting),
        quoted=last_words(stderr_of(process)).shown,
    )


def _open_requests(session: Session) -> list[Request]:
    return [request for request in session.requests.unanswered() if request.channel == CLIENT_TO_SERVER]


def _left(process: Process) -> bool:
    """Whether the server ended as if all were done: with status 0."""
    return process.exit_code == 0 and not process.outlives_output


@rule(
    "server-left",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source="handshake revisions, basic/lifecycle: shutdown; 2026-07-28 basic/transports/stdio: shutdown",
    says="The server ended by itself, with exit status 0, while the client was still connected (record {n})",
    leads_to="{words}; {effect}",
    remedy="Stay until the end of input: wait for the transport to close before the main function returns.",
    requires="process",
    transports=STDIO_ONLY,
    fault=Fault.SERVER_EXIT,
    loses_request=True,
)
def server_left(session: Session) -> Hits:
    process = session.process
    if process.exit is None or session.traffic.first_answer is None or not process.server_ended_first:
        return None
    if not _left(process) or _open_requests(session):
        return None
    return hit(
        process.exit.number,
        words=_last_said(session),
        effect=_TRANSPORT_CLOSED,
        quoted=last_words(stderr_of(process)).shown,
    )


def _arguments(process: Process) -> list[str]:
    """The command line without code for an interpreter or a shell, which may hold anything."""
    argv = process.argv
    if not argv:
        return []
    if re.split(r"[\\/]", argv[0])[-1].lower() in _SHELLS:
        return argv[:1]
    kept, code = [], False
    for argument in argv:
        if not code:
            kept.append(argument)
        code = argument in _CODE_FLAGS
    return kept


@rule(
    "launch-unexpanded",
    Level.ERROR,
    side=LAUNCH,
    on="state",
    stage=Stage.LAUNCH,
    source=observed(Fault.UNEXPANDED_VARIABLE),
    says='{What} reached the server unexpanded: "{shown}" (the client does not know the variable, or expands none)',
    remedy="Write the value itself, an absolute path, or ${NAME:-default} where the client knows that form.",
    requires="launch",
    transports=STDIO_ONLY,
    fault=Fault.UNEXPANDED_VARIABLE,
    explains="server-exited-early launch-cwd",
    judges_probes=True,
)
def launch_unexpanded(session: Session) -> Hits:
    process = session.process
    number = session.header.number if session.header is not None else None
    hits: list[Hit] = []
    values = process.environment.get("values")
    values = values if isinstance(values, dict) else {}
    for argument in _arguments(process):
        found = _UNFILLED.search(argument)
        if found is not None or argument == "~" or argument.startswith(("~/", "~\\")):
            hits.append(hit(number, argument, what="an argument", shown=quote(argument)))
            continue
        dollar = _DOLLAR.search(argument)
        if dollar is not None and values.get(dollar.group(1)[1:]) != dollar.group(1):
            hits.append(hit(number, argument, level=Level.WARNING, what="an argument", shown=quote(argument)))
    placeholders = process.environment.get("placeholders")
    for name, piece in (placeholders if isinstance(placeholders, dict) else {}).items():
        if name not in _PROMPTS and isinstance(piece, str):
            hits.append(
                hit(number, str(name), what=f"the variable {quote(str(name), 60)}", shown=quote(piece))
            )
    return hits


def _relative_path(argument: str) -> str:
    """The relative path that an argument is or holds behind `=`, or an empty string."""
    text = argument.split("=", 1)[1] if argument.startswith("-") and "=" in argument else argument
    if not text or text.startswith(("-", "/", "~", "@", "$", "%", "\\")) or "://" in text or " " in text:
        return ""
    if re.match(r"[A-Za-z]:[\\/]", text):
        return ""
    return text if "/" in text or "\\" in text or _FILE_ENDING.search(text) else ""


@rule(
    "launch-cwd",
    Level.WARNING,
    side=LAUNCH,
    on="state",
    stage=Stage.LAUNCH,
    source=observed(Fault.WORKING_DIRECTORY),
    says="The server was started in {cwd}, where {path} is not ({full})",
    leads_to="the client's folder is not your project's",
    remedy="Use absolute paths, or set cwd where the client honours it.",
    requires="launch",
    transports=STDIO_ONLY,
    fault=Fault.WORKING_DIRECTORY,
    explains="server-exited-early server-crashed tools-list-empty",
    judges_probes=True,
)
def launch_cwd(session: Session) -> Hits:
    process = session.process
    if not process.cwd:
        return None
    missing = [text for text in stderr_of(process) if _MISSING_FILE.search(text)]
    if not missing:
        return None
    number = session.header.number if session.header is not None else None
    paths = [path for path in map(_relative_path, process.argv[1:]) if path]
    died = process.exit is not None and session.traffic.first_answer is None and process.server_ended_first
    named = [p for p in paths if any(p in text or re.split(r"[\\/]", p)[-1] in text for text in missing)]
    # A file that stderr names, and that is none of the arguments, is another matter.
    unnamed = [text for text in missing if not _QUOTED.search(text) and not _ABSOLUTE.search(text)]
    found = named or (paths if died and unnamed else [])
    if not found and (process.cwd == "/" or process.cwd == _home(process)):
        quoted = [match for text in missing for match in _QUOTED.findall(text)]
        found = [path for path in quoted if _relative_path(path)]
    return [
        hit(
            number,
            path,
            cwd=quote(process.cwd, 200),
            path=quote(path, 200),
            full=quote(posixpath.join(process.cwd, path), 300),
        )
        for path in dict.fromkeys(found[:3])
    ]


def _home(process: Process) -> str:
    values = process.environment.get("values")
    home = values.get("HOME") or values.get("USERPROFILE") if isinstance(values, dict) else None
    return home if isinstance(home, str) else ""


def _wanted_variables(text: str, names: frozenset[str]) -> list[str]:
    """Variables that a text says are wanted, and that the server does not have."""
    if not _WANTED.search(text) or _FINE.search(text):
        return []
    return [name for name in dict.fromkeys(_VARIABLE.findall(text)) if name not in names]


def _tells_failure(result: Any) -> bool:
    return type(result) is dict and result.get("isError") is True


@rule(
    "launch-env",
    Level.WARNING,
    side=LAUNCH,
    on="state, s2c error, s2c result tools/call",
    stage=Stage.LAUNCH,
    source=observed(Fault.ENVIRONMENT),
    says='The variable {name} is not passed on to the server, which asks for it (record {n}: "{shown}")',
    remedy="Put it into the env block of the server's entry in the client's configuration.",
    requires="process launch",
    transports=STDIO_ONLY,
    fault=Fault.ENVIRONMENT,
    explains="server-exited-early server-crashed",
)
def launch_env(session: Session, message: Message | None = None) -> Hits:
    if message is not None and message.error is None and not _tells_failure(message.result):
        return None
    names = session.process.variables
    if names is None:
        return None
    level = None
    if message is None:
        texts = list(session.process.stderr)
        if session.listings.tools and not session.traffic.failures and not session.process.server_ended_first:
            level = Level.INFO  # it goes well without
    elif type(message.error) is dict:
        texts = [(message.number, str(message.error.get("message", ""))[:500])]
    elif _tells_failure(message.result):
        content = message.result.get("content")
        first = content[0] if type(content) is list and content and type(content[0]) is dict else {}
        texts = [(message.number, str(first.get("text", ""))[:500])]
    else:
        return None
    return [
        hit(number, name, level=level, name=name, shown=quote(text, 160))
        for number, text in texts
        for name in _wanted_variables(text, names)
    ]


@rule(
    "exit-code",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.END,
    source="observed",
    says="The server ended with {ending} (record {n}) after the client had closed the server's input",
    remedy="Exit with 0 at the end of input.",
    requires="process",
    transports=STDIO_ONLY,
)
def exit_code(session: Session) -> Hits:
    process = session.process
    if process.exit is None or not process.exit_code or process.signals or process.client_closed is None:
        return None
    if process.server_ended_first or process.client_closed.number > process.exit.number:
        return None
    return hit(process.exit.number, ending=process.ending)


@rule(
    "shutdown-slow",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.END,
    source=f"handshake revisions, basic/lifecycle: shutdown; 2026-07-28 basic/transports/stdio; {observed(Fault.SLOW_SHUTDOWN)}",
    says="The server {how} after the client closed the server's input (record {n})",
    leads_to="clients kill it after 2 s, or leave it running for days",
    remedy="Exit when stdin ends.",
    requires="times process",
    transports=STDIO_ONLY,
    fault=Fault.SLOW_SHUTDOWN,
)
def shutdown_slow(session: Session) -> Hits:
    process = session.process
    eof = process.client_closed
    if eof is None or not session.timed or process.server_ended_first:
        return None
    if process.exit is not None:
        stayed, how = process.exit.t_us - eof.t_us, "stayed for {} "
    elif session.ended:
        return None  # what happened behind the end of the recording is not known
    else:
        stayed, how = session.now_us - eof.t_us, "is still there {} "
    if stayed <= LEAVE_US:
        return None
    return hit(eof.number, how=how.format(duration(stayed)).rstrip())


@rule(
    "client-killed",
    Level.INFO,
    side=CLIENT,
    on="event signal",
    stage=Stage.END,
    source="handshake revisions, basic/lifecycle: shutdown; some clients do so",
    says="The client stopped the server by {signal} (record {n}) without closing the server's input first",
    requires="process",
    transports=STDIO_ONLY,
)
def client_killed(session: Session, event: Event) -> Hits:
    signal = event.fields.get("signal")
    if session.process.client_closed is not None or signal not in ("SIGTERM", "SIGKILL", "SIGINT", "SIGHUP"):
        return None
    return hit(event.number, signal=signal)


@rule(
    "stdin-blocked",
    Level.WARNING,
    side=SERVER,
    on="event blocked",
    stage=Stage.FLOW,
    source="observed",
    says="The server did not read its input for {time} (record {n})",
    leads_to="requests waited in the pipe",
    remedy="Keep the loop that reads stdin free: run handlers beside it, and drain stderr of child processes.",
    requires="times process",
    transports=STDIO_ONLY,
    explains=UNANSWERED,
)
def stdin_blocked(_session: Session, event: Event) -> Hits:
    us = event.fields.get("us")
    if event.fields.get("ch") != CLIENT_TO_SERVER or not isinstance(us, int) or us <= BLOCKED_US:
        return None
    return hit(event.number, time=duration(us))
