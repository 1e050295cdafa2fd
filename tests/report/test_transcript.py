"""A session as lines of text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.captures.open import RecordingSource
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.recording.reader import State
from mcptap.report.transcript import Transcript
from mcptap.text.terminal import Terminal
from tests.helpers import (
    END,
    EXIT,
    SPAWN,
    Step,
    call,
    error,
    handshake,
    notification,
    record,
    request,
    result,
    text_result,
)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(width: int) -> Terminal:
    """A terminal of this width, without colour."""
    terminal = Terminal(Screen(), {"NO_COLOR": "1"})
    terminal.width = width
    return terminal


def shown(
    folder: Path, steps: list[Step], width: int = 0, full: bool = False, closing: bool = False
) -> list[str]:
    """The lines of a recording's transcript, without their numbers and times."""
    path = record(folder / "a.jsonl", steps)
    lines = []
    with RecordingSource(str(path)) as reader:
        transcript = Transcript(reader, screen(width), full)
        for item in (*reader.items(), *reader.unfinished()):
            lines.append(transcript.line(transcript.take(item))[15:])
        if closing:
            return transcript.closing(reader.state())
    path.unlink()
    return lines


def last(folder: Path, *contents: Any, width: int = 0) -> str:
    """The last line of a session in which this came from the server, one after another."""
    return shown(folder, [*handshake(), *(("s2c", c) for c in contents)], width)[-1]


def test_a_healthy_session_reads_as_a_conversation(tmp_path: Path) -> None:
    steps = [
        *handshake(),
        ("c2s", call(1, "forecast", {"city": "Oslo"})),
        ("stderr", b"asking the weather office\n"),
        ("wait", 41_000),
        ("s2c", notification("notifications/message", {"level": "info"})),
        ("s2c", text_result(1, "sunny")),
        *END,
    ]
    assert shown(tmp_path, steps) == [
        " *  server started, pid 4242",
        '--> initialize #0 {"protocolVersion":"2025-11-25","capabilities":{},'
        '"clientInfo":{"name":"agent","version":"1.2.3"}}',
        '<-- initialize #0 (1.0 ms) {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
        '"serverInfo":{"name":"weather","version":"2.0"}}',
        "--> notifications/initialized",
        '--> tools/call forecast #1 {"name":"forecast","arguments":{"city":"Oslo"}}',
        "err asking the weather office",
        '<-- notifications/message {"level":"info"}',
        '<-- tools/call forecast #1 (44 ms) {"content":[{"type":"text","text":"sunny"}]}',
        " *  the client closed the server's input",
        " *  the server closed its output",
        " *  the server closed its stderr",
        " *  server exited with status 0 after 1.00 s",
    ]


def test_a_line_begins_with_its_record_number_and_time(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [SPAWN, ("wait", 12_000_000), ("s2c", b"hello\n")])
    with RecordingSource(str(path)) as reader:
        transcript = Transcript(reader, screen(0))
        lines = [transcript.line(transcript.take(item)) for item in reader.items()]
    assert lines == ["   2     0.001  *  server started, pid 4242", "   3    12.002 <-- NOT JSON: hello"]


def test_the_opening_tells_how_the_server_was_started(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [], argv=["npx", "-y", "a server", "\x1b[2J"], name="x")
    with RecordingSource(str(path)) as reader:
        opening = Transcript(reader, screen(0)).opening()
    assert opening[0] == "x: npx -y 'a server' '␛[2J'"
    assert opening[1] == "  in /home/someone/project, as /usr/bin/python"
    assert "by agent (pid 4000)" in opening[2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"Server ready\n", "<-- NOT JSON: Server ready"),
        (b"\n", "<-- EMPTY LINE"),
        (b"caf\xe9\n", "<-- NOT UTF-8: caf\\xe9"),
        (b"[1]\n", "<-- batch of 1 [1]"),
        (b"42\n", "<-- NO MESSAGE: 42"),
        (b'{"level":"info"}\n', '<-- NO MESSAGE: {"level":"info"}'),
        (b'{"a":NaN}\n', '<-- NaN IS NOT JSON: {"a":NaN}'),
        (b"\xef\xbb\xbf{}\n", "<-- BYTE-ORDER MARK: <U+FEFF>{}"),
        (b"\x1b[31mred\x1b[0m\n", "<-- NOT JSON: ␛[31mred␛[0m"),
        ('{"a":1}'.encode("utf-16-le") + b"\n", '<-- UTF-16, NOT UTF-8: {␀"␀a␀"␀:␀1␀}␀'),
    ],
)
def test_what_is_no_message_is_marked_as_what_it_is(tmp_path: Path, line: bytes, said: str) -> None:
    assert last(tmp_path, line) == said


