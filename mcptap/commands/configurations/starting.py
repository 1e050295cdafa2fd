"""`mcptap doctor --start`: each server started as its client would, and whether it answers."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import trio

from mcptap.clients.configs.contents import hidden_by
from mcptap.clients.configs.wrapping import server_of
from mcptap.commands.output import tell
from mcptap.commands.probe.config import Found, Wanted, find_servers
from mcptap.commands.terminal import agrees
from mcptap.errors import UserError
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.observation import Observer
from mcptap.play.server.interrupt import unless_interrupted
from mcptap.play.server.process_tree import several_servers
from mcptap.play.server.secrets import masked_for_question
from mcptap.play.side_by_side.trial import Trial, play
from mcptap.recording import made_here
from mcptap.setup.doctor.examination import about_tools
from mcptap.setup.doctor.finding import Finding
from mcptap.setup.doctor.report import DEEPER, Styled
from mcptap.setup.doctor.subject import ExaminedFile
from mcptap.text.units import counted

AT_ONCE = 4
"""So many servers are started at once, as clients do."""


@dataclass(slots=True)
class Started:
    """What came of starting the servers."""

    trials: list[Trial] = field(default_factory=list)
    """Those that were started, and those that are not for a reason of their own."""
    left: list[Found] = field(default_factory=list)
    """Those of a project that nobody said yes to."""
    findings: list[Finding] = field(default_factory=list)
    """What only the tools tell."""
    interrupted: int = 0
    """The signal that ended it; 0 if none did."""

    @property
    def ok(self) -> bool:
        """Whether all that were started answer."""
        return all(trial.skipped or trial.report.works for trial in self.trials)


def start(files: Sequence[ExaminedFile], *, named: bool, yes: bool) -> Started:
    """Start the servers of these files. Those of a project only after a yes, unless its file was `named`."""
    found = list(_found(files))
    strange = [one for one in found if one.entry.shared and not one.why_not]
    left = [] if named or yes or not strange or _agreed(strange) else strange
    started = Started([one.trial() for one in found if one not in left], left)
    if any(not trial.skipped for trial in started.trials):
        settings = ConnectionSettings(started.trials[0].own, tell=tell)
        with several_servers():
            done, interrupted = trio.run(unless_interrupted, partial(_play_all, started.trials, settings))
        if done is None:
            started.interrupted = interrupted
            return started
    for file in files:
        for entry in file.entries:
            tools = [t.report.tools for t in started.trials if _is_of(t, entry.name, file) and not t.skipped]
            started.findings += about_tools(file, entry, tools[0]) if tools else []
    return started


def _is_of(trial: Trial, name: str, file: ExaminedFile) -> bool:
    return (trial.server, trial.path, trial.client) == (name, str(file.path), file.client)


def _found(files: Sequence[ExaminedFile]) -> Iterator[Found]:
    """The entries that can be started; of several of one name that which the client uses."""
    entries = [entry for file in files for entry in file.entries]
    hidden = {(entry.file, entry.where) for entry in hidden_by(entries, os.getcwd())}
    for file in files:
        with suppress(UserError):  # the checks have told what is wrong with the file
            for one in find_servers(Wanted([str(file.path)], owner=file.client)):
                if (one.entry.file, one.entry.where) not in hidden and not one.entry.transport.is_remote:
                    yield _unwrapped(one)


def _unwrapped(one: Found) -> Found:
    """Without mcptap in front of it, whose recording would be taken for one of the client's own session."""
    if not one.entry.wrapped or one.why_not:
        return one
    remarks = [*one.start.remarks, "it was started without the mcptap in front of it"]
    base = replace(one.start.base, argv=server_of(one.start.base.argv))
    return replace(one, start=replace(one.start, base=base, remarks=remarks))


def _agreed(strange: Sequence[Found]) -> bool:
    """Show what would be started, and ask on the terminal; no without one."""
    try:
        return agrees(list(_question(strange)), "Start them?", "no terminal")
    except UserError:
        return False


