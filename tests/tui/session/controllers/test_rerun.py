from mcptap.tui.run.resend import Resend
from tests.tui.run.servers import CALL, is_form_for, taped
from tests.tui.screens import fed, opened, played, until


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
