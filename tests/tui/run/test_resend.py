"""What the page for a recorded request says, checks and sends."""

import json
import os

import pytest

from mcptap.recording.format.model import Header
from mcptap.tui.run.resend import EDITABLE, Resend, pretty
from tests.helpers import END, call, handshake, record, request
from tests.tui.run.servers import (
    ended,
    form_of,
    said_yes,
    taped,
)
from tests.tui.screens import indexed, played, shown, until


def test_an_edited_request_goes_after_the_recorded_opening(place):
    async def play():
        async with form_of(taped(place)) as (pilot, form):
            form.purpose.editor.text = form.purpose.editor.text.replace("Oslo", "Ulm")
            run = await said_yes(pilot)
            await ended(pilot, run)
            assert run.resent.answer["result"]["content"][0]["text"].startswith("Ulm: 21 °C")
            await until(pilot, lambda: "(edited)" in shown(pilot)[0])
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is form)
            assert "Ulm" in form.purpose.editor.text
            await pilot.press("ctrl+r")
            assert "Oslo" in form.purpose.editor.text

    played(play())


def test_a_text_that_is_no_json_is_not_sent_and_the_cursor_goes_where_it_breaks_off(place):
    async def play():
        async with form_of(taped(place)) as (pilot, form):
            form.purpose.editor.text = '{\n  "jsonrpc": "2.0",\n  "id" 7\n}'
            await pilot.press("ctrl+s")
            await pilot.pause()
            assert pilot.app.screen is form
            assert form.purpose.editor.cursor_location == (2, 7)
            await until(pilot, lambda: "line 3, column 8" in "\n".join(shown(pilot)))
            form.purpose.editor.text = "[]"
            await pilot.press("ctrl+s")
            await pilot.pause()
            await until(pilot, lambda: "a request is a JSON object" in "\n".join(shown(pilot)))

    played(play())


def test_a_request_is_edited_exactly_and_nothing_in_it_is_hidden():
    line = json.dumps(request(1, "x", {"a": "\u202e\ud800é"})).encode().replace(b'"id": 1', b'"id": 1.50')
    text = pretty(line)
    assert "1.50" in text
    assert "\\u202e\\ud800é" in text
    assert json.loads(text) == json.loads(line)


@pytest.fixture
def purpose(tmp_path):
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("c2s", call(1, "forecast")), *END]))
    return Resend(path, Header({"name": "weather"}), indexed(path), 5)


def test_the_title_names_method_tool_and_record(purpose):
    assert purpose.title == "Resend tools/call forecast, record 6"
    assert purpose.verb == "send tools/call forecast"


def test_a_request_too_long_for_a_page_is_sent_as_it_is(tmp_path):
    long = call(1, "forecast", {"text": "x" * EDITABLE})
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("c2s", long), *END]))
    index = indexed(path)
    i = next(i for i in range(len(index)) if index.sizes[i] > EDITABLE)
    purpose = Resend(path, Header({}), index, i)
    assert purpose.editor is None
    assert purpose.objection() == ""
    assert "too long" in purpose.explanation()[1]
    purpose.restore()
