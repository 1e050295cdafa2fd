import pytest

from mcptap.tui.widgets.prompt import HINTS, LABELS, Prompt
from tests.tui.screens import alone, at_rest, fed, opened, played, shown, typed


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


def asked(mode, check, text=""):
    """Let the check use a prompt of this mode."""

    async def play():
        prompt = Prompt()
        async with alone(prompt, size=(100, 6)) as pilot:
            prompt.ask(mode, text)
            await at_rest(pilot)
            await check(pilot, prompt)

    played(play())


@pytest.mark.parametrize("mode", sorted(LABELS))
def test_each_purpose_has_its_name_and_a_hint(mode):
    async def check(pilot, prompt):
        assert shown(pilot)[0].split() == LABELS[mode].split()
        assert shown(pilot)[1].split() == HINTS[mode].split()
        assert prompt.input.has_focus

    asked(mode, check)


def test_history_belongs_to_a_purpose_keeps_no_repetition_and_ends_at_both_ends():
    async def check(pilot, prompt):
        for word in ("one", "two", "two"):
            prompt.input.value = word
            await pilot.press("enter")
        prompt.ask("search")
        seen = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await pilot.press(key)
            seen.append(prompt.input.value)
        assert seen == ["two", "one", "one", "two", "", ""]
        prompt.ask("jump")
        await pilot.press("up")
        assert prompt.input.value == ""

    asked("search", check)


def test_only_a_filter_is_completed():
    async def check(pilot, prompt):
        prompt.complete()
        assert prompt.input.value == "to"

    asked("search", check, "to")


def test_as_a_reminder_it_has_no_second_line_and_a_note():
    async def check(pilot, prompt):
        prompt.show("filter", "kind:request")
        prompt.note("3 of 9")
        await at_rest(pilot)
        assert shown(pilot)[0].split() == ["filter", "kind:request", "3", "of", "9"]
        assert shown(pilot)[1] == ""
        prompt.close()
        await at_rest(pilot)
        assert shown(pilot)[0] == ""

    asked("filter", check)


def test_values_are_offered_while_a_filter_is_typed_and_the_rows_stay_those_of_the_last_one_understood():
    async def check(pilot, prompt):
        await typed(pilot, "kind:stderr status:")
        await at_rest(pilot)
        assert all(word in shown(pilot)[1] for word in ("pending", "error", "unanswered"))
        assert "▲" not in shown(pilot)[1]
        assert shown(pilot)[1].endswith("rows: those of kind:stderr")
        await typed(pilot, "un")
        seen = []
        for key in ("tab", "tab", "tab", "shift+tab"):
            await pilot.press(key)
            seen.append(prompt.input.value.rpartition(":")[2])
        assert seen == ["unreadable", "unanswered", "unreadable", "unanswered"]
        await typed(pilot, "x")
        await at_rest(pilot)
        assert "▲" in shown(pilot)[1]

    asked("filter", check)
