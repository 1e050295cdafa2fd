"""What two sessions differ in, as rows."""

from __future__ import annotations

import os

import pytest

from mcptap.play.compare.exchanges import read
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.session_diff import diff
from mcptap.tui.compare import rows as module
from mcptap.tui.compare.rows import difference_rows, verdict_words
from mcptap.tui.widgets.sidebyside import changes
from tests.helpers import END, call, handshake, record, request, result, text_result


def tool(name, **more):
    return {"name": name, "inputSchema": {"type": "object"}, **more}


def session(path, tools, answer, *extra, **header):
    steps = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, {"tools": tools})),
        ("c2s", call(2, "forecast")),
        ("s2c", text_result(2, answer)),
        *extra,
        *END,
    ]
    return read(os.fspath(record(path, steps, **header)))


@pytest.fixture
def both(tmp_path):
    """An old session, and one that lost a tool, has another one, answers otherwise, and pollutes."""
    old = session(tmp_path / "a.jsonl", [tool("forecast"), tool("old")], "sunny", argv=["a"])
    new = session(
        tmp_path / "b.jsonl", [tool("forecast"), tool("new")], "rain", ("s2c", b"noise\n"), argv=["b"]
    )
    return old, new


def sides(made):
    return [(row.left, row.right) for row in made]


def test_what_diff_says_stands_side_by_side(both):
    difference = diff(*both, Ignore())
    made = difference_rows(difference)
    assert ("  started by a", "  b") in sides(made)
    titles = [row.left for row in made if row.left and row.left.startswith("──")]
    assert titles == [f"── {t} ──" for t in ("server", "tools", "latency", "answers", "findings")]
    paths = [row.left for row in made]
    assert "  result.tools[old]" in paths
    assert ('    "sunny"', '    "rain"') in sides(made)
    assert any(row.left is None and "stdout-not-json" in (row.right or "") for row in made)


def test_each_difference_can_be_gone_to(both):
    made = difference_rows(diff(*both, Ignore()))
    places = [made[i].path for i in changes(made)]
    assert len(places) == len(set(places))
    assert sum("result.tools[" in path for path in places) == 2


def test_the_verdict_says_what_may_break_or_that_all_is_the_same(both):
    assert verdict_words(diff(*both, Ignore())).startswith(
        "Different, and may break who used the server before: "
    )
    same = verdict_words(diff(both[0], both[0], Ignore()))
    assert same.startswith("The same")


def test_of_very_many_changes_the_first_are_shown_and_the_others_counted(both, monkeypatch):
    monkeypatch.setattr(module, "MOST_CHANGES", 1)
    made = difference_rows(diff(*both, Ignore()))
    assert any("… and 1 more difference" in (row.left or "") for row in made)
