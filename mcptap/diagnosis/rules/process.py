"""The process: how it was started, and how it ended."""

from __future__ import annotations

import posixpath
import re

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.clients.recognition import may_have_stopped, recognise
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import LAUNCH, SERVER, STDIO_ONLY, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.last_words import LONGEST, last_words
from mcptap.diagnosis.explain.launchers import SHELLS, launch_hint, no_server, runs_elsewhere, stem
from mcptap.diagnosis.explain.missing_files import missing_files, tells_of_missing
from mcptap.diagnosis.explain.origin import reason_of_end
from mcptap.diagnosis.explain.variables import wanted_variables
from mcptap.diagnosis.explain.wording import quote
from mcptap.diagnosis.rules.common import UNANSWERED, name_of, stderr_of, wrote_nothing
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.process import Process
from mcptap.protocol.model.request import UNREADABLE, Request
from mcptap.protocol.model.session import Session
from mcptap.recording.arguments import relative_path
from mcptap.recording.format.model import Event
from mcptap.text.enumeration import listed
from mcptap.text.sentences import snippet
from mcptap.wire import CLIENT_TO_SERVER, STDERR

STOPPED = frozenset({128 + 2, 128 + 9, 128 + 15})
"""Exit statuses of a launcher whose program a client stopped: SIGINT, SIGKILL, SIGTERM."""
CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS"})
"""Signals that a program gets by its own fault; a client stops it by others."""
LEAVE_US = 2_000_000
"""How long (µs) a server may take to end after its input was closed."""
BLOCKED_US = 5_000_000
"""From when on (µs) a server that does not read its input is remarkable."""

_UNFILLED = re.compile(r"\$\{[^{}]*\}|%[A-Za-z_][A-Za-z0-9_]+%")
_DOLLAR = re.compile(r"(?:^|[/=:])(\$[A-Z_][A-Z0-9_]*)")
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
_FILE = re.compile(r"^\.{1,2}[\\/]|\.[A-Za-z0-9]{1,8}$")
"""What is a file by its looks, not the name of an image or a package."""
_OUTPUT = re.compile(
    r"^--?(?:o|out|output|log|logs|log-?(?:file|path|dir)|cache|cache-?dir|pid-?file|trace|dump)$", re.I
)
"""Options whose value is a file that the server is to make."""

_FRONT = re.compile(
    r"^(?:Exception in thread \S+ |Caused by: |Uncaught (?:Exception: )?|"
    r"(?:docker: )?Error response from daemon: (?:failed to create .*unable to start container process: )?|/\S+/(?=python[\d.]*: ))+"
)
"""What stands in front of an error and says nothing of it."""
_CODE = re.compile(r"^npm (?:ERR!|error) code |^Because \S+ was not found")
"""Last words that are codes: what they mean says more."""
_WITHOUT_A_SERVER = "programs that start no server end so: the main guard did not run, or nothing calls main"
_SOMETHING_ELSE = "it printed something else, such as its help, and started no server"
_UNHEARD = 'nothing that it says arrives any more: the next call fails ("Transport closed"), or waits'
_UNREAD = "nothing that the client says arrives any more: its next call fails, or waits"
_TRANSPORT_CLOSED = 'the client has no server any more: its next call fails ("Transport closed")'


def _last_said(session: Session) -> str:
    """The last thing that the server said, for a sentence, with what it means."""
    process, output = session.process, session.timing.last_output
    telling = last_words(stderr_of(process)).telling
    reason = _reason(session, telling)
    if telling:
        last = "what it said last on stderr" if process.outlives_closing else "its last words"
        said = f'{last}: "{quote(telling, LONGEST)}"'
    elif output is not None:
        nothing = "" if process.is_joined or STDERR in session.unseen else "it wrote nothing to stderr, and "
        said = f"{nothing}the last that it wrote to stdout is record {output}"
    else:
        said = wrote_nothing(session, "it wrote {}", "to")
    if not said:
        return reason
    return f"{said} ({reason})" if reason else said


def _reason(session: Session, telling: str) -> str:
    """What the end means by its last words, its status and its command line; empty if that is not known."""
    process = session.process
    reason = reason_of_end(telling, process.exit_code)
    if session.traffic.first_answer is None:
        if not reason or "No module named" in telling:
            reason = "; ".join(filter(None, (reason, _launched(process, telling))))
        if not reason and process.exit_code == 0 and not process.outlives_closing:
            reason = _WITHOUT_A_SERVER if session.timing.last_output is None else _SOMETHING_ELSE
    return reason


