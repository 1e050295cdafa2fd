"""Whether entries stand where the client looks for them, and have the form that it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcptap.clients.configs.contents import Trouble, key_of_others, looks_like_entry, steps_of
from mcptap.clients.configs.entry import Obstacle, Shape
from mcptap.clients.configs.nodes import Kind, Node, at, member
from mcptap.clients.configuration import Transport
from mcptap.setup.doctor.check import ERROR, INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect, Fix, does
from mcptap.setup.doctor.subject import ExaminedEntry, ExaminedFile, spelled
from mcptap.setup.edits import Edit
from mcptap.text.enumeration import listed

_KINDS = {"number": "a number", "boolean": "true or false", "array": "an array", "object": "an object"}


@check("wrong-key", ERROR, About.FILE, "the servers stand under the key of another client")
def wrong_key(file: ExaminedFile) -> Iterator[Said]:
    own = file.client.configuration.servers_at.value or ()
    root, name = file.root, file.client.name
    if root is None or not own:
        return
    effect = does(file.client, file.client.habits.other_key, "such a file")
    key = key_of_others(root, own)
    place = member(root, steps_of(key)[0]) if key else None
    others = [r for r in file.readers if key in (r.configuration.servers_at.value or ())]
    if not any(problem.trouble is Trouble.WRONG_KEY for problem in file.contents.problems):
        if key and not others:
            yield Said(
                f"Servers stand under {key} too, and {name} looks for them under {own[0]}",
                Effect(f"{name} is not known to look there"),
                f"Move them to {own[0]}",
                at=place,
                level=WARNING,
            )
        return
    if place is None:
        yield Said(
            f"The servers stand in the file itself; {name} looks for them under {own[0]}",
            effect,
            f"Put them into an object under {own[0]}",
            at=root,
        )
        return
    meant = f", as {listed([r.name for r in others])} does, which reads this file too" if others else ""
    here = any(one.on(file.machine.platform) for r in others for one in r.configuration.files.value or ())
    simple = len(steps_of(own[0])) == 1 and len(steps_of(key)) == 1 and file.is_json and not others
    new = json.dumps(steps_of(own[0])[0]).encode()
    yield Said(
        f"The servers stand under {key}{meant}; {name} looks for them under {own[0]}",
        effect,
        f"Call the key {own[0]}"
        + (f", unless the file is meant for {listed([r.name for r in others])}" if others else ""),
        at=place,
        level=None if not others or file.chosen else INFO if here else WARNING,
        fix=Fix(f"calls the key {own[0]}", (Edit(place.key_start, place.key_end, new),)) if simple else None,
    )


@check("newer-setting", ERROR, About.FILE, "a setting that only newer versions of the client take")
def newer_setting(file: ExaminedFile) -> Iterator[Said]:
    fact, client = file.client.habits.newer_settings, file.client
    for key in fact.value or ():
        *before, last = steps_of(key)
        place = member(at(file.root, *before), last)
        if place is not None and place.value.kind is not Kind.OBJECT:
            yield Said(
                f"{key} is a setting of a newer version of {client.name}",
                Effect(f"{client.name} {client.version} {fact.note}", fact),
                f"Leave it out, unless your {client.name} is newer",
                at=place,
            )


@check("old-place", WARNING, About.FILE, "the servers stand where older versions of the client looked")
def old_place(file: ExaminedFile) -> Iterator[Said]:
    keys = [steps_of(key) for key in file.client.habits.old_places.value or ()]
    old = [entry for entry in file.entries if entry.where[:-1] in keys]
    if (old or _is_older(file)) and file.entries:
        yield Said(
            f"This is where older versions of {file.client.name} look for servers",
            Effect(f"newer versions of {file.client.name} have another place for them"),
            "Move the entries to the newer place: mcptap clients names it",
            at=old[0].node if old else None,
        )


def _is_older(file: ExaminedFile) -> bool:
    """Whether it lies where older versions have it, by its last folders too."""
    found = file.contents.found
    return all(one.older for one in found.files) and any(map(found.lies_as, found.files))


@check("entry-unusable", ERROR, About.ENTRY, "the client can't use the entry as it stands", if_disabled=True)
def unusable(one: ExaminedEntry) -> Iterator[Said]:
    entry, client = one.entry, one.client
    if not entry.obstacle or entry.obstacle in (Obstacle.REPEATED, Obstacle.REFERENCE):
        return
    undecided = entry.obstacle is Obstacle.BOTH and one.form.has_type
    effect = does(client, client.habits.bad_entry, "such an entry")
    if entry.obstacle is Obstacle.CHARACTERS:
        effect = Effect(f"what {client.name} makes of it is not known")
    yield Said(
        f"The entry can't be used: {entry.problem}",
        Effect(f"which of the two {client.name} takes is not known") if undecided else effect,
        _remedy(one),
        at=_place(one),
        level=WARNING if undecided else None,
        fix=_repaired(one),
    )


def _place(one: ExaminedEntry) -> Node | None:
    if one.entry.obstacle is Obstacle.ARGUMENTS:
        return one.entry.args_node
    return one.entry.command_node if one.entry.obstacle is Obstacle.COMMAND else None


def _remedy(one: ExaminedEntry) -> str:
    form = one.form
    inner = [m for m in one.entry.node.members if looks_like_entry(m.value)]
    if inner:
        alone = len(inner) == len(one.entry.node.members)
        return f"Move {'the entries in it' if alone else f'what stands in {inner[0].key}'} one level up"
    if one.entry.obstacle is Obstacle.CHARACTERS:
        return "Write another character there, or leave it out"
    if one.entry.obstacle is Obstacle.NO_COMMAND:
        return f"Give the entry {form.command}, or {listed(list(form.url), last='or')} for a remote server"
    if one.entry.obstacle is Obstacle.BOTH:
        return f"Leave either {form.command} or {listed(list(form.url), last='or')}"
    if one.entry.obstacle in (Obstacle.TYPE, Obstacle.NO_TYPE):
        return f"Give it the type {listed([f'`{known}`' for known in form.stdio_types], last='or')}"
    if one.entry.obstacle is Obstacle.COMMAND:
        array = one.client.arguments.value is not None and one.client.arguments.value.array
        wanted = "one array of the program and its arguments" if array else "the program alone, as a string"
        return f"Make {form.command} {wanted}"
    return f"Make {form.args} an array of strings" if one.entry.obstacle is Obstacle.ARGUMENTS else ""


def _repaired(one: ExaminedEntry) -> Fix | None:
    """The repair, where there is but one: a program without spaces put into an array, or taken out of it."""
    entry, node, document = one.entry, one.entry.command_node, one.file.document
    if document is None or not one.file.is_json:
        return None
    if entry.obstacle is Obstacle.ARGUMENTS and entry.args_node is not None:
        args = entry.args_node
        if args.kind is Kind.STRING and len(str(args.value).split()) == 1:
            spelled_args = document.data[args.start : args.end]
            return Fix(
                f"puts {entry.args_key} into an array", (_edit(args, b"[" + spelled_args + b"]"),), True
            )
    if entry.obstacle is not Obstacle.COMMAND or node is None or node.start < 0:
        return None
    text = document.data[node.start : node.end]
    array = one.client.arguments.value is not None and one.client.arguments.value.array
    one_word = node.kind is Kind.STRING and len(str(node.value).split()) == 1
    if array and one_word and one.member(entry.args_key) is None:
        return Fix("puts the command into an array", (_edit(node, b"[" + text + b"]"),))
    items = list(node.items)
    if not array and items and entry.args_node is None and all(i.kind is Kind.STRING for i in items):
        program, *rest = (document.data[item.start : item.end] for item in items)
        moved = b", " + json.dumps(entry.args_key).encode() + b": [" + b", ".join(rest) + b"]"
        words = "makes the first item the command, and the others the arguments"
        return Fix(words, (_edit(node, program + moved),), hidden=True)
    return None


def _edit(node: Node, new: bytes) -> Edit:
    return Edit(node.start, node.end, new)


@check("url-without-type", ERROR, About.ENTRY, "a URL without the type that the client needs with it")
def url_without_type(one: ExaminedEntry) -> Iterator[Said]:
    known = one.client.habits.url_without_type
    if not known.known or one.member("type") is not None or one.member(one.form.command) is not None:
        return
    for key in one.form.url:
        place = one.member(key)
        if place is not None:
            yield Said(
                f"There is {key} without a type",
                does(one.client, known, "it"),
                f"Add the type: {' or '.join(one.form.remote_types)}, whichever the server speaks",
                at=place,
            )


@check("env-value", ERROR, About.ENTRY, "a variable whose value is of a kind that the client does not take")
def env_value(one: ExaminedEntry) -> Iterator[Said]:
    takes, env = one.client.habits.env_takes, one.entry.env_node
    if takes.value is None or env is None:
        return
    if env.kind is not Kind.OBJECT:
        yield Said(
            f"{one.form.env} is no object",
            does(one.client, one.client.habits.bad_entry, "such an entry"),
            f"Make {one.form.env} an object of names and values",
            at=env,
        )
        return
    for variable in env.members:
        value = variable.value
        kind = "boolean" if value.kind in (Kind.TRUE, Kind.FALSE) else value.kind.value
        if kind in takes.value:
            continue
        scalar = value.kind in (Kind.NUMBER, Kind.TRUE, Kind.FALSE)
        yield Said(
            f"The value of {one.form.env}.{variable.key} is {_KINDS.get(kind, kind)}, and no string",
            does(one.client, one.client.habits.bad_entry, "such an entry"),
            "Put the value into double quotes" if scalar else "Give it a string for its value",
            at=value,
            fix=_quoted(one, value) if scalar else None,
        )


def _quoted(one: ExaminedEntry, value: Node) -> Fix | None:
    if not one.file.is_json or one.file.document is None:
        return None
    text = one.file.document.data[value.start : value.end]
    return Fix("puts the value into quotes", (_edit(value, b'"' + text + b'"'),), hidden=True)


@check("old-form", INFO, About.ENTRY, "the entry has an older form, or an older key")
def old_form(one: ExaminedEntry) -> Iterator[Said]:
    if one.entry.shape is Shape.PROGRAM:
        yield Said(
            f"The entry has the old form, in which {one.form.command} is an object",
            remedy=f"{one.client.name} is said to read it still; nothing has to be done",
        )
    for old, new in (one.client.habits.old_keys.value or {}).items():
        place = one.member(old)
        if place is not None:
            yield Said(f"{old} is the older spelling of {new}", remedy=f"Prefer {new}", at=place)


@check("key-ignored", WARNING, About.SERVER, "a key of other clients that this one does not use")
def ignored(one: ExaminedEntry) -> Iterator[Said]:
    fact, name = one.client.habits.ignored_keys, one.client.name
    for key, own in (fact.value or {}).items():
        place = one.member(key)
        if place is not None and place.value.value:
            yield Said(
                f"{key} is no key of {name}",
                Effect(f"{name} takes no notice of it", fact),
                f"Write it as {name} has it, in {own}" if own else "Leave it out; it has no effect here",
                at=place,
            )


@check("url-key", INFO, About.ENTRY, "a remote server's URL, and what this client makes of it")
def url_key(one: ExaminedEntry) -> Iterator[Said]:
    if not one.entry.transport.is_remote:
        return
    for key, kind in one.form.url.items():
        place = one.member(key)
        if place is None:
            continue
        if key != "url":
            yield Said(f"{key} is a key of {one.client.name}; most other clients expect url", at=place)
        elif kind is Transport.SSE and one.member("type") is None:
            fact = one.client.configuration.form
            yield Said("A url without a type means sse here", Effect("", fact), at=place)


@check("no-arguments", ERROR, About.SERVER, "there is no key for arguments, which some clients need")
def no_arguments(one: ExaminedEntry) -> Iterator[Said]:
    array = one.client.arguments.value is not None and one.client.arguments.value.array
    if one.entry.args_node is None and not array and one.file.root is not None:
        where = spelled(one.entry.where)
        if one.form.needs_args:
            fact = one.client.configuration.form
            yield Said(
                f"{where} has no {one.entry.args_key}, which {one.client.name} needs",
                Effect(f"{one.client.name} can't read the entry", fact),
                f"Add {one.entry.args_key}, be it an empty list",
                level=ERROR,
            )
            return
        yield Said(
            f"{where} has no {one.entry.args_key}: mcptap wrap adds it, and unwrap takes it away again",
            level=INFO,
        )
