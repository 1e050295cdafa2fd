"""`mcptap probe` of one server: asked, and told in the form that was chosen."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import environ
from tempfile import TemporaryDirectory

import trio

from mcptap.clients.client import Client
from mcptap.commands.forms.also import Also, write_also
from mcptap.commands.forms.choice import JSON, TEXT, json_text, suite_lines
from mcptap.commands.output import tell
from mcptap.masking.masker import Masker
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.allowed import Allowed
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.play.probe.observation import Call, Observer
from mcptap.play.probe.probe import NOTHING, probe
from mcptap.play.probe.report.json import as_json
from mcptap.play.probe.report.judged import JudgedProbe, judge_probe
from mcptap.play.probe.report.text import report
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.interrupt import unless_interrupted
from mcptap.play.server.launch import Launch
from mcptap.play.side_by_side.start import Start
from mcptap.play.side_by_side.trial import play_as_client
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expectation import Expectation
from mcptap.recording import made_here
from mcptap.text.escape import visible
from mcptap.text.paragraphs import hanging
from mcptap.text.terminal import Terminal


@dataclass(frozen=True, slots=True)
class OneProbe:
    """A probe that can be made again: the client's session, if there is a client, then the questions."""

    start: Start
    client: Client | None
    settings: ConnectionSettings
    allowed: Allowed = NOTHING
    repeat_calls: bool = False
    is_kept: bool = True
    """Whether the recordings stay."""
    expectations: Sequence[Expectation] = ()
    lock: Lock | None = None
    """What was approved of the server."""

    async def __call__(self) -> JudgedProbe:
        """Probe. Raises UserError if the server can't be started."""
        if self.is_kept:
            return await self._probed(self.settings)
        with TemporaryDirectory(prefix="mcptap-probe-") as folder:
            return await self._probed(replace(self.settings, record=f"{folder}/"))

    async def _probed(self, settings: ConnectionSettings) -> JudgedProbe:
        sessions: list[ProbedSession] = []
        made = 0
        as_client = None
        if self.client is not None:
            launch, as_client = self.start.by(self.client)
            settings = replace(settings, launch=launch)
            calls = [Call(call.name, call.arguments) for call in self.allowed.calls if not call.cancel]
            with Observer(settings, calls, all_calls=self.repeat_calls) as observer:
                await play_as_client(settings, self.start.home, as_client, observer)
                made = observer.made
            if as_client.path or as_client.outcome is not ClientOutcome.FAILED:
                sessions.append(ProbedSession(as_client.path, f"as {self.client.name}"))
        if as_client is not None and not as_client.runs:
            result = ProbeResult()
            why = f"it does not run as {as_client.client.name} starts it; without --as they are asked"
            result.add("questions", "all questions", Grade.SKIPPED, why)
        else:
            result = await probe(settings, self.allowed)
        result.sessions[:0] = sessions
        result.calls += made
        return judge_probe(
            result, as_client, is_kept=self.is_kept, expectations=self.expectations, lock=self.lock
        )


def masker_for(starts: Iterable[Launch], unmasked: bool) -> Masker | None:
    """What masks secrets in all that is printed, those of entries too; None: they are wanted as they are."""
    if unmasked:
        return None
    masker = made_here.masker()
    for launch in starts:
        set_here = [
            f"{name}={value}" for name, value in launch.environment.items() if environ.get(name) != value
        ]
        masker.learn(["env", *set_here, *launch.argv])
    return masker


def run(one: OneProbe, form: str, masker: Masker | None, also: Sequence[Also] = ()) -> int:
    """Probe, print what came of it, write it to files `also`, and return the exit status."""
    probed, interrupted = trio.run(unless_interrupted, one)
    if probed is None:
        tell("the probe was interrupted; the server is stopped")
        return 128 + interrupted
    argv = list(one.start.own.argv)
    name = shlex.join(argv if masker is None else masker.argv(argv))
    for line in _lines(probed, name, masker, form, Terminal(sys.stdout)):
        sys.stdout.write(f"{line}\n")
    write_also(also, partial(_lines, probed, name, masker))
    return 0 if probed.ok else 1


def _lines(
    probed: JudgedProbe, name: str, masker: Masker | None, form: str, terminal: Terminal
) -> Iterator[str]:
    """What came of it in a form."""
    if form == TEXT:
        for style, line, hang in report(probed):
            shown = visible(line if masker is None else masker.text(line))
            for piece in hanging(shown, terminal.width, hang):
                yield terminal.paint(piece, style)
    elif form == JSON:
        everything = as_json(probed)
        yield json_text(everything if masker is None else masker.value(everything))
    else:
        from mcptap.commands.forms.probe import probe_suites

        yield from suite_lines(form, probe_suites(name, probed, masker), terminal)
