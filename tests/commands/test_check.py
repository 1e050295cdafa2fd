"""`mcptap check` as a command: targets, forms, selection, exit status, and bytes that are nothing."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcptap.commands import main
from mcptap.report.formats.json import schema
from tests.helpers import END, call, handshake, request, result, text_result
from tests.helpers import record as record_at

TOOLS = {"tools": [{"name": "add", "description": "Add.", "inputSchema": {"type": "object"}}]}
LISTING = [("c2s", request(1, "tools/list")), ("s2c", result(1, TOOLS))]
CALL = [("c2s", call(2, "add")), ("s2c", text_result(2, "3"))]
CLEAN = [*handshake(), *LISTING, *CALL, *END]
POLLUTED = [*handshake(), ("s2c", b"Server ready\n"), *LISTING, *CALL, *END]
BLANK = [*handshake(), ("s2c", b"\n"), *LISTING, *CALL, *END]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path


def record(path: str | Path, steps) -> Path:
    return record_at(os.path.abspath(path), steps)


def check(*arguments: str) -> int:
    return main(["check", *arguments])


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = check("--json", *arguments)
    return status, [f["rule"] for f in json.loads(capsys.readouterr().out)["findings"]]


def test_a_clean_recording_has_status_0_and_says_so(capsys):
    record("x.jsonl", CLEAN)
    assert check("x.jsonl") == 0
    assert "Nothing" in capsys.readouterr().out


def test_a_finding_has_status_1_and_stands_before_the_launch(capsys):
    record("x.jsonl", POLLUTED)
    assert check("x.jsonl") == 1
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    places = [
        shown.index(text) for text in ("error: stdout-not-json", "python weather.py", "/home/someone/project")
    ]
    assert places == sorted(places)


def test_several_files_and_folders_are_one_object(capsys):
    record("clean.jsonl", CLEAN)
    os.mkdir("folder")
    record("folder/b.jsonl", POLLUTED)
    record("folder/a.jsonl", CLEAN)
    Path("folder/notes.txt").write_text("no recording")
    assert check("--json", "clean.jsonl", "folder") == 1
    shown = json.loads(capsys.readouterr().out)
    assert [f["file"] for f in shown["files"]] == ["clean.jsonl", "folder/a.jsonl", "folder/b.jsonl"]
    assert {f["file"] for f in shown["findings"]} == {"folder/b.jsonl"}


def test_text_for_several_files_is_one_line_for_each_clean_one(capsys):
    record("a.jsonl", CLEAN)
    record("b.jsonl", POLLUTED)
    assert check("a.jsonl", "b.jsonl") == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "a.jsonl: nothing found"
    assert shown[-1].startswith("2 files, 1 error")


def test_an_unusable_file_has_status_2_and_the_others_are_judged(capsys):
    record("b.jsonl", POLLUTED)
    assert check("--json", "missing.jsonl", "b.jsonl") == 2
    shown = capsys.readouterr()
    assert "missing.jsonl: cannot be opened" in shown.err
    report = json.loads(shown.out)
    assert [f["rule"] for f in report["findings"]] == ["stdout-not-json"]
    assert report["files"][1]["file"] == "missing.jsonl"


def test_a_folder_is_looked_through_for_logs_of_other_tools_too(capsys):
    os.mkdir("folder")
    request = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
    Path("folder/trace.log").write_text(f"{request}\n")
    Path("folder/notes.log").write_text("bought milk\n")
    check("--json", "folder")
    out, err = capsys.readouterr()
    assert [f["file"] for f in json.loads(out)["files"]] == ["folder/trace.log"]
    assert err == ""


def test_a_file_of_a_folder_that_is_no_recording_is_skipped_aloud(capsys):
    os.mkdir("folder")
    record("folder/a.jsonl", CLEAN)
    Path("folder/other.jsonl").write_text('{"name":"x"}\n')
    assert check("folder") == 0
    assert "other.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["empty"], ["latest"], []])
def test_nothing_to_check_is_one_sentence_and_status_2(arguments, capsys):
    os.mkdir("empty")
    try:
        status = check(*arguments)
    except SystemExit as stop:  # argparse
        status = stop.code
    assert status == 2
    assert capsys.readouterr().err


def test_latest_is_the_newest_recording(capsys, own_folder: Path):
    for name, steps in (("20260101T000000.000000Z-1", POLLUTED), ("20260102T000000.000000Z-1", CLEAN)):
        path = own_folder / "state/mcptap/recordings/weather" / f"{name}.jsonl"
        record(path, steps)
    assert check("latest") == 0
    assert "20260102" in capsys.readouterr().out


def test_standard_input_is_a_recording_or_bare_lines():
    path = record("x.jsonl", POLLUTED)
    lines = b"\n".join(json.dumps(line).encode() for line in (request(1, "ping"), result(1)))
    for data, status in ((path.read_bytes(), 1), (lines, 0)):
        done = subprocess.run(
            [sys.executable, "-m", "mcptap", "check", "--json", "-"],
            input=data,
            capture_output=True,
            check=False,
        )
        assert done.returncode == status
        assert json.loads(done.stdout)["files"][0]["file"] == "standard input"


def test_level_rule_and_fail_on_choose(capsys):
    record("x.jsonl", POLLUTED)
    record("blank.jsonl", BLANK)
    assert found(capsys, "blank.jsonl") == (0, ["blank-line"])
    assert found(capsys, "--fail-on", "info", "blank.jsonl") == (1, ["blank-line"])
    assert found(capsys, "--min-level", "warning", "blank.jsonl") == (0, [])
    assert found(capsys, "--fail-on", "never", "x.jsonl") == (0, ["stdout-not-json"])
    assert found(capsys, "--ignore", "stdout-*", "x.jsonl") == (0, [])
    assert found(capsys, "--only", "blank-line", "x.jsonl", "blank.jsonl") == (0, ["blank-line"])


def test_what_is_ignored_is_counted(capsys):
    record("x.jsonl", POLLUTED)
    check("--ignore", "stdout-not-json", "--json", "x.jsonl")
    assert json.loads(capsys.readouterr().out)["files"][0]["ignored"] == {"stdout-not-json": 1}


def test_a_rule_that_does_not_exist_is_refused(capsys):
    record("x.jsonl", CLEAN)
    assert check("--ignore", "stdout-not-jason", "x.jsonl") == 2
    assert "mcptap rules" in capsys.readouterr().err


def test_settings_of_the_project_hold_unless_told_otherwise(capsys, own_folder: Path):
    record("x.jsonl", POLLUTED)
    (own_folder / ".mcptap.toml").write_text('[check.ignore]\nstdout-not-json = "known"\n')
    assert found(capsys, "x.jsonl") == (0, [])
    assert found(capsys, "--no-config", "x.jsonl") == (1, ["stdout-not-json"])


def test_sarif_and_github_are_printed_alone_on_stdout(capsys):
    record("x.jsonl", POLLUTED)
    assert check("--sarif", "x.jsonl") == 1
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["ruleId"] == "stdout-not-json"
    assert check("--github", "x.jsonl") == 1
    assert all(line.startswith("::") for line in capsys.readouterr().out.splitlines())


def test_numbers_are_added_on_request(capsys):
    record("x.jsonl", CLEAN)
    assert check("--stats", "x.jsonl") == 0
    shown = capsys.readouterr().out
    assert "tools/call" in shown
    assert "spawn → first byte on stdout" in shown
    assert check("--stats", "--json", "x.jsonl") == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["statistics"]["tools"][0]["tool"] == "add"


def test_a_cut_off_recording_is_judged_as_far_as_it_goes(capsys):
    data = record("x.jsonl", POLLUTED).read_bytes()
    Path("cut.jsonl").write_bytes(data[: data.rindex(b'"k":"exit"')])
    assert check("--json", "cut.jsonl") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["files"][0]["state"] == "crashed"


HEADS = [
    b"",
    b'{"mcptap":1}\n',
    b'{"mcptap":1,"wall":0}\n{"n":2,',
    b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    b'--> {"jsonrpc":"2.0","id":1,"method":"ping"}\n<-- ',
    b'{"dir":"s2c","raw":"ready"}\n',
    b'{"session_id":"a","direction":"c2s","seq":1,"raw":{}}\n',
    b'{"type":"header","cassetteVersion":2,"startedAt":"x"}\n',
    b'{"format_version":2,"messages":[]}',
]


@given(st.binary(max_size=300), st.sampled_from(HEADS))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_bytes_make_check_crash(own_folder, head: bytes, data: bytes):
    with tempfile.NamedTemporaryFile(dir=own_folder) as file:
        file.write(head + data)
        file.flush()
        assert check("--json", "--stats", file.name) in (0, 1, 2)


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_damage_makes_check_crash(own_folder, data: st.DataObject):
    path = own_folder / "whole.jsonl"
    if not path.exists():
        record(path, POLLUTED)
    damaged = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        if data.draw(st.booleans()):
            damaged[at] = data.draw(st.integers(0, 255))
        else:
            del damaged[at : at + data.draw(st.integers(1, 40))]
    (own_folder / "damaged.jsonl").write_bytes(damaged)
    for form in ("--json", "--sarif", "--github", "--stats"):
        assert check(form, str(own_folder / "damaged.jsonl")) in (0, 1, 2)


def test_json_of_a_real_check_fits_the_schema(capsys):
    import jsonschema

    record("x.jsonl", POLLUTED)
    check("--json", "--stats", "x.jsonl", "missing.jsonl")
    jsonschema.validate(json.loads(capsys.readouterr().out), schema())


def test_the_schema_and_the_settings_are_explained(capsys):
    assert check("--schema") == 0
    assert json.loads(capsys.readouterr().out) == schema()
    assert check("--help-settings") == 0
    assert "[tool.mcptap.check.ignore]" in capsys.readouterr().out


def test_a_bare_capture_says_what_it_leaves_open(capsys):
    lines = [request(1, "ping"), result(1), *(request(i, "tools/call", {"name": "x"}) for i in range(2, 7))]
    Path("bare.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert check("--json", "bare.jsonl") == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["verdict"].startswith("The capture shows no answer to `x`")
    assert file["outcome"] == "unclear"
    assert file["open"] == 5
    assert file["limits"].startswith("Read as bare JSON-RPC lines: 7 lines. It does not tell times, senders")
    assert "times" in file["source"]["unknown"]


def test_a_request_that_is_open_fails_a_check_that_asks_for_that(capsys):
    record("open.jsonl", [*handshake(), *LISTING, CALL[0], *END])
    record("clean.jsonl", CLEAN)
    assert check("--fail-on", "never", "open.jsonl") == 0
    assert check("--fail-on", "never", "--fail-on-open", "open.jsonl") == 1
    assert check("--fail-on-open", "clean.jsonl") == 0
    Path(".mcptap.toml").write_text('[check]\nfail-on-open = true\nfail-on = "never"\n')
    assert check("open.jsonl") == 1


@pytest.mark.parametrize(
    "lost", [b"torn", b'{"n":9,"k":"gap","t":9000,"wall":9,"records":2,"bytes":3,"since":1,"why":"full"}']
)
def test_a_request_whose_answer_may_be_lost_is_not_called_unanswered(capsys, lost: bytes):
    waiting = [*handshake(), *LISTING, CALL[0], ("wait", 90_000_000), CALL[1], *END]
    path = record("x.jsonl", waiting)
    lines = path.read_bytes().split(b"\n")
    (answer,) = [i for i, line in enumerate(lines) if b'"id":2,"result"' in line]
    assert found(capsys, "--only", "request-unanswered", "x.jsonl") == (0, [])
    path.write_bytes(b"\n".join([*lines[:answer], *lines[answer + 1 :]]))
    assert found(capsys, "--only", "request-unanswered", "x.jsonl") == (1, ["request-unanswered"])
    path.write_bytes(b"\n".join([*lines[:answer], lost, *lines[answer + 1 :]]))
    assert found(capsys, "--only", "request-unanswered", "x.jsonl") == (0, [])


def test_what_tee_wrote_of_a_side_is_read_to_the_byte_and_the_other_side_with_it(capsys):
    answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
    Path("out").write_text(f"Server ready\n{answer}\n{answer}\n")
    Path("in").write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert found(capsys, "out")[1] == []
    assert "stdout-not-json" in found(capsys, "--channel", "s2c", "out")[1]
    assert found(capsys, "s2c=out") == found(capsys, "--channel", "s2c", "out")
    assert "response-duplicate" in found(capsys, "--channel", "s2c", "out", "--with", "c2s=in")[1]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["out", "--with", "c2s=in"], "--with adds to --channel"),
        (["out", "--channel", "s2c", "--with", "in"], "write CHANNEL=FILE"),
        (["out", "more", "--channel", "s2c", "--with", "c2s=in"], "name one FILE"),
        (["out", "--channel", "s2c", "--with", "s2c=in"], "names a channel twice"),
    ],
)
def test_channels_that_can_not_be_meant_are_explained(capsys, arguments: list[str], why: str):
    assert check(*arguments) == 2
    assert why in capsys.readouterr().err


def test_a_session_of_a_log_in_which_nothing_can_be_used_keeps_no_other_from_being_judged(capsys):
    told = "2026-03-14 09:26:{:02}.589 [info] {}\n".format
    start = "Starting server harbour"
    ended = "Connection state: Error Process exited with code 1"
    Path("output.log").write_text(
        "".join(told(second, text) for second, text in enumerate((start, ended, start, ended)))
    )
    check("--json", "output.log")
    assert [f["file"] for f in json.loads(capsys.readouterr().out)["files"]] == [
        "output.log#1",
        "output.log#2",
    ]
