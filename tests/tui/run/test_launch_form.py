import os

import pytest

from mcptap.recording.format.model import Header
from mcptap.tui.run.launch_form import LaunchForm, Start
from mcptap.tui.run.probing import Probe
from mcptap.tui.session.screen import SessionScreen
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.choice import Choice
from tests.tui.run.servers import ended, form_of, said_yes, taped
from tests.tui.screens import alone, at_rest, played, shown, until


def test_the_form_names_command_and_folder_and_nothing_starts_without_a_yes(place):
    async def play():
        async with form_of(taped(place)) as (pilot, form):
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "server.py" in lines
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


@pytest.mark.parametrize(
    ("start", "options", "command"),
    [
        (Start(None, None), [], []),
        (Start(["python", "x.py"], None), [], ["--", "python", "x.py"]),
        (Start(None, "/tmp/a b"), ["--cwd", "/tmp/a b"], []),
        (Start(None, None, (("2", "hunter2"),)), ["--secret", "2=MCPTAP_SECRET_0"], []),
    ],
)
def test_only_what_was_changed_is_given_to_the_command(start, options, command):
    assert (start.options(), start.command()) == (options, command)


def header(**environment):
    return Header({"argv": ["python", "x.py"], "cwd": "/", "env": environment})


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (header(), "yours: the recorded one is not known"),
        (header(names=["A"], values={"A": "1"}), "as recorded: 1 variable"),
        (header(names=["A", "NO_SUCH_KEY"], values={"A": "1"}), "no value is known: NO_SUCH_KEY"),
    ],
)
def test_the_form_says_which_variables_the_server_will_have(known, said):
    async def play():
        async with alone(Bar(), size=(100, 20)) as pilot:
            await pilot.app.push_screen(LaunchForm(known, Probe("x.jsonl")))
            await until(pilot, lambda: any(said in line for line in shown(pilot)))

    played(play())


@pytest.mark.parametrize(
    ("command", "said"),
    [("python 'x", "the command can't be read"), ("", "name the command that starts the server")],
)
def test_a_command_that_cannot_be_run_is_not_asked_about(command, said):
    async def play():
        async with alone(Bar(), size=(100, 20)) as pilot:
            form = LaunchForm(header(), Probe("x.jsonl"))
            await pilot.app.push_screen(form)
            form.command.value = command
            await pilot.pause()
            await pilot.press("ctrl+s")
            await until(pilot, lambda: any(said in line for line in shown(pilot)))
            assert pilot.app.screen is form
            assert form.command.has_focus
            await pilot.press("ctrl+r")
            assert form.command.value == "python x.py"

    played(play())


def test_the_form_says_that_a_recording_was_not_made_here_and_what_its_environment_is(place):
    environment = {"names": ["LD_PRELOAD"], "values": {"LD_PRELOAD": "/tmp/x.so"}, "placeholders": {}}

    async def play():
        async with form_of(taped(place, env=environment)) as (pilot, _):
            await until(pilot, lambda: "was not made by your mcptap" in "\n".join(shown(pilot)))
            assert "LD_PRELOAD=/tmp/x.so" in "\n".join(shown(pilot))

    played(play())


def test_the_form_says_nothing_of_it_where_this_installation_made_it(place, monkeypatch):
    monkeypatch.setattr("mcptap.tui.run.launch_form.was_made_here", lambda header: True)

    async def play():
        async with form_of(taped(place)) as (pilot, _):
            await at_rest(pilot)
            assert "was not made by your mcptap" not in "\n".join(shown(pilot))

    played(play())


def test_masked_values_are_asked_for_and_go_to_the_command_in_a_variable(place):
    masked = Header({"argv": ["srv", "--token", "‹masked:abcdef›"], "masked": [[2, 0, 19]], "cwd": "/"})
    started = []

    class Kept(Probe):
        def screen(self, start, command):
            started.append((start, command))
            return super().screen(start, command)

    async def play():
        async with alone(Bar(), size=(100, 20)) as pilot:
            form = LaunchForm(masked, Kept("x.jsonl"))
            await pilot.app.push_screen(form)
            await until(pilot, lambda: form.secrets[0].has_focus)
            await pilot.press("ctrl+s")
            await until(pilot, lambda: any("value of --token (word 2)" in line for line in shown(pilot)))
            form.secrets[0].value = "hunter2"
            await pilot.pause()
            await pilot.press("ctrl+s")
            await until(pilot, lambda: isinstance(pilot.app.screen, Choice))
            assert "hunter2" not in "\n".join(shown(pilot))
            await pilot.press("down", "enter")
            await until(pilot, lambda: started)

    played(play())
    ((start, command),) = started
    assert (start.options(), start.command()) == (["--secret", "2=MCPTAP_SECRET_0"], [])
    assert start.variables() == {"MCPTAP_SECRET_0": "hunter2"}
    assert "hunter2" not in command
