"""A session of which the client's side was not recorded: no rule accuses anybody for what is missing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mcptap.captures.formats.steps import Steps, header_of
from mcptap.diagnosis.cases.case import Case, cases
from mcptap.diagnosis.cases.player import items as items_of
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.selection import matches
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER
from tests.diagnosis.sessions import event, line

UNRECORDED = {"unrecorded": [CLIENT_TO_SERVER]}


def of_client(item: Item) -> bool:
    channel = (
        item.channel if isinstance(item, Line) else item.fields.get("ch") if isinstance(item, Event) else ""
    )
    return channel == CLIENT_TO_SERVER


def judged(case: Case, recorded: bool) -> set[str]:
    """The rules that speak about a case, with the client's side or without."""
    steps = Steps()
    header = header_of(text for _, text in case.steps)
    diagnosis = Diagnosis(header if recorded else Header({**header.fields, **UNRECORDED}))
    for item in items_of(case, steps):
        if recorded or not of_client(item):
            diagnosis.feed(item)
    rest = [one for one in steps.unfinished() if recorded or not of_client(one)]
    return {finding.rule for finding in diagnosis.finish(steps.state, rest)}


@pytest.mark.parametrize("file", sorted({case.file for case in cases()}))
def test_no_rule_speaks_that_did_not_speak_with_the_clients_side(file: str) -> None:
    for case in cases():
        if case.file == file and case.rule != "http2-on-stdio":  # the client's words excuse the server's
            spoke = judged(case, recorded=True)
            held_back = {
                rule.id
                for rule in RULES.values()
                if any(matches(other, rule.yields_to + rule.unless) for other in spoke)
            }
            assert judged(case, recorded=False) <= spoke | held_back, case.title


def diagnosed(items: Iterable[Item], **fields: object) -> Diagnosis:
    diagnosis = Diagnosis(Header({**UNRECORDED, **fields}))
    for item in items:
        diagnosis.feed(item)
    diagnosis.finish(State.FINISHED)
    return diagnosis


REPLY = line(3, "s2c", b'{"jsonrpc":"2.0","id":1,"result":{}}')


ASKED = line(4, "s2c", b'{"jsonrpc":"2.0","id":1,"method":"roots/list"}')


@pytest.mark.parametrize(
    ("said", "wrote"),
    [([REPLY], ""), ([REPLY, ASKED], ""), ([], ", and it wrote no line to stdout")],
    ids=["a reply", "a question", "nothing"],
)
@pytest.mark.parametrize(("how", "ended"), [({"code": 0}, "exit"), ({"signal": "SIGSEGV"}, "SIGSEGV")])
def test_the_verdict_says_what_was_recorded_and_how_the_server_ended(
    said: list[Item], wrote: str, how: dict[str, object], ended: str
) -> None:
    diagnosis = diagnosed([event(2, "spawn", pid=1), *said, event(9, "exit", **how)])
    assert diagnosis.findings() == []
    verdict = diagnosis.verdict()
    assert verdict.outcome is Outcome.UNCLEAR
    assert verdict.words.startswith(f"Only the server's side was recorded{wrote}; it ended with ")
    assert ended in verdict.words
    assert verdict.limits.startswith("The client's side was not recorded: it was a terminal")


def test_what_the_server_wrote_is_judged() -> None:
    diagnosis = diagnosed([event(2, "spawn", pid=1), line(3, "s2c", b"Server ready")])
    assert [finding.rule for finding in diagnosis.findings()] == ["stdout-not-json"]


def test_a_server_that_could_not_be_started_is_told_as_ever() -> None:
    failed = event(2, "spawn", errno=2, error="cannot start 'x'", status=127)
    assert [finding.rule for finding in diagnosed([failed], argv=["x"]).findings()] == ["server-exited-early"]


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        ("cannot start 'x': there is no such program", "Correct the command"),
        ("cannot start 'x': its working directory '/gone' is no folder", "Correct the working directory"),
    ],
)
def test_what_could_not_be_started_has_the_remedy_of_its_cause(error: str, remedy: str) -> None:
    (finding,) = diagnosed([event(2, "spawn", errno=2, error=error, status=126)], argv=["x"]).findings()
    assert finding.remedy.startswith(remedy)
