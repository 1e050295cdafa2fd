"""System calls as strace prints them, put together where another process interrupted them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREFIX = re.compile(
    rb"^(?:\[pid +(?P<pid>\d+)\] |(?P<bare>\d+) +)?"
    rb"(?:(?P<epoch>\d{9,11}\.\d+)|(?P<day>\d\d:\d\d:\d\d(?:\.\d+)?)| *(?P<since>\d+\.\d+))? *"
)
_PASSED = re.compile(
    _PREFIX.pattern
    + rb"(?P<name>read|write)\((?P<descriptor>\d+)(?:<[^,\"]*>)?, "
    + rb'"(?P<data>[^"\\]*+(?:\\.[^"\\]*+)*+)"(?P<cut>\.\.\.)?, \d+\) *= (?P<size>\d+)(?: <[\d.]+>)?$',
    re.DOTALL,
)
"""A call that passed bytes, whole on its line, as nearly all are: this one look at it is enough."""
_CALL = re.compile(rb"(?P<name>[a-z_0-9]{2,24})\((?P<rest>.*)$", re.DOTALL)
_UNFINISHED = b"<unfinished ...>"
_RESUMED = re.compile(rb"<\.\.\. (?P<name>[a-z_0-9]+) resumed>(?P<rest>.*)$", re.DOTALL)
_STRING = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\.\.\.)?', re.DOTALL)
_RESULT = re.compile(rb"\) *= (-?\d+|\?)(?: ([A-Z][A-Z0-9]*)\b)?[^\"]*$")
_DESCRIPTOR = re.compile(rb"(\d+)(?:<[^,]*>)?, ")
_BEHIND = re.compile(rb"\) *= -?\d+.*$")
_EXITED = re.compile(rb"\+\+\+ exited with (\d+) \+\+\+")
_KILLED = re.compile(rb"\+\+\+ killed by (SIG[A-Z0-9+]+)")
_SIGNAL = re.compile(rb"--- (SIG[A-Z0-9]+) (?:\{.*?si_pid=(\d+))?")
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {
    b"n": b"\n",
    b"t": b"\t",
    b"r": b"\r",
    b"v": b"\v",
    b"f": b"\f",
    b"a": b"\a",
    b"b": b"\b",
    b"e": b"\x1b",
}

IN = frozenset((b"read", b"readv", b"recv", b"recvfrom", b"recvmsg"))
OUT = frozenset((b"write", b"writev", b"send", b"sendto", b"sendmsg"))
_OCTAL = frozenset(b"%d" % digit for digit in range(8))
_DAY_US = 86_400_000_000


@dataclass(slots=True)
class Call:
    """One call, signal or end of a process."""

    pid: str
    """Empty where strace names none: there is one process only."""
    kind: str
    """`in` and `out` for reading and writing, `signal`, `exit`, else empty."""
    name: str
    t_us: int
    """Since 1970, since midnight, or since the first call."""
    wall_us: int
    """Since 1970; 0 if that is not known."""
    descriptor: int = -1
    data: bytes = b""
    size: int = 0
    """How many bytes it passed."""
    is_cut: bool = False
    """Whether `data` is only their beginning."""
    failed: str = ""
    """The name of its error."""
    argv: list[str] | None = None
    ending: int | str = 0
    """Of an exit: the status, or the signal."""
    sender: int = 0
    """Of a signal: the process that sent it."""


class Calls:
    """Makes calls of lines."""

    MAX_HELD = 10_000

    def __init__(self) -> None:
        self.timed = False
        """Whether a line told a time."""
        self.understood = True
        """Whether the last line was one of strace's."""
        self._held: dict[str, tuple[bytes, bytes, int, int]] = {}
        self._broken: tuple[str, bytes, bytes, int, int] | None = None
        self._since_us = self._midnights = self._last_us = 0

    def feed(self, raw: bytes) -> Call | None:
        """The call that this line completes, if it does."""
        raw = raw.rstrip(b"\r")
        self.understood = True
        passed = _PASSED.match(raw)
        if passed is not None:
            self._broken = None
            return self._passed(passed)
        found = _PREFIX.match(raw)
        assert found is not None  # all of it is optional
        in_brackets, bare, *told = found.groups()
        pid = (in_brackets or bare or b"").decode()
        t, wall = self._time(*told)
        text = raw[found.end() :]
        if text.startswith(b"<... "):
            resumed = _RESUMED.match(text)
            held = self._held.pop(pid, None)
            if resumed is None or held is None or held[0] != resumed["name"]:
                return None
            name, begun, began, began_wall = held
            if name in OUT:
                t, wall = began, began_wall
            rest = begun + resumed["rest"]
            return _call(pid, name, rest, _RESULT.search(rest), t, wall)
        if text.startswith((b"+++ ", b"--- ")):
            return _event(pid, text, t, wall)
        if self._broken is not None and (behind := _BEHIND.match(text)):
            # Without -o, what the process writes to stderr stands between the halves of the line.
            pid, name, begun, t, wall = self._broken
            self._broken = None
            rest = begun + behind[0]
            return _call(pid, name, rest, _RESULT.search(rest), t, wall)
        call = _CALL.match(text)
        if call is None:
            self.understood = text.startswith(b"strace: ")
            return None
        rest = call["rest"]
        if rest.endswith(_UNFINISHED):
            if len(self._held) < self.MAX_HELD:
                self._held[pid] = (call["name"], rest.removesuffix(_UNFINISHED).removesuffix(b" "), t, wall)
            return None
        result = _RESULT.search(rest)
        if result is None:
            self._broken = (pid, call["name"], rest, t, wall)
            return None
        self._broken = None
        return _call(pid, call["name"], rest, result, t, wall)

    def _passed(self, found: re.Match[bytes]) -> Call:
        in_brackets, bare, epoch, day, since, name, descriptor, data, cut, size = found.groups()
        t, wall = self._time(epoch, day, since)
        pid, kind = (in_brackets or bare or b"").decode(), "in" if name == b"read" else "out"
        call = Call(
            pid, kind, name.decode(), t, wall, int(descriptor), _bytes(data), int(size), cut is not None
        )
        if cut is None and call.data.isascii():
            call.data = call.data[: call.size]
        return call

    def _time(self, epoch: bytes | None, day: bytes | None, since: bytes | None) -> tuple[int, int]:
        """The time of a line, in one of the ways to tell it, and the same since 1970 if that is known."""
        if epoch:
            self.timed = True
            t = _microseconds(epoch)
            return t, t
        if day:
            self.timed = True
            hours, minutes, seconds = day.split(b":")
            t = (int(hours) * 3600 + int(minutes) * 60) * 1_000_000 + _microseconds(seconds)
            if t + self._midnights * _DAY_US < self._last_us - _DAY_US // 2:
                self._midnights += 1
            t += self._midnights * _DAY_US
            self._last_us = max(self._last_us, t)
            return t, 0
        if since:
            self.timed = True
            self._since_us += _microseconds(since)
        return self._since_us, 0


