"""The recording of a run that mcptap plays itself, in the same form as the tap's."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from mcptap.play.server.launch import Launch
from mcptap.recording.file import RecordingFile
from mcptap.recording.paths import recording_paths
from mcptap.recording.writer import Recorder
from mcptap.shim.launch import Launch as LaunchFacts


def open_recording(
    launch: Launch,
    target: str | None,
    played_by: str,
    tell: Callable[[str], None],
    name: str | None = None,
    probe: str = "",
) -> tuple[Recorder, RecordingFile]:
    """A recorder for a server that is about to be started, and its file.

    `target` is a file or a folder; None stands for the user's own folder of recordings.
    `played_by` is the command that plays the client (`"send"`), `probe` what a probe starts it for;
    `tell` is given sentences about trouble with the file. An existing file is never touched: a numbered
    sibling is used.
    """
    facts = launch_facts(launch, name or "")
    facts.parent, facts.probe = _player(played_by), probe
    candidates = [os.path.abspath(path) for path in recording_paths(target, facts.name, facts.wall_ns)]
    file = RecordingFile(candidates, facts.header, tell)
    return Recorder(facts.start_ns, file), file


def unrecorded(launch: Launch) -> Recorder:
    """A recorder without a file, for a run that is to leave none."""
    return Recorder(launch_facts(launch, "").start_ns, None)


def launch_facts(launch: Launch, name: str) -> LaunchFacts:
    """What the header says of a start: the server's own directory, environment and pipes."""
    environment = {os.fsencode(key): os.fsencode(value) for key, value in launch.environment.items()}
    program = launch.program
    argv = [os.fsencode(word) for word in launch.argv]
    found = None if program is None else os.fsencode(program)
    facts = LaunchFacts(argv, found, environment, name, secrets=launch.secrets)
    if launch.cwd is not None:
        facts.cwd = os.fsencode(os.path.abspath(launch.cwd))
    facts.stdio = ["pipe", "pipe", "pipe"]
    return facts


def _player(played_by: str) -> tuple[int, bytes, list[bytes]]:
    """The `parent`, which tells the client: this process, since it plays the client."""
    argv = [b"mcptap", *(word.encode(errors="backslashreplace") for word in sys.argv[1:])]
    return os.getpid(), f"mcptap {played_by}".encode(), argv
