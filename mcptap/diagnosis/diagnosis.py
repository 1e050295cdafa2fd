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
from itertools import chain

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.captures.evidence import COMPLETE, PROVABLE, Evidence, evidence_of, is_capture, unseen_channels
from mcptap.clients.recognition import Recognised, recognise
from mcptap.diagnosis.engine.dispatch import Dispatch, as_list, ask
from mcptap.diagnosis.engine.finding import Finding
from mcptap.diagnosis.engine.kept import KeptFindings
from mcptap.diagnosis.engine.ordinary import (
    FINE_RESULT,
    ORDINARY_REQUEST,
    ORDINARY_RESULT,
    is_fine_result,
    is_ordinary_request,
    is_ordinary_result,
)
from mcptap.diagnosis.engine.precedence import by_cause, without_yielding
from mcptap.diagnosis.engine.provoked import is_provoked
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import CLIENT, Hit, Rule, Stage
from mcptap.diagnosis.explain.consequences import describe, harms
from mcptap.diagnosis.explain.verdict import Verdict, verdict
from mcptap.diagnosis.mixture import Mixture
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expectation import Expectation
from mcptap.protocol.expectations.expected import Expected
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.message import (
    LOG,
    MESSAGES,
    REQUEST,
    RESPONSE,
    TEXT,
    Match,
    Message,
    classify,
    from_object,
)
from mcptap.protocol.model.pieces import Pieces
from mcptap.protocol.model.request import UNREADABLE
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import LISTS, OPENERS
from mcptap.recording.format.lines import BEGINS
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, other_side

LONG_LINE = 1 << 20
"""From how many bytes on the rules about lines are asked."""

KNOWN_BY_OUTLINE = frozenset({"unmatched", "unreadable"})
"""Occasions for rules that look at no more of a message than an outline has."""

_PROCESS_STAGES = frozenset({Stage.LAUNCH, Stage.END})
"""Stages that need not know what the lines are."""
_CONTENTS = frozenset({"whole", "values"})
"""What rules require that look at what messages said, or did not say."""
_SINGLE_LINES = frozenset({Stage.LAUNCH, Stage.FRAMING, Stage.SHAPE})
"""Stages that judge a line by itself."""
_PAIRING = frozenset({"state", "opening", "unreadable", "unmatched", "echo", "result", "error"})
"""Occasions that depend on other lines."""
_WHOLE_SESSION_STAGES = frozenset({Stage.FRAMING, Stage.SHAPE, Stage.LAUNCH, Stage.END})
"""Stages that also judge a session which only probes with `server/discover`."""


