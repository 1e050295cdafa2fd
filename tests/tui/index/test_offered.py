"""Which tools a server lists."""

from tests.helpers import END, handshake, record, request, result
from tests.tui.screens import fed


def listed(*names):
    return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}


def offered(tmp_path, *steps):
    feed = fed(str(record(tmp_path / "x.jsonl", [*handshake(), *steps, *END])))
    feed.close()
    return feed.findings.offered


def test_tools_are_told_with_the_record_that_defines_them(tmp_path):
    found = offered(
        tmp_path,
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, listed("a", "b"))),
        ("c2s", request(2, "tools/list")),
        ("s2c", result(2, listed("a", "c"))),
    )
    assert [(tool.name, tool.record, tool.is_current) for tool in found.tools] == [
        ("a", 7, True),
        ("b", 7, False),
        ("c", 9, True),
    ]
    assert found.tools[0].size == len('{"name":"a","inputSchema":{"type":"object"}}')
    assert (found.asked, found.answered, found.is_cut) == (2, 2, False)


def test_a_list_that_never_came_was_asked_for(tmp_path):
    found = offered(tmp_path, ("c2s", request(1, "tools/list")))
    assert (found.tools, found.asked, found.answered) == ((), 1, 0)
