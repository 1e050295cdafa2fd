"""Whole captures, and beside each (`FILE.toml`) what was to be read from it, written down before its reader.

In a `[[session]]`: `server`, `client` (requests and notifications by method), `answers` (how many responses),
`stderr` and `text` (lines), `first` and `last` (times), `errors` (all of that level), `says` and `never`
(other rules), `verdict` and `limits` (a part of each), `whole`, `argv`, and what else `read` gives.
"""

import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mcptap.captures.open import open_sources
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.format.model import Damaged, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

SAMPLES = Path(__file__).parent / "samples"
EXPECTED = sorted(SAMPLES.rglob("*.toml"))


def microseconds(moment: datetime) -> int:
    """A time, of this machine if it has no zone, since 1970."""
    return (moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def read(path: str) -> list[dict[str, Any]]:
    """What is read of each session, in the words of an expectation."""
    found = []
    for source in open_sources(path):
        diagnosis = Diagnosis(source.header, timed=source.evidence.times, evidence=source.evidence)
        items = []
        for item in source.items():
            items.append(item)
            diagnosis.feed(item)
        diagnosis.finish(source.state(), source.unfinished())
        lines = [item for item in items if isinstance(item, Line)]
        times = [item.wall_us for item in items if not isinstance(item, Damaged) and item.wall_us]
        findings = [(f.rule, f.level.word) for f in diagnosis.findings()]
        verdict = diagnosis.verdict(source.lines, source.passed_over)
        found.append(
            {
                "server": source.header.name,
                "argv": source.header.argv,
                "client": methods(lines, CLIENT_TO_SERVER),
                "server_asks": methods(lines, SERVER_TO_CLIENT),
                "answers": sum(1 for line in lines if answers(line)),
                "stderr": sum(1 for line in lines if line.channel == STDERR),
                "text": sum(
                    1 for line in lines if line.channel == SERVER_TO_CLIENT and line.value is NOT_JSON
                ),
                "damaged": sum(1 for item in items if isinstance(item, Damaged)),
                "passed_over": source.passed_over,
                "first": min(times, default=0),
                "last": max(times, default=0),
                "whole": source.evidence.whole,
                "errors": sorted(rule for rule, level in findings if level == "error"),
                "rules": {rule for rule, _ in findings},
                "verdict": verdict.words,
                "limits": verdict.limits,
            }
        )
        source.close()
    return found


def methods(lines: list[Line], channel: str) -> Counter[str]:
    return Counter(
        line.value["method"]
        for line in lines
        if line.channel == channel and isinstance(line.value, dict) and "method" in line.value
    )


def answers(line: Line) -> bool:
    return isinstance(line.value, dict) and "method" not in line.value and "id" in line.value


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: str(path.relative_to(SAMPLES).with_suffix("")))
def test_a_sample_is_read_as_expected(path: Path):
    expectation = tomllib.loads(path.read_text())
    expected = expectation["session"]
    file = str(path.with_suffix(""))
    found = read(f"{expectation['as']}={file}" if "as" in expectation else file)
    assert len(found) == len(expected)
    for number, (session, wanted) in enumerate(zip(found, expected, strict=True), 1):
        for name, value in wanted.items():
            if name in ("first", "last"):
                value = microseconds(value)
            if name == "says":
                assert set(value) <= session["rules"], f"#{number}"
            elif name == "never":
                assert not set(value) & session["rules"], f"#{number}"
            elif name in ("verdict", "limits"):
                assert value in session[name], f"#{number} {name}"
            else:
                assert session[name] == value, f"#{number} {name}"


def test_each_sample_has_its_expectation():
    files = [path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix != ".toml"]
    assert {path.with_name(f"{path.name}.toml") for path in files} == set(EXPECTED)
