from mcptap.jsontext.diff import ABSENT
from mcptap.recording.reader import Reader
from mcptap.tui.session.screen import SessionScreen
from tests.tui.run.servers import ended, form_of, said_yes, taped
from tests.tui.screens import at_rest, played, settled, shown, until


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
            await until(pilot, lambda: pilot.app.screen.pane.display)
            await settled(pilot)
            await pilot.press("escape", "escape")  # the first one closes what the first look opened
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
