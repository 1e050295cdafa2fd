"""Objects as Node prints them (`util.inspect`), over several lines of a log."""

from __future__ import annotations

import ast
import re

_WORD = re.compile(rb"^ {6}('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\\n]|\\.)*`),?$")
MOST_LINES = 1000
"""An object has no more lines."""


def arguments_of(lines: list[bytes]) -> list[str]:
    """The words of `args` in an object, given the lines that follow the entry which opens it."""
    words: list[str] = []
    inside = False
    for line in lines[:MOST_LINES]:
        line = line.removesuffix(b"\r")
        if not inside:
            if not line.startswith(b"  "):
                return []
            inside = line == b"    args: ["
        elif (word := _WORD.match(line)) is not None:
            words.append(_unquoted(word[1].decode(errors="replace")))
        else:
            break
    return words


def _unquoted(word: str) -> str:
    """A string as Node prints it, without its quotes and escapes."""
    try:
        return word[1:-1] if word[0] == "`" else str(ast.literal_eval(word))
    except (ValueError, SyntaxError):
        return word[1:-1]
