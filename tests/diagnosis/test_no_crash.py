"""No session makes the diagnosis crash: the examples of all rules, with parts replaced, lost or swapped."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.diagnosis.engine.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Finding
from mcptap.diagnosis.examples import examples
from mcptap.protocol.statistics.statistics import Statistics
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.wire import CHANNELS
from tests.diagnosis.played import Player
from tests.helpers import Step, as_bytes

SCRIPTS = [lines for example in examples().values() for lines in (example.bad, example.good)]
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


def steps_of(script: tuple[str, ...]) -> list[Step]:
    player = Player()
    return [step for line in script for step in player.steps(line)]


PLAYED = [steps_of(script) for script in SCRIPTS if not any(line.startswith("@large") for line in script)]


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
    steps = list(draw(st.sampled_from(PLAYED)))
    if draw(st.booleans()):
        steps += draw(st.sampled_from(PLAYED))
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(steps) - 1))
        kind, content = steps[at]
        change = draw(st.sampled_from(["value", "value", "value", "lose", "double", "swap", "turn"]))
        if change == "lose" and len(steps) > 1:
            del steps[at]
        elif change == "double":
            steps.insert(at, steps[at])
        elif change == "swap":
            other = draw(st.integers(0, len(steps) - 1))
            steps[at], steps[other] = steps[other], steps[at]
        elif change == "turn" and kind in CHANNELS:
            steps[at] = ("s2c" if kind == "c2s" else "c2s", content)
        elif kind in CHANNELS:
            try:
                value = json.loads(as_bytes(content))
            except ValueError:
                continue
            inside = places(value)
            if inside:
                put(value, draw(st.sampled_from(inside)), draw(st.sampled_from(ODD)), draw(st.booleans()))
                steps[at] = (kind, json.dumps(value).encode() + b"\n")
    return items(steps)


def items(steps: list[Step]) -> list[Item]:
    found: list[Item] = []
    t = 0
    for number, (kind, content) in enumerate(steps, 2):
        t += 1000
        if kind == "wait":
            t += content
        elif kind in CHANNELS:
            data = as_bytes(content)
            eol = b"\n" if data.endswith(b"\n") else b""
            found.append(Line(number, kind, data.removesuffix(b"\n"), eol, t, t, t))
        elif kind == "end":
            found.append(Event(number, "eof", t, t, {"ch": content}))
        else:
            found.append(Event(number, kind, t, t, dict(content)))
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
@settings(max_examples=250, deadline=None)
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
