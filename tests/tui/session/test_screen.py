"""The screen of one recording, by its keys."""

import os

import pytest

from mcptap.tui.index.kinds import State
from tests.helpers import (
    END,
    Tape,
    call,
    error,
    handshake,
    notification,
    record,
    request,
    result,
    text_result,
)
from tests.tui.screens import InProcessFeed, at_rest, fed, opened, played, settled, shown, typed, until

LIST, CALL, NOISE, ANSWER, FAILED, FAILURE, SILENT = 5, 7, 8, 9, 11, 12, 13
"""Indices of records of the session below."""

TOOLS = {"tools": [{"name": "forecast", "description": "Tells it.", "inputSchema": {"type": "object"}}]}


@pytest.fixture
def path(tmp_path):
    """A session whose server prints a line between messages, and leaves a call without an answer."""
    steps = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, TOOLS)),
        ("c2s", call(2, "forecast", {"city": "Zürich", "token": "s3cret-s3cret"})),
        ("s2c", b"\x1b[31mLoading model\x1b[0m\n"),
        ("wait", 40_000),
        ("s2c", text_result(2, "first line\nsecond 漢字 🙂 line")),
        ("stderr", b"careful\n"),
        ("c2s", call(3, "forecast", {"city": "Ulm"})),
        ("s2c", error(3, -32602, "Invalid params")),
        ("c2s", call(4, "forecast", {"city": "Bern"})),
        ("wait", 3_000_000),
        *END,
    ]
    return os.fspath(record(tmp_path / "weather.jsonl", steps))


def test_the_cause_stands_on_the_first_screen(path):
    async def play():
        async with opened(fed(path)) as (pilot, _):
            await at_rest(pilot)
            lines = shown(pilot)
            assert "✗ " in lines[0]
            assert "record 9" in " ".join(lines[:3]).lower()
            assert any("stdout-not-json" in line for line in lines)
            row = next(line for line in lines if "Loading model" in line and "▒ pollution" in line)
            assert "not JSON" in row
            assert any("∅ unanswered" in line for line in lines)
            assert "\x1b" not in "".join(lines)

    played(play())


