import os

import pytest

from mcptap.tui.run.resend import Resend
from mcptap.tui.session.controllers.rerun import RerunController
from mcptap.tui.session.timeline import Timeline
from tests.helpers import END, handshake, record, request
from tests.tui.run.servers import CALL, is_form_for, taped
from tests.tui.screens import fed, indexed, opened, played, until
from tests.tui.session.controllers.told import Told


def test_only_a_request_of_the_client_can_be_sent_again(tmp_path):
    async def play():
        async with opened(fed(taped(tmp_path))) as (pilot, screen):
            screen.cursor.go_to(CALL - 1)
            assert not screen.can_do("resend")
            await pilot.press("R")
            await pilot.pause()
            assert pilot.app.screen is screen
            screen.cursor.go_to(CALL)
            assert screen.can_do("resend")

    played(play())


def test_on_an_answer_its_request_is_sent_again(tmp_path):
    async def play():
        async with opened(fed(taped(tmp_path))) as (pilot, screen):
            screen.cursor.go_to(CALL + 1)
            assert screen.can_do("resend")
            await pilot.press("R")
            await until(pilot, lambda: is_form_for(pilot, Resend))
            assert f"record {CALL + 1}" in pilot.app.screen.purpose.title

    played(play())


@pytest.mark.parametrize(
    ("i", "request_at"), [(2, 2), (3, 2), (4, None), (7, 7), (8, None), (9, 7), (10, None), (12, 11)]
)
def test_the_request_is_the_one_under_the_cursor_or_the_one_answered_there(path, i, request_at):
    timeline = Timeline(indexed(path))
    timeline.go(i)
    assert RerunController(Told(), path, timeline).request == request_at


def test_a_request_of_the_server_is_not_sent_again(tmp_path):
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("s2c", request(1, "roots/list")), *END]))
    timeline, screen = Timeline(indexed(path)), Told()
    timeline.go(5)
    RerunController(screen, path, timeline).ask_to_resend()
    assert "Only a request of the client can be sent again" in screen.words[0]


def test_without_a_header_it_is_not_known_how_to_start_the_server(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"no header\n")
    screen = Told()
    RerunController(screen, os.fspath(path), Timeline(indexed(path))).ask_to_probe()
    assert "header can't be read" in screen.words[0]
