"""A case: a short session, which rules speak about it, and which are quiet. `README.md` has the format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from mcptap.captures.formats.steps import StepError, evidence_of
from mcptap.diagnosis.engine.finding import Level
from mcptap.errors import UserError
from mcptap.protocol.expectations.expectation import Expectation, expectation

SUFFIX = ".txt"
EVERYTHING = "known: everything"
OTHERS = "*"
"""In place of a rule that is quiet: no other rule says anything above info."""

_SPEAKS = re.compile(r"(error|warning|info) ([a-z0-9-]+)(?: at (\d+(?: \d+)*))?(?:: (.+))?")
_RULES = re.compile(r"(\*|[a-z0-9-]+)(?: (\*|[a-z0-9-]+))*")


class CaseError(UserError):
    """A case can't be read. The text is one sentence with file and line."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A finding that a case has: `records` and `words` of its message only if the case says them."""

    level: Level
    rule: str
    records: tuple[int, ...] = ()
    words: str = ""

    def __str__(self) -> str:
        at = " at " + " ".join(map(str, self.records)) if self.records else ""
        return f"{self.level.word} {self.rule}{at}" + (f": {self.words}" if self.words else "")


@dataclass(frozen=True, slots=True)
class Case:
    """One session with what is expected of the rules.

    `file` is the name of its file without the suffix; `steps` are `(line number, text)`.
    """

    title: str
    file: str
    speaks: tuple[Expected, ...]
    quiet: tuple[str, ...]
    known: str
    asked: tuple[Expectation, ...]
    """What the user expects of the session."""
    steps: tuple[tuple[int, str], ...]

    @property
    def rule(self) -> str:
        """The rule that it is about, which its title begins with; empty for a session about many."""
        rule, colon, _ = self.title.partition(": ")
        return rule if colon else ""

    def printed(self) -> list[str]:
        """The session as `mcptap check -` reads it."""
        return [self.known, *(text for _, text in self.steps)]


@cache
def cases() -> tuple[Case, ...]:
    """All cases of the product, by file. Raises CaseError."""
    texts = sorted(
        (entry.name, entry.read_text(encoding="utf-8"))
        for entry in files(__package__).iterdir()
        if entry.name.endswith(SUFFIX)
    )
    return tuple(case for name, text in texts for case in parse(text, name))


def speaking(rule: str) -> Case | None:
    """The first case of a rule in which it speaks."""
    return next((c for c in cases() if c.rule == rule and any(e.rule == rule for e in c.speaks)), None)


def quiet(rule: str) -> Case | None:
    """The first case of a rule in which it is quiet, though it nearly was not."""
    return next((c for c in cases() if c.rule == rule and rule in c.quiet), None)


def parse(text: str, name: str) -> Iterator[Case]:
    """The cases of one file. Raises CaseError, which names the file `name`."""
    title = ""
    begun = 0
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            if title:
                yield _case(title, name, begun, lines)
            title, begun, lines = line[3:].strip(), number, []
        elif line.startswith("#") or not line.strip():
            continue
        elif not title:
            raise CaseError(f"{name}, line {number}: a case begins with ## and its title")
        else:
            lines.append((number, line))
    if title:
        yield _case(title, name, begun, lines)


def _case(title: str, name: str, begun: int, lines: list[tuple[int, str]]) -> Case:
    speaks: list[Expected] = []
    quiet: list[str] = []
    known = EVERYTHING
    asked: list[Expectation] = []
    for index, (number, line) in enumerate(lines):
        word, _, rest = line.partition(":")
        rest = rest.strip()
        where = f"{name}, line {number}"
        if word == "speaks":
            found = _SPEAKS.fullmatch(rest)
            if found is None:
                raise CaseError(
                    f'{where}: write "speaks: LEVEL RULE at RECORDS: WORDS", the last two if wanted'
                )
            level, rule, records, words = found.groups("")
            speaks.append(Expected(Level[level.upper()], rule, tuple(int(n) for n in records.split()), words))
        elif word == "quiet":
            if not _RULES.fullmatch(rest):
                raise CaseError(f'{where}: write "quiet: RULE …", or "quiet: *" for all others')
            quiet += rest.split()
        elif word == "known":
            try:
                evidence_of(line)
            except StepError as error:
                raise CaseError(f"{where}: {error}") from error
            known = line
        elif word == "asked":
            option, _, value = rest.removeprefix("--").partition(" ")
            try:
                asked.append(expectation(option, value.strip()))
            except ValueError as error:
                raise CaseError(f"{where}: {error}") from error
        else:
            if not (speaks or quiet):
                raise CaseError(f"{name}, line {begun}: the case does not say what speaks or what is quiet")
            return Case(
                title,
                name.removesuffix(SUFFIX),
                tuple(speaks),
                tuple(quiet),
                known,
                tuple(asked),
                tuple(lines[index:]),
            )
    raise CaseError(f"{name}, line {begun}: the case has no session")
