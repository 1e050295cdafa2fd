"""Which record a verdict is about."""

import pytest

from mcptap.diagnosis.explain.causing import causing_record
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import META_VERSION
from tests.diagnosis.sessions import diagnosed, event, message, opening

TOOL = {"name": "forecast", "description": "The weather.", "inputSchema": {"type": "object"}}
START = [
    *opening("agent", tools={}),
    message(id=1, method="tools/list"),
    message(id=1, result={"tools": [TOOL]}),
    message(id=2, method="tools/call", params={"name": "forecast", "arguments": {}}),
]
CALL = len(START) + 1


@pytest.mark.parametrize(
    ("more", "record"),
    [
        ([message(id=2, result={"content": []})], None),
        ([], CALL),
        ([message(id=2, result={"isError": True, "content": [{"type": "text", "text": "no"}]})], CALL + 1),
        ([b"fetching\n", message(id=2, result={"content": []})], CALL + 1),
    ],
    ids=["healthy", "waiting", "failed", "polluted"],
)
def test_it_is_the_record_that_waits_failed_or_broke_the_session(more, record):
    assert diagnosed([*START, *more]).verdict().record == record


def test_without_a_finding_it_is_the_end_of_the_server():
    session = Session(None)
    session.feed(event(9, "exit", 1000, code=0))
    assert causing_record(Outcome.BROKEN, [], session, []) == 9


def test_of_an_opening_that_was_refused_it_is_the_request():
    refused = message(id=1, error={"code": -32601, "message": "Method not found"})
    asked = message(id=1, method="server/discover", params={"_meta": {META_VERSION: "2026-07-28"}})
    session = diagnosed([asked, refused]).session
    assert causing_record(Outcome.UNCLEAR, [], session, []) == 2