class Diagnosis:
    """Judges one session.

    `header` is that of the recording, None if there is none. `timed` is false if the items
    carry no times, `partial` if the recording starts in the middle of a session. `sibling`
    tells whether another start of the same server by the same parent followed within five
    seconds (None: unknown), as clients do that probe with a process of its own.
    `evidence` is what the capture can prove (None: what the header says); rules that need more stay
    quiet. `expectations` are what the user wants of the session besides.
    `lock` is what was approved of servers: what differs from it is found only then.
    """

    def __init__(
        self,
        header: Header | None = None,
        *,
        timed: bool = True,
        partial: bool = False,
        sibling: bool | None = None,
        evidence: Evidence | None = None,
        expectations: Iterable[Expectation] = (),
        lock: Lock | None = None,
    ) -> None:
        if evidence is None:
            evidence = COMPLETE if header is None else evidence_of(header)
        self.session = Session(
            header,
            timed=timed,
            partial=partial or not evidence.client,
            fineness_us=evidence.fineness_us,
            lock=lock,
        )
        self.session.sibling = sibling
        self.session.unseen = unseen_channels(evidence)
        self.session.expected = Expected(expectations)
        self.evidence = evidence
        """What the capture can prove; a gap or a damaged record lessens it."""
        self._provable = evidence
        self._mixture = Mixture(evidence)
        self._kept = KeptFindings()
        self._dispatch = Dispatch(self.session)
        self._pieces = {CLIENT_TO_SERVER: Pieces(), SERVER_TO_CLIENT: Pieces()}
        self._final: list[Finding] | None = None
        self._hang_on_masks = frozenset() if header is None else frozenset(header.not_judged_again)

    # --- feeding -----------------------------------------------------------------------------

    def feed(self, item: Item) -> Message | None:
        """Take the next item of a recording; returns the message if it is a line."""
        session = self.session
        if type(item) is not Line:
            session.feed(item)
            if not self.evidence.client and session.process.failed_to_start is not None:
                self.evidence = self._provable = COMPLETE  # nobody could say anything to it
                self.session.partial = False
                self._dispatch.clear()
            if session.losses.any and (self.evidence.whole or self._provable.process):
                # What is missing may be the very answer that a request waits for. Nor is it known who
                # ended first: the end of a channel may be what is missing.
                self._lose(process=False)
            if isinstance(item, Event):
                self._run("event", "", item.kind, "", item)
            return None
        if not item.eol and item.channel == SERVER_TO_CLIENT:
            return self._last_line(item)
        if item.channel == CLIENT_TO_SERVER:
            session.echo.take_sent(item)
        elif item.channel == SERVER_TO_CLIENT:
            sent = session.echo.repeats(item)
            if sent is not None:
                return self._echo(item, sent)
        if item.diverted is not None:
            self._diverted(item)
        message = session.feed(item)
        assert message is not None
        kind = message.kind
        if kind is LOG:
            return message
        if item.known == BEGINS:
            self._run("rejected", message.channel, "", message.revision, message)
            return message
        if message.is_outline:
            self._outline(message)
        pieces = self._pieces[message.channel]
        if kind in MESSAGES:
            if pieces.held:
                self._give_up(pieces)
            self._message(message, kind)
        elif item.diverted is not None:
            pass
        elif pieces.held or pieces.starts(message):
            self._piece(pieces, message)
        else:
            self._frame(message)
        if len(item.data) >= LONG_LINE or item.eol != b"\n":
            self._run("line", message.channel, "", message.revision, message)
        return message

    def pass_over(self, count: int) -> None:
        """So many records that come next are left out by choice: what they would show is not known."""
        self.session.losses.passed_over += count
        self._lose(process=False)

    def _lose(self, *, process: bool = True) -> None:
        """Something is missing; with it, perhaps, what became of the `process`."""
        if self.evidence.whole:
            self.evidence = replace(self.evidence, whole=False)
            self.session.partial = True
            self._dispatch.clear()
        self._provable = replace(self.evidence, process=self._provable.process and process)

    def _outline(self, message: Message) -> None:
        """A line that is too large to be taken apart: what it answers is known, what it says is not."""
        if message.line.known:
            if self.evidence.contents:  # the log of a client that wrote contents until it was updated
                self.evidence = replace(self.evidence, contents=False)
                self._provable = replace(self._provable, contents=False)
            return
        self.session.losses.outlined.append(message.number)
        if message.kind is RESPONSE and (message.method in OPENERS or message.method in LISTS):
            self._lose()

    def _echo(self, line: Line, sent: int) -> Message:
        """A line of the client that came back: it asks nothing and answers nothing."""
        message = classify(line)
        message.match, message.about = Match.ECHO, sent
        self.session.pass_time(line.t_us)
        self._run("echo", line.channel, "", self.session.revision, message)
        return message

    def _message(self, message: Message, kind: str) -> None:
        if sign := self._mixture.sign(message):
            notes = (*self.evidence.notes, sign)
            self.evidence = replace(self.evidence, one_process=False, notes=notes)
            self._provable = replace(self._provable, one_process=False, notes=notes)
        channel, revision = message.channel, message.revision
        if kind is RESPONSE:
            if message.request is None or message.match:
                occasion = "unmatched"
            elif message.request.state is UNREADABLE:
                occasion = "unreadable"
            elif message.error is None:
                occasion = "result"
                if is_ordinary_result(message):
                    occasion = FINE_RESULT if is_fine_result(message) else ORDINARY_RESULT
            else:
                occasion = "error"
        elif kind is REQUEST:
            occasion = ORDINARY_REQUEST if is_ordinary_request(message) else kind
            if self.session.handshake.initialized is None and channel == CLIENT_TO_SERVER:
                self._run("opening", channel, message.method, revision, message)
        else:
            occasion = kind
        key = (occasion, channel, message.method, revision)
        if message.is_outline and occasion not in KNOWN_BY_OUTLINE:
            checks = self._dispatch.of_outline(key)
        else:
            checks = self._dispatch[key]
            if message.flaws:
                odd = [self._dispatch["flaw", channel, flaw, revision] for flaw in message.flaws]
                checks = (*chain.from_iterable(odd), *checks)
        if checks:
            hits = ask(checks, self.session, message)
            if hits:
                self._keep(hits, message)

    def _frame(self, message: Message) -> None:
        """A line that is no message."""
        if message.is_outline:
            return
        broken = message.broken = Broken(message.line.data)
        for value in broken.messages():
            inner = from_object(value, message.line)
            self.session.take_embedded(inner)
            message.lost = message.lost or inner.request is not None
            message.request = message.request or (inner.request if inner.kind is RESPONSE else None)
        requests = self.session.requests
        for key in broken.ids():
            request = requests.mark_unreadable(message.channel, key, message.number, message.t_us)
            message.lost = message.lost or request is not None
            message.request = message.request or request
        if message.kind is TEXT and not message.lost and broken.torn:
            message.lost = bool(self.session.requests.open[other_side(message.channel)])
        self._run("frame", message.channel, message.kind, message.revision, message)

    def _diverted(self, line: Line) -> None:
        """A line that the client did not get as it came: what is wrong with it harmed nobody."""
        self.session.pass_time(line.t_us)
        stray = classify(line.as_written)
        stray.diverted = line.diverted
        stray.broken = Broken(line.data)
        stray.revision = self.session.handshake.revision
        self._run("frame", line.channel, stray.kind, stray.revision, stray)

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

    # --- asking ------------------------------------------------------------------------------

    def _run(self, occasion: str, channel: str, subject: str, revision: str, about: Message | Event) -> None:
        hits = ask(self._dispatch[occasion, channel, subject, revision], self.session, about)
        if hits:
            self._keep(hits, about)

    def _keep(self, hits: list[tuple[Rule, Hit]], about: Message | Event) -> None:
        lost = isinstance(about, Message) and about.lost
        revision = about.revision if isinstance(about, Message) else self.session.revision
        for rule, hit in without_yielding(hits) if len(hits) > 1 else hits:
            if isinstance(about, Message) and about.diverted is not None:
                hit.divert(rule.levels.get(revision, rule.level), about.diverted < len(about.line.data))
            self._kept.add(rule, hit, revision, lost, about.number)

    # --- results -----------------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        """What can be said so far, root causes first; the final findings once `finish` was called."""
        if self._final is not None:
            return self._final
        kept = self._kept.copy()
        revision = self.session.revision
        if self.session.expected.wanted:
            unknown = (name for name in PROVABLE if not getattr(self._provable, name))
            self.session.expected.unknown = frozenset(unknown)
        for rule, check in self._dispatch["state", "", "", revision]:
            for hit in as_list(check(self.session)):
                kept.add(rule, hit, revision)
        client, questions = self.client, self.session.questions
        findings: list[Finding] = []
        for finding in kept:
            rule = RULES[finding.rule]
            if questions.seen and is_provoked(finding, questions):
                continue
            if (finding.rule, finding.line) in self._hang_on_masks:
                continue
            if self._can_judge(rule) and not (finding.side == CLIENT and self.session.is_played):
                finding.loses_request = finding.loses_request or (
                    rule.about_pollution and harms(finding, client, self.session)
                )
                if finding.line not in self.session.requests.repaired:
                    finding.consequence = describe(finding, client, self.session)
                findings.append(finding)
        return by_cause(findings)

    def _can_judge(self, rule: Rule) -> bool:
        """Whether the capture can tell what the rule judges, and the session is one that it judges."""
        if rule.expected:
            return True
        if not all(getattr(self._provable, name) for name in rule.requires):
            return False
        if not self._provable.contents and _CONTENTS & rule.requires and not rule.judges_outlines:
            return False
        if not self._provable.one_process and not _judges_single_lines(rule):
            return False
        session = self.session
        if session.traffic.http2 is not None:
            return rule.stage in _PROCESS_STAGES and "whole" not in rule.requires
        probe = session.stateless.discover is not None and session.traffic.only_discover
        return not probe or rule.judges_probes or rule.stage in _WHOLE_SESSION_STAGES

    def finish(
        self, state: State | None = None, unfinished: Iterable[Line] = (), now_wall_us: int = 0
    ) -> list[Finding]:
        """Nothing more will come: the final findings.

        `state` is what became of the session, `unfinished` are the lines that never ended. `now_wall_us`
        is the time of day, in microseconds since 1970, by which requests of a live session wait.
        """
        if self._final is not None:
            return self._final
        self.session.state = state.value if state is not None else ""
        live = self.session.state == "live"
        if live and not is_capture(self.evidence):
            self.session.note_present(now_wall_us)
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

    @property
    def client(self) -> Recognised:
        """The client, as far as it can be told."""
        return recognise(self.session)

    def verdict(self, lines: int = 0, passed_over: int = 0) -> Verdict:
        """What the session came to, and why. `lines` of a capture were read, some were `passed_over`."""
        return verdict(self.findings(), self.session, self.client, self._provable, lines, passed_over)


def _judges_single_lines(rule: Rule) -> bool:
    """Whether it says the same whosever the other lines are."""
    return rule.stage in _SINGLE_LINES and not any(occasion.name in _PAIRING for occasion in rule.on)
