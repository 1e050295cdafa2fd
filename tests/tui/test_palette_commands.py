from tests.tui.screens import fed, opened, played, shown, typed, until


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
