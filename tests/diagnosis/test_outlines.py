"""Messages that are too large to be taken apart: whom they answer counts, what they say is not judged."""

import pytest

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.explain.limits import limits
from mcptap.jsontext import bounded
from mcptap.recording.format.model import Item
from tests.diagnosis.sessions import event, line, message

FILLING = "x" * 5000
OPENING = [
    event(2, "spawn", pid=1),
    line(3, "c2s", message(id=0, method="initialize", params={"protocolVersion": "2025-11-25",
        "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})),
    line(4, "s2c", message(id=0, result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"}})),
    line(5, "c2s", message(method="notifications/initialized")),
]  # fmt: skip


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "MAX_BYTES", 3000)
    monkeypatch.setattr(bounded, "SMALL", 1000)


def judged(*items: Item) -> tuple[set[str], str]:
    """The rules that spoke, and what is said to have been left out."""
    diagnosis = Diagnosis()
    last = 0
    for item in [*OPENING, *items]:
        diagnosis.feed(item)
        last = item.number
    diagnosis.feed(event(last + 1, "eof", 9_000_000, ch="c2s"))
    diagnosis.feed(event(last + 2, "exit", 9_000_001, code=0))
    found = {finding.rule for finding in diagnosis.finish()}
    return found, limits(diagnosis.session, diagnosis.evidence)


ASKED = line(6, "c2s", message(id=1, method="tools/call", params={"name": "t", "arguments": {}}), 1000)


def test_a_large_answer_answers_its_request_and_its_contents_are_not_judged():
    found, left_out = judged(ASKED, line(7, "s2c", message(id=1, result={"contents": FILLING}), 2000))
    assert not found & {"request-unanswered", "result-shape"}
    assert left_out == "Record 7: too large to be taken apart; what it says was not judged."
    assert "result-shape" in judged(ASKED, line(7, "s2c", message(id=1, result={"contents": ""}), 2000))[0]


def test_a_large_answer_to_no_request_is_found_by_its_id():
    large = line(7, "s2c", message(id=5, result={"content": FILLING}), 2000)
    assert {"response-unknown-id", "request-unanswered"} <= judged(ASKED, large)[0]


def test_what_a_large_list_holds_is_not_known_to_be_missing():
    listed = line(7, "s2c", message(id=2, result={"tools": [{"name": FILLING}]}), 2000)
    called = line(8, "c2s", message(id=3, method="tools/call", params={"name": "t", "arguments": {}}), 3000)
    asked = line(6, "c2s", message(id=2, method="tools/list"), 1000)
    answered = line(9, "s2c", message(id=3, error={"code": -32602, "message": "no"}), 4000)
    assert not {rule for rule in judged(asked, listed, called, answered)[0] if "unlisted" in rule}


def test_large_batches_and_large_lines_that_are_no_json_are_told_apart():
    batch = line(6, "s2c", b"[" + b"{}," * 3000 + b"{}]")
    found, left_out = judged(batch)
    assert "batch-array" not in found
    assert left_out.startswith("Record 6")
    assert judged(line(6, "s2c", b"[" + b"{}," * 3000))[1] == ""


def test_the_verdict_does_not_say_that_nothing_is_wrong():
    diagnosis = Diagnosis()
    for item in [*OPENING, ASKED, line(7, "s2c", message(id=1, result={"content": FILLING}), 2000)]:
        diagnosis.feed(item)
    diagnosis.finish()
    assert "not all that large messages say was judged" in str(diagnosis.verdict())


def test_several_are_counted():
    progress = message(method="notifications/message", params={"level": "info", "data": FILLING})
    assert "Record 6 and 1 more" in judged(line(6, "s2c", progress), line(7, "s2c", progress))[1]
