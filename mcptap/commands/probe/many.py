"""`mcptap probe --config FILE` and `--as all`: servers and clients side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import trio

from mcptap.clients.client import Client
from mcptap.clients.table import CLIENTS
from mcptap.commands.forms.also import Also, write_also
from mcptap.commands.forms.choice import JSON, TEXT, json_text, suite_lines
from mcptap.commands.output import tell
from mcptap.commands.probe.one import masker_for
from mcptap.errors import UserError
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.observation import Call, Observer
from mcptap.play.server.interrupt import unless_interrupted
from mcptap.play.side_by_side import table
from mcptap.play.side_by_side.start import Start
from mcptap.play.side_by_side.trial import Trial, play
from mcptap.text.escape import visible
from mcptap.text.terminal import Terminal

if TYPE_CHECKING:
    from mcptap.masking.masker import Masker


def known_clients() -> list[Client]:
    """Those of which something is known."""
    return [client for client in CLIENTS.values() if is_known(client)]


def as_all(start: Start) -> list[Trial]:
    """A command with every client."""
    home = start.home
    return [
        Trial("", client, home, *start.by(client), skipped="" if is_known(client) else UNKNOWN)
        for client in CLIENTS.values()
    ]


UNKNOWN = "how it starts servers is not known"


def is_known(client: Client) -> bool:
    """Whether anything is known of how a client starts a server: else its session would be ours."""
    return client.cwd.known or client.environment.known or client.opening.known


def probe_many(
    trials: Sequence[Trial],
    settings: ConnectionSettings,
    calls: Sequence[Call],
    *,
    all_calls: bool,
    form: str,
    unmasked: bool,
    is_kept: bool = True,
    also: Sequence[Also] = (),
) -> int:
    """Play all of them, print what came of it, and return the exit status.

    Unless `is_kept`, no recording is left.
    """
    if all(trial.skipped and trial.ok for trial in trials):
        raise UserError("there is nothing to start: " + "; ".join(dict.fromkeys(t.skipped for t in trials)))
    with ExitStack() as stack:
        if not is_kept:
            folder = stack.enter_context(TemporaryDirectory(prefix="mcptap-probe-"))
            settings = replace(settings, record=f"{folder}/")
        run = partial(_play_all, trials, settings, calls, all_calls)
        done, interrupted = trio.run(unless_interrupted, run)
    if not is_kept:
        for trial in trials:
            trial.report.path = ""
    if done is None:
        tell("the probe was interrupted; the server is stopped")
        return 128 + interrupted
    masker = masker_for((trial.launch for trial in trials), unmasked)
    lines = partial(_lines, trials, masker, done)
    for line in lines(form, Terminal(sys.stdout)):
        sys.stdout.write(f"{line}\n")
    write_also(also, lines)
    return 0 if all(trial.ok for trial in trials) else 1


async def _play_all(
    trials: Sequence[Trial], settings: ConnectionSettings, calls: Sequence[Call], all_calls: bool
) -> int:
    """Play them one after the other; return how many tool calls were made."""
    observers: dict[int, Observer] = {}
    with ExitStack() as stack, _Progress(len(trials)) as progress:
        for trial in trials:
            progress.step(trial)
            if trial.skipped:
                continue
            key = id(trial.own)
            if key not in observers:
                observers[key] = stack.enter_context(Observer(settings, calls, all_calls=all_calls))
            await play(trial, settings, observers[key])
    return sum(observer.made for observer in observers.values())


def _lines(
    trials: Sequence[Trial], masker: Masker | None, calls: int, form: str, terminal: Terminal
) -> Iterator[str]:
    """What came of it in a form."""
    if form == TEXT:
        yield from table.lines(trials, terminal, masker, calls)
    elif form == JSON:
        told = table.as_json(trials, calls)
        yield json_text(told if masker is None else masker.value(told))
    else:
        from mcptap.commands.forms.probe import trial_suites

        yield from suite_lines(form, trial_suites(trials, masker), terminal)


class _Progress:
    """A line on a terminal that says what is played now; nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._terminal = Terminal(sys.stderr)

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._show("")

    def step(self, trial: Trial) -> None:
        """Say which one is played now."""
        self._done += 1
        name = " as ".join(filter(None, (trial.server, trial.client.label)))
        self._show(f"{self._done} of {self._total}: {visible(name)}")

    def _show(self, text: str) -> None:
        if self._terminal.width:
            print(
                f"\r{self._terminal.fit(text)}\x1b[K", end="" if text else "\r", file=sys.stderr, flush=True
            )