def _in_short(session: Session) -> str:
    """Why the server ended, behind a colon, for the verdict: by its last words, else by how it was started."""
    process = session.process
    telling = last_words(stderr_of(process)).telling
    reason = _reason(session, telling)
    if reason and (not telling or _CODE.match(telling)):
        return f": {reason}"
    return f': "{snippet(_FRONT.sub("", telling), 16, 120)}"' if telling else ""


def _launched(process: Process, telling: str) -> str:
    program = process.header.program if process.header is not None else None
    return launch_hint(process.argv, ended=True, telling=telling, program=program or "")


def _remedy(session: Session) -> str:
    process = session.process
    if last_words(stderr_of(process)).telling:
        return "Remove the cause that its last words name."
    if no_server(process.argv):
        return "Correct the command in the client's configuration."
    if process.exit_signal:
        return "Look for who sent the signal, or into the core dump."
    return "Run the same command by hand, in the same folder and environment, and read what it says."


@rule(
    "server-exited-early",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LAUNCH,
    source="observed: clients say no more than failed, or connection closed",
    says="The server{command?} {how} before it answered anything{error?}",
    brief="The server {short}{said?}",
    leads_to='{words?}the agent only says "failed"',
    remedy="Run the same command by hand, in the same folder and environment, and read what it says.",
    requires="process whole",
    transports=STDIO_ONLY,
    fault=Fault.SERVER_EXIT,
    explains=UNANSWERED,
    judges_probes=True,
    judges_outlines=True,
    loses_request=True,
)
def server_exited_early(session: Session) -> Hits:
    process = session.process
    command = f' "{quote(process.argv[0], 80)}"' if process.argv else ""
    failed = process.failed_to_start
    if failed is not None:
        error = failed.fields.get("error", "")
        status = failed.fields.get("status")
        hint = "" if not isinstance(status, int) else f" (exit status {status})"
        return hit(
            failed.number,
            side=LAUNCH,
            command=command,
            how="could not be started, so it ended",
            short="could not be started",
            said=f': "{snippet(error, 16, 120)}"' if error else "",
            error=(f": {quote(error, 300)}" if error else "") + hint,
            remedy="Correct the working directory (cwd) in the client's configuration, or make the folder."
            if "its working directory" in error
            else "Correct the command in the client's configuration; an absolute path is safest.",
        )
    end = process.server_end
    if end is None or session.traffic.first_answer is not None or not process.server_ended_first:
        return None
    return hit(
        end.number if process.outlives_closing or process.exit is None else process.exit.number,
        command=command,
        how=f"{_ended(process)} while the client was connected and",
        short=f"{_ended(process)} before it answered anything",
        said=_in_short(session),
        words=_and(_last_said(session)),
        remedy=_remedy_of_crash(session) if process.has_only_closed else _remedy(session),
        quoted=last_words(stderr_of(process)).shown,
        reaction_seen=process.outlives_closing and _closed(process) == "stdin",
    )


def _and(said: str) -> str:
    return f"{said}; " if said else ""


def _ended(process: Process) -> str:
    """How the server ended, or that it only closed an end of its own, as a verb."""
    if process.exit is not None and not process.outlives_closing:
        return f"was ended by {process.ending}" if process.exit_signal else f"ended with {process.ending}"
    closed = f"closed its {_closed(process)}"
    return f"{closed}, though its process went on," if process.outlives_closing else closed


def _closed(process: Process) -> str:
    """Which of its ends the server closed."""
    return "stdin" if process.deaf is not None and process.first_closed is process.deaf else "stdout"


@rule(
    "server-crashed",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source="handshake revisions, basic/lifecycle: shutdown; 2026-07-28 basic/transports/stdio: shutdown",
    says="The server {how} {when} (record {n})",
    brief="The server {short}{said?}",
    leads_to="{words?}{effect}",
    remedy="Find the failure in its stderr; catch it, and answer with an error.",
    requires="process",
    transports=STDIO_ONLY,
    fault=Fault.SERVER_EXIT,
    explains=UNANSWERED,
    judges_probes=True,
    loses_request=True,
)
def server_crashed(session: Session) -> Hits:
    process, waiting = session.process, _open_requests(session)
    end = process.server_end
    if end is None or session.traffic.first_answer is None or not process.server_ended_first:
        return None
    if not waiting and (_left(process) or may_have_stopped(recognise(session).client, session)):
        return None
    names = [name_of(request) for request in waiting]
    if process.exit is not None and not process.outlives_closing:
        end = process.exit
    return hit(
        end.number,
        how=_ended(process),
        said=_in_short(session),
        short=_ended(process).rstrip(",") if names else f"{_ended(process)} while the client was connected",
        when=f"during {listed(names)}" if names else "while the client was still connected",
        words=_and(_last_said(session)),
        effect="the agent gets an error, or waits" if names else _cut_off(process),
        remedy=_remedy_of_crash(session),
        more_records=tuple(
            n for request in waiting for n in (request.number, request.answer) if n is not None
        ),
        quoted=last_words(stderr_of(process)).shown,
        reaction_seen=process.outlives_closing and _closed(process) == "stdin",
    )