def _question(strange: Sequence[Found]) -> Iterator[str]:
    """All commands in full, but for what can be nothing but a secret."""
    count = counted(len(strange), "server")
    yield f"mcptap: {count} of projects' files, which may be a stranger's:"
    for one in strange:
        yield f"  {one.entry.name} ({one.client.name})"
        yield from _told(one)


def _told(one: Found) -> Iterator[str]:
    launch, _ = one.start.by(one.client)
    # A value of a variable may be the worst of it (`NODE_OPTIONS`): masked is only what must be a secret.
    variables = [f"{name}={value}" for name, value in one.start.entry.items()]
    words = masked_for_question(["env", *variables, *launch.argv])
    yield f"    command    {shlex.join(words[len(variables) + 1 :])}"
    yield f"    in         {launch.cwd}"
    yield from (f"    variable   {variable}" for variable in words[1 : len(variables) + 1])


async def _play_all(trials: Sequence[Trial], settings: ConnectionSettings) -> bool:
    limiter = trio.CapacityLimiter(AT_ONCE)

    async def play_one(trial: Trial) -> None:
        async with limiter:
            with Observer(settings) as observer:
                await play(trial, settings, observer)

    async with trio.open_nursery() as nursery:
        for trial in trials:
            if not trial.skipped:
                nursery.start_soon(play_one, trial)
    return True


def report(started: Started) -> Iterator[Styled]:
    """What came of it, server by server, for people."""
    masker = made_here.masker()
    for trial in started.trials:
        masker.learn(trial.own.argv)
    yield "bold", "started as its client would start it:", 0
    for trial in started.trials:
        name = f"{trial.server} ({trial.client.name})"
        if trial.skipped:
            yield "dim", f"  {name}: not started: {masker.text(trial.skipped)}", DEEPER
            continue
        style = "plain" if trial.report.works else "error"
        answers = "answers" if trial.report.works else "does not answer"
        yield style, f"  {name} {answers}: {masker.text(trial.report.words)}", DEEPER
        for label, text in (("Cause", trial.report.cause), ("Less", trial.report.less)):
            if text:
                yield "plain", f"    {label}: {masker.text(text)}", DEEPER
        problems = sum(1 for one in trial.found if one.counts)
        if trial.report.path:
            look = f"{counted(problems, 'finding')}: " if problems else ""
            yield "dim", f"    {look}mcptap check {shlex.quote(trial.report.path)}", DEEPER
    for one in started.left:
        yield "plain", f"  {one.entry.name} ({one.client.name}): not started, since it is a project's", DEEPER
        yield from (("dim", line, DEEPER) for line in _told(one))
    if started.left:
        yield "plain", "  --yes starts them, or --config with the name of their file", DEEPER
    yield "plain", "", 0


def as_json(started: Started) -> list[dict[str, Any]]:
    """The same for programs."""
    masker = made_here.masker()
    told: list[dict[str, Any]] = []
    for trial in started.trials:
        masker.learn(trial.own.argv)
        what = trial.report
        told.append(
            {
                "server": trial.server,
                "client": trial.client.id,
                "file": trial.path,
                "line": trial.line,
                "started": not trial.skipped,
                "why_not": trial.skipped or None,
                "answers": None if trial.skipped else what.works,
                "shown": None if trial.skipped else what.outcome.value,
                "why": what.why or None,
                "cause": what.cause or None,
                "tools": what.tools,
                "recording": what.path or None,
                "findings": [one.finding.rule for one in trial.found if one.counts],
            }
        )
    for one in started.left:
        launch, _ = one.start.by(one.client)
        told.append(
            {
                "server": one.entry.name,
                "client": one.client.id,
                "file": str(one.entry.file),
                "line": one.line,
                "started": False,
                "why_not": "it is a project's, and nobody said yes",
                "command": masked_for_question(launch.argv),
                "cwd": launch.cwd,
                "variables": list(one.start.entry),
            }
        )
    masked: list[dict[str, Any]] = masker.value(told)
    return masked
