"""Sending a request again and probing, from the screen, with real servers."""

import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mcptap.jsontext.diff import ABSENT
from mcptap.recording.reader import Reader
from mcptap.tui.index.kinds import Kind
from mcptap.tui.run.launch_form import LaunchForm
from mcptap.tui.run.probing import Probe, ProbeScreen
from mcptap.tui.run.resend import Resend, pretty
from mcptap.tui.run.resend_screen import ResendScreen
from mcptap.tui.run.resent import lines_to_send
from mcptap.tui.run.screen import hanging
from mcptap.tui.session.screen import SessionScreen
from mcptap.tui.widgets.choice import Choice
from tests.helpers import END, call, handshake, record, request, text_result
from tests.tui.screens import at_rest, fed, opened, played, settled, shown, until

WEATHER = Path(__file__).parents[2] / "samples" / "weather_server.py"
OSLO = "Oslo: 21 °C, light wind, no rain before Thursday."
CALL = 5
"""The index of the call in the recordings below."""

STUBBORN = """
import json, os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        about = {"name": "s", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    elif message.get("method") == "tools/call":
        with open("pid.new", "w") as file:
            file.write(str(os.getpid()))
        os.rename("pid.new", "pid")
while True:
    signal.pause()
"""
"""Never answers a call, and ends neither with its input nor by TERM."""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """New recordings lie under the test's own folder."""
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path / "state"))
    return tmp_path


def taped(folder, answer=OSLO, script=WEATHER, arguments=(), **header):
    """A recording of one call, whose server can be started again."""
    steps = [*handshake(), ("c2s", call(7, "forecast", {"city": "Oslo"}))]
    if answer is not None:
        steps.append(("s2c", text_result(7, answer)))
    argv = [sys.executable, os.fspath(script), *arguments]
    launch = {"argv": argv, "cwd": os.fspath(folder), "env": {}, **header}
    return os.fspath(record(folder / "old.jsonl", [*steps, *END], **launch))


def is_form_for(pilot, purpose):
    screen = pilot.app.screen
    return isinstance(screen, LaunchForm) and isinstance(screen.purpose, purpose)


@asynccontextmanager
async def form_of(path, size=(120, 40)):
    """The form for sending the call again."""
    async with opened(fed(path), size) as (pilot, screen):
        screen.cursor.go_to(CALL)
        await pilot.press("R")
        await until(pilot, lambda: is_form_for(pilot, Resend))
        await pilot.pause()
        yield pilot, pilot.app.screen


async def said_yes(pilot):
    """Start, and say yes to the question."""
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(pilot.app.screen, Choice))
    await pilot.press("2")
    await until(pilot, lambda: isinstance(pilot.app.screen, ResendScreen | ProbeScreen))
    return pilot.app.screen


async def ended(pilot, run):
    await until(pilot, lambda: not run.running)
    await pilot.pause()
    await pilot.pause()


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_form_names_command_and_folder_and_nothing_starts_without_a_yes(place):
    async def play():
        async with form_of(taped(place)) as (pilot, form):
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "weather_server.py" in lines
            assert os.fspath(place) in lines
            assert '"city": "Oslo"' in lines
            await pilot.press("ctrl+s")
            await until(pilot, lambda: isinstance(pilot.app.screen, Choice))
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "yes: start it in" in lines
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.screen is form)
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert not (place / "state").exists()

    played(play())


def test_the_same_answer_stands_beside_the_recorded_one(place):
    async def play():
        async with form_of(taped(place)) as (pilot, _):
            run = await said_yes(pilot)
            await ended(pilot, run)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "the same answer" in lines
            assert lines.count("Oslo: 21 °C") == 2
            with Reader(run.new_path) as reader:
                sent = [item.value for item in reader.items() if getattr(item, "channel", "") == "c2s"]
            assert [message["method"] for message in sent] == [
                "initialize",
                "notifications/initialized",
                "tools/call",
            ]

    played(play())


def test_an_answer_that_differs_is_marked_and_n_goes_to_the_difference(place):
    async def play():
        async with form_of(taped(place, "Oslo: rain.")) as (pilot, _):
            run = await said_yes(pilot)
            await ended(pilot, run)
            await at_rest(pilot)
            lines = shown(pilot)
            assert "✗ 1 difference" in "\n".join(lines)
            assert any("Oslo: rain." in line and "≠" in line and "21 °C" in line for line in lines)
            run.answers.go(0)
            await pilot.press("n")
            assert run.rows[run.answers.row].path == "result.content[0].text"

    played(play())


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


def test_a_recorded_folder_that_is_not_here_is_asked_for(place):
    async def play():
        async with form_of(taped(place, cwd="/no/such/folder")) as (pilot, form):
            await until(pilot, lambda: "no such folder" in "\n".join(shown(pilot)))
            assert form.folder.has_focus
            await pilot.press("enter")
            await pilot.pause()
            assert pilot.app.screen is form
            form.folder.value = os.fspath(place)
            run = await said_yes(pilot)
            await ended(pilot, run)
            await until(pilot, lambda: "the same answer" in "\n".join(shown(pilot)))

    played(play())