def _remedy_of_crash(session: Session) -> str:
    """Where to look, if not in its stderr."""
    process = session.process
    if process.has_only_closed:
        return f"Look for what closes {_closed(process)}, or puts something else in its place."
    if last_words(stderr_of(process)).telling:
        return ""
    return (
        "Look for who sent the signal, or into the core dump."
        if process.exit_signal
        else "Let it say on stderr why it ends."
    )


def _cut_off(process: Process) -> str:
    """What the end, or what was closed, means for a client that asks nothing just now."""
    if not process.has_only_closed:
        return _TRANSPORT_CLOSED
    return _UNREAD if _closed(process) == "stdin" else _UNHEARD


def _open_requests(session: Session) -> list[Request]:
    """The client's requests that nobody answered, or whose answer the server broke off."""
    torn = {message.number for message in session.unfinished if message.lost}
    broken_off = [request for request in session.requests.in_state(UNREADABLE) if request.answer in torn]
    return [r for r in (*session.requests.unanswered(), *broken_off) if r.channel == CLIENT_TO_SERVER]


def _left(process: Process) -> bool:
    """Whether the server ended as if all were done: with status 0."""
    return process.exit_code == 0 and not process.outlives_closing


@rule(
    "server-left",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source="handshake revisions, basic/lifecycle: shutdown; 2026-07-28 basic/transports/stdio: shutdown",
    says="The server ended by itself, with exit status 0, while the client was still connected (record {n})",
    brief="The server ended by itself, with exit status 0, while the client was connected{said?}",
    leads_to="{words?}{effect}",
    remedy="Stay until the end of input: wait for the transport to close before the main function returns.",
    requires="process",
    transports=STDIO_ONLY,
    fault=Fault.SERVER_EXIT,
    judges_probes=True,
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
        words=_and(_last_said(session)),
        effect=_TRANSPORT_CLOSED,
        quoted=last_words(stderr_of(process)).shown,
    )


def _arguments(process: Process) -> list[str]:
    """The command line without code for an interpreter or a shell, which may hold anything."""
    argv = process.argv
    if not argv:
        return []
    if stem(argv[0]) in SHELLS:
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
    brief='{What} reached the server unexpanded: "{shown}"',
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


@rule(
    "launch-cwd",
    Level.WARNING,
    side=LAUNCH,
    on="state",
    stage=Stage.LAUNCH,
    source=observed(Fault.WORKING_DIRECTORY),
    says="The server was started in {cwd}, where {path} is not ({full})",
    brief="The server was started in {cwd}, where {path} is not{said?}",
    leads_to="{effect}",
    remedy="Use absolute paths, or set cwd where the client honours it.",
    requires="launch",
    transports=STDIO_ONLY,
    fault=Fault.WORKING_DIRECTORY,
    explains="server-exited-early server-crashed server-left initialize-error tools-list-empty",
    judges_probes=True,
)
def launch_cwd(session: Session) -> Hits:
    process = session.process
    if not process.cwd or not _failed(session) or runs_elsewhere(process.argv):
        return None
    lines = [*last_words(stderr_of(process)).shown, _refusal(session)]
    named = {_full(process, path): path for path in missing_files(lines)}
    paths = {path: _full(process, path) for path in _relative_arguments(process)}
    found = {path: True for path, full in paths.items() if full in named}
    if process.missing_arguments is None:
        if not found and process.cwd in ("/", _home(process)):
            found = {path: True for path in named.values() if relative_path(path.encode())}
    elif not named and not _explained_otherwise(process):
        found |= {path: False for path in paths if _FILE.search(path) and path not in found}
    number = session.header.number if session.header is not None else None
    telling = last_words(stderr_of(process)).telling
    return [
        hit(
            number,
            path,
            cwd=quote(process.cwd, 200),
            path=quote(path, 200),
            full=quote(_full(process, path), 300),
            said="" if is_named or not telling else f'; its last words: "{snippet(telling, 12, 80)}"',
            effect="that is what it says it did not find"
            if is_named
            else "if it needs it, that is why it failed",
        )
        for path, is_named in list(found.items())[:3]
    ]


def _failed(session: Session) -> bool:
    """Whether the server ended unasked, refused the handshake, or has no tools."""
    if session.process.server_ended_first or session.handshake.refusal is not None:
        return True
    listing = session.listings.of["tools/list"]
    return bool(listing.answered) and not session.listings.tools


