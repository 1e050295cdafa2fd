"""No session makes the diagnosis crash: the cases of all rules, with parts replaced, lost or swapped."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.diagnosis.cases.case import cases
from mcptap.diagnosis.cases.player import items
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding
from mcptap.protocol.statistics.counts import Statistics
from mcptap.recording.format.model import UNPARSED, Header, Item, Line
from tests.helpers import changed

ODD = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    2**70,
    "",
    "x",
    "\ud800",
    "2025-11-25",
    [],
    {},
    [None],
    [[]],
    {"x": None},
    [{}],
]


PLAYED = [list(items(case)) for case in cases() if not any("bytes" in text for _, text in case.steps)]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all members and elements inside a JSON value."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    found = []
    for key, inner in members:
        found += [(*path, key), *places(inner, (*path, key))]
    return found


def put(value: Any, path: tuple[Any, ...], new: Any, delete: bool) -> None:
    for key in path[:-1]:
        value = value[key]
    if delete:
        del value[path[-1]]
    else:
        value[path[-1]] = new


@st.composite
def damaged_sessions(draw: st.DrawFn) -> list[Item]:
    session = list(draw(st.sampled_from(PLAYED)))
    if draw(st.booleans()):
        session += draw(st.sampled_from(PLAYED))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(session) - 1))
        item = session[at]
        change = draw(st.sampled_from(["value", "value", "value", "lose", "double", "swap", "turn"]))
        if change == "lose" and len(session) > 1:
            del session[at]
        elif change == "double":
            session.insert(at, item)
        elif change == "swap":
            other = draw(st.integers(0, len(session) - 1))
            session[at], session[other] = session[other], session[at]
        elif change == "turn" and isinstance(item, Line):
            session[at] = changed(item, channel="s2c" if item.channel == "c2s" else "c2s")
        elif isinstance(item, Line):
            try:
                value = json.loads(item.data)
            except ValueError:
                continue
            inside = places(value)
            if inside:
                put(value, draw(st.sampled_from(inside)), draw(st.sampled_from(ODD)), draw(st.booleans()))
                session[at] = changed(item, data=json.dumps(value).encode(), _value=UNPARSED)
    return in_order(session)


def in_order(session: list[Item]) -> list[Item]:
    """The items with numbers and times that rise again."""
    t_us = 0
    found: list[Item] = []
    for number, item in enumerate(session, 2):
        t_us = max(t_us + 1, item.t_us)
        times = {"first_us": t_us} if isinstance(item, Line) else {}
        found.append(changed(item, number=number, t_us=t_us, **times))
    return found


def say(found: Finding) -> tuple[object, ...]:
    return (
        found.rule,
        found.level,
        found.line,
        found.message,
        found.subject,
        found.count,
        tuple(found.records),
    )


@given(damaged_sessions(), st.booleans(), st.integers(0, 12))
@settings(max_examples=50, deadline=None)
def test_no_session_makes_the_diagnosis_crash_and_asking_early_changes_nothing(
    session: list[Item], timed: bool, ask: int
):
    header = Header({"name": "x", "argv": ["python", "x.py"], "cwd": "/"})
    once, often = Diagnosis(header, timed=timed), Diagnosis(header, timed=timed)
    statistics = Statistics()
    for index, item in enumerate(session):
        message = once.feed(item)
        often.feed(item)
        if index % 13 >= ask:
            often.findings()
            assert often.verdict()
        if message is not None:
            statistics.feed(message)
    found = once.finish()
    assert [say(f) for f in often.finish()] == [say(f) for f in found]
    assert once.verdict()
    assert all(f.message for f in found)