def test_a_server_that_crashes_is_told_of_and_its_recording_opens(place):
    async def play():
        async with form_of(taped(place, arguments=["crash"])) as (pilot, _):
            run = await said_yes(pilot)
            await ended(pilot, run)
            assert run.resent.answer is ABSENT
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "no answer came" in lines
            assert "server exited with status 1" in lines
            await pilot.press("t")
            await until(pilot, lambda: "no such station: Oslo" in "\n".join(shown(pilot)))
            await pilot.press("o")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            assert pilot.app.screen.feed.path == run.new_path
            await settled(pilot)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is run)

    played(play())


def test_a_command_that_does_not_exist_is_told_of(place):
    async def play():
        async with form_of(taped(place)) as (pilot, form):
            form.command.value = "no-such-program-anywhere"
            run = await said_yes(pilot)
            await ended(pilot, run)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "was not sent" in lines
            assert "no-such-program-anywhere" in lines

    played(play())


def test_a_run_whose_answer_is_spoilt_can_be_stopped_and_says_so(place):
    async def play():
        async with form_of(taped(place, arguments=["polluted"], answer=None)) as (pilot, _):
            run = await said_yes(pilot)
            await until(pilot, lambda: any(b"fetching" in line for line, _ in run.output))
            await pilot.press("escape")
            await ended(pilot, run)
            await until(
                pilot,
                lambda: "no answer came · 2 stdout lines that are no message" in "\n".join(shown(pilot)),
            )

    played(play())


def stubborn(place):
    script = place / "stubborn.py"
    script.write_text(STUBBORN)
    return taped(place, script=script)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_escape_stops_a_server_that_ignores_term(place):
    async def play():
        async with form_of(stubborn(place)) as (pilot, _):
            run = await said_yes(pilot)
            await until(pilot, (place / "pid").exists)
            assert run.running
            await pilot.press("escape")
            await ended(pilot, run)
            await until(pilot, lambda: "stopped after" in "\n".join(shown(pilot)))
            assert is_gone(int((place / "pid").read_text()))
            await pilot.press("escape")
            await until(pilot, lambda: is_form_for(pilot, Resend))

    played(play())


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_leaving_while_a_server_runs_leaves_no_process(place):
    async def play():
        async with form_of(stubborn(place)) as (pilot, _):
            await said_yes(pilot)
            await until(pilot, (place / "pid").exists)
            await pilot.press("q")
        assert is_gone(int((place / "pid").read_text()))

    played(play())


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_screen_that_is_terminated_stops_the_server_and_leaves_in_order(place):
    async def play():
        async with form_of(stubborn(place)) as (pilot, _):
            await said_yes(pilot)
            await until(pilot, (place / "pid").exists)
            os.kill(os.getpid(), signal.SIGTERM)
            await until(pilot, lambda: pilot.app.return_value == 128 + signal.SIGTERM)
        assert is_gone(int((place / "pid").read_text()))

    played(play())


def test_only_a_request_of_the_client_can_be_sent_again(place):
    async def play():
        async with opened(fed(taped(place))) as (pilot, screen):
            screen.cursor.go_to(CALL - 1)
            assert not screen.can_do("resend")
            await pilot.press("R")
            await pilot.pause()
            assert pilot.app.screen is screen
            screen.cursor.go_to(CALL)
            assert screen.can_do("resend")

    played(play())


def test_on_an_answer_its_request_is_sent_again(place):
    async def play():
        async with opened(fed(taped(place))) as (pilot, screen):
            screen.cursor.go_to(CALL + 1)
            assert screen.can_do("resend")
            await pilot.press("R")
            await until(pilot, lambda: is_form_for(pilot, Resend))
            assert f"record {CALL + 1}" in pilot.app.screen.purpose.title

    played(play())


def test_a_probe_starts_from_the_launch_facts_and_shows_its_report(place):
    async def play():
        async with opened(fed(taped(place))) as (pilot, _):
            await pilot.press("A")
            await until(pilot, lambda: is_form_for(pilot, Probe))
            run = await said_yes(pilot)
            await ended(pilot, run)
            assert run.status_code in (0, 1)
            text = "\n".join(line.decode() for line, _ in run.output)
            assert "an unknown method" in text
            assert "weather 1.2.0" in text
            await at_rest(pilot)
            (status,) = (line for line in shown(pilot) if "esc goes back" in line)
            assert text.rstrip().splitlines()[-1] in status

    played(play())


def test_a_long_line_goes_on_below_its_last_column():
    assert hanging("  bad   a blank line      the server ended", 40) == [
        "  bad   a blank line      the server",
        "                          ended",
    ]
    assert hanging("short", 40) == ["short"]


def test_an_edited_line_stands_in_its_place_also_within_the_opening(place):
    feed = fed(taped(place))
    initialize = next(i for i in range(len(feed.index)) if feed.index.kinds[i] == Kind.REQUEST)

    def sent(i):
        return [json.loads(line).get("method", "edited") for line in lines_to_send(feed.index, i, b'{"a":1}')]

    assert sent(CALL) == ["initialize", "notifications/initialized", "edited"]
    assert sent(initialize) == ["edited", "notifications/initialized"]
    feed.close()


def test_a_request_is_edited_exactly_and_nothing_in_it_is_hidden():
    line = json.dumps(request(1, "x", {"a": "\u202e\ud800é"})).encode().replace(b'"id": 1', b'"id": 1.50')
    text = pretty(line)
    assert "1.50" in text
    assert "\\u202e\\ud800é" in text
    assert json.loads(text) == json.loads(line)