def _refusal(session: Session) -> str:
    error = session.handshake.refusal
    return str(error.get("message", ""))[:500] if isinstance(error, dict) else ""


def _explained_otherwise(process: Process) -> bool:
    """Whether its last words give a reason that is no missing file."""
    telling = last_words(stderr_of(process)).telling
    return bool(reason_of_end(telling, None)) and not tells_of_missing(telling)


def _relative_arguments(process: Process) -> list[str]:
    """Arguments that look like relative paths; only those that were not there, if that was recorded."""
    found = []
    for index, word in enumerate(process.argv):
        path = relative_path(word.encode(errors="surrogateescape")).decode(errors="surrogateescape")
        option = word.partition("=")[0] if word.startswith("-") else process.argv[index - 1] if index else ""
        known = process.missing_arguments
        if path and index and (known is None or (index in known and not _OUTPUT.match(option))):
            found.append(path)
    return found


def _full(process: Process, path: str) -> str:
    return posixpath.normpath(posixpath.join(process.cwd, path))


def _home(process: Process) -> str:
    values = process.environment.get("values")
    home = values.get("HOME") or values.get("USERPROFILE") if isinstance(values, dict) else None
    return home if isinstance(home, str) else ""


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
    explains="server-exited-early server-crashed server-left",
    odd_only=True,
)
def launch_env(session: Session, message: Message | None = None) -> Hits:
    process = session.process
    if process.variables is None:
        return None
    if message is not None:
        said = _failure(message)
        if not said:
            return None
        wanted = [(message.number, *each) for each in wanted_variables(said.splitlines())]
    elif process.server_ended_first:
        last = last_words(stderr_of(process))
        numbers = {
            text: number for number, text in process.stderr if text in last.shown or text == last.telling
        }
        asked = wanted_variables([*filter(numbers.__contains__, [last.telling]), *stderr_of(process)])
        wanted = [(numbers[line], name, line) for name, line in asked if line in numbers]
    else:
        return None  # it goes well without
    return [
        hit(number, name, name=name, shown=quote(line, 160))
        for number, name, line in wanted
        if name not in process.variables
    ]


def _failure(message: Message) -> str:
    """The beginning of what an error or a tool's failure says."""
    if type(message.error) is dict:
        return str(message.error.get("message", ""))[:2000]
    result = message.result
    if type(result) is not dict or result.get("isError") is not True:
        return ""
    content = result.get("content")
    first = content[0] if type(content) is list and content and type(content[0]) is dict else {}
    return str(first.get("text", ""))[:2000]


@rule(
    "exit-code",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.END,
    source="observed",
    says="The server ended with {ending} (record {n}) {after}",
    remedy="Exit with 0 at the end of input.",
    requires="process",
    transports=STDIO_ONLY,
    unless="initialize-unanswered discover-unanswered",
)
def exit_code(session: Session) -> Hits:
    process = session.process
    crashed = process.exit_signal in CRASHES
    if process.exit is None or not (process.exit_code or crashed) or process.signals:
        return None
    if process.exit_code in STOPPED:
        return None  # the client told it to stop by a signal of its own
    if process.has_no_input:  # which of the two ends the tap saw first is chance
        return hit(
            process.exit.number,
            ending=process.ending,
            after="and had no input from the start",
            remedy="Start it with an open stdin, as a client does, to see whether it ends by itself.",
        )
    closed = process.client_closed
    if closed is None or closed.number > process.exit.number or process.server_ended_first:
        return None
    return hit(
        process.exit.number, ending=process.ending, after="after the client had closed the server's input"
    )


@rule(
    "shutdown-slow",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.END,
    source=f"handshake revisions, basic/lifecycle: shutdown; 2026-07-28 basic/transports/stdio; {observed(Fault.SLOW_SHUTDOWN)}",
    says="The server {how} after the client closed the server's input (record {n})",
    leads_to="many clients kill it after 2 s",
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
    # What this client does with a server that stays is in the recording by now.
    return hit(eof.number, how=how.format(session.lasting(stayed)).rstrip(), reaction_seen=True)


@rule(
    "stdin-blocked",
    Level.WARNING,
    side=SERVER,
    on="event blocked",
    stage=Stage.FLOW,
    source="observed",
    says="The server did not read its input for {time} (record {n})",
    leads_to="what the client sent waited in the pipe",
    remedy="Keep the loop that reads stdin free: run handlers beside it, and drain stderr of child processes.",
    requires="times process",
    transports=STDIO_ONLY,
    explains=UNANSWERED,
)
def stdin_blocked(session: Session, event: Event) -> Hits:
    us = event.fields["us"]
    if event.fields.get("ch") != CLIENT_TO_SERVER or us <= BLOCKED_US:
        return None
    return hit(event.number, time=session.lasting(us))
