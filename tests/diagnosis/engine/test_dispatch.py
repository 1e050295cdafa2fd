"""Which rules are asked: by occasion, channel, subject, revision, transport; and what they say."""

from __future__ import annotations

import pytest

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.diagnosis.engine.dispatch import Dispatch, as_list, ask
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import hit
from mcptap.protocol.model.session import Session
from tests.diagnosis.sessions import event

RULE = RULES["crlf"]
EVENT = event(2, "exit")


def asked(session: Session, *key: str) -> set[str]:
    occasion, channel, subject, revision = key
    return {rule.id for rule, _ in Dispatch(session)[occasion, channel, subject, revision]}


def test_a_rule_is_asked_on_its_own_channel_and_in_its_own_revisions():
    session = Session(None)
    assert "crlf" in asked(session, "line", "s2c", "", "2025-11-25")
    for channel in ("c2s", "s2c"):
        for revision in ("2025-03-26", "2026-07-28"):
            for rule in asked(session, "request", channel, "tools/call", revision):
                assert revision in RULES[rule].levels
                assert any(on.fits(channel, "request", "tools/call") for on in RULES[rule].on)


def test_a_session_without_its_beginning_is_not_judged_by_what_is_absent():
    whole = asked(Session(None), "request", "c2s", "tools/list", "2025-11-25")
    part = asked(Session(None, partial=True), "request", "c2s", "tools/list", "2025-11-25")
    assert part < whole
    assert all(RULES[rule].needs_start for rule in whole - part)


def test_methods_that_mcp_does_not_know_share_what_is_asked_of_them():
    dispatch = Dispatch(Session(None))
    one = dispatch["request", "c2s", "x/y", "2025-11-25"]
    assert dispatch["request", "c2s", "z", "2025-11-25"] is one
    assert ("request", "c2s", "z", "2025-11-25") not in dispatch


@pytest.mark.parametrize(
    ("said", "count"),
    [(None, 0), ([], 0), (hit(2), 1), ([hit(2), hit(3)], 2)],
    ids=lambda value: str(value)[:9],
)
def test_a_rule_may_say_nothing_one_thing_or_several(said, count):
    hits = ask([(RULE, lambda session, about: said)], Session(None), EVENT)
    assert [rule for rule, _ in hits] == [RULE] * count
    assert [one for _, one in hits] == as_list(said)
