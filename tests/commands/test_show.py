from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcptap.commands import main
from mcptap.recording.reader import BLOCK
from tests.helpers import (
    END,
    EXIT,
    Step,
    Tape,
    as_bytes,
    call,
    handshake,
    record,
    request,
    rewrite,
    text_result,
)

ODD_LINES = [
    b"caf\xe9\x00 \x1b[2J\r\n",
    "日本\n".encode(),
    b"\n",
    b'{"jsonrpc": "2.0", "id":1, "result":{} }\n',
    b"tail",
]

STEPS: list[Step] = [
    *handshake(),
    ("c2s", call(1, "read_file", {"path": "a"})),
    ("wait", 2_000_000),
    ("s2c", text_result(1, "hello")),
    ("c2s", call(2, "write_file")),
    ("stderr", b"a warning\n"),
    *END,
]


def show(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "mcptap", "show", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def filtered(path: Path, query: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The record numbers of the lines that `show --filter` prints."""
    assert main(["show", str(path), "--filter", query]) == 0
    lines = capsys.readouterr().out.split("\n\n")[1].splitlines()
    return [line.split()[0] for line in lines]


def test_show_prints_opening_records_and_closing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path / "a.jsonl", STEPS)
    assert main(["show", str(path)]) == 0
    opening, records, closing = capsys.readouterr().out.split("\n\n")
    assert opening.startswith("weather: python weather.py\n  in /home/someone/project, as /usr/bin/python\n")
    assert len(records.splitlines()) == len(STEPS) - 1  # all but the wait
    assert "\x1b" not in records
    assert closing.startswith(
        "finished: 6 lines between client and server in 2.01 s\n"
        "never answered: 1 request\n"
        "  record 8: tools/call write_file #2, asked at 2.007 s\n"
    )


def test_a_filter_chooses_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path / "a.jsonl", STEPS)
    assert filtered(path, "tool:read_*", capsys) == ["6", "7"]
    assert filtered(path, "kind:stderr or kind:event n:2", capsys) == ["2", "9"]
    assert filtered(path, '"HELLO"', capsys) == ["7"]


def test_a_request_is_chosen_by_what_its_answer_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "a.jsonl", STEPS)
    assert filtered(path, "kind:request latency:>1s", capsys) == ["6"]
    assert filtered(path, "status:unanswered", capsys) == ["8"]
    with Tape(tmp_path / "live.jsonl") as tape:
        tape.play([*handshake(), ("c2s", call(1, "x"))])
        assert filtered(Path(tape.path), "status:pending", capsys) == ["6"]


def test_an_error_in_a_filter_is_shown_at_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "a.jsonl", STEPS)
    assert main(["show", str(path), "--filter", "dir:c2s knd:request"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "there is no field 'knd'; did you mean kind?" in err
    assert err.splitlines()[1:] == ["    dir:c2s knd:request", "            ^"]


def test_a_long_recording_that_is_finished_is_no_live_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = ("stderr", b"x" * (BLOCK + 1) + b"\n")
    crash: list[Step] = [("end", "s2c"), ("exit", {"code": 3, "us": 1_000_000})]
    path = record(tmp_path / "long.jsonl", [*handshake(), long, ("c2s", call(1, "forecast")), *crash])
    assert main(["show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "\nfinished: 4 lines" in out
    assert "never answered: 1 request" in out
    assert "!!! error server-crashed" in out


def test_a_capture_that_begins_in_the_middle_is_judged_as_check_judges_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bare.jsonl"
    said = [content for channel, content in handshake() if channel in ("c2s", "s2c")]
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    path.write_text("".join(json.dumps(each) + "\n" for each in (request(5, "tools/list"), *said, changed)))
    assert main(["check", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert main(["show", str(path)]) == 0
    assert "!!!" not in capsys.readouterr().out


@pytest.mark.parametrize("channel", ["c2s", "s2c", "stderr"])
def test_raw_gives_back_the_exact_bytes_of_one_channel(tmp_path: Path, channel: str) -> None:
    steps: list[Step] = [(channel, line) for line in ODD_LINES]
    others = [(other, b"other\n") for other in ("c2s", "s2c", "stderr") if other != channel]
    for ended in ([], END):
        path = record(tmp_path / f"{len(ended)}.jsonl", [*others, *steps, *ended])
        process = show(str(path), "--raw", channel)
        out, err = process.communicate(timeout=30)
        assert out == b"".join(ODD_LINES)
        assert err == b""


def test_what_may_have_been_held_back_is_not_said_to_be_delivered(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = record(tmp_path / "a.jsonl", [("s2c", b"{}\nhalf")], divert=True)
    assert main(["show", str(path), "--raw", "delivered"]) == 0
    out, err = capfdbinary.readouterr()
    assert out == b"{}\n"
    assert b"whether the client got record 3, which never ended, is not known" in err
    assert main(["show", str(path), "--raw", "s2c"]) == 0
    assert capfdbinary.readouterr().out == b"{}\nhalf"


def test_raw_and_a_filter_give_the_bytes_of_the_lines_that_match(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", STEPS)
    out, _ = show(str(path), "--raw", "s2c", "--filter", "tool:read_*").communicate(timeout=30)
    assert out == as_bytes(text_result(1, "hello"))
    out, _ = show(str(path), "--raw", "c2s", "--filter", "status:unanswered").communicate(timeout=30)
    assert out == as_bytes(call(2, "write_file"))


def test_raw_says_what_is_missing(tmp_path: Path) -> None:
    gap = ("gap", {"records": 3, "bytes": 10, "since": 0, "why": "disk full"})
    path = record(tmp_path / "a.jsonl", [("s2c", b"a\n"), gap, ("s2c", b"b\n")])
    with path.open("ab") as file:
        file.write(b"?\n")
    out, err = show(str(path), "--raw", "s2c").communicate(timeout=30)
    assert out == b"a\nb\n"
    assert b"3 records (10 B) are missing" in err
    assert b"record 5 is damaged" in err


def read_lines(process: subprocess.Popen[bytes], count: int) -> list[bytes]:
    assert process.stdout is not None
    return [process.stdout.readline() for _ in range(count)]


HANDSHAKE_LINES = 8
"""What is shown of a handshake: three lines of launch facts, an empty one, four records."""


def test_following_prints_what_comes_and_ends_with_the_session(tmp_path: Path) -> None:
    with Tape(tmp_path / "a.jsonl") as tape, show("-f", tape.path) as process:
        tape.play(handshake())
        assert b"notifications/initialized" in read_lines(process, HANDSHAKE_LINES)[-1]
        tape.play([("c2s", request(1, "ping"))])
        assert b"--> ping #1" in read_lines(process, 1)[0]
        tape.play([("s2c", b"hello\n")])
        noise, finding = read_lines(process, 2)
        assert b"<-- NOT JSON: hello" in noise
        assert finding.startswith(b"!!! error stdout-not-json at record 7: ")
        tape.play([EXIT])
        assert b"server exited with status 0" in read_lines(process, 1)[0]
        assert process.poll() is None  # the tap still lives
        tape.close()
        rest, err = process.communicate(timeout=30)
    assert b"finished: 5 lines" in rest
    assert b"never answered: 1 request" in rest
    assert b"\nwhat to do about it: mcptap check " in rest
    assert (process.returncode, err) == (0, b"")


def test_following_a_killed_session_ends_with_its_unfinished_line(tmp_path: Path) -> None:
    with Tape(tmp_path / "a.jsonl") as tape, show("-f", tape.path) as process:
        tape.play([*handshake(), ("s2c", b"loading 10%")])
        read_lines(process, HANDSHAKE_LINES)
        tape.close()
        rest, _ = process.communicate(timeout=30)
    assert b"UNFINISHED, 11 B SO FAR: loading 10%" in rest
    assert b"cut off: the tap was killed, or" in rest
    assert process.returncode == 0


def test_following_leaves_when_nobody_reads_any_more(tmp_path: Path) -> None:
    with Tape(tmp_path / "a.jsonl") as tape, show("-f", tape.path) as process:
        tape.play(handshake())
        read_lines(process, 1)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_following_ends_quietly_at_ctrl_c(tmp_path: Path) -> None:
    with Tape(tmp_path / "a.jsonl") as tape, show("-f", tape.path) as process:
        tape.play(handshake())
        read_lines(process, HANDSHAKE_LINES)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")


@pytest.mark.parametrize(("deed", "said"), [("delete", b"is gone"), ("cut", b"was cut or replaced")])
def test_following_says_when_the_file_is_no_longer_there(tmp_path: Path, deed: str, said: bytes) -> None:
    with Tape(tmp_path / "a.jsonl") as tape, show("-f", tape.path) as process:
        tape.play(handshake())
        read_lines(process, HANDSHAKE_LINES)
        if deed == "delete":
            Path(tape.path).unlink()
        else:
            os.truncate(tape.path, 10)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert said in err


def test_a_file_that_cannot_be_shown_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(tmp_path / "missing.jsonl")]) == 2
    assert "cannot be opened: No such file" in capsys.readouterr().err
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert main(["show", str(tmp_path / "empty.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_capture_of_another_tool_is_shown_without_what_it_does_not_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"result":{}}\n')
    assert main(["show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "not known: times" in out
    assert "   1           --> ping #1\n   2           <-- answer #2 {}\n" in out
    assert "without an answer here: 1 request" in out


def test_what_needs_the_file_twice_is_refused_for_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "mcptap", "show", "-", "--filter", "latency:>1s"],
        input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        capture_output=True,
        check=False,
    )
    assert process.returncode == 2
    assert b"standard input" in process.stderr
    assert process.stdout == b""


@pytest.mark.parametrize("spelling", [{"sort_keys": True}, {"sort_keys": True, "separators": (",", ":")}, {}])
def test_raw_says_once_that_a_rewritten_recording_has_not_the_exact_bytes(
    tmp_path: Path, spelling: dict[str, Any]
) -> None:
    path = rewrite(record(tmp_path / "a.jsonl", STEPS), **spelling)
    out, err = show(str(path), "--raw", "c2s").communicate(timeout=30)
    values = [json.loads(as_bytes(content)) for kind, content in STEPS if kind == "c2s"]
    assert [json.loads(line) for line in out.splitlines()] == values
    assert err.decode().splitlines() == [
        "mcptap: another program rewrote this recording: from record 3 on, messages are encoded anew, "
        "and are not the exact bytes"
    ]


def test_a_rewritten_recording_is_judged_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "a.jsonl", STEPS)
    reports = []
    for each in (path, rewrite(path, sort_keys=True)):
        main(["check", str(each)])
        reports.append(capsys.readouterr().out.replace(str(each), "FILE"))
    assert reports[0] == reports[1]
