"""A probe of a server that is started as in a recording (`mcptap probe --like`), on the screen."""

from __future__ import annotations

from mcptap.tui.launch_form import LaunchForm, Start
from mcptap.tui.run_screen import RunScreen


class ProbeForm(LaunchForm):
    """Says what a probe does, and asks before it starts."""

    title_words = "Probe"
    verb = "probe it"

    def explanation(self) -> list[str]:
        """What a probe does."""
        return [
            "A probe starts the server several times. It lists what it offers, and asks it",
            "what clients ask seldom: broken lines, unknown methods, wrong arguments.",
            "No tool is called with valid arguments. Each session is recorded, and judged.",
        ]

    def go_on(self, start: Start) -> None:
        """Start the probe."""
        arguments = ["probe", "--like", self.path, *start.options(), *start.command()]
        self.app.push_screen(ProbeScreen(f"Probe  {self.command.value}", arguments))


class ProbeScreen(RunScreen):
    """The probe as it runs, and its report."""

    def ended(self, status: int) -> None:  # noqa: ARG002 - the report says more
        """Show the report from its beginning."""
        self.draw()
        self.page.go(0)

    def end_words(self) -> str:
        """What the exit status says."""
        if self.status_code == 0:
            return "the probe found nothing wrong"
        return "the probe found something" if self.status_code == 1 else "the probe could not run"
