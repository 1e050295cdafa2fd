"""For each rule a session in which it speaks and a near miss in which it is quiet.

They stand in the text files beside this module, one file for each group of rules, and are
what `mcptap rules RULE` shows; the tests play them. A session is written as a transcript:

| line | meaning |
|-|-|
| `--> …`, `<-- …` | a line of the client, of the server |
| `err …` | a line on the server's stderr |
| `-~> …`, `<~- …` | the same with Python's escapes for bytes (`\\xff`), and no newline of its own |
| `@handshake REVISION SERVER CLIENT` | spawn and a good handshake, with what both sides declare |
| `@discover SERVER` | spawn and a good `server/discover` of 2026-07-28 |
| `@spawn` | the server is started and nothing else |
| `@tools TOOL …` | a good `tools/list` that gives these tools, each as JSON or by its name |
| `@described NAME CHARACTERS` | a good `tools/list` of one tool with a description that long |
| `@large ID BYTES` | a good answer to `tools/call` of so many bytes |
| `@wait SECONDS` | time that passes |
| `@launch {…}` | what the header of the recording says |
| `@eof CHANNEL`, `@exit CODE`, `@kill SIGNAL`, `@signal SIGNAL`, `@blocked CHANNEL SECONDS` | events |

What `@handshake` and `@discover` leave out is 2025-11-25, `{"tools":{}}` for the server and `{}` for
the client. A session that names no end has the usual one: the client closes, the server exits with 0.
`@live` says that it goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SUFFIX = ".txt"

_WORDS = {
    "@handshake": "a good handshake",
    "@discover": "a good server/discover of 2026-07-28",
    "@spawn": "the server is started",
    "@tools": "a good tools/list of",
    "@described": "a good tools/list of a tool, with a description of so many characters:",
    "@large": "a good answer, of id and bytes:",
    "@wait": "so many seconds later:",
    "@launch": "started with",
    "@eof": "end of",
    "@exit": "the server exits with",
    "@kill": "the server dies by",
    "@signal": "the tap receives",
    "@blocked": "the receiver does not read, for so many seconds:",
    "@live": "and so on",
}


@dataclass(frozen=True, slots=True)
class Example:
    """Two sessions, line by line."""

    bad: tuple[str, ...]
    good: tuple[str, ...]


@cache
def examples() -> dict[str, Example]:
    """All examples by rule."""
    found: dict[str, Example] = {}
    for file in files(__name__).iterdir():
        if file.name.endswith(SUFFIX):
            found.update(parse(file.read_text(encoding="utf-8")))
    return found


def parse(text: str) -> dict[str, Example]:
    """Examples of one file: `## RULE`, then the lines below `bad:` and below `good:`."""
    found: dict[str, Example] = {}
    for block in ("\n" + text).split("\n## ")[1:]:
        rule, _, rest = block.partition("\n")
        bad, _, good = rest.partition("\ngood:\n")
        found[rule.strip()] = Example(_lines(bad.removeprefix("bad:\n")), _lines(good))
    return found


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.splitlines() if line.strip())


def in_words(line: str) -> str:
    """A line of an example as it is shown to people: what begins with `@` is told in words."""
    word, _, rest = line.partition(" ")
    return f"    ({_WORDS[word]}{' ' if rest else ''}{rest})" if word in _WORDS else line
