"""Clean sessions, broken in one way at a time: the right rule speaks, and it speaks first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from mcptap.diagnosis.cases.case import cases
from mcptap.diagnosis.cases.player import items as items_of
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.protocol.model.broken import BOM
from mcptap.recording.format.model import Item, Line
from tests.diagnosis.sessions import event, judged, line

CLEAN = {case.title: case for case in cases() if case.title.startswith("clean, ")}
STEP_US = 10_000


class Row(NamedTuple):
    """A line of a session."""

    channel: str
    data: bytes

    @property
    def value(self) -> Any:
        try:
            return json.loads(self.data)
        except ValueError:
            return None


Session = list[Row]
Mutation = Callable[[Session], Iterator[Session]]


def clean(name: str) -> Session:
    return [Row(item.channel, item.data) for item in items_of(CLEAN[name]) if isinstance(item, Line)]


def items(rows: Session, end: bool = True) -> list[Item]:
    made: list[Item] = [event(2, "spawn", pid=1)]
    for row in rows:
        made.append(line(len(made) + 2, row.channel, row.data, len(made) * STEP_US))
    if end:
        at = len(made) * STEP_US + 3_000_000
        made.append(event(len(made) + 2, "eof", at, ch="c2s"))
        made.append(event(len(made) + 2, "exit", at + 1000, code=0))
    return made


def replies(rows: Session, *, channel: str = "s2c") -> Iterator[int]:
    """Where the results stand."""
    for index, row in enumerate(rows):
        value = row.value
        if row.channel == channel and isinstance(value, dict) and "result" in value:
            yield index


def requests(rows: Session, *methods: str) -> Iterator[int]:
    """Where the requests of the client stand, all or those of these methods."""
    for index, row in enumerate(rows):
        value = row.value
        asks = row.channel == "c2s" and isinstance(value, dict) and "method" in value and "id" in value
        if asks and (not methods or value["method"] in methods):
            yield index


def method_of(rows: Session, index: int) -> str:
    """The method that the reply at this place is for."""
    key = rows[index].value["id"]
    asked = [r.value for r in rows[:index] if r.channel == "c2s" and isinstance(r.value, dict)]
    return next(v["method"] for v in reversed(asked) if v.get("id") == key and "method" in v)


def changed(rows: Session, index: int, *new: bytes) -> Session:
    return [*rows[:index], *(Row(rows[index].channel, data) for data in new), *rows[index + 1 :]]


def each_reply(change: Callable[[bytes], list[bytes]]) -> Mutation:
    """Changes the bytes of each reply of the server in turn."""

    def mutate(rows: Session) -> Iterator[Session]:
        for index in replies(rows):
            yield changed(rows, index, *change(rows[index].data))

    return mutate


def each_value(
    change: Callable[[dict[str, Any]], Any], where: Callable[[Session], Iterator[int]] = replies
) -> Mutation:
    """Changes the value of each line in turn; a change that returns None does not apply."""

    def mutate(rows: Session) -> Iterator[Session]:
        for index in where(rows):
            value = change(json.loads(rows[index].data))
            if value is not None:
                yield changed(rows, index, json.dumps(value).encode())

    return mutate


def each_result(change: Callable[[dict[str, Any]], Any], *methods: str) -> Mutation:
    """Changes the result of each reply to these methods in turn."""

    def mutate(rows: Session) -> Iterator[Session]:
        for index in replies(rows):
            if method_of(rows, index) not in methods:
                continue
            value = json.loads(rows[index].data)
            result = change(value["result"])
            if result is not None:
                yield changed(rows, index, json.dumps({**value, "result": result}).encode())

    return mutate


def without(*keys: str) -> Callable[[dict[str, Any]], Any]:
    return lambda value: {k: v for k, v in value.items() if k not in keys} if keys[0] in value else None


def with_(**members: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda value: {**value, **members}


def before_each_reply(data: bytes) -> Mutation:
    def mutate(rows: Session) -> Iterator[Session]:
        for index in replies(rows):
            yield [*rows[:index], Row("s2c", data), *rows[index:]]

    return mutate


def replies_dropped(*methods: str) -> Mutation:
    def mutate(rows: Session) -> Iterator[Session]:
        for index in replies(rows):
            if method_of(rows, index) in methods:
                yield [*rows[:index], *rows[index + 1 :]]

    return mutate


def first_tool(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    def mutate(result: dict[str, Any]) -> Any:
        tools = result["tools"]
        return {**result, "tools": [change(tools[0]), *tools[1:]]} if tools else None

    return mutate


def undeclared(name: str) -> Mutation:
    """The capability is no longer declared, in sessions that use it."""

    def drop(result: dict[str, Any]) -> Any:
        return {**result, "capabilities": without(name)(result["capabilities"])}

    def mutate(rows: Session) -> Iterator[Session]:
        if any(method_of(rows, index) == f"{name}/list" for index in replies(rows)):
            yield from each_result(drop, "initialize", "server/discover")(rows)

    return mutate


def the_same_cursor_again(rows: Session) -> Iterator[Session]:
    for index in requests(rows, "tools/list"):
        cursor = rows[index].value.get("params", {}).get("cursor")
        if cursor is not None:
            value = json.loads(rows[index + 1].data)
            value["result"]["nextCursor"] = cursor
            yield changed(rows, index + 1, json.dumps(value).encode())


def no_envelope(rows: Session) -> Iterator[Session]:
    for index in requests(rows, "tools/call", "tools/list"):
        value = json.loads(rows[index].data)
        if "io.modelcontextprotocol/protocolVersion" in value.get("params", {}).get("_meta", {}):
            del value["params"]["_meta"]
            yield changed(rows, index, json.dumps(value).encode())


def twice_the_same_progress(rows: Session) -> Iterator[Session]:
    for index, row in enumerate(rows):
        if isinstance(row.value, dict) and row.value.get("method") == "notifications/progress":
            yield [*rows[: index + 1], row, *rows[index + 1 :]]


def never_initialized(rows: Session) -> Iterator[Session]:
    for index, row in enumerate(rows):
        if isinstance(row.value, dict) and row.value.get("method") == "notifications/initialized":
            yield [*rows[:index], *rows[index + 1 :]]


def a_list_before_all(rows: Session) -> Iterator[Session]:
    if rows[0].value.get("method") == "initialize":
        yield [Row("c2s", b'{"jsonrpc":"2.0","id":"early","method":"tools/list"}'), *rows]


MUTATIONS: list[tuple[str, str, Mutation]] = [
    ("utf8-bom", "mark", each_reply(lambda data: [BOM + data])),
    ("stdout-glued", "glued", each_reply(lambda data: [b"loading... " + data])),
    ("stdout-glued", "glued behind", each_reply(lambda data: [data + b" done"])),
    ("embedded-newline", "pretty", each_reply(
        lambda data: json.dumps(json.loads(data), indent=1).encode().split(b"\n"))),
    ("batch-array", "batch", each_reply(lambda data: [b"[" + data + b"]"])),
    ("invalid-utf8", "code page", each_reply(lambda data: [data[:-1] + b',"x":"\xe9"}'])),
    ("invalid-utf8", "UTF-16", each_reply(lambda data: [data.decode().encode("utf-16-le")])),
    ("json-constant", "NaN", each_reply(lambda data: [data[:-1] + b',"x":NaN}'])),
    ("stdout-not-json", "cut", each_reply(lambda data: [data[:-2]])),
    ("stdout-not-json", "text", before_each_reply(b"Server running on stdio")),
    ("frame-not-object", "number", before_each_reply(b"42")),
    ("message-shape", "log line", before_each_reply(b'{"level":"info","msg":"up"}')),
    ("blank-line", "blank", before_each_reply(b"")),
    ("jsonrpc-version", "no version", each_value(without("jsonrpc"))),
    ("jsonrpc-version", "a number", each_value(with_(jsonrpc=2.0))),
    ("response-null-member", "null error", each_value(with_(error=None))),
    ("response-result-and-error", "both", each_value(with_(error={"code": 1, "message": "x"}))),
    ("response-id-type", "text id", each_value(lambda v: {**v, "id": str(v["id"])})),
    ("response-unknown-id", "other id", each_value(with_(id="other"))),
    ("result-without-id", "no id", each_value(without("id"))),
    ("response-duplicate", "twice", each_reply(lambda data: [data, data])),
    ("message-extra-member", "took", each_value(with_(took=3))),
    ("error-shape", "odd error", each_value(
        lambda v: {"jsonrpc": v["jsonrpc"], "id": v["id"], "error": {"code": "x"}})),
    ("id-null", "null id", each_value(with_(id=None), lambda rows: requests(rows, "tools/call", "ping"))),
    ("id-type", "fraction", each_value(with_(id=1.5), lambda rows: requests(rows, "tools/call", "ping"))),
    ("params-shape", "no name", each_value(lambda v: {**v, "params": without("name")(v["params"])},
                                    lambda rows: requests(rows, "tools/call"))),
    ("message-shape", "params", each_value(with_(params=[1]), lambda rows: requests(rows, "ping"))),
    ("request-unanswered", "dropped", replies_dropped("tools/list", "resources/list", "prompts/list")),
    ("ping-unanswered", "dropped", replies_dropped("ping")),
    ("initialize-unanswered", "dropped", replies_dropped("initialize")),
    ("initialized-missing", "never", never_initialized),
    ("initialize-not-first", "early", a_list_before_all),
    ("initialize-version-stateless", "too new", each_result(
        with_(protocolVersion="2026-07-28"), "initialize")),
    ("version-mismatch", "unknown", each_result(with_(protocolVersion="1.0"), "initialize")),
    ("capability-undeclared-tools", "undeclared", undeclared("tools")),
    ("capability-undeclared-resources", "undeclared", undeclared("resources")),
    ("capability-shape", "array", each_result(
        lambda r: {**r, "capabilities": {**r["capabilities"], "tools": []}},
        "initialize", "server/discover")),
    ("result-shape", "no content", each_result(without("content"), "tools/call")),
    ("result-shape", "no tools", each_result(without("tools"), "tools/list")),
    ("input-schema-invalid", "absent", each_result(first_tool(without("inputSchema")), "tools/list")),
    ("input-schema-invalid", "string", each_result(
        first_tool(with_(inputSchema={"type": "string"})), "tools/list")),
    ("null-optional-field", "null", each_result(first_tool(with_(annotations=None)), "tools/list")),
    ("tool-name-duplicate", "twice", each_result(lambda r: {**r, "tools": r["tools"][:1] * 2}, "tools/list")),
    ("cursor-loop", "same", the_same_cursor_again),
    ("content-type-unknown", "video", each_result(
        lambda r: {**r, "content": [{"type": "video"}, {"type": "text", "text": "x"}]}, "tools/call")),
    ("result-type-missing", "absent", each_result(without("resultType"), "tools/list", "tools/call")),
    ("result-type-unknown", "odd", each_result(
        lambda r: {**r, "resultType": "done"} if "resultType" in r else None, "tools/call")),
    ("cache-hints-missing", "absent", each_result(without("ttlMs"), "tools/list", "server/discover")),
    ("meta-missing", "absent", no_envelope),
    ("progress-not-increasing", "same", twice_the_same_progress),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "how", "mutation"), MUTATIONS, ids=[f"{m[0]} {m[1]}" for m in MUTATIONS])
def test_a_clean_session_broken_in_one_way_shows_that_cause_first(rule, how, mutation):
    tried = 0
    for name in CLEAN:
        for rows in mutation(clean(name)):
            tried += 1
            found = judged(items(rows))
            assert rule in {f.rule for f in found}, f"{name}: {[f.rule for f in found]}"
            first = next((f.rule for f in found if f.level > Level.INFO), rule)
            assert first == rule, f"{name}: {first} comes first: {[f.message for f in found]}"
    assert tried >= 1


@pytest.mark.parametrize("name", CLEAN)
def test_the_clean_sessions_are_clean(name):
    assert [f.message for f in judged(items(clean(name))) if f.level > Level.INFO] == []


@pytest.mark.parametrize("name", CLEAN)
def test_a_server_that_ends_during_a_request_crashed(name):
    rows = clean(name)
    last = max(requests(rows, "tools/call"))
    made = items(rows[: last + 1], end=False)
    made.append(line(len(made) + 2, "stderr", b"fatal: out of luck", 10**6))
    made.append(event(len(made) + 2, "exit", 10**6, code=7))
    first = judged(made)[0]
    assert first.rule == "server-crashed"
    assert "out of luck" in first.message
    assert "exit status 7" in first.message


@pytest.mark.parametrize("name", CLEAN)
def test_a_server_that_ends_before_its_first_answer_exited_early(name):
    made = items(clean(name)[:1], end=False)
    made.append(event(len(made) + 2, "exit", 10**6, code=127))
    rules = [f.rule for f in judged(made) if f.level == Level.ERROR]
    assert rules == ["server-exited-early"]


LOSSES: list[tuple[str, Callable[[bytes], list[bytes]]]] = [
    ("stdout-glued", lambda data: [b"loading... " + data]),
    ("utf8-bom", lambda data: [BOM + data]),
    ("embedded-newline", lambda data: json.dumps(json.loads(data), indent=1).encode().split(b"\n")),
]


@pytest.mark.parametrize(("rule", "change"), LOSSES, ids=[rule for rule, _ in LOSSES])
@pytest.mark.parametrize("stray", [b"Server ready", b"42", b'{"level":"info","msg":"up"}'])
def test_what_cost_a_request_stands_before_stray_lines_that_cost_none(rule, change, stray):
    for name in CLEAN:
        rows = clean(name)
        last = [i for i in replies(rows) if method_of(rows, i) == "tools/call"][-1]
        diagnosis = Diagnosis()
        for item in items([rows[0], Row("s2c", stray), *changed(rows, last, *change(rows[last].data))[1:]]):
            diagnosis.feed(item)
        found = diagnosis.finish()
        assert found[0].rule == rule
        assert found[0].loses_request
        assert diagnosis.verdict().outcome is Outcome.BROKEN


def test_a_stray_line_is_costly_for_a_client_that_leaves_at_it():
    rows = clean("clean, 2025-11-25")
    opening = json.loads(rows[0].data)
    opening["params"]["clientInfo"]["name"] = "gemini-cli-mcp-client"
    rows[0] = Row("c2s", json.dumps(opening).encode())
    found = judged(items([rows[0], Row("s2c", b"Server ready"), *rows[1:]]))
    assert found[0].rule == "stdout-not-json"
    assert found[0].loses_request


def test_of_several_stray_lines_the_one_that_took_an_answer_is_shown():
    rows = clean("clean, 2025-11-25")
    last = list(replies(rows))[-1]
    found = judged(
        items([rows[0], Row("s2c", b"Server ready"), *changed(rows, last, rows[last].data[:-2])[1:]])
    )
    assert found[0].rule == "stdout-not-json"
    assert found[0].line == last + 4
    assert found[0].records == [4, last + 4]
