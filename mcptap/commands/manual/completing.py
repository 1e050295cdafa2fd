"""What may come next on a command line that is being typed, by the commands' own parsers."""

from __future__ import annotations

import os
import re
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterator

from mcptap.commands import SUMMARIES
from mcptap.commands.manual.parsers import parser_of
from mcptap.text.escape import visible

FILES, COMMANDS_TOO = ":files", ":commands"
"""Instead of a word: files are meant as well; commands of the system are."""

Words = Iterator[tuple[str, str]]
"""Words, each with what it means (or nothing)."""

MOST_RECORDINGS = 10
_PLAIN = re.compile(r"[\w.@/+][\w.@/+-]*", re.ASCII)
"""Names that are one word in every shell, and no option."""
_OF_MCPTAP = (
    ("help", "say more of a command"),
    ("--help", "list the commands"),
    ("--version", "show the version"),
)


def complete(words: list[str]) -> list[tuple[str, str]]:
    """What the last of these words, those behind `mcptap`, may become."""
    *before, begun = words or [""]
    if "--" in before:
        return [(COMMANDS_TOO if before[-1] == "--" else FILES, "")]
    if not before:
        return _beginning([*_commands(), *_OF_MCPTAP], begun)
    name, *given = before
    if name == "help":
        return _beginning(_commands(), begun)
    if name not in SUMMARIES:
        return []
    return _beginning(_next(parser_of(name), given, begun), begun)


def _commands() -> list[tuple[str, str]]:
    return list(SUMMARIES.items())


def _beginning(candidates: list[tuple[str, str]], begun: str) -> list[tuple[str, str]]:
    fitting = [
        (word, said) for word, said in candidates if word.startswith(begun) or word in (FILES, COMMANDS_TOO)
    ]
    return list(dict(fitting).items())


def _next(parser: ArgumentParser, given: list[str], begun: str) -> list[tuple[str, str]]:
    given = _without_equals(given)
    if begun == "=":
        return []
    actions = [action for action in parser._actions if action.help != "==SUPPRESS=="]
    by_flag = {flag: action for action in actions for flag in action.option_strings}
    waiting = by_flag.get(given[-1]) if given else None
    if waiting is not None and waiting.nargs != 0:
        return list(_values(waiting, parser))
    if begun.startswith("-"):
        return [*_flags(by_flag), ("--", "what stands behind it is the server's")]
    positional = [action for action in actions if not action.option_strings]
    taken = _positionals(given, by_flag)
    if not positional or (taken >= len(positional) and positional[-1].nargs not in ("*", "+")):
        return _flags(by_flag) if not positional else []
    return list(_values(positional[min(taken, len(positional) - 1)], parser))


def _flags(by_flag: dict[str, Action]) -> list[tuple[str, str]]:
    return [(flag, _said(action)) for flag, action in by_flag.items()]


def _without_equals(given: list[str]) -> list[str]:
    """Words as bash has them, with `=` as a word of its own, put into those that argparse reads."""
    return [word for word in given if word != "="]


def _positionals(given: list[str], by_flag: dict[str, Action]) -> int:
    """How many of these words are no option and no option's value."""
    count, skip = 0, False
    for word in given:
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            action = by_flag.get(word)
            skip = action is not None and action.nargs != 0
        else:
            count += 1
    return count


def _said(action: Action) -> str:
    """The first clause of an option's help."""
    text = " ".join((action.help or "").split())
    for end in (";", " (", ": "):
        text = text.partition(end)[0]
    return text if len(text) <= 60 else text[:59] + "…"


def _values(action: Action, parser: ArgumentParser) -> Words:
    if action.choices is not None:
        yield from ((str(choice), "") for choice in action.choices)
        return
    where = (parser.prog.removeprefix("mcptap "), action.option_strings[-1] if action.option_strings else "")
    kind = _KINDS.get(where) or _KINDS.get(("", where[1])) or _BY_METAVAR.get(str(action.metavar))
    if kind is not None:
        yield from kind()


def _files() -> Words:
    yield FILES, ""


def _recordings() -> Words:
    from mcptap.recording.library import reference, search

    for index in range(min(MOST_RECORDINGS, len(search().paths))):
        yield reference(index), "the newest recording" if not index else ""
    yield FILES, ""


def _servers() -> Words:
    from mcptap.recording.library import search

    recorded = (os.path.basename(os.path.dirname(path)) for path in search().paths)
    yield from ((visible(name), "") for name in sorted(set(recorded)))


def _configured_servers() -> Words:
    from mcptap.clients.configs.contents import entries_of
    from mcptap.clients.configs.find import config_files, surroundings

    around = surroundings()
    every = config_files(None, around.home, around.cwd, around.environ, around.platform)
    names = {entry.name for one in every if one.exists for entry in entries_of(one).entries}
    # A project's configuration may be a stranger's, and bash types names as they are.
    yield from ((name, "") for name in sorted(names) if _PLAIN.fullmatch(name))


def _servers_and_files() -> Words:
    yield from _servers()
    yield FILES, ""


def _clients() -> Words:
    from mcptap.clients.table import CLIENTS

    yield from ((client.id, client.name) for client in CLIENTS.values() if not client.is_library)


def _clients_and_all() -> Words:
    yield from _clients()
    yield "all", "every one, in a table"
    yield "list", "which there are"


def _rules() -> Words:
    import mcptap.diagnosis.rules  # noqa: F401 - registers them
    from mcptap.diagnosis.engine.registry import RULES

    yield from ((rule.id, "") for rule in RULES.values())


def _faults() -> Words:
    from mcptap.play.mock.faults import FAULTS

    yield from ((name, "") for name in FAULTS)


def _all_commands() -> Words:
    yield from _commands()


_KINDS: dict[tuple[str, str], Callable[[], Words]] = {
    ("ls", ""): _servers_and_files,
    ("rules", ""): _rules,
    ("man", ""): _all_commands,
    ("check", "--ignore"): _rules,
    ("check", "--only"): _rules,
    ("mock", "--fault"): _faults,
    ("prune", "--server"): _servers,
    ("wrap", ""): _configured_servers,
    ("unwrap", ""): _configured_servers,
    ("probe", "--server"): _configured_servers,
    ("probe", "--as"): _clients_and_all,
    ("", "--client"): _clients,
    ("", "--like"): _recordings,
    ("", "--config"): _files,
    ("", "--ignore"): _files,
}
"""Values by command and option (nothing for a positional argument; of any command), where they are known."""

_BY_METAVAR: dict[str, Callable[[], Words]] = {
    "FILE|latest": _recordings,
    "FILE": _recordings,
    "RECORDING": _recordings,
    "A": _recordings,
    "B": _recordings,
    "DIR": _files,
    "DIR|FILE": _files,
    "WHERE": _files,
    "PATH": _files,
    "FOLDER": _files,
    "CLIENT": _clients,
}
