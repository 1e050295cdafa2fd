"""What a recording tells about the server's process: how it was started, and how it ended."""

from __future__ import annotations

from collections import deque
from typing import Any

from mcptap.recording.format.model import Event, Header, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

STDERR_LINES = 40
"""How many of the last lines of stderr are kept."""
STDERR_CHARACTERS = 500
"""How much of each of them."""
STOPPING = frozenset({"SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGKILL"})
"""Signals that ask a process to end."""
LOG_ERRORS = ("error", "critical", "fatal")
LOG_WARNINGS = ("warn", "warning")
"""How logs call the levels of what went wrong."""
OUTLIVES_US = 500_000
"""A process that is there so long (µs) after it closed its output or its input goes on without it."""
SAME_MOMENT_US = 100_000
"""A signal to the whole process group (a Ctrl-C) reaches the server as soon as the tap, which may
see the server's end first. So little later it is taken as its cause, not its consequence."""


class Eof:
    """The end of a channel: record number, time, and whether it was the receiver that closed it."""

    __slots__ = ("number", "receiver_closed", "t_us")

    def __init__(self, number: int, t_us: int, receiver_closed: bool) -> None:
        self.number = number
        self.t_us = t_us
        self.receiver_closed = receiver_closed


class Process:
    """Facts about the process, filled in as events come."""

    def __init__(self, header: Header | None) -> None:
        self.header = header
        self.argv: list[str] = header.argv if header else []
        self.cwd = header.cwd if header else ""
        self.is_client_unseen = header is not None and CLIENT_TO_SERVER in header.unrecorded
        self.is_joined = header is not None and header.joined
        """Whether stderr was one with stdout, where its lines stand."""
        self.has_no_input = header is not None and header.stdio.get("stdin") in ("null", "closed")
        """Whether nobody could ever write to the server: its input was at its end from the start."""
        self.environment: dict[str, Any] = header.environment if header else {}
        names = self.environment.get("names")
        self.variables = (
            frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else None
        )
        """Names of the server's environment variables, None if they are not known."""
        self.spawn: Event | None = None
        self.exit: Event | None = None
        self.missing_arguments: frozenset[int] | None = None
        """Indices in `argv` of relative paths that were not there at the start; None if nobody looked."""
        self.signals: list[Event] = []
        self.blocked: list[Event] = []
        self.eof: dict[str, Eof] = {}
        self.stderr: deque[tuple[int, str]] = deque(maxlen=STDERR_LINES)
        """The last lines of stderr: record number and text."""
        self.last_stderr_us = 0
        """When the last line of stderr came (µs)."""
        self.log_error: Event | None = None
        """The first error, else the first warning, that the log of a client tells itself."""
        self.first_output_us: int | None = None
        """When the first byte of stdout came."""

    def take_event(self, event: Event) -> None:
        """Take note of one event."""
        kind = event.kind
        if kind == "spawn":
            self.spawn = self.spawn or event
        elif kind == "paths":
            missing = event.fields.get("missing")
            if isinstance(missing, list):
                self.missing_arguments = frozenset(index for index in missing if isinstance(index, int))
        elif kind == "exit":
            self.exit = event
        elif kind == "eof":
            channel, why = event.fields["ch"], event.fields.get("why")
            if channel not in self.eof:
                self.eof[channel] = Eof(event.number, event.t_us, why == "receiver closed")
        elif kind == "signal":
            if len(self.signals) < 64:
                self.signals.append(event)
        elif kind == "blocked" and len(self.blocked) < 64:
            self.blocked.append(event)
        elif kind == "log":
            self._take_log(event)

    def _take_log(self, event: Event) -> None:
        level, known = event.fields.get("level"), self.log_error
        is_first = known is None and level in (*LOG_ERRORS, *LOG_WARNINGS)
        if is_first or (level in LOG_ERRORS and known is not None and known.fields["level"] in LOG_WARNINGS):
            self.log_error = event

    def take_stderr(self, line: Line) -> None:
        """Keep a line of stderr, as long as it is among the last ones."""
        self.last_stderr_us = line.t_us
        text = line.data[: STDERR_CHARACTERS * 4].decode(errors="replace").rstrip()
        if text:
            self.stderr.append((line.number, text[:STDERR_CHARACTERS]))

    @property
    def client_closed(self) -> Eof | None:
        """The end of the server's input, if it was the client that ended it."""
        eof = self.eof.get(CLIENT_TO_SERVER)
        return None if eof is None or eof.receiver_closed else eof

    @property
    def server_closed(self) -> Eof | None:
        """The end of the server's output, if it was the server that ended it."""
        eof = self.eof.get(SERVER_TO_CLIENT)
        return None if eof is None or eof.receiver_closed else eof

    @property
    def deaf(self) -> Eof | None:
        """The end of the server's input, if it was the server that ended it: seen when a write failed."""
        eof = self.eof.get(CLIENT_TO_SERVER)
        return eof if eof is not None and eof.receiver_closed else None

    @property
    def first_closed(self) -> Eof | None:
        """Which of its two ends the server closed first, if it closed any."""
        ends = [eof for eof in (self.server_closed, self.deaf) if eof is not None]
        return min(ends, key=lambda eof: eof.number, default=None)

    @property
    def server_end(self) -> Eof | Event | None:
        """The end of the server as the client sees it: of a stream, or of the process if that was first."""
        closed, ended = self.first_closed, self.exit
        if closed is None or (ended is not None and ended.number < closed.number):
            return ended
        return closed

    @property
    def server_ended_first(self) -> bool:
        """Whether the server ended, or closed its output or input, before the client ended the session.

        The client ends it by closing either of its ends, or by a signal that stops the tap. A signal
        that the server itself sent, or one that stops nobody, ends nothing. False where the client's
        side was not recorded: then nobody knows; and where there was no input from the start.
        """
        end = self.server_end
        if end is None or self.is_client_unseen or self.has_no_input:
            return False
        if any(eof.number < end.number for eof in (self.client_closed, self._client_left) if eof is not None):
            return False
        server = self.spawn.fields.get("pid") if self.spawn is not None else None
        for event in self.signals:
            if event.fields.get("signal") not in STOPPING and event.fields.get("signal") != self.exit_signal:
                continue
            if event.t_us < end.t_us + SAME_MOMENT_US and (
                not server or event.fields.get("sender") != server
            ):
                return False
        return True

    @property
    def _client_left(self) -> Eof | None:
        """The end of the server's output, if it was the client that closed it."""
        eof = self.eof.get(SERVER_TO_CLIENT)
        return eof if eof is not None and eof.receiver_closed else None

    @property
    def client_is_gone(self) -> bool:
        """Whether the client has ended its side by now: it closed an end, or sent a signal to stop."""
        return (
            self.client_closed is not None
            or self._client_left is not None
            or any(event.fields.get("signal") in STOPPING for event in self.signals)
        )

    @property
    def outlives_closing(self) -> bool:
        """Whether the process is known to go on though it closed its output or its input."""
        closed = self.first_closed
        if closed is None:
            return False
        client = self.client_closed
        ended = self.exit or client
        since = ended.t_us if ended is not None else self.last_stderr_us
        return since - closed.t_us > OUTLIVES_US

    @property
    def has_only_closed(self) -> bool:
        """Whether the server closed its output or input, and did not end by that, as far as is known."""
        return self.outlives_closing or self.exit is None

    @property
    def failed_to_start(self) -> Event | None:
        """The event of a command that could not be started."""
        return self.spawn if self.spawn is not None and "errno" in self.spawn.fields else None

    @property
    def exit_code(self) -> int | None:
        """The exit status, None if there is none or a signal ended the server."""
        return None if self.exit is None else self.exit.fields.get("code")

    @property
    def exit_signal(self) -> str:
        """The name of the signal that ended the server, or an empty string."""
        return "" if self.exit is None else self.exit.fields.get("signal", "")

    @property
    def ending(self) -> str:
        """How the process ended, as words: `exit status 3`, `signal SIGSEGV`."""
        if self.exit_signal:
            return f"signal {self.exit_signal}"
        return "an unknown status" if self.exit_code is None else f"exit status {self.exit_code}"
