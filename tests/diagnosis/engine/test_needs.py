"""Rules stay quiet where a capture can't show what they judge."""

from dataclasses import fields
from pathlib import Path

import pytest

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.engine.diagnosis import Diagnosis
from mcptap.diagnosis.engine.needs import NEEDS, can_tell
from mcptap.diagnosis.engine.rule import RULES
from mcptap.diagnosis.examples import examples
from mcptap.recording.format.model import Header
from mcptap.recording.reader import Reader
from tests.diagnosis.played import Player
from tests.helpers import END, Tape

NAMES = {field.name for field in fields(Evidence) if field.type == "bool"}
NOTHING = Evidence(**dict.fromkeys(NAMES, False))


def test_only_rules_and_knowledge_that_exist_are_named():
    assert [rule for rule in NEEDS if rule not in RULES] == []
    assert {name for needs in NEEDS.values() for name in needs} <= NAMES


def test_a_recording_of_mcptap_lets_every_rule_speak():
    assert all(can_tell(COMPLETE, rule) for rule in RULES)


@pytest.mark.parametrize("rule", sorted(NEEDS))
def test_a_rule_is_quiet_where_its_needs_are_not_known(rule: str, tmp_path: Path):
    found = judged(examples()[rule].bad, tmp_path, NOTHING)
    assert rule not in found


def test_what_needs_nothing_is_judged_all_the_same(tmp_path: Path):
    assert "capability-undeclared-tools" in judged(
        examples()["capability-undeclared-tools"].bad, tmp_path, NOTHING
    )


def judged(lines: tuple[str, ...], tmp_path: Path, evidence: Evidence) -> list[str]:
    player = Player()
    with Tape(tmp_path / "x.jsonl") as tape:
        for line in lines:
            tape.play(player.steps(line))
        if not player.ended:
            tape.play(END)
    diagnosis = Diagnosis(Header({}), timed=evidence.times, evidence=evidence)
    with Reader(tape.path) as reader:
        for item in reader.items():
            diagnosis.feed(item)
    return [found.rule for found in diagnosis.finish()]
