import os

from mcptap.errors import UserError
from mcptap.tui.export.ask_path import AskPath
from mcptap.tui.widgets.bars import Bar
from tests.tui.screens import alone, played, shown, until


def test_a_folder_stands_for_the_proposed_name_in_it_and_a_refusal_keeps_the_box(tmp_path):
    written = []

    def write(path):
        if path.endswith("bad"):
            raise UserError(f"{path}: cannot be written: it is bad")
        written.append(path)

    async def play():
        async with alone(Bar(), size=(100, 12)) as pilot:
            first = pilot.app.screen
            pilot.app.push_screen(AskPath("Export to", "/no/such/name.md", write))
            await until(pilot, lambda: pilot.app.screen.query("#path"))
            box = pilot.app.screen.query_one("#path")
            box.value = "~/bad"
            await pilot.press("enter")
            await until(pilot, lambda: any("cannot be written: it is bad" in line for line in shown(pilot)))
            box.value = os.fspath(tmp_path)
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.screen is first)

    played(play())
    assert written == [os.fspath(tmp_path / "name.md")]
