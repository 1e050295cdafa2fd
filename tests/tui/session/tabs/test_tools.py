"""What the server offers."""

import os
from dataclasses import replace

import pytest

from mcptap.protocol.statistics.counts import OTHERS, Row
from mcptap.text.columns import text_width
from mcptap.tui.index.offered import Offered
from mcptap.tui.session.tabs.tools import findings_by_tool
from tests.helpers import END, call, error, handshake, record, request, result, text_result
from tests.tui.screens import fed, lines_of, opened, played, shown, until
from tests.tui.session.tabs.pages import tab, view_of

LISTED = 7
TOOLS = {
    "tools": [
        {
            "name": "forecast",
            "description": "The weather of a day.\nOr of several.",
            "inputSchema": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
            "outputSchema": {"type": "object", "properties": {"sky": {"type": "string"}}},
            "annotations": {"readOnlyHint": True},
        },
        {"name": "bad name", "inputSchema": {"type": "object"}},
    ]
}


@pytest.fixture
def path(tmp_path):
    steps = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, TOOLS)),
        ("c2s", call(2, "forecast", {"city": "Ulm"})),
        ("s2c", text_result(2, "sunny")),
        ("c2s", call(3, "forecast", {"city": "Ulm"})),
        ("s2c", error(3, -32603, "no")),
        *END,
    ]
    return os.fspath(record(tmp_path / "x.jsonl", steps))


@pytest.fixture
def feed(path):
    feed = fed(path)
    yield feed
    feed.close()


def page(view):
    return tab("tools").render(view).lines


def unfolded(feed, name="forecast", **more):
    view = view_of(feed, **more)
    next(line for line in page(view) if name in lines_of([line])[0]).act()
    return view


def test_each_tool_has_its_calls_failures_and_tokens(feed):
    heading, _, forecast, bad = lines_of(page(view_of(feed)))
    assert heading.startswith("Tools  2 tools, ")
    assert forecast.split()[:4] == ["▸", "forecast", "2", "1"]
    assert "The weather" in forecast
    assert bad.split()[1:4] == ["bad", "name", "0"]


def test_an_open_tool_shows_what_it_takes_and_returns(feed):
    text = "\n".join(lines_of(page(unfolded(feed))))
    for words in ("Or of several.", "says it only reads", "city  string  required", "returns", "sky  string"):
        assert words in text


def test_from_a_tool_one_goes_to_its_calls_its_record_and_its_json(feed):
    view = unfolded(feed)
    lines = page(view)
    assert [line.query for line in lines if line.query] == ["tool:forecast"]
    assert [line.record for line in lines if line.record is not None] == [LISTED - 1]
    next(line for line in lines if "its JSON" in lines_of([line])[0]).act()
    assert any('"readOnlyHint": true' in line for line in lines_of(page(view)))
    assert [line.query for line in page(unfolded(feed, "bad name")) if line.query] == []


def test_findings_stand_with_the_tool_that_they_are_about(feed):
    found = findings_by_tool(feed.findings, feed.index, {"forecast", "bad name"})
    assert "tool-name-invalid" in [finding.rule for finding in found["bad name"]]
    assert all(finding.rule != "tool-name-invalid" for finding in found.get("forecast", []))
    assert "tool-name-invalid" in "\n".join(lines_of(page(unfolded(feed, "bad name"))))


def test_calls_that_were_not_counted_by_tool_are_not_said_to_be_none(feed):
    rows = feed.findings.statistics.tools
    rows[OTHERS] = Row(OTHERS, "c2s")
    assert lines_of(page(view_of(feed)))[3].split()[3] == "?"


@pytest.mark.parametrize(
    ("asked", "answered", "words"),
    [(0, 0, "Nobody asked"), (1, 0, "no list came"), (1, 1, "lists no tools")],
)
def test_a_server_without_tools_says_why_there_are_none(feed, asked, answered, words):
    feed.findings = replace(feed.findings, offered=Offered((), False, asked, answered))
    assert words in lines_of(page(view_of(feed)))[0]


def test_a_definition_that_cannot_be_read_is_no_end(feed):
    view = unfolded(feed)
    view.memory["tools pages"][LISTED] = {}
    assert any("can't be read" in line for line in lines_of(page(view)))


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_rows_fit_their_columns(feed, columns):
    view = replace(view_of(feed), width=columns)
    assert all(text_width(line) <= max(columns, 62) for line in lines_of(page(view))[2:])


def test_enter_opens_a_tool_and_its_calls(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("6")
            await until(pilot, lambda: screen.pane.detail.count() > 2)
            screen.set_focus(screen.pane.detail)
            screen.pane.detail.go(2)
            await pilot.press("enter")
            await until(pilot, lambda: any("city  string  required" in line for line in shown(pilot)))
            detail = screen.pane.detail
            detail.go(next(y for y in range(detail.count()) if detail.line_at(y).query))
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.screen is not screen)
            calls = pilot.app.screen
            await until(pilot, lambda: calls.calls.count() == 2)
            assert calls.prompt.input.value == "tool:forecast"

    played(play())
