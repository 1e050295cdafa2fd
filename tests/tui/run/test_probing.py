from mcptap.tui.run.probing import Probe
from tests.tui.run.servers import ended, is_form_for, said_yes, taped
from tests.tui.screens import at_rest, fed, opened, played, shown, until


def test_a_probe_starts_from_the_launch_facts_and_shows_its_report(place):
    async def play():
        async with opened(fed(taped(place))) as (pilot, _):
            await pilot.press("A")
            await until(pilot, lambda: is_form_for(pilot, Probe))
            run = await said_yes(pilot)
            await ended(pilot, run)
            assert run.status_code in (0, 1)
            text = "\n".join(line.decode() for line, _ in run.output)
            assert "an unknown method" in text
            assert "weather 1.2.0" in text
            await at_rest(pilot)
            (status,) = (line for line in shown(pilot) if "esc goes back" in line)
            assert text.rstrip().splitlines()[-1] in status

    played(play())
