"""Secrets in configurations: told by their place alone, never by their value."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from mcptap.clients.configs.nodes import at
from mcptap.masking.masker import Masker
from mcptap.masking.names import YES, secrecy
from mcptap.setup.checks.variables import references, replaced
from mcptap.setup.doctor.check import INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect
from mcptap.setup.doctor.subject import ExaminedEntry, ExaminedFile, spelled
from mcptap.text.enumeration import listed
from mcptap.text.units import counted

Way = tuple[str | int, ...]


def in_arguments(one: ExaminedEntry) -> list[int]:
    """The indices of words of the server's command line that hold a secret as it is."""
    plain = _without_references(one, one.argv)
    masked = Masker().argv(plain)
    return [index for index, (word, own) in enumerate(zip(masked, plain, strict=True)) if word != own]


def elsewhere(one: ExaminedEntry) -> list[Way]:
    """The ways to secrets in the entry that stand as they are, outside of its command line."""
    plain = one.entry.node.value
    if not isinstance(plain, dict):
        return []
    command_line = {one.form.command, one.form.args}
    kept = {key: value for key, value in plain.items() if key not in command_line or isinstance(value, dict)}
    kept = _without_references(one, kept)
    return list(_differences(kept, Masker().value(kept), ()))


def _without_references(one: ExaminedEntry, value: Any) -> Any:
    """The value with the client's variables in a form that no masker takes for a secret."""
    fact = one.client.configuration.variables
    if fact.value is None:
        return value
    if isinstance(value, dict):
        return {key: _without_references(one, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_references(one, inner) for inner in value]
    return replaced(value, fact.value) if isinstance(value, str) else value


def _differences(plain: Any, masked: Any, way: Way) -> Iterator[Way]:
    if isinstance(plain, dict) and isinstance(masked, dict):
        for key, value in plain.items():
            yield from _differences(value, masked.get(key), (*way, key))
    elif isinstance(plain, list) and isinstance(masked, list) and len(plain) == len(masked):
        for index, value in enumerate(plain):
            yield from _differences(value, masked[index], (*way, index))
    elif plain != masked:
        yield way


def literal(one: ExaminedEntry) -> list[str]:
    """The places of all secrets of an entry that stand in it as they are."""
    places = [spelled(way) for way in elsewhere(one)]
    offset = len(one.entry.argv) - len(one.argv)
    for index in in_arguments(one):
        number = offset + index - 1
        places.append(one.form.command if number < 0 else f"{one.form.args}[{number}]")
    return places


@check("secret-in-arguments", WARNING, About.SERVER, "a secret in the arguments, which others can see")
def arguments(one: ExaminedEntry) -> Iterator[Said]:
    hits = in_arguments(one)
    words = one.words()
    seen = "every user of the machine can see the arguments of a running program, in the list of processes"
    remedy = f"Pass it in {one.form.env}, if the server can read it from a variable"
    if hits:
        yield Said(
            f"There is a secret in the arguments: {one.form.args}, {_words(len(hits))}",
            Effect(seen),
            remedy,
            at=words[hits[0]][0],
        )
        return
    fact = one.client.configuration.variables
    for node, word in words if fact.value is not None else ():
        assert fact.value is not None
        named = [name for _, name in references(word, fact.value) if secrecy(name) == YES]
        if named:
            yield Said(
                f"The value of {named[0]}, by its name a secret, becomes an argument",
                Effect(seen),
                remedy,
                at=node,
            )
            return


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


@check("secret-in-shared-file", WARNING, About.ENTRY, "a secret as it is in a file that others share")
def shared(one: ExaminedEntry) -> Iterator[Said]:
    tracked = not one.file.shared and one.machine.disk.is_tracked(one.file.path)
    places = literal(one) if one.file.shared or tracked else []
    if places:
        forms = one.client.configuration.variables.value
        form = (
            next((form for form in forms.forms if "NAME" in form and "secrets" not in form), "")
            if forms
            else ""
        )
        whose = "a repository of git follows" if tracked else "others share"
        use = f"Write {form} and set the variable" if form else "Set a variable"
        yield Said(
            f"{counted(len(places), 'secret')} in a file that {whose}: {listed(places)}",
            Effect(
                "whoever gets the repository gets them" if tracked else "whoever has the project has them"
            ),
            f"{use} on each machine, or put the entry into your own configuration; then change the secret",
            at=_first(one),
        )


@check("secret-hidden", INFO, About.ENTRY, "a secret in the entry, which mcptap does not show")
def hidden(one: ExaminedEntry) -> Iterator[Said]:
    ways = elsewhere(one)
    if ways:
        places = listed([spelled(way) for way in ways])
        yield Said(f"There is a secret in {places}; mcptap never shows it", at=at(one.entry.node, *ways[0]))


def _first(one: ExaminedEntry) -> Any:
    ways = elsewhere(one)
    return at(one.entry.node, *ways[0]) if ways else None


@check("file-open", WARNING, About.FILE, "other users of the machine can read a file with secrets in it")
def mode(file: ExaminedFile) -> Iterator[Said]:
    if file.shared or not any(literal(ExaminedEntry(file, entry)) for entry in file.entries):
        return
    others = file.machine.disk.open_to(file.path)
    if others:
        who = "other users" if others & 0o007 else "other users of its group"
        can = "read" if others & 0o044 else "reach"
        yield Said(
            f"There are secrets in the file, and {who} of the machine can {can} it",
            remedy=f"Take the permission away: chmod 600 {shlex.quote(str(file.path))}",
        )
