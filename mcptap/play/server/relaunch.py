"""How to start a server again: the recorded command, directory and environment, as far as they are known."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace

from mcptap.captures.open import open_source
from mcptap.errors import UserError
from mcptap.play.server.launch import Launch
from mcptap.play.server.secrets import MaskedValue, Template
from mcptap.play.server.shipped import shipped
from mcptap.recording.format.model import Header, as_list, as_object, as_text
from mcptap.recording.made_here import was_made_here


@dataclass(frozen=True, slots=True)
class Relaunch:
    """A launch, and what to tell the user about it before it starts."""

    launch: Launch
    sentences: list[str] = field(default_factory=list)
    is_strange: bool = False
    """Whether command, directory or environment come from a recording that was not made here."""
    template: Template | None = None

    @property
    def needed(self) -> list[MaskedValue]:
        """Secrets of the command that the recording lacks; the launch has masks in their place."""
        return [] if self.template is None else self.template.needed()

    def with_secrets(self, values: Mapping[str, str]) -> Launch:
        """The launch with these values, by their masks."""
        if self.template is None:
            return self.launch
        return replace(self.launch, argv=self.template.filled(values), secrets=tuple(values.values()))


def relaunch(
    header: Header | None,
    command: list[str],
    cwd: str | None,
    here: Mapping[str, str],
    *,
    alike: bool = False,
    recording: str | None = None,
) -> Relaunch:
    """The launch for a command given by the user, else for the recorded one.

    A command of the user's runs as if they had started it, or if `alike`, in the recorded
    directory and environment. A mask in it stands for the secret of the recorded command.
    `cwd` goes before any other directory, and `here` is our own
    environment. `recording` is the file, beside which the server may be shipped. Raises UserError if there
    is no command, or no such directory.
    """
    template = Template(header, command)
    argv = template.filled({})
    if command and not (alike and header is not None):
        is_strange = bool(template.values) and not (header is not None and was_made_here(header))
        return Relaunch(Launch(argv, cwd), is_strange=is_strange, template=template)
    if header is None:
        raise UserError("plain lines say nothing of a server; give its command behind --")
    if not argv:
        raise UserError("the recording does not say how the server was started; give its command behind --")
    folder: str | None = header.cwd
    beside = None
    if recording is not None and not command and cwd is None:
        beside = shipped(header, argv, recording)
    if beside is not None:
        argv, folder = list(beside.argv), beside.cwd
        template.replace_words(argv)
    elif cwd is None and header.cwd and not os.path.isdir(header.cwd):
        raise UserError(
            f"the recorded working directory {header.cwd} does not exist here; name another with --cwd, "
            "or give a command behind --"
        )
    environment, unknown = recorded_environment(header, here)
    launch = Launch(argv, cwd or folder or None, environment)
    sentences = []
    if beside is not None:
        sentences.append(
            f"what the recording starts is not here; {beside.folder}, beside it, takes its place"
        )
    sentences += [
        f"starting {shlex.join(launch.shown)} in {launch.cwd or 'the current directory'}"
        + ("" if environment is None else f", with the recorded environment ({len(environment)} variables)")
    ]
    if unknown:
        sentences.append(
            f"the recording holds no value of {', '.join(unknown)}, and neither does this environment: "
            "they are not set for the server"
        )
    uses_header = (
        not command or bool(template.values) or environment is not None or (cwd is None and bool(header.cwd))
    )
    is_strange = beside is not None or (uses_header and not was_made_here(header))
    return Relaunch(launch, sentences, is_strange, template)


def read_header(recording: str) -> Header:
    """The header of a recording or capture: how its server was started. Raises UserError."""
    with closing(open_source(recording)) as source:
        next(source.items(), None)  # only then a log has told the command
        return source.header


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
