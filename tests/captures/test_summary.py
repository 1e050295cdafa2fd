from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures import summary as summary_module
from mcptap.captures.open import RecordingSource
from mcptap.captures.summary import summarise, summarise_any, with_probes
from mcptap.diagnosis.engine.selection import Selection
from mcptap.recording.format.model import RecordingError
from mcptap.recording.reader import BLOCK, State
from mcptap.report.check_file import check_file
from tests.helpers import (
    END,
    SPAWN,
    START_WALL_US,
    Step,
    Tape,
    call,
    handshake,
    record,
    request,
    result,
    text_result,
)

DISCOVER: list[Step] = [
    SPAWN,
    (
        "c2s",
        request(
            1,
            "server/discover",
            {"_meta": {"io.modelcontextprotocol/clientInfo": {"name": "ts", "version": "2"}}},
        ),
    ),
    ("s2c", result(1)),
]


def calls(count: int) -> list[Step]:
    steps: list[Step] = []
    for i in range(count):
        steps += [("c2s", call(i, "forecast", {"city": "x" * 50})), ("s2c", text_result(i, "y" * 50))]
    return steps


def test_a_session_is_summed_up(tmp_path: Path) -> None:
    steps = [*handshake(client="claude-code", client_version="2.1.0"), *calls(2), ("s2c", b"oops\n"), *END]
    path = record(tmp_path / "a.jsonl", steps)
    summary = summarise(str(path))
    assert (summary.name, summary.client, summary.state) == ("weather", "claude-code 2.1.0", State.FINISHED)
    assert (summary.messages, summary.is_exact) == (7, True)
    assert summary.length_us == len(steps) * 1000
    assert summary.start_wall_us == START_WALL_US
    assert summary.problems is None
    assert not summary.is_probe


def test_a_stateless_client_names_itself_in_meta(tmp_path: Path) -> None:
    assert summarise(str(record(tmp_path / "a.jsonl", DISCOVER))).client == "ts 2"


def test_a_recording_whose_last_record_is_damaged_may_have_ended(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [SPAWN])
    with path.open("ab") as file:
        file.write(b'{"n":3,"k":"exit","t":9,"wall":9,"code":"0"}\n')
    assert summarise(str(path)).state is State.UNKNOWN


def test_a_client_that_did_not_name_itself_is_told_by_its_process(tmp_path: Path) -> None:
    summary = summarise(str(record(tmp_path / "a.jsonl", [SPAWN])))
    assert (summary.client, summary.client_name, summary.state) == ("(agent)", "", State.CRASHED)
    assert summarise(str(record(tmp_path / "b.jsonl", [], parent=None))).client == ""


def test_a_live_session_lasts_until_now(tmp_path: Path) -> None:
    with Tape(tmp_path / "a.jsonl") as tape:
        tape.play(handshake())
        summary = summarise(tape.path)
    assert summary.state is State.LIVE
    assert summary.length_us != 4_000


def test_a_server_that_could_not_be_started_is_a_finished_session(tmp_path: Path) -> None:
    failed = ("spawn", {"errno": 2, "error": "there is no such command", "status": 127})
    assert summarise(str(record(tmp_path / "a.jsonl", [failed]))).state is State.FINISHED


def test_of_a_big_file_only_head_and_tail_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [*handshake(), *calls(500), *END]
    path = str(record(tmp_path / "a.jsonl", steps))
    whole = summarise(path)
    for name in ("WHOLE_BYTES", "PROBE_BYTES"):
        monkeypatch.setattr(summary_module, name, 8192)
    quick = summarise(path)
    assert (whole.is_exact, quick.is_exact) == (True, False)
    assert (quick.client, quick.state, quick.length_us) == (whole.client, State.FINISHED, whole.length_us)
    assert quick.messages == pytest.approx(whole.messages, rel=0.1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello\n", "is not a recording"),
        (b'{"mcptap":99,"version":"9.9"}\n', "has format 99"),
        (b'{"mcptap":1', "damaged"),
    ],
)
def test_a_file_that_is_no_recording_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=words):
        summarise(str(path))


