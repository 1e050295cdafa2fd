from mcptap.tui.palette_commands import KeyCommands
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


def test_what_is_typed_finds_commands_by_their_words(path):
    async def play():
        async with opened(fed(path)) as (_, screen):
            hits = [hit async for hit in KeyCommands(screen).search("pager")]
            assert any("open the record in $PAGER" in str(hit.match_display) for hit in hits)
            assert not [hit async for hit in KeyCommands(screen).search("qqqq")]

    played(play())


def test_a_command_is_offered_once(path):
    async def play():
        async with opened(fed(path)) as (_, screen):
            prompts = [str(hit.prompt) async for hit in KeyCommands(screen).discover()]
            assert len(prompts) == len(set(prompts)) > 20
            assert sum(prompt.endswith(" leave") for prompt in prompts) == 1

    played(play())
