"""What is known of clients: a value, where it comes from, and how sure it is.

Nothing here is guessed. What was not found is `UNKNOWN`, and whoever reproduces a client says
so and says what was assumed instead. All facts are as of November 2026; clients change.

Where sources differ the better one stands: a run before source text, source text before
documentation, documentation before what others say; a newer version before an older one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Never, TypeVar

T_co = TypeVar("T_co", covariant=True)


class Confidence(Enum):
    """How sure a fact is."""

    VERIFIED = "seen by running that version"
    HIGH = "from its source or its documentation"
    MEDIUM = "second-hand, or from an older source"
    LOW = "a single hint"
    UNKNOWN = "not known"


class Origin(Enum):
    """What kind of source a fact has: words before its version, and the confidence it usually gives."""

    RUN = "seen in", Confidence.VERIFIED
    SOURCE_TEXT = "read in the source of", Confidence.HIGH
    DOCUMENTATION = "by its documentation of", Confidence.HIGH
    OTHERS = "second hand, as of", Confidence.MEDIUM
    NONE = "", Confidence.UNKNOWN

    def __init__(self, words: str, confidence: Confidence) -> None:
        self.words = words
        self.confidence = confidence


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from: `place` is a file, a page or a run.

    `version` is that of the software; where a source has none, its commit or the month it was read in.
    """

    origin: Origin
    place: str
    version: str


@dataclass(frozen=True, slots=True)
class Fact(Generic[T_co]):
    """A value, where it comes from, and in `note` what the value alone does not say.

    `doubt` is given only where the confidence is not the usual one of such a source.
    """

    value: T_co | None
    source: Source
    note: str = ""
    doubt: Confidence | None = None

    @property
    def confidence(self) -> Confidence:
        """How sure it is."""
        if self.doubt is not None:
            return self.doubt
        return self.source.origin.confidence

    @property
    def known(self) -> bool:
        """Whether there is anything to go by."""
        return self.value is not None


UNKNOWN: Fact[Never] = Fact(None, Source(Origin.NONE, "", ""))


def known_from(sources: Iterable[Source]) -> str:
    """Where facts come from, in words: `seen in 1.30.0 and 2.3.0`, `read in the source of 2.2.0`.

    All of them have one origin.
    """
    every = list(sources)
    versions = " and ".join(dict.fromkeys(source.version for source in every))
    return f"{every[0].origin.words} {versions}"