def _microseconds(seconds: bytes) -> int:
    whole, _, fraction = seconds.partition(b".")
    if len(fraction) == 6:
        return int(whole + fraction)
    return int(whole) * 1_000_000 + int(fraction[:6].ljust(6, b"0") or 0)


def _event(pid: str, text: bytes, t: int, wall: int) -> Call | None:
    if exited := _EXITED.match(text):
        return Call(pid, "exit", "", t, wall, ending=int(exited[1]))
    if killed := _KILLED.match(text):
        return Call(pid, "exit", "", t, wall, ending=killed[1].decode().replace("+", ""))
    if signal := _SIGNAL.match(text):
        return Call(pid, "signal", signal[1].decode(), t, wall, sender=int(signal[2] or 0))
    return None


def _call(pid: str, name: bytes, rest: bytes, result: re.Match[bytes] | None, t: int, wall: int) -> Call:
    kind = "in" if name in IN else "out" if name in OUT else ""
    call = Call(pid, kind, name.decode(), t, wall)
    if name == b"execve":
        if rest.rstrip().endswith(b"= 0") and (begin := rest.find(b"[")) >= 0:
            call.argv = [_text(one) for one in _STRING.findall(rest[begin : rest.rfind(b"]")])]
        return call
    found = _DESCRIPTOR.match(rest)
    if not kind or found is None:
        call.kind = ""
        return call
    call.descriptor = int(found[1])
    if result is None or result[1] == b"?" or int(result[1]) < 0:
        call.failed = (result[2] or b"").decode() if result is not None else ""
        call.failed = call.failed or "?"
        return call
    call.size = int(result[1])
    strings = _STRING.findall(rest)
    call.data = b"".join(_bytes(text) for text, _ in strings)
    call.is_cut = bool(strings) and bool(strings[-1][1])
    if not call.is_cut and call.data.isascii():
        call.data = call.data[: call.size]
    return call


def _text(string: tuple[bytes, bytes]) -> str:
    return _bytes(string[0]).decode(errors="replace")


def _bytes(text: bytes) -> bytes:
    """The bytes that a string of strace stands for."""
    if b"\\" not in text:
        return text
    # Between two escaped backslashes each backslash begins an escape. In JSON nearly all are of these two.
    if b"\\\\" not in text:
        return _between(text)
    return b"\\".join(map(_between, text.split(b"\\\\")))


def _between(text: bytes) -> bytes:
    text = text.replace(b'\\"', b'"').replace(b"\\n", b"\n")
    return _ESCAPE.sub(_byte, text) if b"\\" in text else text


def _byte(escape: re.Match[bytes]) -> bytes:
    sign = escape[1]
    if sign[:1] == b"x" and len(sign) == 3:
        return bytes((int(sign[1:], 16),))
    if sign[:1] in _OCTAL:
        return bytes((int(sign, 8) & 255,))
    return _ESCAPED.get(sign, sign)
