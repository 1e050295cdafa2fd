"""A manual page (roff) of a command, made of its parser."""

from __future__ import annotations

import re
from argparse import Action, ArgumentParser
from collections.abc import Iterator

from mcptap import __version__
from mcptap.commands import GROUPS, SUMMARIES
from mcptap.commands.manual.parsers import parser_of

_NAME = "mcptap"


def page_name(command: str) -> str:
    """What `man` calls the page of a command; of nothing: of mcptap itself."""
    return f"{_NAME}-{command}" if command else _NAME


def page(command: str) -> str:
    """The page of a command; of nothing: of mcptap itself."""
    return "\n".join(_command(command) if command else _overview()) + "\n"


def _head(command: str, summary: str) -> Iterator[str]:
    name = page_name(command)
    yield f'.TH {_text(name.upper())} 1 "" "mcptap {_text(__version__)}" "mcptap"'
    yield ".SH NAME"
    yield f"{_text(name)} \\- {_text(summary)}"


def _overview() -> Iterator[str]:
    yield from _head("", "a man in the middle on stdio that shows why an MCP server went silent")
    yield ".SH SYNOPSIS"
    yield _text("mcptap run [OPTIONS] -- COMMAND [ARGS…]")
    yield ".br"
    yield _text("mcptap COMMAND …")
    yield ".SH COMMANDS"
    for title, group in GROUPS.items():
        yield f".SS {_text(title)}"
        for name, summary in group.items():
            yield ".TP"
            yield f".B {_text(page_name(name))}(1)"
            yield _text(summary)


def _command(command: str) -> Iterator[str]:
    parser = parser_of(command)
    yield from _head(command, SUMMARIES[command])
    yield ".SH SYNOPSIS"
    for line in _usage(parser):
        yield _text(line)
        yield ".br"
    yield ".SH DESCRIPTION"
    yield from _prose(parser.description or "")
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help != "==SUPPRESS=="]
        if actions:
            yield f".SH {_text((group.title or 'options').upper())}"
            yield from _prose(group.description or "")
            for action in actions:
                yield from _option(parser, action)
    if parser.epilog:
        yield ".SH NOTES"
        yield from _prose(parser.epilog)
    if parser.examples:
        yield ".SH EXAMPLES"
    for line, what in parser.examples:
        yield ".TP"
        yield f".B {_text(line)}"
        yield _text(what)
    yield ".SH SEE ALSO"
    yield ".BR mcptap (1)"


def _usage(parser: ArgumentParser) -> list[str]:
    text = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return [part.strip() for part in re.split(r"(?<=\S) (?=mcptap )", text)]


def _option(parser: ArgumentParser, action: Action) -> Iterator[str]:
    name = str(action.metavar or action.dest.upper())
    value = parser._get_formatter()._format_args(action, name)
    heads = [f"{flag} {value}".strip() for flag in action.option_strings] or [name]
    yield ".TP"
    yield f".B {_text(', '.join(heads))}"
    yield _text(parser._get_formatter()._expand_help(action) if action.help else "")


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; lines that are indented stay as they are."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.split("\n")
        if not block.strip():
            continue
        yield ".PP"
        if any(line.startswith(" ") for line in lines):
            yield ".nf"
            yield from map(_text, lines)
            yield ".fi"
        else:
            yield _text(" ".join(lines))


def _text(text: str) -> str:
    """A text as roff has it: nothing in it is a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)
    return f"\\&{text}" if text.startswith(".") else text
