"""A session read to be shown."""

from __future__ import annotations

import io

import pytest

from mcptap.export import session as reading
from mcptap.export.session import Choice, read_session
from mcptap.masking.masker import Masker
from mcptap.query import parse
from tests.export.sessions import SECRETS, with_secrets
from tests.helpers import END, SPAWN, call, handshake, record, text_result

ALL = Choice(records=1_000, characters=1_000, calls=100)


def read(path, choice=ALL, masker=None):
    return read_session(str(path), choice, masker or Masker(), io.StringIO())


def long_session(path, calls: int):
    steps = [SPAWN, *handshake()]
    for at in range(1, calls + 1):
        steps += [("c2s", call(at, "forecast")), ("s2c", text_result(at, "fine"))]
    return record(path, [*steps, *END])


def test_all_of_a_short_session_is_shown_with_its_calls_and_without_its_secrets(tmp_path):
    shown = read(with_secrets(tmp_path / "a.jsonl"))
    assert shown.total == len(shown.entries)
    assert shown.unjudged == 0
    assert [call.tool for call in shown.calls if call.tool] == ["login", "forever"]
    assert shown.calls_total == len(shown.calls)
    told = " ".join([shown.checked.verdict, *map(str, shown.checked.findings), *map(str, shown.entries)])
    assert not [secret for secret in SECRETS if secret in told]
    rules = [finding.rule for finding in shown.checked.findings]
    at = rules.index("stdout-not-json")
    assert shown.checked.findings[at].line in shown.around[at]


def test_a_filter_chooses_records_and_counts_them(tmp_path):
    path = long_session(tmp_path / "a.jsonl", 5)
    shown = read(path, Choice(4, 100, 5, query=parse("method:tools/call status:answered")))
    assert shown.matching == 10
    assert len(shown.entries) == 4


def test_of_many_records_the_first_and_the_last_are_chosen(tmp_path):
    shown = read(long_session(tmp_path / "a.jsonl", 50), Choice(10, 100, 5))
    numbers = [entry.number for entry in shown.entries]
    assert numbers[0] == 2
    assert numbers[-1] == shown.total + 1
    assert len(numbers) < 15
    assert shown.calls_total > len(shown.calls) >= 5


def test_of_a_long_session_beginning_and_end_are_judged_and_that_is_said(tmp_path, monkeypatch):
    path = long_session(tmp_path / "a.jsonl", 200)
    whole = read(path)
    for name, value in {"HEAD": 40, "TAIL": 20, "MOST_JUDGED": 60}.items():
        monkeypatch.setattr(reading, name, value)
    shown = read(path, Choice(1_000, 100, 5))
    assert shown.total == whole.total
    assert shown.unjudged == whole.total - 59
    assert f"{shown.unjudged} records were not judged here." in shown.checked.limits
    assert "Nothing is wrong" not in shown.checked.verdict
    assert [entry.line for entry in shown.entries][-1] == [entry.line for entry in whole.entries][-1]
    every = read(path, Choice(1_000, 100, 5, all_judged=True))
    assert (every.unjudged, every.checked.verdict) == (0, whole.checked.verdict)


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_the_end_of_a_recording_is_found_whatever_the_blocks(tmp_path, monkeypatch, size):
    monkeypatch.setattr(reading, "BLOCK", size)
    monkeypatch.setattr(reading, "TAIL", 2)
    monkeypatch.setattr(reading, "MOST_JUDGED", 3)
    path = tmp_path / "x"
    path.write_bytes(b"a\nbb\n\nccc\nd\ne")
    assert reading._tail_of(str(path)) is None
    path.write_bytes(b"a\nbb\n\nccc\nd\ne\nff\ng")
    position, number = reading._tail_of(str(path))
    assert path.read_bytes()[position:] == b"e\nff\ng"
    assert number == 6


def test_of_a_long_capture_the_beginning_is_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_JUDGED", 4)
    path = tmp_path / "x.txt"
    path.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 10)
    shown = read(path)
    assert (shown.total, shown.unjudged) == (10, 6)
    assert "6 records were not judged here" in shown.checked.limits


def test_a_secret_is_masked_in_findings_whose_quotation_lost_what_told_of_it(tmp_path):
    told = '{"credentials": {"username": "bob", "value": "kr7qw2fBOhc4Om7GfymkWV2L"}}'
    coloured = '{"text": "\\u001b[32mglpat-BFPL8f1krR3JjL39YMOJ\\u001b[0m"}'
    steps = [
        SPAWN,
        *handshake(),
        ("c2s", f"INFO {told}\n".encode()),
        ("c2s", f"INFO {coloured}\n".encode()),
        *END,
    ]
    checked = read(record(tmp_path / "a.jsonl", steps)).checked
    said = " ".join([checked.verdict, *map(str, checked.findings)])
    assert "not JSON" in said
    assert "kr7qw2fB" not in said
    assert "glpat-BF" not in said
