"""The page before a server is started: which command, in which folder, and what it will be told.

Servers and their tools have effects, so nothing is started before the user has seen this page
and said yes to a question that names the command and the folder once more.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.widgets import Input, TextArea

from mcptap.errors import UserError
from mcptap.play.server.secrets import PRIVATE, MaskedValue, Template, masked_for_question
from mcptap.recording.format.model import Header, as_list, as_object, as_text
from mcptap.recording.made_here import masker, was_made_here
from mcptap.text.paragraphs import fold
from mcptap.text.units import counted
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.choice import Choice
from mcptap.tui.widgets.keys import FORM, bindings
from mcptap.tui.widgets.tap_screen import TapScreen
from mcptap.tui.widgets.text import visible


@dataclass(frozen=True, slots=True)
class Start:
    """How the server is to be started. None: as in the recording."""

    argv: list[str] | None
    cwd: str | None
    secrets: tuple[tuple[str, str], ...] = ()
    """Position and value of each word that is masked in the recording."""

    def options(self) -> list[str]:
        """The options of `send` and `probe` for it."""
        named = [
            word
            for k, (place, _) in enumerate(self.secrets)
            for word in ("--secret", f"{place}={PRIVATE}{k}")
        ]
        return named if self.cwd is None else [*named, "--cwd", self.cwd]

    def variables(self) -> dict[str, str]:
        """The variables that give the secrets to them."""
        return {f"{PRIVATE}{k}": value for k, (_, value) in enumerate(self.secrets)}

    def command(self) -> list[str]:
        """The command behind `--`, if it is not the recorded one."""
        return [] if self.argv is None else ["--", *self.argv]


class Purpose(Protocol):
    """What a server is started for."""

    title: str
    verb: str
    """What is done with the server, in the question: `send tools/call`."""
    editor: TextArea | None
    """What is edited on the page, if anything is."""

    def explanation(self) -> list[str]:
        """What will happen, one line each of at most 78 columns."""
        ...

    def objection(self) -> str:
        """Why what was edited can't be sent; empty if it can. The editor's cursor is put there."""
        ...

    def restore(self) -> None:
        """Put back what is edited."""
        ...

    def screen(self, start: Start, command: str) -> TapScreen:
        """The screen that starts the server; `command` is how the user wrote it."""
        ...


class LaunchForm(TapScreen):
    """Shows and lets edit how the server of a recording is started, then asks."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(FORM)
    CSS = """
    .field { height: 1; }
    .field Bar { width: 13; }
    .field Input { width: 1fr; }
    #about { height: auto; }
    #wrong { height: 1; }
    #request { height: 1fr; border: none; padding: 0; background: $background; }
    #request:focus { border: none; }
    #rest { height: 1fr; }
    """

    def __init__(self, header: Header, purpose: Purpose) -> None:
        super().__init__()
        self.header = header
        self.purpose = purpose
        is_own = was_made_here(header)
        shown = masker().argv(header.argv) if is_own else masked_for_question(header.argv)
        self._recorded_command = visible(shlex.join(shown)) if shown else ""
        self._recorded_folder = visible(header.cwd)
        self.heading = Bar(id="heading", raised=True)
        self.command = Input(self._recorded_command, id="command", placeholder="the server's command")
        self.folder = Input(self._recorded_folder, id="folder", placeholder="the folder it is started in")
        self._needed = Template(header, ()).needed()
        self.secrets = [Input(password=True, placeholder="masked in the recording") for _ in self._needed]
        self.about = Bar(id="about")
        self.wrong = Bar(id="wrong")
        self._fields = (self.command, self.folder, *self.secrets)
        self._labels = [Bar() for _ in self._fields]

    def compose(self) -> ComposeResult:
        """Command, folder, what it is about, and what is edited."""
        yield self.heading
        yield Bar()
        for label, field in zip(self._labels, self._fields, strict=True):
            with Horizontal(classes="field"):
                yield label
                yield field
        yield self.about
        yield self.wrong
        yield self.purpose.editor or Container(id="rest")
        yield self.keybar

    def on_mount(self) -> None:
        """Say what it is about."""
        self.redraw()
        self.check_folder()
        self.set_focus(self.first_field())

    def on_resize(self) -> None:
        """Set out for the new width."""
        self.redraw()

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now."""
        return (FORM,)

    # -- drawing --

    def first_field(self) -> Input | TextArea:
        """Where the cursor stands at first: where something is missing."""
        if not self.command.value:
            return self.command
        if not os.path.isdir(self.folder.value):
            return self.folder
        if self.secrets:
            return self.secrets[0]
        return self.purpose.editor or self.command

    def redraw(self) -> None:
        """Draw everything but the fields."""
        paint = self.heading.paint
        self.heading.show(
            (
                [(f" {self.purpose.title}", paint.title)],
                [("nothing is started before you say yes ", paint.dim)],
            )
        )
        asked = [visible(masked.names[0])[:11] for masked in self._needed]
        for label, words in zip(self._labels, ("command", "in folder", *asked), strict=True):
            label.show(([(f" {words}", paint.dim)], []))
        lines = [
            f" environment {self._environment()}",
            *self._origin(),
            "",
            *(f" {line}" for line in self.purpose.explanation()),
        ]
        self.about.styles.height = len(lines)
        self.about.show(*(([(visible(line), paint.dim)], []) for line in lines))
        self.show_keys()

    def _environment(self) -> str:
        environment = self.header.environment
        names = [str(name) for name in as_list(environment.get("names"))]
        if not names:
            return "yours: the recorded one is not known"
        known = {
            *as_object(environment.get("values")),
            *as_object(environment.get("placeholders")),
            *os.environ,
        }
        missing = sorted(name for name in names if name not in known)
        words = f"as recorded: {counted(len(names), 'variable')}"
        return words + (f"; not set, as no value is known: {', '.join(missing)}" if missing else "")

    def _origin(self) -> list[str]:
        """A warning if another wrote how the server is started."""
        if was_made_here(self.header):
            return []
        return [
            "",
            " This recording was not made by your mcptap, or was changed: what runs is what it says.",
            " Look at the command, the folder and these variables before you say yes:",
            *(f" {line}" for line in fold(visible(self._recorded_values()), max(20, self.size.width - 4))),
        ]

    def _recorded_values(self) -> str:
        environment = self.header.environment
        given = {**as_object(environment.get("placeholders")), **as_object(environment.get("values"))}
        texts = {name: as_text(value) for name, value in given.items()}
        own = [f"{name}={text}" for name, text in texts.items() if os.environ.get(name) != text]
        return ", ".join(own) or "none that differs from yours"

    def tell(self, words: str) -> None:
        """Say what is wrong; nothing if all is well."""
        paint = self.wrong.paint
        self.wrong.show(([(f" {visible(words)}" if words else "", paint.problem)], []))

    def check_folder(self) -> bool:
        """Whether the folder is there; if not, the user is told."""
        folder = self.folder.value
        if folder and not os.path.isdir(folder):
            self.tell("✗ there is no such folder here: name the one to start the server in")
            return False
        self.tell("")
        return True

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.check_folder()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_start()

    def _start(self, start: Start) -> None:
        """The user said yes."""
        self.app.push_screen(self.purpose.screen(start, self.command.value))

    def _place(self, masked: MaskedValue, argv: list[str] | None) -> str:
        """Where the masked word stands, in the command that is started."""
        needed = self._needed if argv is None else Template(self.header, argv).needed()
        return next(each.names[-1] for each in needed if each.mask == masked.mask)

    # -- what can be done --

    def action_restore(self) -> None:
        """Put everything back as it was recorded."""
        self.command.value = self._recorded_command
        self.folder.value = self._recorded_folder
        self.purpose.restore()

    def action_back(self) -> None:
        """Close the page."""
        self.app.pop_screen()

    def action_start(self) -> None:
        """Check everything, then ask."""
        argv: list[str] | None = None
        if self.command.value != self._recorded_command:
            try:
                argv = shlex.split(self.command.value)
            except ValueError as error:
                self.tell(f"✗ the command can't be read: {error}")
                self.set_focus(self.command)
                return
        if not (argv or (argv is None and self.header.argv)):
            self.tell("✗ name the command that starts the server")
            self.set_focus(self.command)
            return
        if not self.check_folder():
            self.set_focus(self.folder)
            return
        secrets = []
        for masked, typed in zip(self._needed, self.secrets, strict=True):
            if masked.mask not in self.command.value:
                continue
            if not typed.value:
                self.tell(f"✗ the recording does not hold the value of {masked.words}: type it")
                self.set_focus(typed)
                return
            secrets.append((masked, typed.value))
        wrong = self.purpose.objection()
        if wrong:
            self.tell(f"✗ {wrong}")
            self.set_focus(self.purpose.editor)
            return
        folder = self.folder.value
        changed = folder != self._recorded_folder
        try:
            given = tuple((self._place(masked, argv), value) for masked, value in secrets)
        except UserError as error:  # a mask that was changed
            self.tell(f"✗ {error}")
            self.set_focus(self.command)
            return
        start = Start(argv, os.path.abspath(folder) if changed else None, given)
        where = folder or os.getcwd()
        self.app.push_screen(
            Choice(
                f"Start {self.command.value}?",
                [
                    ("no, start nothing", lambda: None),
                    (f"yes: start it in {where} and {self.purpose.verb}", lambda: self._start(start)),
                ],
            )
        )
