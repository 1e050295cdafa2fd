"""Stand-ins for real servers: the recordings are of SDK clients and servers, run behind the tap."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.play.mock.mock import Mock, Planned
from mcptap.play.mock.server_script import Write, script_of
from mcptap.recording.format.model import Item, Line
from mcptap.recording.reader import Reader

RECORDINGS = sorted((Path(__file__).parents[1] / "recordings").glob("*.jsonl"))


def items_of(path: Path) -> list[Item]:
    with Reader(str(path)) as reader:
        return [*reader.items(), *reader.unfinished()]


def written(mock: Mock, line: bytes) -> list[bytes]:
    steps = [a.step for a in mock.receive(line) if isinstance(a, Planned)]
    return [s.data for s in steps if isinstance(s, Write) and s.channel == "s2c"]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda p: p.stem)
def test_the_recorded_client_gets_the_recorded_bytes(path):
    items = items_of(path)
    mock = Mock(script_of(items))
    lines = [i for i in items if isinstance(i, Line)]
    played = [data for line in lines if line.channel == "c2s" for data in written(mock, line.raw)]
    assert played == [line.raw for line in lines if line.channel == "s2c"]
    assert mock.notes == []


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda p: p.stem)
def test_a_client_with_other_ids_and_tokens_gets_the_same_answers_for_them(path):
    items = items_of(path)
    mock = Mock(script_of(items))
    answers = {}
    for item in items:
        if isinstance(item, Line) and item.channel == "s2c" and "id" in item.value:
            answers[item.value["id"]] = item.value
    for item in items:
        if not isinstance(item, Line) or item.channel != "c2s" or "id" not in item.value:
            continue
        other = {**item.value, "id": f"other-{item.value['id']}"}
        meta = other.get("params", {}).get("_meta", {})
        if "progressToken" in meta:
            other["params"] = {**other["params"], "_meta": {**meta, "progressToken": "mine"}}
        *progress, answer = [json.loads(data) for data in written(mock, json.dumps(other).encode() + b"\n")]
        assert answer == {**answers[item.value["id"]], "id": other["id"]}
        assert {t for p in progress if (t := p.get("params", {}).get("progressToken"))} <= {"mine"}


def test_there_are_recordings_of_both_eras():
    assert len(RECORDINGS) >= 6
