"""What a rule is, and the register of all rules.

A rule is a function that looks at a session and the message (or event) that just came, or at
the session alone, and returns what it has to say, mostly None. It is registered by `@rule`.
No rule knows another one: which comes first where several speak is told by `yields_to`,
`explains`, `costs` and `stray`, and decided in `precedence`.

What a rule waits for (`on`) is a list of occasions, written `[channel] occasion [method]`:

| occasion | when |
|-|-|
| `request`, `notification` | one came |
| `opening` | a request of the client came before its `notifications/initialized` |
| `result`, `error` | a response came that fits a request and can be read; its method is the request's |
| `unreadable` | a response came that fits a request, and whose form no client can read |
| `stray` | a response came that fits no open request (`message.match` says how) |
| `flaw` | a message is odd; the word behind it is one of `message.flaws` |
| `frame` | a line is no message; the word behind it is its kind |
| `pieces` | a message was found spread over several lines |
| `line` | a line is long or has an unusual terminator |
| `event` | something happened; the word behind it is the kind of event |
| `state` | asked whenever findings are wanted, and at the end; nothing that it says is kept |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Level
from mcptap.protocol.revisions.revisions import LETTERS, REVISIONS

SERVER = "server"
CLIENT = "client"
LAUNCH = "launch"

UNANSWERED = "request-unanswered initialize-unanswered ping-unanswered"
"""The rules about requests that nobody answered, for `explains`."""


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


@dataclass(slots=True)
class Hit:
    """One thing that a rule has to say.

    `number` is the record it points at. `values` fill the rule's message. `level` replaces
    that of the rule, `text` its message, `side` its side; `remedy` replaces what to do.
    """

    number: int | None
    subject: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    level: Level | None = None
    text: str = ""
    side: str = ""
    remedy: str = ""
    more: tuple[int, ...] = ()
    """Further records that show it."""
    fault: Fault | None = None
    """The fault, if it is another than the rule's."""


def hit(
    number: int | None,
    subject: str = "",
    *,
    level: Level | None = None,
    text: str = "",
    side: str = "",
    remedy: str = "",
    more: tuple[int, ...] = (),
    fault: Fault | None = None,
    **values: Any,
) -> Hit:
    """A hit, with the values for the message as keywords."""
    return Hit(number, subject, values, level, text, side, remedy, more, fault)


Said = Hit | list[Hit] | None
Check = Callable[..., Said]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalogue."""

    id: str
    levels: dict[str, Level]
    """Level by revision (empty: an unknown one); the rule is quiet in those that are not here."""
    level: Level
    """The highest of them."""
    side: str
    stage: Stage
    on: tuple[str, ...]
    source: str
    """Where the rule comes from: revision and page of the specification, or what was observed."""
    message: str
    remedy: str
    check: Check
    yields_to: tuple[str, ...] = ()
    """Rules (or `family-*`) that, speaking about the same record, make this one say nothing."""
    unless: tuple[str, ...] = ()
    """Rules (or `family-*`) that, speaking anywhere in the session, make this one say nothing."""
    explains: tuple[str, ...] = ()
    """Rules (or `family-*`) whose findings are a consequence of this one, whatever their stages are."""
    needs_start: bool = False
    """Whether it concludes from what is absent, so that it is quiet if the beginning is missing."""
    for_probe: bool = False
    """Whether it also judges a session that holds nothing but a `server/discover`."""
    design: bool = False
    costs: bool = False
    """Whether each of its findings is about a request, or a session, that came to nothing."""
    stray: bool = False
    """Whether it is about lines that nobody waits for, unless an answer was lost with one."""
    fault: Fault | None = None
    """The fault that it reports, if clients are known to meet it."""


RULES: dict[str, Rule] = {}
"""All rules by id, in the order of the catalogue (filled when `mcptap.diagnosis.rules` is imported)."""

_LEVELS = {"error": Level.ERROR, "warning": Level.WARNING, "info": Level.INFO}


def parse_levels(text: str) -> dict[str, Level]:
    """`"* error"`, `"DE warning ABC info"`: which revisions have which level.

    `*` stands for all, also an unknown one; `H` for the handshake revisions; `-` for an
    unknown one. A later request overrides an earlier one.
    """
    levels: dict[str, Level] = {}
    words = text.split()
    for letters, word in zip(words[::2], words[1::2], strict=True):
        level = _LEVELS[word]
        for letter in letters:
            if letter == "*":
                levels.update(dict.fromkeys((*REVISIONS, ""), level))
            elif letter == "H":
                levels.update(dict.fromkeys(REVISIONS[:4], level))
            elif letter == "-":
                levels[""] = level
            else:
                levels[LETTERS[letter]] = level
    return levels


def rule(
    name: str,
    levels: str,
    *,
    by: str,
    on: str,
    stage: Stage,
    source: str,
    says: str,
    remedy: str = "",
    yields_to: str = "",
    unless: str = "",
    explains: str = "",
    needs_start: bool = False,
    for_probe: bool = False,
    design: bool = False,
    costs: bool = False,
    stray: bool = False,
    fault: Fault | None = None,
) -> Callable[[Check], Check]:
    """Register a function as a rule. Several occasions stand in `on`, with commas between."""

    def register(check: Check) -> Check:
        assert name not in RULES, f"two rules are called {name}"
        by_revision = parse_levels(levels)
        RULES[name] = Rule(
            name,
            by_revision,
            max(by_revision.values()),
            by,
            stage,
            tuple(occasion.strip() for occasion in on.split(",")),
            source,
            says,
            remedy,
            check,
            tuple(yields_to.split()),
            tuple(unless.split()),
            tuple(explains.split()),
            needs_start,
            for_probe,
            design,
            costs,
            stray,
            fault,
        )
        return check

    return register
