"""`mcptap send` as a command, against real servers."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryFile
from xml.etree import ElementTree

import pytest

from mcptap.commands import main
from mcptap.recording.format.model import Event
from mcptap.recording.reader import Reader, State
from tests.helpers import END, call, handshake, record, request, result, rewrite

SERVER = str(Path(__file__).parent.parent / "servers" / "scales.py")
COMMAND = [sys.executable, SERVER]

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "by-hand", "version": "1.0"},
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": META["io.modelcontextprotocol/clientInfo"],
}
HANDSHAKE = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "scale_notes", "arguments": {"root": "F"}},
    },
    {
        "jsonrpc": "2.0",
        "id": 4,
        "method": "tools/call",
        "params": {"name": "scale_notes", "arguments": {"root": "H"}},
    },
]
STATELESS = [
    {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}},
    {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "scale_notes", "arguments": {"root": "H"}, "_meta": META},
    },
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in list(os.environ):
        if name.startswith("SCALES_"):
            monkeypatch.delenv(name)
    return tmp_path


def plain(path: Path, messages) -> str:
    path.write_bytes(
        b"".join(m if isinstance(m, bytes) else json.dumps(m).encode() + b"\n" for m in messages)
    )
    return str(path)


def start(*arguments: str, command=COMMAND, **environment: str) -> subprocess.Popen:
    argv = [sys.executable, "-m", "mcptap", "send", *arguments, *(["--", *command] if command else [])]
    return subprocess.Popen(
        argv, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def send(*arguments: str, command=COMMAND, **environment: str) -> tuple[int, list[str], str]:
    """Exit status, lines of stdout, stderr; played in this process, which is cheaper than one of its own."""
    argv = ["send", *arguments, *(["--", *command] if command else [])]
    with pytest.MonkeyPatch.context() as patch, _captured() as outputs:
        for name, value in environment.items():
            patch.setenv(name, value)
        try:
            status = main(argv)
        except SystemExit as end:
            status = int(end.code or 0)
    out, err = outputs
    return status, out.splitlines(), err


@contextmanager
def _captured():
    """A list that holds what was written to descriptors 1 and 2, afterwards."""
    texts: list[str] = []
    saved = [os.dup(1), os.dup(2)]
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                yield texts
        finally:
            for number, descriptor in enumerate(saved, 1):
                os.dup2(descriptor, number)
                os.close(descriptor)
            for file in (out, err):
                file.seek(0)
                texts.append(file.read())


def recorded(folder: Path, messages=HANDSHAKE, **environment: str) -> str:
    """A recording of the server, made by sending plain lines to it."""
    path = str(folder / "session.jsonl")
    status, _, err = send(plain(folder / "client.jsonl", messages), "--record", path, **environment)
    assert status == 0, err
    return path


def skeleton(lines: list[str]) -> list[str]:
    """The transcript by arrows and ids."""
    short = []
    for line in lines:
        arrow, _, text = line.partition(" ")
        try:
            short.append(f"{arrow} {json.loads(text).get('id', '-')}")
        except ValueError:
            short.append(line)
    return short


def verdict(out):
    """The last line but for what a busy machine adds to it."""
    return re.sub(r", \d+ slower", "", out[-1])


def test_a_handshake_session_is_printed_line_by_line(folder):
    status, out, err = send(plain(folder / "c", HANDSHAKE))
    assert skeleton(out) == [
        "--> 1",
        "<-- 1",
        "--> -",
        "--> 2",
        "<-- 2",
        "--> 3",
        "<-- 3",
        "--> 4",
        "<-- 4",
        "exit code: 0",
    ]
    assert [out[0], out[2]] == [f"--> {json.dumps(HANDSHAKE[0])}", f"--> {json.dumps(HANDSHAKE[1])}"]
    assert '"isError":true' in out[-2]
    assert "scales is ready" in err
    assert status == 0


def test_messages_of_a_rewritten_recording_are_sent_as_their_values_and_that_is_said(folder):
    path = str(rewrite(recorded(folder), sort_keys=True))
    status, out, err = send(path)
    assert (status, skeleton(out)[-1]) == (0, "exit code: 0")
    sent = [json.loads(line[4:]) for line in out if line.startswith("--> ")]
    assert sent == HANDSHAKE
    assert err.count("was rewritten by another program; its messages are sent as encoded anew") == 1


def test_a_stateless_session_is_printed_as_well(folder):
    status, out, _ = send(plain(folder / "c", STATELESS))
    assert skeleton(out) == ["--> 1", "<-- 1", "--> 2", "<-- 2", "exit code: 0"]
    assert status == 0


def test_a_planted_print_stands_as_a_stray_line_before_its_answer_and_fails_the_play(folder):
    status, out, err = send(plain(folder / "c", HANDSHAKE[:4]), SCALES_PRINT="1")
    assert out[-4:-2] == ["<-- Spelling F major", "    (no message: pollution of stdout)"]
    assert skeleton(out)[-2:] == ["<-- 3", "exit code: 0"]
    assert status == 1
    assert "the server wrote 1 line on stdout that is no message, which clients can't read: \"Spelling" in err


def test_the_same_play_prints_the_same(folder):
    file = plain(folder / "c", [*HANDSHAKE[:2], b"not json\n", *HANDSHAKE[3:]])
    assert send(file)[1] == send(file)[1]


def test_lines_that_are_no_json_are_sent_byte_for_byte(folder):
    file = plain(folder / "c", [b"\xffnot json\r\n", {"id": 1, "method": "ping"}, b'{"half"'])
    command = [sys.executable, "-c", "import sys; print(sys.stdin.buffer.read().hex())"]
    status, out, err = send(file, "--timeout", "0.1", command=command)
    assert out[-3] == "<-- " + b'\xffnot json\r\n{"id": 1, "method": "ping"}\n{"half"'.hex()
    assert status == 1
    assert "no answer to ping (id 1)" in err


def test_the_run_is_recorded_by_the_same_writer(folder):
    path = recorded(folder)
    with Reader(path) as reader:
        items = list(reader.items())
        assert reader.state() is State.FINISHED
        assert reader.header.argv == COMMAND
        assert reader.header.parent["name"] == "mcptap send"
    assert [i.raw for i in items if getattr(i, "channel", "") == "c2s"] == [
        json.dumps(m).encode() + b"\n" for m in HANDSHAKE
    ]


def test_without_a_command_the_recorded_one_runs_in_its_directory_and_says_so(folder, monkeypatch):
    path = recorded(folder, SCALES_TITLE="recorded", SECRET_KEY="x")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    status, out, err = send(path, "--record", str(folder / "again.jsonl"), command=[])
    assert (status, out[-1]) == (0, "exit code: 0")
    assert f"starting {sys.executable} {SERVER} in {folder}" in err
    assert "no value of SCALES_TITLE, SECRET_KEY" in err
    with Reader(str(folder / "again.jsonl")) as reader:
        assert reader.header.cwd == str(folder)
        assert "SECRET_KEY" not in reader.header.environment["names"]


def test_a_cursor_of_the_recorded_server_is_replaced_by_the_fresh_one(folder):
    first = recorded(folder, HANDSHAKE[:3])
    with Reader(first) as reader:
        listing = [i.value for i in reader.items() if getattr(i, "channel", "") == "s2c"][-1]
    second_page = {
        "jsonrpc": "2.0",
        "id": 5,
        "method": "tools/list",
        "params": {"cursor": listing["result"]["nextCursor"]},
    }
    both = record(
        folder / "both.jsonl",
        [
            *handshake(),
            ("c2s", HANDSHAKE[2]),
            ("s2c", listing),
            ("c2s", second_page),
            ("s2c", result(5, {"tools": []})),
            *END,
        ],
    )
    status, out, _ = send(str(both), "--no-record")
    assert status == 0
    assert '"name":"title"' in out[-2]


def test_the_server_is_answered_as_the_recorded_client_did(folder):
    steps = [*handshake(), ("c2s", call(1, "title")), ("s2c", request("old", "roots/list"))]
    steps += [
        ("c2s", result("old", {"roots": [{"uri": "file:///project"}]})),
        ("s2c", result(1, {"content": []})),
    ]
    file = str(record(folder / "r.jsonl", [*steps, *END]))
    status, out, _ = send(file, "--no-record", SCALES_ASK="1")
    assert status == 0
    assert "file:///project" in out[-2]
    _, out, _ = send(plain(folder / "c", [*HANDSHAKE[:2], HANDSHAKE[3]]), "--no-record", SCALES_ASK="1")
    assert '"code":-32601' in out[-3]
    assert "refused" in out[-2]


def test_comparing_with_an_unchanged_server_finds_nothing(folder):
    path = recorded(folder)
    (folder / "session.jsonl.ignore").write_text("tools/list result.nextCursor\n")
    status, out, _ = send(path, "--compare", "-q")
    assert (status, verdict(out)) == (0, "compared: the same (4 same)")
    assert "pattern tools/list result.nextCursor (1)" in out[-2]


def test_one_request_is_sent_again_after_the_opening(folder):
    path = recorded(folder)
    with Reader(path) as reader:
        last = [i.number for i in reader.items() if getattr(i, "channel", "") == "c2s"][-1]
    status, out, _ = send(path, "--only", str(last), "--compare", "--no-record", command=[])
    assert status == 0
    assert skeleton(out) == [
        "--> 1",
        "<-- 1",
        "--> -",
        "--> 4",
        "<-- 4",
        "exit code: 0",
        "compared: the same (2 same)",
    ]
    status, _, err = send(path, "--only", "1", command=[])
    assert status == 2
    assert "number 1 is not a line that the client sent" in err


def test_edited_lines_go_to_a_server_that_is_started_like_the_recorded_one(folder):
    path = recorded(folder)
    status, out, err = send(
        plain(folder / "edited", HANDSHAKE[:1]), "--like", path, "--no-record", command=[]
    )
    assert (status, skeleton(out)) == (0, ["--> 1", "<-- 1", "exit code: 0"])
    assert f"starting {sys.executable} {SERVER}" in err


def test_another_command_may_run_where_the_recorded_one_did(folder, monkeypatch):
    path = recorded(folder)
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    command = [
        sys.executable,
        "-c",
        "import os, sys; sys.stdin.read(); print(os.getcwd(), 'NEW' in os.environ)",
    ]
    _, out, _ = send(
        path, "--like", path, "--only", "3", "--no-record", "--timeout", "0.1", command=command, NEW="1"
    )
    assert out[-3] == f"<-- {folder} False"
    _, out, _ = send(path, "--only", "3", "--no-record", "--timeout", "0.1", command=command, NEW="1")
    assert out[-3] == f"<-- {folder / 'elsewhere'} True"


def test_a_recorded_directory_that_is_gone_is_told(folder, monkeypatch):
    (folder / "once").mkdir()
    monkeypatch.chdir(folder / "once")
    path = recorded(folder)
    monkeypatch.chdir(folder)
    (folder / "once").rmdir()
    status, out, err = send(path, command=[])
    assert (status, out) == (2, [])
    assert "does not exist here; name another with --cwd" in err


def test_a_planted_print_fails_a_comparison(folder):
    path = recorded(folder, STATELESS)
    status, out, _ = send(path, "--compare", "--quiet", SCALES_PRINT="1")
    assert status == 1
    assert out == [
        "extra: line that is no message: Spelling F major",
        "may break who used the server before: clients can't read it (1)",
        "compared: different (2 same, 1 extra)",
    ]


def test_a_gate_gets_the_comparison_in_its_own_form_and_no_transcript(folder):
    path = recorded(folder, STATELESS)
    status, out, _ = send(path, "--compare", "--junit", SCALES_PRINT="1")
    root = ElementTree.fromstring("\n".join(out))
    assert (status, root.get("tests"), root.get("failures")) == (1, "3", "1")
    status, out, _ = send(path, "--compare", "--json", SCALES_PRINT="1")
    told = json.loads("\n".join(out))
    assert [entry["status"] for entry in told["answers"] if entry["counts"]] == ["extra"]


def test_a_changed_answer_fails_a_comparison_and_is_told_by_path(folder):
    title = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "title", "arguments": {}}}
    path = recorded(folder, [title])
    status, out, _ = send(path, "--compare", "--no-record", SCALES_TITLE="F minor")
    assert status == 1
    assert out[-5:] == [
        "different: tools/call title (id 7)",
        "  result.content[0].text",
        '    - "F major"',
        '    + "F minor"',
        "compared: different (1 different)",
    ]


def test_a_crash_is_an_exit_code_and_a_status(folder):
    status, out, err = send(plain(folder / "c", HANDSHAKE), SCALES_CRASH="1")
    assert status == 1
    assert out[-1] == "exit code: 3"
    assert "no answer to tools/call (id 3) before the server ended" in err
    assert "not sent: tools/call, since the server ended" in err


def test_an_answer_that_never_comes_costs_the_time_limit_only(folder):
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    status, out, err = send(plain(folder / "c", HANDSHAKE[:1]), "--timeout", "0.2", command=command)
    assert (status, skeleton(out)) == (1, ["--> 1", "exit code: 0"])
    assert "no answer to initialize (id 1) within 0.2 s" in err


def test_a_server_that_ignores_the_end_of_input_and_term_is_killed(folder):
    path = str(folder / "r.jsonl")
    status, out, err = send(
        plain(folder / "c", HANDSHAKE[:1]), "--grace", "0.1", "--record", path, SCALES_STUBBORN="1"
    )
    assert (status, out[-1]) == (1, "exit code: 137 (SIGKILL)")
    assert "the server had to be killed: it ended neither with its input nor on SIGTERM" in err
    status, out, err = send(path, "--grace", "0.1", "--no-record", SCALES_STUBBORN="1")
    assert (status, out[-1]) == (0, "exit code: 137 (SIGKILL)")
    assert "had to be killed" not in err


def test_when_send_is_told_to_end_the_server_ends_too(folder):
    path = folder / "r.jsonl"
    command = [sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(600)"]
    with start(plain(folder / "c", HANDSHAKE[:1]), "--record", str(path), command=command) as process:
        assert process.stdout is not None
        assert any("ready" in line for line in iter(process.stdout.readline, ""))
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    assert out.splitlines()[-1] == "exit code: 143 (SIGTERM)"
    with Reader(str(path)) as reader:
        events = [item for item in reader.items() if isinstance(item, Event)]
        assert reader.state() is State.FINISHED
    assert events[0].kind == "spawn"
    with pytest.raises(ProcessLookupError):
        os.kill(events[0].fields["pid"], 0)


def test_a_reader_that_leaves_does_not_leave_a_server(folder):
    with start(plain(folder / "c", HANDSHAKE), "--record", str(folder / "r.jsonl")) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
    assert "Traceback" not in err
    with Reader(str(folder / "r.jsonl")) as reader:
        list(reader.items())
        assert reader.state() is State.FINISHED


def test_the_recorded_pace_takes_as_long_as_the_recording_did(folder):
    path = record(folder / "r.jsonl", [("c2s", HANDSHAKE[0]), ("wait", 700_000), ("c2s", HANDSHAKE[1]), *END])
    began = time.monotonic()
    status, _, _ = send(str(path), "--no-record", "--pace", "recorded")
    assert status == 0
    assert time.monotonic() - began >= 0.7


@pytest.mark.parametrize(
    ("arguments", "command", "words"),
    [
        (["missing"], COMMAND, "missing: cannot be read"),
        (["empty"], COMMAND, "there is no line of a client in it"),
        (["quiet"], COMMAND, "there is no request in what would be sent"),
        (["calls", "--no-calls"], COMMAND, "there is no request in what would be sent"),
        (["masked"], COMMAND, "line 1 has a mask"),
        (["plain", "--expect", "plain"], COMMAND, "expects nothing"),
        (["plain", "--write-expect", "plain"], COMMAND, "which is no file for --expect"),
        (["plain", "--json"], COMMAND, "--compare and --expect"),
        (["shown", "--pace", "recorded"], COMMAND, "a transcript with arrows has no times"),
        (["plain"], [], "give its command behind --"),
        (["plain", "--compare"], COMMAND, "--compare needs a recording"),
        (["plain", "--junit"], COMMAND, "give one of them as well"),
        (["plain", "--pace", "recorded"], COMMAND, "--pace recorded needs a recording"),
        (["plain"], ["no-such-server-7f3a"], "no such program"),
        (["plain", "--timeout", "never"], COMMAND, "--timeout"),
        (["plain", "--cwd", "nowhere"], COMMAND, "no folder"),
    ],
)
def test_what_cannot_run_is_one_sentence_and_status_2(folder, arguments, command, words):
    plain(folder / "plain", HANDSHAKE)
    plain(folder / "empty", [])
    plain(folder / "quiet", HANDSHAKE[1:2])
    plain(folder / "calls", HANDSHAKE[3:])
    plain(folder / "masked", [{"id": 1, "method": "x", "params": {"token": "\u2039masked:abc123\u203a"}}])
    (folder / "shown").write_text(f"--> {json.dumps(HANDSHAKE[0])}\n")
    status, out, err = send(*arguments, command=command)
    assert (status, out) == (2, [])
    assert words in err
    assert "Traceback" not in err


def test_the_client_of_a_capture_is_played_and_compared_with_it(folder, monkeypatch):
    monkeypatch.setenv("SCALES_TITLE", "A major")
    title = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "title", "arguments": {}}}
    _, out, _ = send(plain(folder / "c", [HANDSHAKE[0], HANDSHAKE[1], title]), "--no-record")
    (folder / "shown").write_text("\n".join(out))
    status, out, err = send(str(folder / "shown"), "--compare", "--no-record")
    assert (status, verdict(out)) == (0, "compared: the same (2 same)")
    assert (
        "was read as a transcript with arrows; of it the client's lines are sent by value: their exact" in err
    )
    monkeypatch.setenv("SCALES_TITLE", "B minor")
    assert send(str(folder / "shown"), "--compare", "--no-record")[0] == 1


def test_bare_messages_of_both_sides_are_a_capture(folder):
    lines = [HANDSHAKE[0], {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25"}}]
    status, out, _ = send(plain(folder / "c", lines), "--no-record")
    assert (status, skeleton(out)) == (0, ["--> 1", "<-- 1", "exit code: 0"])


def test_a_line_without_newline_is_ended_by_the_end_of_the_input(folder):
    last = json.dumps(HANDSHAKE[2]).encode()
    status, out, err = send(plain(folder / "c", [HANDSHAKE[0], last]), "--no-record")
    assert status == 0, err
    assert skeleton(out)[-2:] == ["<-- 2", "exit code: 0"]


def test_a_crash_that_was_recorded_is_none_that_has_to_be_told(folder, monkeypatch):
    file = plain(folder / "c", HANDSHAKE[:1])
    command = [sys.executable, "-c", f"import sys; exec(open({SERVER!r}).read()); sys.exit(4)"]
    status, _, err = send(file, "--record", str(folder / "r.jsonl"), command=command)
    assert status == 1
    assert err.endswith("mcptap: the server ended with exit code 4\n")
    assert send(str(folder / "r.jsonl"), "--no-record", command=command)[0] == 0


def test_a_dry_run_shows_the_command_and_the_lines_masked_and_starts_nothing(folder):
    file = plain(folder / "c", [HANDSHAKE[0], {**HANDSHAKE[3], "params": {"token": "s3cr3t-0123456789"}}])
    command = ["no-such-server-7f3a", "--api-key", "k3y-0123456789abcdef"]
    status, out, err = send(file, "--dry-run", command=command)
    assert (status, err) == (0, "")
    assert out[0].startswith("would start no-such-server-7f3a --api-key '\u2039masked:")
    assert out[1:3] == [f"  in {folder}", "and would send 2 lines:"]
    assert out[3].startswith('     1 --> {"jsonrpc": "2.0", "id": 1, "method": "initialize"')
    assert "\u2039masked:" in out[4]
    assert not (folder / "state").exists() or not list((folder / "state").rglob("*.jsonl"))


def test_calls_are_left_out_on_request_also_of_a_comparison(folder):
    path = recorded(folder)
    status, out, err = send(path, "--no-calls", "--compare", "--no-record")
    assert (status, verdict(out)) == (0, "compared: the same (2 same)")
    assert "left out: 2 calls of tools" in err
    assert [line for line in out if "tools/call" in line] == []


def test_secrets_are_masked_on_request(folder):
    code = (
        "import json, sys; sys.stdin.readline(); print('token=s3cr3t0123456789abc', file=sys.stderr); "
        "print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': {'token': 's3cr3t0123456789abc'}}))"
    )
    file = plain(
        folder / "c", [{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"apiKey": "k3y012345678"}}]
    )
    command = [sys.executable, "-c", code]
    _, out, err = send(file, "--no-record", "--masked", command=command)
    assert out[0].count("\u2039masked:") == out[1].count("\u2039masked:") == 1
    assert "s3cr3t" not in "".join(out) + err
    assert "k3y" not in "".join(out)
    _, out, err = send(file, "--no-record", command=command)
    assert "k3y" in out[0]
    assert "s3cr3t" in out[1]
    assert "s3cr3t" in err


def test_what_is_made_to_be_passed_on_has_no_secrets_not_even_those_of_the_command(folder):
    code = (
        "import json, sys; sys.stdin.readline(); "
        "print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': {'said': sys.argv[2], 'n': %d}}))"
    )
    secrets = ["--api-key", "Zx81qLm04RtPw77a"]
    file = plain(folder / "c", [{"jsonrpc": "2.0", "id": 1, "method": "x"}])
    expected = str(folder / "expected")
    send(file, "--no-record", "--write-expect", expected, command=[sys.executable, "-c", code % 1, *secrets])
    command = [sys.executable, "-c", code.replace("argv[2]", "argv[2] + '!'") % 2, *secrets]
    assert "Zx81" not in (folder / "expected").read_text()
    _, out, _ = send(file, "--no-record", "-q", "--expect", expected, command=command)
    assert any("result.n" in line for line in out)
    assert "Zx81" not in "".join(out)


def test_a_masked_line_is_sent_as_it_stands_only_if_the_user_says_so(folder):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"token": "\u2039masked:abc123\u203a"}}
    status, out, _ = send(plain(folder / "c", [asked]), "--no-record", "--masked-values")
    assert (status, skeleton(out)[:2]) == (0, ["--> 1", "<-- 1"])


def test_what_came_can_be_expected_and_what_differs_is_shown(folder, monkeypatch):
    client, expected = plain(folder / "c", HANDSHAKE), str(folder / "expected")
    status, _, err = send(client, "--no-record", "--write-expect", expected)
    assert status == 0
    assert f"what came is expected in {expected} now" in err
    text = (folder / "expected").read_text()
    assert '"nextCursor":"\u2039state\u203a"' in text
    assert text.endswith("exit code: 0\n")
    status, out, _ = send(client, "--no-record", "--expect", expected)
    assert (status, verdict(out)) == (0, "compared: the same (4 same)")
    monkeypatch.setenv("SCALES_PRINT", "1")
    status, out, _ = send(client, "--no-record", "--expect", expected, "-q")
    assert status == 1
    assert out[0] == "extra: line that is no message: Spelling F major"
    (folder / "expected").write_text(text.replace("exit code: 0", "exit code: 3").replace("F", "G"))
    monkeypatch.delenv("SCALES_PRINT")
    status, out, _ = send(client, "--no-record", "--expect", expected, "-q")
    assert status == 1
    assert "different: end of the server: exit code: 3 expected, exit code: 0 now" in out
    assert "different: tools/call scale_notes (id 3)" in out


@pytest.mark.parametrize("sample", ["clean-handshake", "clean-stateless", "crash", "wrong-cwd"])
def test_samples_are_sent_to_the_server_that_is_shipped_with_them_once_the_user_agrees(folder, sample):
    path = str(Path(__file__).parents[2] / "recordings" / f"{sample}.jsonl")
    status, out, err = send(path, "--compare", "--no-record", "--run-recorded", command=[])
    assert (status, out[-1].partition(" (")[0]) == (0, "compared: the same"), err
    assert "/recordings/weather, beside it, takes its place" in err


SAMPLES = Path(__file__).parent.parent / "captures" / "samples"


def test_one_session_of_a_log_is_sent_by_its_number(capsys):
    log = f"{SAMPLES}/claude_desktop/mcp.log"
    assert main(["send", "--dry-run", f"{log}#2", "--", *COMMAND]) == 0
    assert '"method":"initialize"' in capsys.readouterr().out.replace(" ", "")
    assert main(["send", "--dry-run", f"{log}#9", "--", *COMMAND]) == 2
    assert "holds 3 sessions, so there is no #9" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["send"], ["mock"]])
def test_messages_that_a_log_only_tells_of_are_not_made_up(command, capsys):
    log = f"{SAMPLES}/vscode/output.info-only.log"
    behind = ["--", *COMMAND] if command == ["send"] else []
    assert main([*command, log, *behind]) == 2
    assert "VS Code's log of an MCP server" in capsys.readouterr().err