@given(st.lists(st.sampled_from([b"{}", b"[", b'{"k":"line"', b"\xff", b'{"k":"exit","t":1,"wall":1}'])))
def test_damaged_records_are_passed_over(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.jsonl"
    record(path, [])
    with path.open("ab") as file:
        file.write(b"\n".join(lines))
    ended = any(line.startswith(b'{"k":"exit"') for line in lines[:-1])
    assert (summarise(str(path)).state is State.FINISHED) == ended


def test_the_length_of_a_big_file_that_ends_in_a_long_record_is_told_by_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record(tmp_path / "a.jsonl", [*handshake(), ("s2c", b"x" * 50_000 + b"\n")])
    for name in ("WHOLE_BYTES", "PROBE_BYTES"):
        monkeypatch.setattr(summary_module, name, 4096)
    os.utime(path, ns=(0, (START_WALL_US + 7_000_000) * 1000))
    summary = summarise(str(path))
    assert summary.length_us == pytest.approx(7_000_000, abs=1000)
    assert summary.messages <= 20


# --- probes ---


def started(folder: Path, file: str, at_s: float, steps: list[Step], **header: Any) -> Path:
    return record(folder / file, steps, **{"wall": START_WALL_US + round(at_s * 1e6), **header})


def groups(folder: Path) -> list[tuple[str, list[str]]]:
    found = with_probes(summarise(str(p)) for p in folder.iterdir())
    return [(os.path.basename(s.path), [os.path.basename(p.path) for p in probes]) for s, probes in found]


def test_a_probe_stands_with_the_session_that_followed_it(tmp_path: Path) -> None:
    started(tmp_path, "probe", 0, DISCOVER)
    started(tmp_path, "session", 1, handshake())
    started(tmp_path, "later", 300, handshake())
    assert groups(tmp_path) == [("later", []), ("session", ["probe"])]


@pytest.mark.parametrize(
    "other",
    [
        {"parent": {"pid": 9, "name": "other"}},
        {"name": "other"},
        {"wall": START_WALL_US + 60_000_000},
        {"wall": START_WALL_US - 1_000_000},
        {"parent": None},
    ],
)
def test_a_probe_of_another_client_or_time_stands_alone(tmp_path: Path, other: dict[str, Any]) -> None:
    started(tmp_path, "probe", 0, DISCOVER)
    started(tmp_path, "session", 1, handshake(), **other)
    assert all(not probes for _, probes in groups(tmp_path))


def test_a_session_that_goes_on_after_discover_is_no_probe(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", [*DISCOVER, ("c2s", request(2, "tools/list"))])
    assert not summarise(str(path)).is_probe
    assert summarise(str(record(tmp_path / "b.jsonl", DISCOVER))).is_probe


@pytest.mark.parametrize("count", [2, 5000])
def test_a_session_with_long_arguments_is_summed_up(tmp_path: Path, count: int) -> None:
    argv = ["python3", "-c", "\n" * 1_000_000]
    path = record(tmp_path / "a.jsonl", [SPAWN, *calls(count), *END], argv=argv)
    summary = summarise(str(path))
    assert summary.header.argv == argv
    assert summary.state is State.FINISHED


def test_the_list_counts_as_messages_what_check_and_its_statistics_count(tmp_path: Path) -> None:
    odd = [
        b"oops\n",
        b"[]\n",
        b"{}\n",
        b"7\n",
        b"\n",
        b'{"id":null,"method":"x"}\n',
        b'{"id":1,"error":null}\n',
    ]
    path = record(tmp_path / "a.jsonl", [*handshake(), *(("s2c", line) for line in odd), *END])
    with RecordingSource(str(path)) as source:
        checked = check_file(source, Selection(), lambda: None, with_statistics=True)
    assert checked.statistics is not None
    counted = {summarise(str(path)).messages, checked.messages, checked.statistics.messages}
    assert counted == {5}


@pytest.mark.parametrize("name", [3, None, ["a"], "@"])
def test_a_client_that_gives_no_text_for_its_name_has_none(tmp_path: Path, name: object) -> None:
    asked = json.dumps(request(0, "initialize", {"clientInfo": {"name": name, "version": "1"}}))
    data = asked.replace('"@"', "[" * 1000 + "]" * 1000).encode() + b"\n"
    found = summarise(str(record(tmp_path / "a.jsonl", [SPAWN, ("c2s", data)])))
    assert (found.client_name, found.client_version) == ("", "1")
    assert found.client == "(agent)"


def test_what_another_tool_captured_is_summed_up_with_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = [request(1, "initialize", {"clientInfo": {"name": "agent", "version": "1"}}), result(1, {})]
    lines = [json.dumps({"dir": side, "msg": m}) for side, m in zip(("c2s", "s2c"), messages, strict=True)]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(lines) + "\n")
    summary = summarise_any(str(path))
    assert (summary.client, summary.messages, summary.is_exact) == ("agent 1", 2, True)
    assert summary.origin
    assert not summarise_any(str(record(tmp_path / "own.jsonl", [*handshake(), *END]))).origin
    path.write_text((lines[0] + "\n") * (4 * BLOCK // len(lines[0])))
    monkeypatch.setattr("mcptap.captures.summary.WHOLE_BYTES", BLOCK)
    long = summarise_any(str(path))
    assert (long.is_exact, long.state) == (False, State.UNKNOWN)
    assert long.messages == pytest.approx(4 * BLOCK / len(lines[0]), rel=0.1)


def test_a_log_without_a_message_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"dir": "stderr", "raw": "hello"}) + "\n")
    with pytest.raises(RecordingError):
        summarise_any(str(path))
