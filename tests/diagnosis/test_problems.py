"""How many problems a recording has."""

from pathlib import Path

import pytest

from mcptap.diagnosis.problems import count_problems
from mcptap.recording.format.model import RecordingError
from tests.helpers import END, EXIT, SPAWN, Step, call, error, handshake, record, request, text_result


def levels(steps: list[Step], path: Path) -> dict[str, int]:
    return count_problems(str(record(path, steps)))


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
    path = str(record(tmp_path / "a.jsonl", steps))
    assert count_problems(path, sibling=False)["error"] == 1
    assert sum(count_problems(path, sibling=True).values()) == 0


def test_what_is_no_recording_is_refused(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text("hello\n")
    with pytest.raises(RecordingError):
        count_problems(str(tmp_path / "a.jsonl"))
