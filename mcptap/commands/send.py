"""`mcptap send`: send a client's lines to a fresh server, and print what comes back."""

from __future__ import annotations

import argparse
import os
from contextlib import nullcontext
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mcptap.captures.evidence import COMPLETE
from mcptap.commands import consent, secrets
from mcptap.commands.forms.choice import TEXT
from mcptap.commands.output import tell
from mcptap.commands.sending.options import parser
from mcptap.errors import UserError
from mcptap.text.units import counted

if TYPE_CHECKING:
    from mcptap.masking.masker import Masker
    from mcptap.play.client.client_script import ClientScript
    from mcptap.play.send.player import PlayResult
    from mcptap.play.server.launch import Launch
    from mcptap.play.server.relaunch import Relaunch


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    own, command = split_command(arguments)
    options = parser().parse_args(own)
    return _run(options, command)


def split_command(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Our own arguments, and those behind the first `--`: all of these belong to the server."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _run(options: argparse.Namespace, command: list[str]) -> int:
    from mcptap.commands.sending import checks, dry_run
    from mcptap.play.client.client_script import load, only_lines, without_calls
    from mcptap.play.server.relaunch import read_header, relaunch
    from mcptap.recording import made_here
    from mcptap.recording.library import find

    path = find(options.file, tell)
    script = load(path)
    checks.require_sense(options, path, script)
    if options.only:
        script = only_lines(script, set(options.only))
    if options.no_calls:
        script, called = without_calls(script)
        _say(f"left out: {counted(len(called), 'call')} of tools", options)
    checks.require_requests(path, script, masked_values=options.masked_values)
    like = find(options.like, tell) if options.like else None
    header = read_header(like) if like else script.header
    plan = relaunch(header, command, options.cwd, os.environ, alike=bool(like), recording=like or path)
    if options.dry_run:
        dry_run.show(script, plan, made_here.masker(), options.cut)
        return 0
    launch = _launch(options, plan, like or path)
    masker = made_here.masker()
    masker.learn(launch.argv)
    if script.evidence.origin != COMPLETE.origin:
        exact = "" if script.evidence.framing else " by value: their exact bytes are not in it"
        _say(
            f"{path} was read as {script.evidence.origin}; of it the client's lines are sent{exact}", options
        )
    elif not script.is_exact:
        _say(f"{path} was rewritten by another program; its messages are sent as encoded anew", options)
    if script.damaged:
        _say(f"{counted(script.damaged, 'line')} of {path} can't be read, and so can't be sent", options)
    needs_recording = options.compare or options.expect or options.write_expect
    with TemporaryDirectory(prefix="mcptap-send-") if needs_recording else nullcontext() as spare:
        played, recording = _play(script, launch, options, spare, masker if options.masked else None)
        troubles = _tell_troubles(played, script, options, masker)
        if played.interrupted:
            return 128 + played.interrupted
        if needs_recording and recording is None:
            raise UserError("the new session could not be recorded, so there is nothing to compare")
        if options.write_expect:
            assert recording is not None
            _write_expectation(options.write_expect, recording, played, options, masker)
        if options.compare or options.expect:
            from mcptap.commands.sending import judging

            assert recording is not None
            comparison = (
                judging.with_expected(recording, played, options)
                if options.expect
                else judging.with_recorded(path, recording, script, played, options)
            )
            judging.add_end(comparison, troubles.bad_end)
            return judging.tell(comparison, path, masker, options)
    unsaid = played.outcome.unanswered or played.outcome.unsent
    return int(bool(unsaid or troubles.bad_end or troubles.pollution))


def _launch(options: argparse.Namespace, plan: Relaunch, source: str) -> Launch:
    """What is started, once the user agrees and its secrets are known."""
    consent.require_consent(plan, source, options.run_recorded)
    launch = secrets.fill_in(plan, options.secret)
    for sentence in plan.sentences:
        _say(sentence, options)
    return launch


@dataclass(frozen=True, slots=True)
class Troubles:
    """What was wrong with the server, beside its answers."""

    pollution: bool
    bad_end: str
    """In a sentence; empty if there was none."""


def _tell_troubles(
    played: PlayResult, script: ClientScript, options: argparse.Namespace, masker: Masker
) -> Troubles:
    from mcptap.play.send import troubles

    for note in played.outcome.notes:
        _say(note, options)
    pollution = troubles.pollution(played, masker)
    bad_end = "" if played.interrupted else troubles.bad_end(played, script)
    for sentence in (pollution, bad_end):
        if sentence:
            _say(sentence, options)
    return Troubles(bool(pollution), bad_end)


def _write_expectation(
    path: str, recording: str, played: PlayResult, options: argparse.Namespace, masker: Masker
) -> None:
    from mcptap.play.send import expectation
    from mcptap.recording.reader import Reader

    with Reader(recording) as reader:
        items = [*reader.items(), *reader.unfinished()]
        start_us = reader.header.start_wall_us
    lines = expectation.written(items, played.exit, masker, start_us)
    expectation.save(path, b"".join(lines))
    _say(f"what came is expected in {path} now", options)


def _play(
    script: ClientScript,
    launch: Launch,
    options: argparse.Namespace,
    spare: str | None,
    masker: Masker | None,
) -> tuple[PlayResult, str | None]:
    """Play, and return what became of it with the path of its recording.

    A recording that nobody wants but the comparison lies in the folder `spare`; `masker`: for the transcript.
    """
    from mcptap.commands.sending.printer import Printer
    from mcptap.play.send.actions import Pace
    from mcptap.play.send.player import Listener, play
    from mcptap.play.server.recording import open_recording, unrecorded
    from mcptap.play.server.stop import stop_sequence

    printer = Printer(options.cut, options.quiet or options.format != TEXT, masker)
    target = spare if options.no_record else options.record
    file = None
    if options.no_record and spare is None:
        recorder = unrecorded(launch)
    else:
        name = options.name or (script.header.name if script.header is not None else None)
        recorder, file = open_recording(launch, target, "send", lambda trouble: _say(trouble, options), name)
        if not options.no_record:
            _say(f"recording to {file.path or 'nowhere'}", options)
    try:
        played = play(
            script,
            launch,
            recorder,
            Listener(printer.sent, printer.received),
            pace=Pace(options.pace),
            timeout_s=options.timeout,
            stop=stop_sequence(options.grace),
        )
    finally:
        recorder.close()
    printer.ended(played.exit)
    return played, None if file is None else file.path


def _say(sentence: str, options: argparse.Namespace) -> None:
    """Say something on stderr, unless the user wants to hear nothing."""
    if not options.quiet:
        tell(sentence)
