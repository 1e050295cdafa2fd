"""System calls as strace prints them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.formats.system.calls import Call, Calls


def calls(*lines: bytes) -> list[Call]:
    reader = Calls()
    return [call for call in map(reader.feed, lines) if call is not None]


def spelled(data: bytes) -> bytes:
    """A string as strace spells it."""
    signs = {
        0x22: b'\\"',
        0x5C: b"\\\\",
        0x0A: b"\\n",
        0x0D: b"\\r",
        0x09: b"\\t",
        0x0B: b"\\v",
        0x0C: b"\\f",
    }
    return b"".join(
        signs.get(byte) or (bytes((byte,)) if 32 <= byte < 127 else b"\\%03o" % byte) for byte in data
    )


@given(
    st.binary(max_size=30),
    st.sampled_from([b"", b"4711  ", b"[pid  4711] "]),
    st.sampled_from([b"", b"1773480413.589000 ", b"09:26:53 ", b"09:26:53.589 ", b"     0.000120 "]),
    st.sampled_from([b"read(0", b"write(1", b"write(1</dev/pts/0>"]),
    st.sampled_from([b"", b" <0.000012>"]),
    st.integers(0, 40),
    st.sampled_from([b"", b"..."]),
)
def test_a_call_on_one_line_is_the_same_as_one_that_was_interrupted(
    data: bytes, pid: bytes, time: bytes, call: bytes, took: bytes, size: int, more: bytes
):
    begin, end = b'%b, "%b"%b, 65536' % (call, spelled(data), more), b") = %d%b" % (size, took)
    whole = pid + time + begin + end
    name = call.split(b"(")[0]
    halves = pid + time + begin + b" <unfinished ...>", pid + time + b"<... %b resumed>" % name + end
    if b"." in time and time.startswith(b" "):  # time since the line before
        halves = halves[0], halves[1].replace(time, b"     0.000000 ")
    assert calls(whole) == calls(*halves)


@given(st.binary(max_size=60) | st.text('\\"nx51\n', max_size=30).map(str.encode))
def test_the_bytes_of_a_string_come_back(data: bytes):
    line = b'write(1, "%b", %d) = %d' % (spelled(data), len(data), len(data))
    (call,) = calls(line)
    assert (call.kind, call.descriptor, call.data, call.size, call.is_cut) == (
        "out",
        1,
        data,
        len(data),
        False,
    )


@given(st.lists(st.binary(max_size=40) | st.text(max_size=40).map(str.encode), max_size=6))
def test_no_bytes_make_it_raise(lines: list[bytes]):
    heads = [
        b"",
        b"[pid 3] ",
        b'write(1, "',
        b"<... read resumed>",
        b"--- SIG",
        b"12:00:00 ",
        b"1773480413.5 ",
    ]
    for head in heads:
        calls(*(head + line for line in lines))


@pytest.mark.parametrize(
    ("line", "pid", "t", "wall"),
    [
        (b'read(0, "a", 9) = 1', "", 0, 0),
        (b'[pid  4711] read(0, "a", 9) = 1', "4711", 0, 0),
        (b'4711  read(0, "a", 9)    = 1', "4711", 0, 0),
        (b'4711 1773480413.589001 read(0, "a", 9) = 1', "4711", 1773480413589001, 1773480413589001),
        (b'[pid 4711] 09:26:53.5 read(0, "a", 9) = 1 <0.000010>', "4711", 34_013_500_000, 0),
        (b'09:26:53 read(0<pipe:[12]>, "a", 9) = 1', "", 34_013_000_000, 0),
        (b'     0.000250 read(0<UNIX-STREAM:[1->2]>, "a", 9) = 1', "", 250, 0),
    ],
)
def test_processes_and_times_stand_before_the_call(line: bytes, pid: str, t: int, wall: int):
    (call,) = calls(line)
    assert (call.pid, call.t_us, call.wall_us, call.data, call.descriptor) == (pid, t, wall, b"a", 0)


def test_a_call_that_was_interrupted_is_put_together():
    found = calls(
        b'[pid 1] 1773480413.1 write(1, "a\\n", 2 <unfinished ...>',
        b"[pid 2] 1773480413.2 read(0,  <unfinished ...>",
        b"[pid 1] 1773480413.3 <... write resumed>) = 2",
        b'[pid 2] 1773480413.4 <... read resumed>"b\\n", 9) = 2',
        b"[pid 3] <... read resumed>) = 2",
    )
    assert [(call.data, call.wall_us % 1_000_000) for call in found] == [(b"a\n", 100_000), (b"b\n", 400_000)]


def test_what_the_process_writes_to_stderr_may_break_the_line_of_its_call():
    found = calls(b'write(2, "loading", 7loading)  = 7', b'write(2, "\\n", 1', b")                       = 1")
    assert [call.data for call in found] == [b"loading", b"\n"]


def test_a_call_over_several_buffers_and_one_that_wrote_less():
    found = calls(
        b'writev(1, [{iov_base="ab", iov_len=2}, {iov_base="cd", iov_len=2}], 2) = 4',
        b'write(1, "abcdef", 6) = 3',
        b'read(0, "\\x7b\\x22"..., 65536) = 492',
        b'write(1, "ab", 2) = -1 EPIPE (Broken pipe)',
        b'write(1, "ab", 2) = ?',
        b'recvfrom(0, "xy", 9, 0, NULL, NULL) = 2',
    )
    assert [call.data for call in found] == [b"abcd", b"abc", b'{"', b"", b"", b"xy"]
    assert [call.is_cut for call in found] == [False, False, True, False, False, False]
    assert [call.failed for call in found] == ["", "", "", "EPIPE", "?", ""]


def test_ends_signals_and_starts_of_processes():
    found = calls(
        b'1 execve("/bin/x", ["x", "a\\"b"], 0x7 /* 3 vars */) = -1 ENOENT (No such file or directory)',
        b'1 execve("/bin/x", ["x", "a\\"b"], 0x7 /* 3 vars */) = 0',
        b"1 --- SIGTERM {si_signo=SIGTERM, si_code=SI_USER, si_pid=9, si_uid=0} ---",
        b"1 +++ killed by SIGTERM +++",
        b"2 +++ exited with 3 +++",
        b"strace: Process 3 attached",
    )
    assert [call.argv for call in found[:2]] == [None, ["x", 'a"b']]
    assert (found[2].kind, found[2].name, found[2].sender) == ("signal", "SIGTERM", 9)
    assert [call.ending for call in found[3:]] == ["SIGTERM", 3]


def test_a_clock_that_passes_midnight_goes_on():
    first, second = calls(b'23:59:59 read(0, "a", 9) = 1', b'00:00:01 read(0, "a", 9) = 1')
    assert second.t_us - first.t_us == 2_000_000
