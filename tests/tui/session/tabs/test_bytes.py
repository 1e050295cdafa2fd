from tests.tui.screens import at_rest, fed, opened, played, shown, until
from tests.tui.session.tabs.pages import tab, text_of, view_of
from tests.tui.weather import NOISE


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


def test_the_bytes_are_those_of_the_line_with_its_end(feed):
    page = tab("bytes").render(view_of(feed))
    assert page.data.endswith(b"}\n")
    assert f"{len(page.data)} bytes" in text_of(page)
