"""A probe of a server that is started as in a recording (`mcptap probe --like`), on the screen."""

from __future__ import annotations

from mcptap.tui.run.launch_form import Purpose, Start
from mcptap.tui.run.screen import RunScreen
from mcptap.tui.widgets.tap_screen import TapScreen
from mcptap.tui.widgets.text import visible_bytes


class Probe(Purpose):
    """A probe of the server of the recording at this path."""

    title = "Probe"
    verb = "probe it"
    editor = None

    def __init__(self, path: str) -> None:
        self._path = path

    def explanation(self) -> list[str]:
        """What a probe does."""
        return [
            "A probe starts the server several times. It lists what it offers, and asks it",
            "what clients ask seldom: broken lines, unknown methods, wrong arguments.",
            "No tool is called with valid arguments. Each session is recorded, and judged.",
        ]

    def objection(self) -> str:
        """Nothing is edited."""
        return ""

    def restore(self) -> None:
        """Nothing is edited."""

    def screen(self, start: Start, command: str) -> TapScreen:
        """The screen of the probe."""
        arguments = ["probe", "--run-recorded", "--like", self._path, *start.options(), *start.command()]
        return ProbeScreen(f"Probe  {command}", arguments, start.variables())


class ProbeScreen(RunScreen):
    """The probe as it runs, and its report."""

    def ended(self, status: int) -> None:  # noqa: ARG002 - the report says more
        """Show the report from its beginning."""
        self.redraw()
        self.page.go(0)

    def end_words(self) -> str:
        """The last line of the report, which sums it up."""
        said = [line for line, is_stderr in self.output if line.strip() and not is_stderr]
        if self.status_code not in (0, 1) or not said:
            return "✗ the probe could not run; why stands above"
        return f"{'✗' if self.status_code else '✓'} {visible_bytes(said[-1])}"

    def role_of(self, text: str) -> str:
        """The role of a line of the report: by its grade, or that of a heading."""
        if text and not text.startswith(" "):
            return "title"
        return {"bad": "problem", "differs": "stderr"}.get(text[2:].partition(" ")[0], "plain")
