"""What holds for any session: the same findings whatever the cut, and no accusation of what is missing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.captures.evidence import PROVABLE, Evidence
from mcptap.diagnosis.cases.case import speaking
from mcptap.diagnosis.cases.player import play
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.registry import RULES
from mcptap.protocol.revisions import KNOWN
from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_VERSION
from mcptap.recording.format.events import decode_event
from mcptap.recording.format.model import Damaged, Event, Header, Item
from mcptap.recording.reader import Reader, State
from tests.diagnosis.sessions import event, judged, line, message, plain

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1.0", "", 7]

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ids = st.sampled_from([0, 1, 2, "1", "a", "", None, 1.5, True, 2**70])
names = st.sampled_from([*sorted(KNOWN), "x/y"])
objects = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b", 3]),
        "uri": st.sampled_from(["file:///a", "file:///a/b", "a", None]),
        "cursor": st.sampled_from(["c", "", 1]),
        "arguments": json_values,
        "protocolVersion": st.sampled_from(REVISIONS),
        "capabilities": st.sampled_from([{}, {"tools": {}}, {"tools": []}, {"roots": {}}, [], None])
        | json_values,
        "clientInfo": json_values,
        "serverInfo": json_values,
        "level": st.sampled_from(["info", "loud", 4]),
        "requestId": ids,
        "progressToken": ids,
        "progress": st.sampled_from([0, 1, 0.5, "x", None]),
        "notifications": json_values,
        "requestState": ids,
        "inputResponses": json_values,
        "task": json_values,
        "_meta": st.fixed_dictionaries(
            {},
            optional={
                "progressToken": ids,
                META_VERSION: st.sampled_from(REVISIONS),
                META_CLIENT_CAPABILITIES: json_values,
                "io.modelcontextprotocol/subscriptionId": ids,
                "io.modelcontextprotocol/logLevel": json_values,
            },
        )
        | json_values,
    },
)
tool = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b", "a b", "", 3])},
    optional={
        "description": st.sampled_from(["Does 'a'", "", None]),
        "inputSchema": st.sampled_from([{"type": "object"}, {"type": "string"}, None, []]) | json_values,
        "outputSchema": json_values,
        "annotations": json_values,
        "execution": json_values,
    },
)
results = st.fixed_dictionaries(
    {},
    optional={
        "protocolVersion": st.sampled_from(REVISIONS),
        "capabilities": json_values | st.just({"tools": {}, "resources": {}}),
        "serverInfo": json_values,
        "tools": st.lists(tool, max_size=3) | json_values,
        "resources": json_values | st.just([{"uri": "a"}]),
        "resourceTemplates": json_values,
        "prompts": json_values | st.just([{"name": "a", "arguments": [{"name": "x", "required": True}]}]),
        "contents": json_values | st.just([]),
        "content": st.lists(
            st.fixed_dictionaries(
                {"type": st.sampled_from(["text", "image", "odd", 3])},
                optional={"text": st.sampled_from(["Error: 'a'", "ok", 3]), "data": json_values},
            ),
            max_size=2,
        )
        | json_values,
        "structuredContent": json_values,
        "isError": json_values | st.booleans(),
        "nextCursor": st.sampled_from(["c", "", None, 3]),
        "resultType": st.sampled_from(["complete", "input_required", "x", 3]),
        "inputRequests": json_values | st.just({"m": {"method": "roots/list"}}),
        "supportedVersions": json_values,
        "completion": json_values,
        "task": json_values | st.just({"taskId": "t", "status": "working"}),
        "taskId": json_values,
        "status": json_values,
        "roots": json_values,
    },
)
errors = st.fixed_dictionaries(
    {"code": st.sampled_from([-32601, -32602, -32603, -32022, -32021, -32002, 0, "x"])},
    optional={"message": st.sampled_from(["not found", "A_B is not set", 3]), "data": json_values},
)
messages = st.one_of(
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": names},
        optional={"id": ids, "params": objects | json_values},
    ),
    st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": ids, "result": results}),
    st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": ids, "error": errors | json_values}),
    st.fixed_dictionaries({"id": ids, "result": results, "error": json_values}),
    json_values,
    st.lists(st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "id": ids, "result": results}), max_size=2),
)
payloads = st.one_of(
    messages.map(lambda value: json.dumps(value).encode()),
    messages.map(lambda value: b"\xef\xbb\xbf" + json.dumps(value).encode()),
    messages.map(lambda value: b"loading " + json.dumps(value).encode()),
    messages.map(lambda value: json.dumps(value).encode("utf-16")),
    st.sampled_from(
        [b"{", b"}", b'  "id": 1,', b'  "jsonrpc": "2.0",', b'  "result": {}', b"", b"42", b"NaN", b"x"]
    ),
    st.binary(max_size=30),
)
kinds = st.sampled_from(["eof", "exit", "signal", "spawn", "blocked", "gap", "novelty"])
event_fields = st.fixed_dictionaries(
    {},
    optional={
        "ch": st.sampled_from(["c2s", "s2c", "stderr", 3]),
        "code": st.sampled_from([0, 1, None, "x"]),
        "signal": st.sampled_from(["SIGTERM", 3]),
        "errno": st.just(2),
        "error": json_values,
        "us": st.sampled_from([9_000_000, "x"]),
        "why": st.just("receiver closed"),
    },
)
steps = st.one_of(
    st.tuples(
        st.sampled_from(["c2s", "s2c", "stderr"]), payloads, st.sampled_from([b"\n", b"\n", b"\r\n", b""])
    ),
    st.tuples(kinds, event_fields, st.just(b"")),
    st.tuples(st.just("damage"), st.just(b""), st.just(b"")),
)
sessions = st.lists(st.tuples(steps, st.sampled_from([0, 1000, 900_000, 12_000_000])), max_size=25)


def items_of(session: list[Any]) -> list[Item]:
    items: list[Item] = []
    now = 0
    for (what, content, eol), later in session:
        now += later
        number = len(items) + 2
        if what == "damage":
            items.append(Damaged(number, b"x", "it is damaged"))
        elif isinstance(content, dict):
            fields = {"k": what, "t": now, "wall": now, **content}
            try:
                items.append(decode_event(fields, number))
            except ValueError as error:
                items.append(Damaged(number, b"x", str(error)))
        else:
            items.append(line(number, what, content, now, eol))
    return items


HEADERS = [
    None,
    Header(
        {
            "argv": ["a", "${X}", "data/x.json"],
            "cwd": "/",
            "env": {"names": ["HOME"], "values": {"HOME": "/"}},
        }
    ),
    Header({"argv": 3, "cwd": [], "env": {"names": 3, "placeholders": {"A": 3}}, "parent": {"name": 4}}),
]


@settings(max_examples=50, deadline=None)
@given(sessions, st.sampled_from(HEADERS), st.booleans(), st.sampled_from([*State, None]), st.data())
def test_any_session_is_judged_the_same_whatever_the_cut(session, header, timed, state, data):
    items = items_of(session)
    unfinished = (
        [line(len(items) + 2, "s2c", b'{"jsonrpc":"2.0","id":1', 10**8, b"")]
        if data.draw(st.booleans())
        else []
    )
    at_once = Diagnosis(header, timed=timed)
    for item in items:
        at_once.feed(item)
    wanted = at_once.finish(state, unfinished)

    stops = data.draw(st.sets(st.integers(0, len(items))))
    by_and_by = Diagnosis(header, timed=timed)
    for index, item in enumerate(items):
        if index in stops:
            assert by_and_by.findings() is not None
            assert by_and_by.verdict()
        by_and_by.feed(item)
    assert plain(by_and_by.findings()) == plain(by_and_by.findings())
    assert plain(by_and_by.finish(state, unfinished)) == plain(wanted)
    assert by_and_by.verdict() == at_once.verdict()
    for finding in wanted:
        assert finding.message
        assert finding.count >= 1
        assert "{" not in finding.rule
        assert finding.line is None or finding.line in finding.records


DEEP = "[" * 1000 + "]" * 1000
BACKSLASHES = '{"' + r"\"" * 400_000
ODD = [
    '{"jsonrpc":"2.0","id":@,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"\\ud800","params":{"a":@}}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"\\ud800","inputSchema":{"type":"object","enum":[@]}}]}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"\\ud800","inputSchema":{"type":"object","enum":[@]}}]}}',
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"\\ud800","arguments":{"a":@}}}',
    '{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"\\ud800"}],"structuredContent":@}}',
    '{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"image","data":"' + " " * 400_000 + '!"}]}}',
    '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"' + "/" * 400_000 + '"}}',
    '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"a","_meta":'
    '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
    '{"jsonrpc":"2.0","id":6,"result":{"resultType":"input_required","inputRequests":{"a":{"method":@}}}}',
    BACKSLASHES,
    '{"id":"' * 100_000,
    "{" * 100_000,
    "added 1 " * 50_000,
]


def test_odd_lines_cost_little_and_are_told_in_text_that_can_be_written():
    diagnosis = Diagnosis(None)
    for number, text in enumerate(ODD, 2):
        for channel in ("c2s", "s2c"):
            diagnosis.feed(line(number, channel, text.replace("@", DEEP).encode(), number * 1000))
    found = diagnosis.finish()
    assert found
    for finding in found:
        json.dumps(finding.message + finding.subject + finding.consequence + finding.remedy).encode()
        (finding.message + finding.subject + finding.consequence).encode()
    diagnosis.verdict().words.encode()


def test_what_was_found_stays_found_when_more_comes():
    items = [
        line(2, "s2c", b"Server ready"),
        line(3, "c2s", b'{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        event(4, "exit", code=0),
    ]
    diagnosis = Diagnosis(None)
    seen: set[str] = set()
    for item in items:
        diagnosis.feed(item)
        found = {finding.rule for finding in diagnosis.findings()}
        assert seen & {"stdout-not-json"} <= found
        seen |= found
    assert "stdout-not-json" in seen


def test_a_recording_that_starts_in_the_middle_accuses_nobody_of_what_is_missing():
    items = [
        line(2, "s2c", message(id=7, result={"tools": []})),
        line(3, "c2s", message(id=8, method="tools/list")),
        line(4, "s2c", message(id=8, result={"tools": []})),
        line(5, "s2c", message(method="notifications/progress", params={"progressToken": 1, "progress": 1})),
    ]
    assert {f.rule for f in judged(items)} & {"response-unknown-id", "initialize-not-first"}
    assert [f.rule for f in judged(items, partial=True)] == []


def test_a_probe_whose_session_follows_is_no_failure():
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    items = [
        line(2, "c2s", message(id=1, method="server/discover", params={"_meta": meta})),
        line(3, "s2c", message(id=1, error={"code": -32601, "message": "Method not found"})),
        event(4, "eof", 10**6, ch="c2s"),
        event(5, "exit", 10**6, code=0),
    ]
    assert [f.rule for f in judged(items, sibling=False)] == ["era-no-fallback"]
    assert [f.rule for f in judged(items)] == ["era-no-fallback"]
    assert judged(items, sibling=True) == []


SAMPLES = Path(__file__).parent.parent.parent / "recordings"


def _hole(kind: str, item: Item) -> Item:
    if kind == "damage":
        return Damaged(item.number, b"", "it is not a JSON object")
    return Event(item.number, "gap", 0, 0, {"records": 1, "bytes": 1, "since": 0, "why": "no space"})


def _items(sample: str) -> list[Item]:
    with Reader(str(SAMPLES / f"{sample}.jsonl")) as reader:
        return list(reader.items())


@pytest.mark.parametrize("kind", ["gap", "damage"])
@pytest.mark.parametrize("sample", ["clean-handshake", "clean-stateless"])
def test_a_healthy_session_stays_healthy_whatever_record_is_missing(sample: str, kind: str) -> None:
    whole = _items(sample)
    for first in range(len(whole)):
        for count in (1, 2, 5):
            diagnosis = Diagnosis()
            holed = [*whole[:first], _hole(kind, whole[first]), *whole[first + count :]]
            for item in holed:
                diagnosis.feed(item)
            found = diagnosis.finish(State.FINISHED)
            assert [f.message for f in found if f.level.word != "info"] == [], (first, count)
            assert not diagnosis.evidence.whole


def test_what_stands_in_the_recording_is_found_in_spite_of_a_gap() -> None:
    diagnosis = Diagnosis()
    for item in _items("polluted"):
        diagnosis.feed(item)
    diagnosis.feed(Event(999, "gap", 0, 0, {"records": 1}))
    assert "stdout-glued" in [f.rule for f in diagnosis.finish(State.FINISHED)]


def test_a_recording_of_nothing_but_a_gap_does_not_claim_that_nothing_was_said() -> None:
    diagnosis = Diagnosis()
    diagnosis.feed(Event(2, "gap", 0, 0, {"records": 0, "rest": True}))
    diagnosis.finish(State.FINISHED)
    assert diagnosis.verdict().words == "What the two sides said is not in the recording."


NOTHING = Evidence(**dict.fromkeys(PROVABLE, False))


@pytest.mark.parametrize("rule", sorted(rule.id for rule in RULES.values() if rule.requires))
def test_a_rule_is_quiet_where_what_it_requires_is_not_known(rule: str):
    assert rule not in speaking_rules(rule)


def test_what_requires_nothing_is_judged_all_the_same():
    known = replace(NOTHING, client=True, one_process=True)  # else there is nothing that it could be about
    assert "capability-undeclared-tools" in speaking_rules("capability-undeclared-tools", known)


def speaking_rules(rule: str, known: Evidence = NOTHING) -> list[str]:
    """The rules that speak in a rule's case, if next to nothing is known."""
    case = speaking(rule)
    assert case is not None
    return [found.rule for found in play(case, known)]


@pytest.mark.parametrize("again", [True, False])
def test_what_a_client_would_do_without_the_answer_is_not_said_where_it_came_once_more(again):
    answer = message(id=1, result={"tools": []})
    sent = [(b"sending: " + answer, "s2c"), *([(answer, "s2c")] if again else [])]
    diagnosis = Diagnosis(None)
    for number, (data, channel) in enumerate([(message(id=1, method="tools/list"), "c2s"), *sent], 2):
        diagnosis.feed(line(number, channel, data))
    glued = next(f for f in diagnosis.finish(State.FINISHED) if f.rule == "stdout-glued")
    assert bool(glued.consequence) is not again
