"""The exceptions of the catalogue, and the further ways to break its rules.

In `exclusions.txt` stand near misses, about which a rule says nothing or says it softly; in
`speaking.txt` what it must say beside its example, and at which level.
"""

import json
from pathlib import Path

import pytest

from mcptap.diagnosis.engine.rule import RULES
from tests.diagnosis.played import META, judge

HERE = Path(__file__).parent


def cases(name: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Title, rule, level (may be empty), and the session."""
    found = []
    text = (HERE / name).read_text(encoding="utf-8").replace("{meta}", json.dumps(META))
    for block in text.split("\n## ")[1:]:
        title, _, body = block.partition("\n")
        rule, _, level = title.partition(":")[0].partition(" ")
        found.append((title, rule, level, tuple(row for row in body.splitlines() if row.strip())))
    return found


def by_title(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("rule", "level", "lines"),
        [case[1:] for case in cases(name)],
        ids=[case[0] for case in cases(name)],
    )


@by_title("exclusions.txt")
def test_a_near_miss_is_no_finding(rule, level, lines, tmp_path: Path):
    levels = [found.level.word for found in judge(lines, tmp_path / "session.jsonl") if found.rule == rule]
    assert set(levels) == ({level} if level else set())


@by_title("speaking.txt")
def test_a_break_of_a_rule_is_a_finding_of_its_level(rule, level, lines, tmp_path: Path):
    levels = [found.level.word for found in judge(lines, tmp_path / "session.jsonl") if found.rule == rule]
    assert levels == [level]


@pytest.mark.parametrize("name", ["exclusions.txt", "speaking.txt"])
def test_no_two_cases_have_the_same_title_and_all_are_of_rules(name):
    titles = [title for title, *_ in cases(name)]
    assert len(titles) == len(set(titles))
    assert {rule for _, rule, *_ in cases(name)} <= RULES.keys()
