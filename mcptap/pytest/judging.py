"""A session of a test, judged as by `mcptap check`, in the words of its report."""

from __future__ import annotations

import io
import shlex
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from mcptap.captures.open import open_source
from mcptap.commands.checking.settings import load
from mcptap.diagnosis.catalogue import is_known
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.selection import Selection
from mcptap.errors import UserError
from mcptap.protocol.expectations.expectation import EXPECT_TOOL, FORBID_TOOL, MAX_LIST_TOKENS, Expectation
from mcptap.recording import made_here
from mcptap.recording.format.model import RecordingError
from mcptap.report.check_file import check_file
from mcptap.report.formats import text
from mcptap.report.results import Results
from mcptap.text.terminal import Terminal

DEFAULT = "error"
"""The level that fails a test."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a session is judged."""

    selection: Selection
    expected: Sequence[Expectation]
    fail_on: Level | None
    design: bool

    @property
    def needs_list(self) -> bool:
        """Whether something is expected of the list of tools."""
        return any(one.name in (EXPECT_TOOL, FORBID_TOOL, MAX_LIST_TOKENS) for one in self.expected)

    @classmethod
    def of(cls, folder: str, fail_on: str, ignore: Sequence[str], expected: Sequence[Expectation]) -> Wanted:
        """What is wanted besides what the project's settings say. Raises ValueError, in a sentence."""
        try:
            settings = load(folder)
        except UserError as error:
            raise ValueError(str(error)) from error
        for pattern in (*ignore, *settings.ignore):
            if not is_known(pattern):
                raise ValueError(f"mcptap has no rule {pattern!r}; mcptap rules lists them")
        name = fail_on or settings.fail_on or DEFAULT
        if name != "never" and name.upper() not in Level.__members__:
            raise ValueError(f"mcptap_fail_on is {name!r}; it can be info, warning, error or never")
        level = None if name == "never" else Level[name.upper()]
        selection = Selection(ignore=(*ignore, *settings.ignore))
        return cls(selection, (*expected, *settings.expected), level, settings.design)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a session came to."""

    text: str
    """The report, as that of `mcptap check`; it names the recording."""
    fails: bool


def judge(name: str, recording: Path, wanted: Wanted) -> Judged:
    """Judge the session in a recording."""
    try:
        with closing(open_source(str(recording))) as source:
            checked = check_file(
                source,
                wanted.selection,
                lambda: None,
                masker=made_here.masker(),
                expectations=wanted.expected,
            )
    except (RecordingError, OSError) as error:
        return Judged(f"the session with {name} could not be judged: {error}", True)
    results = Results([checked], design_counts=wanted.design, fail_on=wanted.fail_on)
    worst = results.worst()
    fails = wanted.fail_on is not None and worst is not None and worst >= wanted.fail_on
    lines = text.write(results, Terminal(io.StringIO()))
    return Judged("\n".join([*lines, f"more      mcptap show {shlex.quote(str(recording))}"]), fails)
