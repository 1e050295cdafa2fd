"""The entry of a server as a client's configuration has it, for the user to put there: nothing is written."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import steps_of
from mcptap.clients.configuration import ConfigFile, Syntax
from mcptap.clients.table import CLIENTS


def snippets(name: str, words: Sequence[str], only: Client | None = None) -> Iterator[str]:
    """How the entry looks, and into which file of which client it goes, for each of which enough is known."""
    alike: dict[str, list[Client]] = {}
    for client in CLIENTS.values() if only is None else (only,):
        if _places(client):
            alike.setdefault(snippet(client, name, words), []).append(client)
    for made, clients in alike.items():
        if made:
            places = [f"{client.name}: {_places(client)}" for client in clients]
            yield "\n".join([*places, "", *(f"  {line}" for line in made.split("\n"))])


def snippet(client: Client, name: str, words: Sequence[str]) -> str:
    """A server's entry with all that stands around it, in the client's syntax; empty if that is not known."""
    known = client.configuration
    plain = [key for key in known.servers_at.value or () if "*" not in key]
    syntax, form = known.syntax.value, known.form.value
    if not plain or syntax is None or form is None:
        return ""
    # Of several the last: the others are newer names that not every version takes.
    steps = [str(step) for step in steps_of(plain[-1])]
    entry = _entry(client, name, words)
    if syntax is Syntax.TOML:
        members = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
        return "\n".join([f"[{'.'.join([*steps, name])}]", *members])
    value: Any = [entry] if form.named_list else {name: entry}
    for step in reversed(steps):
        value = {step: value}
    return "\n".join(_yaml(value) if syntax is Syntax.YAML else _json(value))


def _entry(client: Client, name: str, words: Sequence[str]) -> Mapping[str, Any]:
    """The members of an entry for a server on stdio."""
    known = client.configuration
    form, arguments = known.form.value, client.arguments.value
    assert form is not None
    entry: dict[str, Any] = {}
    if form.named_list or "name" in (known.entry.value or ()):
        entry["name"] = name
    if form.needs_type:
        entry["type"] = form.stdio_types[0]
    if arguments is not None and arguments.array:
        entry[form.command] = [*words]
    else:
        entry[form.command] = words[0]
        entry[form.args] = [*words[1:]]
    if form.needs_type and form.enabled:
        entry[form.enabled] = True
    return entry


def _places(client: Client) -> str:
    """The files for it: the user's, and the one of a project; empty if the client is not for this system."""
    said: dict[str, str] = {}
    for file in client.configuration.files.value or ():
        if _is_for_people(file) and set(file.at) <= set(client.configuration.servers_at.value or ()):
            said.setdefault(file.scope, f"{file.on(sys.platform)} ({file.scope})")
    return ", ".join(said.values())


def _is_for_people(file: ConfigFile) -> bool:
    """Whether a user puts servers into this file: no system's, no other client's, none of old versions."""
    path = file.on(sys.platform)
    if not path or file.borrowed or file.older or any("*" in key for key in file.at):
        return False
    return file.shared or path.startswith(("~", "%"))


def _json(value: Mapping[str, Any], level: int = 0) -> Iterator[str]:
    """An object in JSON as people write it: an array of words on one line."""
    yield "{"
    for place, (key, inner) in enumerate(value.items(), 1):
        comma = "," if place < len(value) else ""
        *lines, last = _json(inner, level + 1) if isinstance(inner, dict) else [json.dumps(inner)]
        first, *others = [*lines, last + comma]
        yield f"{'  ' * (level + 1)}{json.dumps(key)}: {first}"
        yield from others
    yield f"{'  ' * level}}}"


def _yaml(value: Mapping[str, Any], level: int = 0) -> Iterator[str]:
    """An object in YAML: its scalars and arrays are those of JSON, which YAML reads as well."""
    space = "  " * level
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield f"{space}{key}:"
            yield from _yaml(inner, level + 1)
        elif inner and isinstance(inner, list) and isinstance(inner[0], dict):
            yield f"{space}{key}:"
            for item in inner:
                first, *others = _yaml(item, level + 2)
                yield f"{space}  - {first.lstrip()}"
                yield from others
        else:
            yield f"{space}{key}: {json.dumps(inner)}"
