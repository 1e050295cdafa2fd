"""What a rule is, and what it says.

A rule is a function that looks at a session and the message (or event) that just came, or at
the session alone, and returns what it has to say, mostly None. It is registered by
`registry.rule`. All that others need to know of it are its fields: nobody asks for its id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import Levels
from mcptap.diagnosis.engine.occasion import Occasion
from mcptap.diagnosis.engine.template import Template, Value

SERVER = "server"
CLIENT = "client"
LAUNCH = "launch"

DIVERTED_LINE = "mcptap diverted it to stderr (--divert), so the client got nothing of it"
DIVERTED_TEXT = "mcptap diverted the text to stderr (--divert), so the client got the message alone"
DIVERTED_BRIEF = "; mcptap diverted it to stderr"
"""What is said of a line that the client did not get as it came; the last where only few words fit."""


class Stage(IntEnum):
    """Where on the way a fault lies: what comes first may be the cause of what comes later."""

    LAUNCH = 0
    FRAMING = 1
    SHAPE = 2
    LIFECYCLE = 3
    CAPABILITY = 4
    CONTENT = 5
    FLOW = 6
    END = 7
    DESIGN = 8
    EXPECTATION = 9
    LOCK = 10


class Transport(Enum):
    """How the messages of a session travel."""

    STDIO = "stdio"


ANY_TRANSPORT = frozenset(Transport)
STDIO_ONLY = frozenset({Transport.STDIO})


@dataclass(slots=True)
class Hit:
    """One thing that a rule has to say.

    `number` is the record it points at, None for the session. `values` fill the rule's text. What
    is set of `level`, `side`, `remedy` and `fault` replaces that of the rule. `reaction_seen` says
    that the session shows what the client did about it, so that nothing is told of what it would do.
    """

    number: int | None
    subject: str
    values: dict[str, Value]
    level: Level | None
    side: str
    remedy: str
    fault: Fault | None
    more_records: tuple[int, ...]
    """Further records that show it."""
    telling: int
    """Of several hits about one subject the one with the highest is shown, else the first."""
    quoted: tuple[str, ...]
    """Lines of the server to be shown with it."""
    reaction_seen: bool = False
    diverted: str = ""
    """What became of the line, if the client did not get it as it came: in place of what follows from it."""

    def divert(self, level: Level, freed: bool) -> None:
        """The line was diverted: what is wrong with the server harmed no client. `level` is the rule's."""
        self.level = min(Level.WARNING, level if self.level is None else self.level)
        self.reaction_seen = True
        self.diverted = DIVERTED_TEXT if freed else DIVERTED_LINE


def hit(
    number: int | None,
    subject: str = "",
    *,
    level: Level | None = None,
    side: str = "",
    remedy: str = "",
    fault: Fault | None = None,
    more_records: tuple[int, ...] = (),
    telling: int = 0,
    quoted: tuple[str, ...] = (),
    reaction_seen: bool = False,
    **values: Value,
) -> Hit:
    """A hit, with the values for the rule's text as keywords."""
    return Hit(
        number, subject, values, level, side, remedy, fault, more_records, telling, quoted, reaction_seen
    )


Hits = Hit | list[Hit] | None
Check = Callable[..., Hits]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalogue."""

    id: str
    levels: Levels
    """Level by revision (empty: an unknown one); the rule is quiet in those that are not here."""
    level: Level
    """The highest of its levels."""
    side: str
    """Which side is at fault: `server`, `client` or `launch`."""
    stage: Stage
    on: tuple[Occasion, ...]
    """When it is asked."""
    source: str
    """Where the rule comes from: revision and page of the specification, or what was observed."""
    says: Template
    """What is wrong, in one clause."""
    brief: Template
    """The same for the verdict, where only that counts: no numbers of records, at most some 20 words. Texts
    from the recording are cut short there."""
    leads_to: Template
    """What follows from it, in a clause that stands behind a semicolon; may be empty."""
    remedy: str
    check: Check
    requires: frozenset[str]
    """Fields of `Evidence` that a capture must have: what it cannot tell is not accused."""
    transports: frozenset[Transport]
    """Where it may be asked."""
    fault: Fault | None
    """What it reports of the server, in the terms of what is known about clients."""
    yields_to: tuple[str, ...]
    """Rules (or `family-*`) that, speaking about the same record, make this one say nothing."""
    unless: tuple[str, ...]
    """Rules (or `family-*`) that, speaking anywhere in the session, make this one say nothing."""
    explains: tuple[str, ...]
    """Rules (or `family-*`) whose findings are a consequence of this one, whatever their stages are."""
    silence: Template | None
    """What the verdict says instead, if an agent goes silent without an error for this cause. It has
    the values `client` and `reaction`: what the client did."""
    needs_start: bool
    """Whether it concludes from what is absent, so that it is quiet if the beginning is missing."""
    judges_probes: bool
    """Whether it also judges a session that holds nothing but a `server/discover`."""
    design: bool
    """Whether it is about tool design, which fails no check unless asked."""
    loses_request: bool
    """Whether each of its findings is about a request, or a session, that failed."""
    about_pollution: bool
    """Whether it is about lines that are no messages, harmless unless a response was lost with one."""
    judges_outlines: bool
    """Whether it looks at no more of a message than an outline has: its method, id, the code of an error, and
    what a log tells of capabilities."""
    odd_only: bool
    """Whether it has nothing to say about messages that are ordinary (see `ordinary`)."""
    failures_only: bool
    """Whether, of ordinary results, it speaks only of those whose text may tell a failure."""
    about_lock: bool
    """Whether it is about what was approved: that a server is another one than before breaks no session."""
    about_questions: bool
    """Whether it judges what became of the odd questions of a probe, for which all else is excused."""
    expected: bool
    """Whether it judges what the user expects of the session: it is asked of any capture, and sees itself to
    what that can't tell."""
    tells_unjudged: bool
    """Whether it tells which expectation could not be judged, so that it counts only if no other session of
    the same check could judge that one."""

    @property
    def summary(self) -> str:
        """What it says, with `<name>` for each value."""
        return _sentence(self.says.shown(), self.leads_to.shown())

    def message(self, values: dict[str, Value], follows: str = "") -> str:
        """What it says of one hit; `follows` in place of what usually follows from it."""
        return _sentence(self.says.fill(values), follows or self.leads_to.fill(values))


def _sentence(says: str, leads_to: str) -> str:
    return f"{says}; {leads_to}." if leads_to else f"{says}."
