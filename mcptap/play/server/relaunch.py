"""How to start a server again: the recorded command, directory and environment, as far as they are known."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from mcptap.errors import UserError
from mcptap.masking.masker import Masker
from mcptap.play.server.launch import Launch
from mcptap.recording.format.model import Header, as_list, as_object, as_text
from mcptap.recording.made_here import was_made_here
from mcptap.recording.reader import Reader


@dataclass(frozen=True, slots=True)
class Relaunch:
    """A launch, and what to tell the user about it before it starts."""

    launch: Launch
    sentences: list[str] = field(default_factory=list)
    is_strange: bool = False
    """Whether command, directory or environment come from a recording that was not made here."""


def relaunch(
    header: Header | None,
    command: list[str],
    cwd: str | None,
    here: Mapping[str, str],
    *,
    alike: bool = False,
) -> Relaunch:
    """The launch for a command given by the user, else for the recorded one.

    A command of the user's runs as if they had started it, or if `alike`, in the recorded
    directory and environment. `cwd` goes before any other directory, and `here` is our own
    environment. Raises UserError if there is no command, or no such directory.
    """
    if command and not (alike and header is not None):
        return Relaunch(Launch(command, cwd))
    if header is None:
        raise UserError("plain lines say nothing of a server; give its command behind --")
    argv = command or header.argv
    if not argv:
        raise UserError("the recording does not say how the server was started; give its command behind --")
    if cwd is None and header.cwd and not os.path.isdir(header.cwd):
        raise UserError(
            f"the recorded working directory {header.cwd} does not exist here; name another with --cwd, "
            "or give a command behind --"
        )
    environment, unknown = recorded_environment(header, here)
    launch = Launch(argv, cwd or header.cwd or None, environment)
    sentences = [
        f"starting {shlex.join(Masker().argv(argv))} in {launch.cwd or 'the current directory'}"
        + ("" if environment is None else f", with the recorded environment ({len(environment)} variables)")
    ]
    if unknown:
        sentences.append(
            f"the recording holds no value of {', '.join(unknown)}, and neither does this environment: "
            "they are not set for the server"
        )
    uses_header = not command or environment is not None or (cwd is None and bool(header.cwd))
    return Relaunch(launch, sentences, uses_header and not was_made_here(header))


def read_header(recording: str) -> Header:
    """The header of a recording: how its server was started. Raises UserError."""
    with Reader(recording) as reader:
        return reader.header


def recorded_environment(header: Header, here: Mapping[str, str]) -> tuple[dict[str, str] | None, list[str]]:
    """The recorded environment, and the names whose values nobody knows.

    A recording has the names of all variables, and few values, since they may be secrets: a
    value that it lacks is taken from `here`. None if it has no names: then ours is used as it is.
    """
    names = [as_text(name) for name in as_list(header.environment.get("names"))]
    if not names:
        return None, []
    values = as_object(header.environment.get("values"))
    unfilled = as_object(header.environment.get("placeholders"))
    environment: dict[str, str] = {}
    unknown: list[str] = []
    for name in names:
        if name in values:
            environment[name] = as_text(values[name])
        elif name in unfilled:
            environment[name] = as_text(unfilled[name])
        elif name in here:
            environment[name] = here[name]
        else:
            unknown.append(name)
    return environment, sorted(unknown)
