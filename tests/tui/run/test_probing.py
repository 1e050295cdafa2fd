import pytest

from mcptap.tui.run.launch_form import Start
from mcptap.tui.run.probing import Probe, ProbeScreen
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


@pytest.mark.parametrize(
    ("status", "output", "said"),
    [
        (0, [b"Report", b"all well", b""], "✓ all well"),
        (1, [b"2 bad"], "✗ 2 bad"),
        (2, [b"2 bad"], "✗ the probe could not run; why stands above"),
        (0, [], "✗ the probe could not run; why stands above"),
    ],
)
def test_the_last_line_of_the_report_sums_it_up(status, output, said):
    screen = ProbeScreen("Probe", ["probe"])
    screen.status_code = status
    screen.output.extend((line, False) for line in output)
    screen.output.append((b"words of the server", True))
    assert screen.end_words() == said


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Broken lines", "title"),
        ("  bad      x", "problem"),
        ("  differs  x", "stderr"),
        ("  good     x", "plain"),
        ("", "plain"),
    ],
)
def test_lines_of_the_report_have_the_role_of_their_grade(line, role):
    assert ProbeScreen("Probe", ["probe"]).role_of(line) == role


def test_a_probe_runs_like_the_recording_with_what_was_changed():
    screen = Probe("x.jsonl").screen(Start(["python"], "/tmp"), "python")
    assert screen.title_words == "Probe  python"
    assert Probe("x.jsonl").objection() == ""
