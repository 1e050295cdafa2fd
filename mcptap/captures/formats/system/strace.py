r"""What `strace -f -e trace=read,write -s 999999` printed about a server: all bytes that it read and wrote.

Read from what strace 6 prints, with and without `-o` (then the process stands first, without brackets),
with `-t`, `-tt`, `-ttt`, `-r` or no time, with `-y`, `-x`, `-T`. A string that is longer than `-s` (32
if it was not given) ends in `"...`.

Which process is the server: one that reads messages on its descriptor 0 or writes some on 1; threads
count alike. Others may have inherited the same streams, or not, so what they write is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.formats.system.calls import Call, Calls
from mcptap.captures.formats.system.cut import ends_in_message, members_of
from mcptap.captures.lines import log_event, outline_line, process_event, text_line, unknown_header
from mcptap.recording.format.model import NOT_JSON, Damaged, Item, Line, parse_line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR, split_terminator

CHANNELS = {("in", 0): CLIENT_TO_SERVER, ("out", 1): SERVER_TO_CLIENT, ("out", 2): STDERR}
MAX_EARLY = 8 << 20
"""So many bytes of calls are kept until it turns out whether their processes are the server."""
MAX_PENDING = 64 << 20
"""A line without an end of more bytes is given up."""

_QUIET = frozenset({"SIGCHLD", "SIGWINCH", "SIGURG", "SIGPROF", "SIGALRM", "SIGVTALRM", "SIGCONT"})
_LINE = re.compile(
    rb"^(?:\[pid +\d+\] |\d+ +)?(?:\d+(?:\.\d+)? +|\d\d:\d\d:\d\d(?:\.\d+)? +| *\d+\.\d+ +)?"
    rb"(?:[a-z_0-9]{2,24}\(|<\.\.\. [a-z_0-9]+ resumed>|\+\+\+ (?:exited|killed) |--- (?:SIG|stopped))"
)


@dataclass(slots=True)
class _Stream:
    """One channel: what came since its last line ended."""

    pending: bytearray = field(default_factory=bytearray)
    first_us: int = 0
    cut: bool = False
    """Whether bytes of the line that began are missing."""
    behind: bytearray = field(default_factory=bytearray)
    """What came behind those: it may be of that line, or of the next one."""


class StraceDecoder(Decoder):
    """Decodes system calls."""

    def __init__(self, *, timed: bool, framing: bool) -> None:
        self.header = unknown_header()
        self.evidence = Evidence(
            origin="what strace printed",
            times=timed,
            framing=framing,
            launch=False,
            process=False,
            whole=False,
            assumptions=(
                "the server is the process that reads or writes messages on its standard streams",
                "record numbers count what passed, not the lines of the file",
            ),
        )
        self._calls = Calls()
        self._streams = {channel: _Stream() for channel in CHANNELS.values()}
        self._kept = 0
        self._early: dict[str, list[Call]] = {}
        self._servers: set[str] = set()
        self._gone: set[str] = set()
        self._number = 0
        self._start_us = -1
        self._now = (0, 0)
        self._ending: dict[str, int | str] = {}

    def feed(self, raw: bytes, number: int) -> Iterable[Item]:  # noqa: ARG002 - it counts what passed
        """What the call that this line completes passed."""
        call = self._calls.feed(raw)
        if call is None:
            self.passed_over += bool(raw.strip()) and not self._calls.understood
            return ()
        if call.pid in self._servers and (line := self._one_line(call)) is not None:
            return (line,)
        return self._of_call(call)

    def _one_line(self, call: Call) -> Line | None:
        """The line, if the call passed one line, whole and nothing else: most do, and need no more looks."""
        channel, data = CHANNELS.get((call.kind, call.descriptor)), call.data
        if channel is None or call.size != len(data) or data.find(b"\n") != len(data) - 1 or not data:
            return None
        stream = self._streams[channel]
        if stream.pending or stream.cut:
            return None
        self._now = t, wall = max(self._now[0], call.t_us - self._start_us), call.wall_us
        self._number += 1
        return Line(self._number, channel, *split_terminator(data), t, t, wall)

    def _of_call(self, call: Call) -> Iterator[Item]:
        if self._start_us < 0:
            self._start_us = call.t_us
            self.header.fields["wall"] = call.wall_us
        if call.pid not in self._servers:
            if len(self._servers - self._gone) == 1 and not call.pid:
                call.pid = next(iter(self._servers - self._gone))
            elif not _has_message(call):
                self._keep(call)
                return
            else:
                yield from self._begin(call)
        yield from self._items(call)

    def finish(self) -> Iterator[Item]:
        """The end of the process, if not all of its threads were seen to end.

        That the client had closed its input before is not always shown: who has read less than there was room
        for may take a closed pipe for the end without reading once more.
        """
        if self._ending and self.state is State.UNKNOWN:
            yield self._exit()

    def unfinished(self) -> list[Line]:
        """Lines whose end never came."""
        return [
            Line(self._next(), channel, bytes(one.pending), b"", *self._times(one.first_us), complete=False)
            for channel, one in self._streams.items()
            if one.pending and not one.cut
        ]

    def _keep(self, call: Call) -> None:
        """Keep a call until it is known whether its process is the server."""
        if call.kind == "exit":
            for gone in self._early.pop(call.pid, ()):
                self._kept -= len(gone.data)
            return
        passes = (call.kind, call.descriptor) in CHANNELS
        self.passed_over += bool(self._servers) and passes
        if (passes or call.argv) and self._kept + len(call.data) <= MAX_EARLY:
            self._kept += len(call.data)
            self._early.setdefault(call.pid, []).append(call)

    def _begin(self, call: Call) -> Iterator[Item]:
        """Take a process, or one more thread, for the server's, and what it did before."""
        is_first = not self._servers
        self._servers.add(call.pid)
        early = self._early.pop(call.pid, [])
        if is_first and (argv := next((one.argv for one in reversed(early) if one.argv), None)):
            self.header.fields["argv"] = argv
        for one in early:
            self._kept -= len(one.data)
            yield from self._items(one)

    def _items(self, call: Call) -> Iterator[Item]:
        self._now = (max(self._now[0], call.t_us - self._start_us), call.wall_us)
        if call.kind == "exit":
            self._gone.add(call.pid)
            self._ending[call.pid] = call.ending
            if self._servers <= self._gone:
                yield self._exit()
        elif call.kind == "signal":
            if call.name not in _QUIET:
                sender = f" from process {call.sender}" if call.sender else ""
                yield log_event(self._next(), f"{call.name} came{sender}", *self._now)
        elif (channel := CHANNELS.get((call.kind, call.descriptor))) is not None:
            if call.failed:
                if call.failed == "EPIPE":
                    yield log_event(self._next(), f"nobody read {channel} any more (EPIPE)", *self._now)
            elif call.kind == "in" and not call.data and not call.size:
                yield process_event(self._next(), "eof", *self._now, ch=channel)
            else:
                yield from self._bytes(channel, call)

    def _exit(self) -> Item:
        self.state = State.FINISHED
        ending = list(self._ending.values())[-1]
        fields: dict[str, Any] = {"code": ending} if isinstance(ending, int) else {"signal": ending}
        if self.evidence.times:
            fields["us"] = self._now[0]
        return process_event(self._next(), "exit", *self._now, **fields)

    def _bytes(self, channel: str, call: Call) -> Iterator[Item]:
        stream = self._streams[channel]
        if stream.cut and (stream.behind or not call.data.startswith((b'{"', b"[{"))):
            # Whether the bytes that are missing ended the line is not known, nor what this is the rest of.
            end = call.data.find(b"\n") + 1
            stream.behind += call.data[: end or None]
            call.data = call.data[end:] if end else b""
            if not end and len(stream.behind) <= MAX_PENDING:
                return
            behind, stream.behind = bytes(stream.behind), bytearray()
            if end and ends_in_message(behind):
                yield Line(self._next(), channel, *split_terminator(behind), *self._times(self._now[0]))
            elif behind.strip():
                yield self._lost("it may be the rest of a line of which strace kept only the beginning")
            if not end:
                return
        stream.cut = False
        lines = call.data.split(b"\n")
        for piece in lines[:-1]:
            stream.pending += piece
            yield self._line(channel, stream)
        if lines[-1] and not stream.pending:
            stream.first_us = self._now[0]
        stream.pending += lines[-1]
        if call.size > len(call.data) and call.is_cut:
            yield from self._cut(channel, stream)
        elif len(stream.pending) > MAX_PENDING:
            stream.pending.clear()
            stream.cut = True
            yield self._lost("a line has no end")

    def _line(self, channel: str, stream: _Stream) -> Line:
        data, eol = split_terminator(bytes(stream.pending) + b"\n")
        first = stream.first_us if stream.first_us else self._now[0]
        stream.pending.clear()
        stream.first_us = 0
        return Line(self._next(), channel, data, eol, *self._times(first))

    def _cut(self, channel: str, stream: _Stream) -> Iterator[Item]:
        begun = bytes(stream.pending)
        stream.pending.clear()
        stream.cut = True
        members = members_of(begun)
        t, wall = self._now
        if members is not None:
            yield outline_line(self._next(), channel, members, t, wall)
        elif channel == STDERR or (begun.strip() and begun.lstrip()[:1] not in b"{["):
            yield text_line(self._next(), channel, begun.decode(errors="replace"), t, wall)
        if channel != STDERR:
            yield self._lost("strace kept only the beginning of what passed; -s 999999 keeps all")

    def _lost(self, why: str) -> Damaged:
        self.passed_over += 1
        return Damaged(self._next(), b"", why)

    def _times(self, first_us: int) -> tuple[int, int, int]:
        return self._now[0], min(first_us, self._now[0]), self._now[1]

    def _next(self) -> int:
        self._number += 1
        return self._number


def _has_message(call: Call) -> bool:
    """Whether a call passes what only the server's process passes: a message on its standard streams."""
    if CHANNELS.get((call.kind, call.descriptor)) not in (CLIENT_TO_SERVER, SERVER_TO_CLIENT):
        return False
    if b'"jsonrpc"' not in call.data[:4096] and b'"method"' not in call.data[:4096]:
        return False
    begins = call.data.lstrip()[:1] in (b"{", b"[")
    first = call.data.split(b"\n", 1)[0]
    return begins and (call.is_cut or parse_line(first) is not NOT_JSON or len(first) == len(call.data))


def recognise(beginning: Beginning) -> StraceDecoder | None:
    """A decoder if most lines are system calls."""
    lines = [line for line in beginning.lines if not line.startswith(b"strace: ")]
    if not lines or 2 * sum(_LINE.match(line) is not None for line in lines) <= len(lines):
        return None
    calls = Calls()
    found = [call for call in map(calls.feed, lines) if call is not None]
    if not found:
        return None
    is_cut = any(call.is_cut and (call.kind, call.descriptor) in CHANNELS for call in found)
    return StraceDecoder(timed=calls.timed, framing=not is_cut)


FORMAT = Format("what strace prints", Certainty.SHAPED, recognise)