def test_keys_of_a_list_move_the_cursor(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.press("j", "j", "down", "k")
            assert timeline.cursor == 2
            await pilot.press("G")
            assert timeline.cursor == timeline.count() - 1
            await pilot.press("g")
            assert timeline.cursor == 0
            await pilot.press("end", "home", "pagedown", "pageup")
            assert timeline.cursor == 0

    played(play())


def test_enter_opens_the_record_and_its_other_half_and_escape_closes_it(path):
    async def play():
        async with opened(fed(path), (120, 60)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == CALL)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert '"city": "Zürich"' in lines
            assert "answer after" in lines
            assert "second 漢字 🙂 line" in lines
            assert screen.timeline.has_focus
            await pilot.press("enter")
            assert screen.pane.detail.has_focus
            await pilot.press("escape")
            assert not screen.pane.display
            assert screen.timeline.has_focus

    played(play())


def test_x_goes_from_the_request_to_the_answer_and_back(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("x")
            assert screen.timeline.record == ANSWER
            await pilot.press("x")
            assert screen.timeline.record == CALL

    played(play())


def test_p_goes_from_problem_to_problem(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            seen = []
            for _ in range(3):
                await pilot.press("p")
                seen.append(screen.timeline.record)
            assert seen == [NOISE, FAILURE, SILENT]
            await pilot.press("P")
            assert screen.timeline.record == FAILURE

    played(play())


def test_a_finding_leads_to_its_record_and_the_record_shows_the_finding(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("F")
            assert screen.findings_pane.list.has_focus
            await pilot.press("down", "enter")  # the first is the request that got no answer
            assert screen.timeline.record == NOISE
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == NOISE)
            await until(pilot, lambda: any("stdout-not-json" in line for line in shown(pilot)[20:]))

    played(play())


def test_remarks_that_are_hidden_at_first_are_shown_when_asked_for(tmp_path):
    undescribed = {"tools": [{"name": "x", "inputSchema": {"type": "object"}}]}
    steps = [*handshake(), ("c2s", request(1, "tools/list")), ("s2c", result(1, undescribed)), *END]
    path = os.fspath(record(tmp_path / "clean.jsonl", steps))

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            pane = screen.query_one("#findings-pane")
            assert screen.findings_pane.list.findings
            assert not pane.display
            await pilot.press("F")
            await pilot.pause()
            assert pane.display
            await until(pilot, lambda: any("no description" in line for line in shown(pilot)))
            await pilot.press("F")
            await pilot.pause()
            assert not pane.display
            assert screen.timeline.has_focus

    played(play())


def test_the_number_that_a_finding_names_stands_beside_its_record_on_a_small_terminal(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "Loading model" in line and "+0" in line)
            assert row.split()[:2] == ["●", str(NOISE + 1)]

    played(play())


def test_all_totals_stand_in_the_status_line_of_a_small_terminal(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            await at_rest(pilot)
            status = shown(pilot)[-2]
            for words in ("1 pollution", "1 error", "1 unanswered", "ended after"):
                assert words in status

    played(play())


def test_a_long_name_of_a_server_keeps_its_distance_from_the_command(tmp_path):
    path = os.fspath(
        record(tmp_path / "x.jsonl", [*handshake(), *END], name="a-rather-long-name-of-a-server")
    )

    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            assert any(
                "launch a-rather-long" in line and " python weather.py" in line for line in shown(pilot)
            )

    played(play())


def test_bytes_are_shown_as_hex_with_escapes_visible(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(NOISE)
            await pilot.press("2")
            await until(pilot, lambda: any("1b 5b 33 31 6d" in line for line in shown(pilot)))
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "␛[31mLoading" in lines
            assert "ESC ×2" in lines

    played(play())


def test_the_other_tabs_tell_launch_capabilities_and_numbers(path):
    async def play():
        async with opened(fed(path), (170, 50)) as (pilot, _):
            await pilot.press("3")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "/home/someone/project" in lines
            assert "server exited with status 0" in lines
            await pilot.press("4")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "● tools" in lines
            assert "○ prompts" in lines
            assert "2025-11-25" in lines
            await pilot.press("5")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "forecast" in lines
            assert "spawn" in lines
            assert "█" in lines

    played(play())


def test_folding_hides_and_unfolding_shows(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter", "enter")
            await until(pilot, lambda: any('"city": ' in line for line in shown(pilot)))
            await pilot.press("z")
            await settled(pilot)
            assert not any('"city": ' in line for line in shown(pilot))
            await pilot.press("z")
            await settled(pilot)
            await until(pilot, lambda: any('"city": ' in line for line in shown(pilot)))

    played(play())


def test_a_filter_is_applied_as_it_is_typed_and_escape_takes_it_away(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            everything = screen.timeline.count()
            await pilot.press("f")
            await typed(pilot, "status:error")
            await until(pilot, lambda: screen.filter.running is not None and screen.timeline.count() == 2)
            await pilot.press("enter")
            assert screen.timeline.has_focus
            await until(pilot, lambda: any("2 of 18" in line for line in shown(pilot)))
            await pilot.press("escape")
            assert screen.timeline.count() == everything
            assert not screen.prompt.display

    played(play())


def test_a_wrong_filter_is_told_at_its_place_and_changes_nothing(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("f")
            await typed(pilot, "kind:stderr tol:x")
            await settled(pilot)
            await at_rest(pilot)
            line = next(line for line in shown(pilot) if "did you mean" in line)
            assert line.index("▲") == 10 + len("kind:stderr ")
            await pilot.press("enter")
            assert screen.prompt.input.has_focus
            await pilot.press("escape")
            assert screen.timeline.picked is None

    played(play())


def test_tab_completes_a_field_and_a_value_of_this_recording(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("f")
            await typed(pilot, "to")
            await pilot.press("tab")
            assert screen.prompt.input.value == "tool:"
            await pilot.press("tab")
            assert screen.prompt.input.value == "tool:forecast"

    played(play())


def test_the_history_gives_earlier_filters_back(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("f")
            await typed(pilot, "id:3")
            await pilot.press("enter", "escape", "f", "up")
            assert screen.prompt.input.value == "id:3"

    played(play())


def test_a_search_goes_from_hit_to_hit_and_round_the_end(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("slash")
            await typed(pilot, "FORECAST")
            await pilot.press("enter")
            await until(pilot, lambda: screen.timeline.record == LIST + 1)
            for wanted in (CALL, FAILED, SILENT, LIST + 1):
                await pilot.press("n")
                await until(pilot, lambda wanted=wanted: screen.timeline.record == wanted)
            await pilot.press("N")
            await until(pilot, lambda: screen.timeline.record == SILENT)
            await pilot.press("slash")
            await typed(pilot, "nowhere")
            await pilot.press("enter")
            await until(pilot, lambda: any("is nowhere in the recording" in line for line in shown(pilot)))

    played(play())


def test_a_colon_goes_to_a_record_or_a_time(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("colon", "9", "enter")
            assert screen.timeline.record == 8
            await pilot.press("colon")
            await typed(pilot, "3ms")
            await pilot.press("enter")
            assert screen.timeline.record == 3

    played(play())


def test_playing_shows_the_session_as_it_was(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("]", "]", "]")
            assert screen.timeline.count() == 4
            await at_rest(pilot)
            lines = shown(pilot)
            assert any("capabilities" in line or "server: tools" in line for line in lines)
            screen.play.playback.to_record(CALL)
            screen.play.show_moment()
            await settled(pilot)
            assert screen.timeline.index.state(CALL, screen.timeline.now) == State.PENDING
            await until(pilot, lambda: any("◌ pending" in line for line in shown(pilot)))
            await until(pilot, lambda: any("1 pending" in line for line in shown(pilot)))
            await pilot.press("[")
            assert screen.timeline.count() == CALL
            await pilot.press("s")
            assert screen.timeline.count() == 18
            assert not screen.scrubber.display

    played(play())


def test_a_film_goes_on_by_itself_and_stops_at_the_end(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("space")
            for _ in range(9):
                await pilot.press("plus")
            assert screen.play.playback.speed == 100
            await until(pilot, lambda: screen.play.playback.at_end)
            assert screen.timeline.count() == 18
            assert not screen.play.playback.playing

    played(play())


def test_a_copy_goes_to_the_terminals_clipboard(path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("TERM_PROGRAM", raising=False)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(NOISE)
            await pilot.press("y")
            await pilot.pause()
            await pilot.press("2")
            await until(pilot, lambda: pilot.app.clipboard == "\x1b[31mLoading model\x1b[0m")

    played(play())


def test_an_export_is_written_without_secrets(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("m", "e")
            await pilot.pause()
            await pilot.press("1")
            await until(pilot, lambda: list(tmp_path.glob("*.md")))

    played(play())
    text = next(tmp_path.glob("*.md")).read_text()
    assert "Zürich" in text
    assert "s3cret" not in text
    assert 'Masked: value of "token" ×1.' in text


def test_help_is_made_from_the_keys_and_goes_away(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("question_mark")
            await pilot.pause()
            await until(pilot, lambda: any("from a request to its answer" in line for line in shown(pilot)))
            await pilot.press("escape")
            await pilot.pause()
            assert pilot.app.screen is screen

    played(play())


def test_a_live_session_is_followed_from_its_end_only(tmp_path):
    async def play(tape, feed):
        async with opened(feed, (100, 12)) as (pilot, screen):
            await pilot.press("G")
            tape.play([("c2s", request(n, "ping")) for n in range(20)])
            feed.catch_up(live=True)
            await settled(pilot)
            assert screen.timeline.at_end()
            await pilot.press("k")
            tape.play([("s2c", result(n)) for n in range(7)])
            feed.catch_up(live=True)
            await settled(pilot)
            assert not screen.timeline.at_end()
            await until(pilot, lambda: any("+7 new" in line for line in shown(pilot)))
            await until(pilot, lambda: any("● live" in line for line in shown(pilot)))
            await until(pilot, lambda: any("13 pending" in line for line in shown(pilot)))
            await pilot.press("G")
            await settled(pilot)
            assert not any("new" in line for line in shown(pilot))

    with Tape(tmp_path / "live.jsonl") as tape:
        tape.play(handshake())
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(tape, feed))


def test_a_pending_call_shows_its_age_while_the_session_is_live(tmp_path):
    async def play(feed):
        async with opened(feed) as (pilot, screen):
            screen.run_clocks()
            await settled(pilot)
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "◌ pending" in line)
            assert "d" in row or "h" in row  # the recording is from some fixed day

    with Tape(tmp_path / "live.jsonl", wall=1) as tape:
        tape.play([*handshake(), ("c2s", call(1, "slow"))])
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(feed))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50), (40, 10)])
def test_no_line_is_wider_than_the_screen(path, size):
    from rich.cells import cell_len

    async def play():
        async with opened(fed(path), size) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter")
            await settled(pilot)
            for tab in "12345":
                await pilot.press(tab)
                await settled(pilot)
                strips = pilot.app.screen._compositor.render_strips()
                assert {cell_len(strip.text) for strip in strips} == {size[0]}

    played(play())


def test_light_and_dark_can_be_exchanged(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            dark = screen.timeline.paint.palette
            await pilot.press("T")
            assert screen.timeline.paint.palette is not dark
            assert pilot.app.theme == "mcptap-light"

    played(play())


def test_without_colour_direction_and_state_are_still_told(path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def play():
        async with opened(fed(path)) as (pilot, _):
            colours = set()
            for strip in pilot.app.screen._compositor.render_strips():
                for segment in strip:
                    if segment.style is not None and segment.style.color is not None:
                        triplet = segment.style.color.triplet
                        assert triplet is None or triplet.red == triplet.green == triplet.blue
                        colours.add(triplet)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "→ tools/call" in lines
            assert "← tools/call" in lines

    played(play())


def test_a_session_that_never_ended_says_so(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), ("c2s", notification("notifications/x"))])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, _):
            await until(pilot, lambda: any("cut off" in line for line in shown(pilot)))
            assert not any("live" in line for line in shown(pilot)[-2:])

    played(play())


def test_the_pager_gets_a_file_without_control_sequences(path, tmp_path, monkeypatch):
    import contextlib

    monkeypatch.setenv("PAGER", f"cp -t {tmp_path} --backup=numbered")

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            monkeypatch.setattr(pilot.app, "suspend", contextlib.nullcontext)
            screen.cursor.go_to(NOISE)
            await pilot.press("V")
            await until(pilot, lambda: list(tmp_path.glob("mcptap-*")))

    played(play())
    text = next(tmp_path.glob("mcptap-*")).read_text()
    assert text == "␛[31mLoading model␛[0m"


def test_the_palette_offers_what_makes_sense_now(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            from mcptap.tui.palette_commands import KeyCommands

            async def offered():
                provider = KeyCommands(screen)
                return [hit.prompt async for hit in provider.discover()]

            words = "\n".join(map(str, await offered()))
            assert "export as JSONL or Markdown" in words
            assert "slower" not in words
            assert "next hit" not in words
            assert "send the request" not in words
            await pilot.press("space")
            assert "slower" in "\n".join(map(str, await offered()))
            await pilot.press("ctrl+p")
            await pilot.pause()
            await typed(pilot, "light or dark")
            await until(pilot, lambda: any("light or dark" in line for line in shown(pilot)[3:]))
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.theme == "mcptap-light")

    played(play())


def test_a_message_to_the_user_is_no_markup(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.notify("/tmp/[bold]x[/nope] \x1b[2J")
            await until(pilot, lambda: any("/tmp/[bold]x[/nope] ␛[2J" in line for line in shown(pilot)))

    played(play())


def test_the_mouse_does_what_the_keys_do(tmp_path):
    steps = [*handshake(), *(("c2s", request(n, "ping")) for n in range(1, 100)), *END]
    path = os.fspath(record(tmp_path / "x.jsonl", steps))

    async def play():
        async with opened(fed(path), (120, 30)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.click("#timeline", offset=(20, 4))
            assert timeline.cursor == 4
            timeline.scroll(3)
            assert (timeline.top, timeline.cursor) == (3, 4)
            await pilot.click("#timeline", offset=(20, 2), times=2)
            await until(pilot, lambda: screen.pane.display)
            assert timeline.record == 5
            await pilot.click(screen.timeline_bar, offset=(0, screen.timeline_bar.size.height - 1))
            assert timeline.top + timeline.size.height == timeline.count()

    played(play())
