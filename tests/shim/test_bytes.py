"""Every byte passes, in all three channels, and every byte is in the recording."""

from __future__ import annotations

import random

import pytest

from mcptap.recording.format.model import NOT_JSON
from tests.shim.conftest import Start
from tests.shim.running import awkward


def message(number: int, text: str = "x") -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"ping","params":{"t":"%b"}}\n' % (number, text.encode())


PAYLOADS = {
    "messages": b"".join(message(n) for n in range(3000)),
    "invalid UTF-8": b'{"a":"\xff\xfe\x80"}\n' * 50 + b"\xc3\n\xed\xa0\x80\n",
    "CRLF": message(1)[:-1] + b"\r\n" + b'{"a":1}\r\n' * 20,
    "CR alone": b'{"a":1}\r{"b":2}\r' + message(1),
    "CR CR LF": b'{"a":1}\r\r\n\r\r\n\n\r\n',
    "byte-order mark": b"\xef\xbb\xbf" + message(1),
    "NUL": b"\0" + message(1) + b"a\0b\n\0\0\n",
    "UTF-16": "".join(f'{{"id":{n}}}\n' for n in range(50)).encode("utf-16"),
    "UTF-32": "".join(f'{{"id":{n}}}\n' for n in range(50)).encode("utf-32"),
    "line separators of Unicode": message(1, "a\u2028b\u2029c\u0085d") + b"x\x0cy\x0bz\x1c\n",
    "empty lines": b"\n\n" + message(1) + b"\n \n\t\n\n",
    "no newline at the end": message(1) + b'{"tail":1}',
    "one byte": b"x",
    "only a newline": b"\n",
    "nothing": b"",
    "escape sequences": b"\x1b[31mred\x1b[0m\n" + message(1) + b"\x1b]0;t\x07\n",
    "odd numbers": b'{"a":1.0,"b":1e400,"c":12345678901234567890123,"d":-0}\n{"a":NaN}\n{"a":Infinity}\n',
    "odd spelling": b'{"b":1,"a":2,"b":3, "s":"\\u00e9\\/"}\n\t{ "a" : 1 } \n',
    "lone surrogate": b'{"s":"\\ud800"}\n' * 20,
    "great depth": b"[" * 1024 + b"]" * 1024 + b"\n" + b"[" * 20_000 + b"]" * 20_000 + b"\n",
    "long number": b"1" * 5000 + b"\n" + b'{"id":' + b"9" * 5000 + b"}\n",
    "a line over the limit": b'{"r":"' + "ü".encode() * 1_500_000 + b'"}\r\n' + message(2),
    "a long line without end": b'{"r":"' + b"L" * 3_000_000,
    "random bytes": random.Random(1).randbytes(400_000),
    "mostly messages": b"".join(message(n) + (b"log %d\n" % n if n % 40 == 0 else b"") for n in range(3000)),
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_bytes_pass_unchanged_and_are_recorded_unchanged(start: Start, name: str) -> None:
    payload = PAYLOADS[name]
    tap = start(awkward("echo_twice"))
    assert tap.finish(payload) == (0, payload, payload)
    recording = tap.recording()
    for channel in ("c2s", "s2c", "stderr"):
        assert recording.bytes(channel) == payload
    assert recording.event("exit")["code"] == 0


def test_characters_split_over_chunks_pass_and_are_whole_in_the_recording(start: Start) -> None:
    text = message(1, "grüße 漢字 🎉" * 3)
    tap = start(awkward("echo_twice"))
    for begin in range(0, len(text), 5):
        tap.send(text[begin : begin + 5])
        assert tap.out is not None
        assert tap.out.wait(lambda seen, n=begin + 5: len(seen) >= min(n, len(text)))
    assert tap.finish() == (0, text, text)
    recording = tap.recording()
    assert [line.data for line in recording.lines("s2c")] == [text[:-1]]
    assert recording.lines("s2c")[0].value is not NOT_JSON


def test_a_chunk_is_forwarded_before_its_newline_comes(start: Start) -> None:
    tap = start(awkward("echo_twice"))
    tap.send(b'{"half')
    assert tap.sees(b'{"half')
    assert tap.err is not None
    assert tap.err.sees(b'{"half')
    # What was forwarded is in the recording already, as the beginning of a line.
    assert [line.data for line in tap.recording().unfinished if line.channel == "s2c"] == [b'{"half']
    tap.finish(b'":1}\n')
    assert [line.raw for line in tap.recording().lines("s2c")] == [b'{"half":1}\n']


def test_the_tap_itself_writes_nothing_to_stdout(start: Start, tmp_path) -> None:
    tap = start(awkward("count_late"), options=["--record", str(tmp_path / "records/")])
    status, out, err = tap.finish(b"not json\n" + message(1))
    assert (status, out) == (0, b"%d\n" % (9 + len(message(1))))
    assert all(line.startswith(b"mcptap: ") for line in err.splitlines())
    assert err
