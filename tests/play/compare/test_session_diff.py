import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.play.compare import comparison_text
from mcptap.play.compare.ignore import Ignore, parse
from mcptap.play.compare.session_diff import diff, items_of
from mcptap.protocol.statistics.counts import tool_tokens
from tests.play.sessions import c2s, call, request, result, s2c, session

CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def opening(**capabilities):
    server = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "serverInfo": {"name": "s", "version": "1"},
    }
    return (
        c2s(request(0, "initialize", **CLIENT)),
        s2c(result(0, **server)),
        c2s({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    )


def tool(name, description="Adds", **properties):
    return {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties},
    }


def listed(*tools, key=1):
    return c2s(request(key, "tools/list")), s2c(result(key, tools=list(tools)))


def text(old, new, patterns=""):
    difference = diff(old, new, Ignore(parse(patterns, "x")))
    return list(comparison_text.diff_lines(difference)), difference.different


def test_a_session_is_the_same_as_itself():
    one = session(*opening(tools={}), *listed(tool("add")), *call(2, "3"), code=0)
    shown, different = text(one, one)
    assert not different
    assert shown[-1] == "the same"


def test_tools_that_came_went_or_changed_and_what_they_cost():
    old = session(*opening(tools={}), *listed(tool("add"), tool("sub")))
    new = session(
        *opening(tools={}), *listed(tool("mul"), tool("add", "Adds two numbers", a={"type": "number"}))
    )
    shown, different = text(old, new)
    assert different
    assert [line for line in shown if line.startswith("  result.tools")] == [
        "  result.tools[add].description",
        "  result.tools[add].inputSchema.properties.a",
        "  result.tools[sub] (the tool is gone)",
        "  result.tools[mul]",
    ]
    assert any("tokens before" in line for line in shown)


def test_the_pages_of_a_list_are_one_list():
    pages = session(
        c2s(request(1, "tools/list")),
        s2c(result(1, tools=[tool("a")], nextCursor="2")),
        c2s(request(2, "tools/list", cursor="2")),
        s2c(result(2, tools=[tool("b")])),
    )
    assert list(items_of(pages, "tools/list")) == ["a", "b"]
    assert text(pages, session(*listed(tool("a"), tool("b"))))[1] is False


def test_a_later_walk_replaces_an_earlier_one():
    twice = session(*listed(tool("a")), *listed(tool("b"), key=2))
    assert list(items_of(twice, "tools/list")) == ["b"]


def test_a_list_that_only_one_client_asked_for_is_no_difference():
    shown, different = text(session(*opening(tools={}), *listed(tool("a"))), session(*opening(tools={})))
    assert "  listed only in the old session: not compared" in shown
    assert not different


def test_a_lost_capability_is_told():
    shown, different = text(session(*opening(tools={}, prompts={})), session(*opening(tools={})))
    assert different
    assert "  result.capabilities.prompts (a capability is gone)" in shown


def test_findings_that_came_and_went():
    clean = session(*opening(tools={}), *listed(tool("add")), code=0)
    polluted = session(s2c(b"Server ready"), *opening(tools={}), *listed(tool("add")), code=0)
    came = diff(clean, polluted, Ignore()).new_findings
    assert "stdout-not-json" in [finding.rule for finding in came]
    assert "stdout-not-json" in [finding.rule for finding in diff(polluted, clean, Ignore()).gone_findings]


def test_latency_is_told_and_not_judged():
    shown, different = text(session(*call(1, "3", took_ms=10)), session(*call(1, "3", took_ms=150)))
    assert "  tools/call: 10 ms before, 150 ms now" in shown
    assert not different


def test_what_is_overlooked_is_no_difference():
    old, new = session(*listed(tool("add"))), session(*listed(tool("add", "Adds 2")))
    assert text(old, new, "tools/list result.tools[*].description")[1] is False


def test_tokens_count_only_what_a_model_is_shown():
    assert tool_tokens([tool("a")]) == tool_tokens([{**tool("a"), "annotations": {"readOnlyHint": True}}]) > 0


DEEP = (
    b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":'
    + b"[" * 900
    + b"]" * 900
    + b"}]}}"
)
METHODS = ["initialize", "tools/list", "tools/call", "notifications/message", 3]
members = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")},
    optional={
        "id": st.sampled_from([1, 2, "1", None, 10**30]),
        "method": st.sampled_from(METHODS),
        "params": st.none()
        | st.dictionaries(st.sampled_from(["name", "cursor", "_meta"]), st.none() | st.text()),
        "result": st.none()
        | st.dictionaries(st.sampled_from(["tools", "content"]), st.lists(st.none() | st.text())),
        "error": st.none() | st.text(),
    },
)
messages = members.map(lambda m: json.dumps(m).encode()) | st.binary() | st.just(DEEP)
rows = st.lists(st.one_of(messages.map(c2s), messages.map(s2c)), max_size=10)


@given(rows, rows)
def test_any_two_sessions_can_be_compared_and_each_is_the_same_as_itself(old, new):
    one, other = session(*old), session(*new)
    assert list(comparison_text.diff_lines(diff(one, other, Ignore(parse("** ~ times numbers", "x")))))
    assert diff(one, one, Ignore()).different is False
