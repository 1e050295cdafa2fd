"""Variables in the texts of an entry: which are set, and what the client does with those that are not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from mcptap.clients.configs.nodes import Node, at
from mcptap.clients.configuration import Unset, Variables
from mcptap.setup.doctor.check import ERROR, INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect, Fix
from mcptap.setup.doctor.subject import ExaminedEntry, spelled
from mcptap.setup.edits import Edit
from mcptap.text.enumeration import listed

_EMPTY_DEFAULT = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*):-\}")
_INPUT = re.compile(r"\$\{input:([^}]+)\}")


@cache
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str] | None:
    """What finds a variable of the environment without a default, in the forms that have a name in them."""
    spelled_out = [
        re.escape(form).replace("NAME", r"([A-Za-z_][A-Za-z0-9_]*)")
        for form in forms
        if "NAME" in form and "secrets" not in form and "default" not in form
    ]
    # The longer form first: `${NAME}` begins as `$NAME` does.
    return re.compile("|".join(sorted(spelled_out, key=len, reverse=True))) if spelled_out else None


def references(text: str, variables: Variables) -> Iterator[tuple[int, str]]:
    """The variables of the environment in a text that have no default: where they stand, and their names."""
    pattern = _pattern(variables.forms)
    for found in pattern.finditer(text) if pattern is not None else ():
        yield found.start(), next(name for name in found.groups() if name)


def replaced(text: str, variables: Variables) -> str:
    """The text with those variables, and those with an empty default, as `${NAME}`."""
    text = _EMPTY_DEFAULT.sub(r"${\1}", text)
    pattern = _pattern(variables.forms)
    if pattern is None:
        return text
    return pattern.sub(lambda found: "${" + next(name for name in found.groups() if name) + "}", text)


def _unset(one: ExaminedEntry, name: str) -> bool:
    names = one.machine.environ
    if one.machine.is_windows:
        return name.upper() not in {known.upper() for known in names}
    return name not in names


@check("variable-unset", WARNING, About.ENTRY, "a variable that is not set here, and has no default")
def unset(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.configuration.variables
    if fact.value is None:
        return
    for_server = one.client.habits.server_variables.value or ()
    told: set[str] = set()
    for way, node, text in one.strings():
        for _, name in references(text, fact.value):
            if name in told or name in for_server or not _unset(one, name):
                continue
            told.add(name)
            in_env = way[:1] == (one.form.env,) and fact.value.unset_in_env is not None
            becomes = fact.value.unset_in_env if in_env else fact.value.unset
            yield Said(
                f"{spelled(way)} uses the variable {name}, which is not set here, and gives no default",
                _becomes(one, name, becomes),
                f"Set {name} where {one.client.name} is started{_default(one, name)}",
                at=node,
                level=None if becomes is Unset.TEXT else INFO,
            )


def _default(one: ExaminedEntry, name: str) -> str:
    forms = one.client.configuration.variables.value
    has = forms is not None and any("default" in form for form in forms.forms)
    return f", or give it a default: ${{{name}:-…}}" if has else ""


def _becomes(one: ExaminedEntry, name: str, becomes: Unset | None) -> Effect:
    client, fact = one.client, one.client.configuration.variables
    if becomes is None:
        return Effect(f"what {client.name} puts in its place is not known")
    if becomes is Unset.TEXT:
        return Effect(f"if {name} is not set for {client.name} either, it stays as text", fact)
    words = "it becomes empty" if becomes is Unset.EMPTY else f"{client.name} asks for it"
    return Effect(f"if {name} is not set for {client.name} either, {words}", fact)


@check("variable-of-server", ERROR, About.ENTRY, "a variable that the client sets for the server alone")
def of_server(one: ExaminedEntry) -> Iterator[Said]:
    fact, habit = one.client.configuration.variables, one.client.habits.server_variables
    if fact.value is None or habit.value is None or _is_set_by_others(one):
        return
    for way, node, text in one.strings():
        found = [(start, name) for start, name in references(text, fact.value) if name in habit.value]
        if found:
            name = found[0][1]
            yield Said(
                f"{spelled(way)} uses {name}, which {one.client.name} sets for the server, and does not have "
                "itself when it reads the file",
                Effect(f"{one.client.name} leaves ${{{name}}} as text", fact),
                f"Write ${{{name}:-.}}, or let the server read {name} from its environment",
                at=node,
                fix=_with_default(one, node, text, found),
            )


def _is_set_by_others(one: ExaminedEntry) -> bool:
    """Whether the variables are set here by somebody else than the client, so that it has them too."""
    names = one.client.habits.server_variables.value or ()
    marks = one.client.environment.value.adds if one.client.environment.value else None
    fixed = {name: value for name, value in (marks or {}).items() if "{" not in value and name not in names}
    environ = one.machine.environ
    return all(name in environ for name in names[:1]) and not all(
        environ.get(name) == value for name, value in fixed.items()
    )


def _with_default(one: ExaminedEntry, node: Node, text: str, found: list[tuple[int, str]]) -> Fix | None:
    """`:-.` behind the names, where the text is spelled as it is meant."""
    document = one.file.document
    if document is None or node.start < 0 or not all(name.endswith("_DIR") for _, name in found):
        return None
    if document.data[node.start : node.end] != json.dumps(text, ensure_ascii=False).encode():
        return None
    edits = []
    for start, name in found:
        place = node.start + len(json.dumps(text[:start], ensure_ascii=False).encode()) - 1
        place += len(f"${{{name}".encode())
        if document.data[place : place + 1] != b"}":
            return None
        edits.append(Edit(place, place, b":-."))
    return Fix("gives the variable the default .", tuple(edits))


@check("variable-not-expanded", WARNING, About.SERVER, "a variable in a form that the client does not expand")
def not_expanded(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.configuration.variables
    if fact.value is None:
        return
    known = fact.value
    foreign = ("${NAME}", "${env:NAME}", "{env:NAME}") if not known.forms else ()
    never = [form for form in (*known.never, *foreign) if "NAME" in form]
    pattern = _pattern(tuple(never))
    own = _pattern(tuple(form for form in known.forms if "NAME" in form))
    for node, word in one.words():
        if pattern is None:
            return
        kept = own.sub("", word) if own is not None else word
        found = pattern.search(re.sub(r"\$\{[^}]*\}", "", kept) if known.forms else kept)
        if found is not None:
            yield Said(
                f"{found[0]} is no form of a variable that {one.client.name} knows",
                Effect(
                    f"{one.client.name} leaves it as text, and starts no shell that would expand it", fact
                ),
                f"Write {listed(list(known.forms), last='or')}"
                if known.forms
                else "Write the value itself, or let the server read the variable from its environment",
                at=node,
            )


@check("input", WARNING, About.ENTRY, "an input that the client asks for: whether the file defines it")
def inputs(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.configuration.variables
    if fact.value is None or not any("input" in form for form in fact.value.forms):
        return
    listed_inputs = at(one.file.root, "inputs")
    known = {value.get("id") for value in (listed_inputs.value if listed_inputs else []) if _is_dict(value)}
    told: set[str] = set()
    for way, node, text in one.strings():
        for name in _INPUT.findall(text):
            if name in told:
                continue
            told.add(name)
            if name in known:
                yield Said(
                    f"The input {name} is defined; {one.client.name} asks for it once", at=node, level=INFO
                )
            else:
                yield Said(
                    f"{spelled(way)} uses the input {name}, which the file does not define",
                    Effect(f"what {one.client.name} does with it is not known"),
                    "Define it under inputs, with its id",
                    at=node,
                )


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


@check("variable-dropped", WARNING, About.SERVER, "a variable that the client does not hand on")
def dropped(one: ExaminedEntry) -> Iterator[Said]:
    fact, env = one.client.habits.dropped_variables, one.entry.env_node
    if fact.value is None or env is None:
        return
    hit = [member for member in env.members if member.key.upper() in fact.value]
    for member in hit:
        yield Said(
            f"{one.client.name} does not hand on {member.key}",
            Effect(f"the server gets {one.client.name}'s own {member.key}, if it has one", fact),
            f"Leave {member.key} out, or set it in a small script that starts the server",
            at=member,
        )
    if not hit:
        yield Said(
            f"{one.client.name} drops {listed(list(fact.value))} and others of that kind from {one.form.env}",
            Effect("none of them stands here", fact),
            at=env,
            level=INFO,
        )


@check("environment-short", INFO, About.SERVER, "the client hands on few variables")
def short(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.environment
    if fact.value is not None and fact.value.only is not None and len(fact.value.only) <= 3:
        names = listed(list(fact.value.only))
        few = f"few variables ({fact.note})" if fact.note else f"{names} alone"
        yield Said(
            f"Of its environment {one.client.name} hands on {few}",
            Effect("what else the server, or mcptap, is to have must stand in the entry", fact),
        )
