"""The diagnosis of one session, fed item by item: no I/O, no clock of its own.

    diagnosis = Diagnosis(header)
    for item in reader.items():
        diagnosis.feed(item)
    findings = diagnosis.finish(reader.state(), reader.unfinished())

`findings()` gives what can be said so far, as often as wanted: it changes nothing, so the
end result is the same whenever it was asked for. `feed` returns the classified message with
its request, so that whoever follows a session need not classify again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.needs import can_tell
from mcptap.diagnosis.engine.precedence import arrange, settle
from mcptap.diagnosis.engine.rule import RULES, Check, Hit, Rule, Said, Stage
from mcptap.diagnosis.explain.consequences import Client, describe, harms, recognise
from mcptap.diagnosis.explain.verdict import verdict
from mcptap.diagnosis.explain.wording import printable
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.message import (
    LOG,
    MESSAGES,
    REQUEST,
    RESPONSE,
    TEXT,
    Message,
    classify,
    from_object,
)
from mcptap.protocol.model.pieces import Pieces
from mcptap.protocol.model.request import UNREADABLE
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.methods import KNOWN
from mcptap.recording.format.model import Damaged, Event, Header, Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, other_side

if TYPE_CHECKING:
    from mcptap.recording.reader import State

LONG_LINE = 1 << 20
GAP = "gap"
MAX_VALUE = 600
"""How many characters of a recorded text a message holds at most."""
MAX_RECORDS = 50
"""How many record numbers a finding keeps; its count goes on."""
MAX_SUBJECT = 200
"""How many characters of a subject tell it from others."""
MAX_SUBJECTS = 200
"""How many subjects a rule names; those that come after them share one finding."""
OTHERS = "\0"

NAMED = frozenset({"request", "opening", "notification", "result", "error", "unreadable", "stray"})
"""Occasions that go by a method."""

_Checks = tuple[tuple[Rule, Check], ...]
_SESSION_STAGES = frozenset({Stage.FRAMING, Stage.SHAPE, Stage.LAUNCH, Stage.END})


class Diagnosis:
    """Judges one session.

    `header` is that of the recording, None if there is none. `timed` is false if the items
    carry no times, `partial` if the recording starts in the middle of a session. `sibling`
    tells whether another start of the same server by the same parent followed within five
    seconds (None: unknown), as clients do that probe with a process of its own.
    `evidence` is what the capture can prove; rules that need more stay quiet.
    """

    def __init__(
        self,
        header: Header | None = None,
        *,
        timed: bool = True,
        partial: bool = False,
        sibling: bool | None = None,
        evidence: Evidence = COMPLETE,
    ) -> None:
        self.session = Session(header, timed=timed, partial=partial)
        self.session.sibling = sibling
        self.evidence = evidence
        """What the capture can prove; a gap or a damaged record lessens it."""
        self._provable = evidence
        self._kept: dict[tuple[str, str, Level], Finding] = {}
        self._subjects: dict[str, int] = {}
        self._pieces = {CLIENT_TO_SERVER: Pieces(), SERVER_TO_CLIENT: Pieces()}
        self._tables: dict[tuple[str, str, str, str], _Checks] = {}
        self._final: list[Finding] | None = None

    # --- eating ------------------------------------------------------------------------------

    def feed(self, item: Item) -> Message | None:
        """Take the next item of a recording; returns the message if it is a line."""
        session = self.session
        if type(item) is not Line:
            session.feed(item)
            if self.evidence.whole and _is_loss(item):
                # What is missing may be the very answer that a request waits for.
                self.evidence = replace(self.evidence, whole=False)
                # Nor is it known who ended first: the end of a channel may be what is missing.
                self._provable = replace(self.evidence, process=False)
                self.session.partial = True
                self._tables.clear()
            if isinstance(item, Event):
                self._run("event", "", item.kind, "", item)
            return None
        if not item.eol and item.channel == SERVER_TO_CLIENT:
            return self._last_line(item)
        message = session.feed(item)
        assert message is not None
        kind = message.kind
        if kind is LOG:
            return message
        pieces = self._pieces[message.channel]
        if kind in MESSAGES:
            if pieces.held:
                self._give_up(pieces)
            self._message(message, kind)
        elif pieces.held or pieces.starts(message):
            self._piece(pieces, message)
        else:
            self._frame(message)
        if len(item.data) >= LONG_LINE or item.eol != b"\n":
            self._run("line", message.channel, "", message.revision, message)
        return message

    def _message(self, message: Message, kind: str) -> None:
        channel, revision = message.channel, message.revision
        if kind is RESPONSE:
            if message.request is None or message.match:
                occasion = "stray"
            elif message.request.state is UNREADABLE:
                occasion = "unreadable"
            else:
                occasion = "result" if message.error is None else "error"
        else:
            occasion = kind
            if kind is REQUEST and self.session.handshake.initialized is None and channel == CLIENT_TO_SERVER:
                self._run("opening", channel, message.method, revision, message)
        if message.flaws:
            checks: list[tuple[Rule, Check]] = []
            for flaw in message.flaws:
                checks += self._checks("flaw", channel, flaw, revision)
            checks += self._checks(occasion, channel, message.method, revision)
            self._apply(checks, message)
            return
        table = self._tables.get((occasion, channel, message.method, revision))
        if table is None:
            table = self._checks(occasion, channel, message.method, revision)
        if table:
            self._apply(table, message)

    def _frame(self, message: Message) -> None:
        """A line that is no message."""
        broken = message.broken = Broken(message.line.data)
        for value in broken.messages():
            inner = from_object(value, message.line)
            self.session.take_embedded(inner)
            message.lost = message.lost or inner.request is not None
        requests = self.session.requests
        for key in broken.ids():
            request = requests.mark_unreadable(message.channel, key, message.number, message.t_us)
            message.lost = message.lost or request is not None
        if message.kind is TEXT and not message.lost and broken.torn:
            message.lost = bool(self.session.requests.open[other_side(message.channel)])
        self._run("frame", message.channel, message.kind, message.revision, message)

    # --- messages in pieces ------------------------------------------------------------------

    def _piece(self, pieces: Pieces, message: Message) -> None:
        if len(pieces.held) and pieces.held[0] is not message and not pieces.goes_on(message):
            self._give_up(pieces)
            self._frame(message)
            return
        if not pieces.closed:
            return
        broken = pieces.whole()
        if broken is None:
            self._give_up(pieces)
            return
        held = pieces.release()
        message.broken = broken
        assert broken.joined is not None
        inner = from_object(broken.joined, message.line)
        self.session.take_embedded(inner)
        message.request, message.method = inner.request, inner.method
        message.lost = inner.request is not None
        self._run("pieces", message.channel, "", held[0].revision, message)

    def _give_up(self, pieces: Pieces) -> None:
        for held in pieces.release():
            self._frame(held)

    # --- rules -------------------------------------------------------------------------------

    def _checks(self, occasion: str, channel: str, what: str, revision: str) -> _Checks:
        """The checks that wait for this. Names that MCP does not know share one entry."""
        if what and occasion in NAMED:
            what = what if what in KNOWN else "?"
        key = (occasion, channel, what, revision)
        found = self._tables.get(key)
        if found is None:
            found = tuple(
                (rule, rule.check)
                for rule in RULES.values()
                if revision in rule.levels
                and not (rule.needs_start and self.session.partial)
                and any(_waits_for(on, occasion, channel, what) for on in rule.on)
            )
            self._tables[key] = found
        return found

    def _run(self, occasion: str, channel: str, what: str, revision: str, about: Message | Event) -> None:
        checks = self._checks(occasion, channel, what, revision)
        if checks:
            self._apply(checks, about)

    def _apply(self, checks: Iterable[tuple[Rule, Check]], about: Message | Event) -> None:
        session = self.session
        hits: list[tuple[Rule, Hit]] | None = None
        for rule, check in checks:
            try:
                said = check(session, about)
            except RecursionError:
                continue  # JSON nearly as deep as Python can follow: what can't be looked at is not accused
            if said is not None:
                if hits is None:
                    hits = []
                if type(said) is Hit:
                    hits.append((rule, said))
                else:
                    hits += [(rule, one) for one in as_list(said)]
        if hits:
            lost = isinstance(about, Message) and about.lost
            revision = about.revision if isinstance(about, Message) else session.revision
            for rule, one in settle(hits) if len(hits) > 1 else hits:
                self._keep(self._kept, rule, one, revision, lost)

    def _keep(
        self,
        kept: dict[tuple[str, str, Level], Finding],
        rule: Rule,
        one: Hit,
        revision: str,
        lost: bool = False,
    ) -> None:
        level = one.level
        if level is None:
            level = rule.levels.get(revision, rule.level)
        subject = one.subject[:MAX_SUBJECT]
        key = (rule.id, subject, level)
        finding = kept.get(key)
        if finding is None:
            if self._subjects.get(rule.id, 0) >= MAX_SUBJECTS:
                key = (rule.id, OTHERS, level)
                finding = kept.get(key)
            self._subjects[rule.id] = self._subjects.get(rule.id, 0) + 1
        if finding is None:
            kept[key] = Finding(
                rule=rule.id,
                level=level,
                line=one.number,
                message=_sentence(rule, one),
                remedy=one.remedy or rule.remedy,
                subject=printable(subject, MAX_SUBJECT),
                records=[] if one.number is None else sorted({one.number, *one.more})[:MAX_RECORDS],
                side=one.side or rule.side,
                design=rule.design,
                costly=lost or rule.costs,
                fault=one.fault or rule.fault,
            )
            return
        finding.count += 1
        if lost and not finding.costly:  # of several lines, the one that did harm is shown
            finding.line, finding.message, finding.costly = one.number, _sentence(rule, one), True
        if one.number is not None and len(finding.records) < MAX_RECORDS:
            new = [n for n in (one.number, *one.more) if n not in finding.records]
            finding.records = sorted([*finding.records, *new])[:MAX_RECORDS]

    # --- results -----------------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        """What can be said so far, root causes first; the final findings once `finish` was called."""
        if self._final is not None:
            return self._final
        kept = {key: _copy(finding) for key, finding in self._kept.items()}
        counted = dict(self._subjects)
        revision = self.session.revision
        for rule, check in self._checks("state", "", "", revision):
            said = check(self.session)
            if said is not None:
                for one in as_list(said):
                    self._keep(kept, rule, one, revision)
        self._subjects = counted
        probe = self._is_probe()
        stay = [
            f
            for f in kept.values()
            if can_tell(self._provable, f.rule)
            and (not probe or RULES[f.rule].for_probe or RULES[f.rule].stage in _SESSION_STAGES)
        ]
        client = self.client
        for finding in stay:
            finding.costly = finding.costly or (RULES[finding.rule].stray and harms(finding.rule, client))
            finding.consequence = describe(finding, client, self.session)
        return arrange(stay)

    def finish(self, state: State | None = None, unfinished: Iterable[Line] = ()) -> list[Finding]:
        """Nothing more will come: the final findings.

        `state` is what became of the session, `unfinished` are the lines that never ended.
        """
        if self._final is not None:
            return self._final
        self.session.state = state.value if state is not None else ""
        live = self.session.state == "live"
        for pieces in self._pieces.values():
            self._give_up(pieces)
        for line in unfinished:
            if not live:
                self._last_line(line)
        if not live:
            self.session.close()
        self._final = self.findings()
        return self._final

    def _last_line(self, line: Line) -> Message:
        """A line that ended without its newline: its receiver never had it as a line."""
        message = classify(line)
        message.revision = self.session.handshake.revision
        if line.channel in self._pieces:
            self._give_up(self._pieces[line.channel])
            self.session.take_unfinished(message)
            self._run("line", line.channel, "", message.revision, message)
        else:
            self.session.process.take_stderr(line)
        return message

    def _is_probe(self) -> bool:
        session = self.session
        return session.stateless.discover is not None and session.traffic.only_discover

    @property
    def client(self) -> Client:
        """The client, as far as it can be told."""
        return recognise(self.session)

    def verdict(self) -> str:
        """The findings in one or two sentences."""
        return verdict(self.findings(), self.session, self.client)


def _sentence(rule: Rule, one: Hit) -> str:
    """What a finding says about one hit."""
    values = {key: _shown(value) for key, value in one.values.items()}
    values["n"] = one.number
    return one.text or rule.message.format_map(values)


def _shown(value: Any) -> Any:
    """A value for a message: recorded text is made fit to print, at its first finding only."""
    return printable(value, MAX_VALUE) if isinstance(value, str) else value


def as_list(said: Said) -> list[Hit]:
    """What a rule said, as a list."""
    if said is None:
        return []
    return said if isinstance(said, list) else [said]


def _is_loss(item: Item) -> bool:
    return isinstance(item, Damaged) or (isinstance(item, Event) and item.kind == GAP)


def _copy(finding: Finding) -> Finding:
    return Finding(
        finding.rule,
        finding.level,
        finding.line,
        finding.message,
        finding.consequence,
        finding.remedy,
        finding.subject,
        list(finding.records),
        finding.count,
        finding.side,
        finding.design,
        finding.costly,
        finding.fault,
    )


def _waits_for(on: str, occasion: str, channel: str, what: str) -> bool:
    words = on.split(None, 1)
    if words[0] in (CLIENT_TO_SERVER, SERVER_TO_CLIENT):
        if words[0] != channel:
            return False
        words = words[1].split(None, 1)
    if words[0] != occasion:
        return False
    if len(words) == 1:
        return True
    wanted = words[1]
    return what == wanted or (wanted.endswith("*") and what.startswith(wanted[:-1]))


__all__ = ["Diagnosis"]