def test_text_glued_to_an_answer_is_marked_with_what_it_swallowed(tmp_path: Path) -> None:
    steps: list[Step] = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", b'busy... {"jsonrpc":"2.0","id":1,"result":{}}\n'),
    ]
    assert shown(tmp_path, steps)[-1] == (
        '<-- tools/list #1 GLUED TEXT: busy... {"jsonrpc":"2.0","id":1,"result":{}}'
    )
    closing = shown(tmp_path, steps, closing=True)
    assert closing[1:] == [
        "answered in a form that clients can't read: 1 request",
        "  record 6: tools/list #1, by record 7",
    ]


def test_an_answer_that_fails_is_marked(tmp_path: Path) -> None:
    asked = [*handshake(), ("c2s", call(1, "forecast"))]
    assert shown(tmp_path, [*asked, ("s2c", error(1, -32602, "no such tool"))])[-1] == (
        "<-- tools/call forecast #1 (1.0 ms) ERROR -32602 no such tool"
    )
    assert shown(tmp_path, [*asked, ("s2c", text_result(1, "broken", is_error=True))])[-1].startswith(
        "<-- tools/call forecast #1 (1.0 ms) isError {"
    )
    odd = {"jsonrpc": "2.0", "id": 1, "error": "no"}
    assert shown(tmp_path, [*asked, ("s2c", odd)])[-1] == '<-- tools/call forecast #1 (1.0 ms) ERROR "no"'


def test_an_answer_that_belongs_to_nothing_is_marked(tmp_path: Path) -> None:
    assert last(tmp_path, result(9)) == "<-- answer #9 TO A NOTIFICATION {}"
    asked: list[Step] = [*handshake(), ("c2s", request(1, "ping")), ("s2c", result(9))]
    assert shown(tmp_path, asked)[-1] == "<-- answer #9 WAS NEVER ASKED {}"
    assert last(tmp_path, result(0)) == "<-- initialize #0 A SECOND ANSWER {}"
    steps: list[Step] = [*handshake(), ("c2s", request(1, "ping")), ("s2c", result("1"))]
    assert "ID OF ANOTHER TYPE" in shown(tmp_path, steps)[-1]


def test_a_request_of_the_server_is_paired_as_well(tmp_path: Path) -> None:
    steps: list[Step] = [
        *handshake(),
        ("s2c", request("r", "roots/list")),
        ("c2s", result("r", {"roots": []})),
    ]
    assert shown(tmp_path, steps)[-2:] == ['<-- roots/list #"r"', '--> roots/list #"r" (1.0 ms) {"roots":[]}']


def test_values_are_shown_as_they_were_spelled(tmp_path: Path) -> None:
    params = '{"big": 123456789012345678901,  "u": "\\u00e9", "e": 1.0E+2}'
    line = f'{{ "jsonrpc":"2.0", "method":"x", "params": {params} }}\n'
    assert last(tmp_path, line.encode()) == f"<-- x {params}"


def test_unusual_line_ends_are_marked(tmp_path: Path) -> None:
    assert last(tmp_path, b'{"jsonrpc":"2.0","method":"x"}\r\n') == "<-- x [CRLF]"
    assert last(tmp_path, b'{"jsonrpc":') == '<-- NOT JSON: UNFINISHED, 11 B SO FAR: {"jsonrpc":'
    assert shown(tmp_path, [*handshake(), ("s2c", b"bye"), *END])[-3] == " *  the server closed its output"
    assert "<-- NOT JSON: [NO NEWLINE] bye" in shown(tmp_path, [*handshake(), ("s2c", b"bye"), *END])


def test_requests_without_an_answer_are_listed_at_the_end(tmp_path: Path) -> None:
    steps = [*handshake(), *(("c2s", call(i, "slow")) for i in range(1, 31)), EXIT]
    closing = shown(tmp_path, steps, closing=True)
    assert closing[:2] == [
        "finished: 33 lines between client and server in 35 ms",
        "never answered: 30 requests",
    ]
    assert closing[2] == "  record 6: tools/call slow #1, asked at 0.005 s"
    assert closing[-1] == "  and 10 more"


def test_a_session_in_which_all_was_answered_ends_in_one_line(tmp_path: Path) -> None:
    assert shown(tmp_path, [*handshake(), *END], closing=True) == [
        "finished: 3 lines between client and server in 8.0 ms"
    ]


