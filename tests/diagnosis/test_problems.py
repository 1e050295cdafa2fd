"""How many problems a recording has."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mcptap.captures.summary import summarise, summarise_any
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.problems import findings_in, judged
from mcptap.recording.format.model import RecordingError
from tests.helpers import END, EXIT, SPAWN, Step, call, error, handshake, record, request, text_result


def problems_of(path: Path, steps: list[Step], *, is_probe: bool) -> dict[str, int]:
    problems = judged(summarise(str(record(path, steps))), is_probe=is_probe).problems
    assert problems is not None
    return dict(problems)


def levels(steps: list[Step], path: Path) -> dict[str, int]:
    return problems_of(path, steps, is_probe=False)


def test_problems_are_counted_by_level_worst_first(tmp_path: Path):
    stray = [*handshake(), ("s2c", b"hello\n"), *END]
    counts = levels(stray, tmp_path / "stray.jsonl")
    assert list(counts) == ["error", "warning", "info"]
    assert counts["error"] == 1
    assert levels([*handshake(), *END], tmp_path / "none.jsonl")["error"] == 0


def test_a_line_without_its_end_is_a_problem_once_the_recording_is_closed(tmp_path: Path):
    unfinished = [*handshake(), ("s2c", b'{"jsonrpc":"2.0"')]
    whole = [*handshake(), ("s2c", b'{"jsonrpc":"2.0","method":"notifications/message"}\n')]
    counts = [levels(steps, tmp_path / f"{index}.jsonl") for index, steps in enumerate((unfinished, whole))]
    assert counts[0] != counts[1]


def test_remarks_on_the_design_of_tools_are_no_problems(tmp_path: Path):
    said = [
        levels(
            [*handshake(), ("c2s", call(1, "a")), ("s2c", text_result(1, text)), *END], tmp_path / text[:2]
        )
        for text in ("Error: file not found", "sunny")
    ]
    assert said[0] == said[1]


def test_a_probe_that_another_start_followed_is_no_problem(tmp_path: Path):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    asked = request(1, "server/discover", {"_meta": meta})
    refused = error(1, -32601, "Method not found")
    steps = [SPAWN, ("c2s", asked), ("s2c", refused), ("end", "c2s"), EXIT]
    assert problems_of(tmp_path / "a.jsonl", steps, is_probe=False)["error"] == 1
    assert sum(problems_of(tmp_path / "b.jsonl", steps, is_probe=True).values()) == 0


def test_a_list_says_what_a_recording_came_to(tmp_path: Path):
    for name, steps, outcome in (
        ("left", [*handshake(), ("c2s", call(2, "a")), *END], Outcome.WAITING),
        ("cut", [*handshake()], Outcome.UNCLEAR),
        ("broken", [*handshake(), ("s2c", b"hello\n"), *END], Outcome.BROKEN),
    ):
        summary = summarise(str(record(tmp_path / name, steps)))
        assert summary.outcome == ""
        assert judged(summary, is_probe=False).outcome == outcome


def test_what_is_too_big_for_a_list_is_not_judged(tmp_path: Path):
    summary = replace(summarise(str(record(tmp_path / "a.jsonl", handshake()))), is_exact=False)
    assert judged(summary, is_probe=False) is summary


def test_what_is_no_recording_is_refused(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text("hello\n")
    with pytest.raises(RecordingError):
        findings_in(str(tmp_path / "a.jsonl"))


def test_what_another_tool_captured_is_judged_by_what_it_can_prove(tmp_path: Path):
    path = tmp_path / "x.jsonl"
    said = [("c2s", request(1, "tools/list")), ("s2c", "loading")]
    path.write_text("".join(json.dumps({"dir": side, "msg": what}) + "\n" for side, what in said))
    found = judged(summarise_any(str(path)), is_probe=False)
    assert found.outcome != Outcome.HEALTHY
    assert found.verdict


def test_a_large_recording_is_judged_if_that_is_wanted_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = record(tmp_path / "x.jsonl", [*handshake(), ("s2c", b"hello\n"), ("c2s", call(3, "a")), *END])
    exact = summarise(str(path))
    monkeypatch.setattr("mcptap.captures.summary.WHOLE_BYTES", 10)
    monkeypatch.setattr("mcptap.captures.summary.PROBE_BYTES", 100)
    large = judged(summarise(str(path)), is_probe=False, large=True)
    assert (large.messages, large.is_exact, large.open) == (exact.messages, True, 1)
    assert "printed" in large.verdict
    assert large.remedy


def test_a_list_says_first_that_a_recording_is_cut(tmp_path: Path):
    path = record(tmp_path / "x.jsonl", [*handshake(), ("c2s", call(3, "a"))])
    found = judged(summarise(str(path)), is_probe=False)
    assert found.verdict.startswith("The recording ends in the middle")
    assert found.verdict.count("ends in the middle") == 1
    assert "`a` had no answer" in found.verdict
