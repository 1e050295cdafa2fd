"""The exceptions of the catalogue: near misses about which a rule says nothing, or says it softly."""

import json
from pathlib import Path

import pytest

from mcptap.diagnosis.finding import Level
from mcptap.diagnosis.rule import RULES
from tests.diagnosis.played import META, judge

TEXT = (Path(__file__).parent / "exclusions.txt").read_text(encoding="utf-8")


def cases() -> list[tuple[str, str, tuple[str, ...]]]:
    """Title, rule and level it may have (or nothing), and the session."""
    found = []
    for block in TEXT.replace("{meta}", json.dumps(META)).split("\n## ")[1:]:
        title, _, body = block.partition("\n")
        found.append((title, title.partition(":")[0], tuple(row for row in body.splitlines() if row.strip())))
    return found


@pytest.mark.parametrize(("title", "rule", "lines"), cases(), ids=[case[0] for case in cases()])
def test_a_near_miss_is_no_finding(title, rule, lines, tmp_path: Path):
    name, _, allowed = rule.partition(" ")
    assert name in RULES
    levels = [finding.level for finding in judge(lines, tmp_path / "session.jsonl") if finding.rule == name]
    if allowed:
        assert {level.word for level in levels} == {allowed}
    else:
        assert levels == []


def test_no_two_cases_have_the_same_title():
    titles = [title for title, _, _ in cases()]
    assert len(titles) == len(set(titles))
    assert Level.INFO.word == "info"