def test_what_the_diagnosis_finds_is_said_once_and_at_the_end_in_full(tmp_path: Path) -> None:
    steps: list[Step] = [
        *handshake(),
        ("c2s", call(1, "slow")),
        ("s2c", b"ready\n"),
        ("s2c", b"ready again\n"),
        EXIT,
    ]
    path = str(record(tmp_path / "a.jsonl", steps))
    with RecordingSource(path) as reader:
        diagnosis = Diagnosis(reader.header)
        for item in reader.items():
            diagnosis.feed(item)
        found = {f.rule for f in diagnosis.finish(reader.state()) if f.level > Level.INFO}
    with RecordingSource(path) as reader:
        transcript = Transcript(reader, screen(60))
        said: list[str] = []
        for item in reader.items():
            transcript.take(item)
            said += transcript.new_findings()
            assert transcript.new_findings() == []
        transcript.closing(reader.state())
        said += transcript.new_findings()
    assert said[0].startswith("!!! error stdout-not-json at record 7: ")
    assert all(cell_len(line) <= 60 for line in said)
    rules = [line.split()[2].rstrip(":") for line in said]
    assert len(rules) == len(set(rules))
    assert found <= set(rules)


def test_lines_are_cut_to_the_terminal_and_say_what_matters_first(tmp_path: Path) -> None:
    steps: list[Step] = [
        *handshake(),
        ("c2s", call(1, "forecast", {"city": "日本" * 100})),
        ("s2c", text_result(1, "日本" * 100)),
        ("c2s", request(2, "tools/list")),
        ("s2c", result(2, {"tools": [{"name": "forecast"}, {"name": "warnings"}]})),
        ("s2c", "日本 ".encode() * 1000 + b"\n"),
    ]
    lines = shown(tmp_path, steps, width=80)
    assert lines[1] == "--> initialize #0 2025-11-25, declares nothing, agent 1.2.3"
    assert lines[2] == "<-- initialize #0 (1.0 ms) 2025-11-25, declares tools, weather 2…"
    assert lines[4].startswith('--> tools/call forecast #1 {"city": "日本')
    assert lines[5].startswith('<-- tools/call forecast #1 (1.0 ms) "日本')
    assert lines[7] == "<-- tools/list #2 (1.0 ms) 2 tools: forecast, warnings"
    for line in (lines[4], lines[5], lines[8]):
        assert line.endswith("…")
        assert cell_len(line) in (64, 65)
    assert max(map(len, shown(tmp_path, steps, width=80, full=True))) > 3000


def test_a_damaged_record_is_one_line_of_its_own(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [SPAWN])
    with path.open("ab") as file:
        file.write(b'{"k":"li\x1b[31m\n')
    with RecordingSource(str(path)) as reader:
        transcript = Transcript(reader, screen(0))
        lines = [transcript.line(transcript.take(item)) for item in reader.items()]
    assert lines[1] == '   3           ??? DAMAGED RECORD it is not a JSON object: {"k":"li␛[31m'


wire = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(
        [
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}',
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":[],"clientInfo":3}}',
            b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":5}],"isError":true}}',
            b'{"jsonrpc":"2.0","id":1,"result":{"tools":[3],"capabilities":"x","serverInfo":[]}}',
            b'{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}',
            b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        ]
    ),
)
traffic = st.lists(
    st.tuples(st.sampled_from(["c2s", "s2c", "stderr"]), wire.map(lambda b: b + b"\n")), max_size=8
)


@settings(max_examples=60)
@given(traffic, st.sampled_from([0, 20, 80]))
def test_any_traffic_becomes_lines_that_fit_and_cannot_drive_a_terminal(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step], width: int
) -> None:
    folder = tmp_path_factory.mktemp("any")
    path = record(folder / "a.jsonl", steps)
    with RecordingSource(str(path)) as reader:
        transcript = Transcript(reader, screen(width))
        lines = [transcript.line(transcript.take(item)) for item in (*reader.items(), *reader.unfinished())]
        lines += transcript.closing(State.CRASHED)
    for line in lines:
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line)
        assert not width or cell_len(line) <= width


def test_an_error_whose_message_is_no_text_is_shown_as_it_was_spelled(tmp_path: Path) -> None:
    asked = [*handshake(), ("c2s", call(1, "forecast"))]
    odd = {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": [1]}}
    assert shown(tmp_path, [*asked, ("s2c", odd)])[-1].endswith(' ERROR {"code":-1,"message":[1]}')


def test_where_the_client_was_on_a_terminal_nothing_is_said_to_be_unanswered_or_unasked(
    tmp_path: Path,
) -> None:
    steps: list[Step] = [SPAWN, ("s2c", result(1)), ("s2c", request(2, "roots/list")), EXIT]
    path = record(tmp_path / "a.jsonl", steps, unrecorded=["c2s"])
    with RecordingSource(str(path)) as reader:
        transcript = Transcript(reader, screen(0))
        opening = transcript.opening()
        lines = [transcript.line(transcript.take(item)) for item in reader.items()]
        closing = transcript.closing(reader.state())
    assert (
        opening[-1] == "  the client's side was not recorded: it was a terminal, which the server had itself"
    )
    assert not any("NEVER" in line for line in lines)
    assert not any("never answered" in line for line in closing)
    assert not transcript.new_findings()
