"""What a known client makes of what a server wrote: of its opening, its stray lines and its list of tools.

Taken from what is known of the client, or else of its library, which is then said: `report.doubtful`.
"""

from __future__ import annotations

from collections.abc import Collection

from mcptap.clients.client import Client, Opening
from mcptap.clients.facts import Fact
from mcptap.clients.faults import Fault
from mcptap.clients.outcomes import Outcome
from mcptap.clients.reactions import known_outcome, reactions, told_by
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.explain.wording import quote
from mcptap.diagnosis.problems import findings_in
from mcptap.play.client.connection import ALWAYS_DROPPED
from mcptap.play.probe.client_report import ClientOutcome, ClientReport, with_source
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.message import BLANK, MESSAGES, TEXT, Flaw, Message
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from mcptap.text.sentences import capital

FLAWS = {
    Flaw.EXTRA_MEMBER: Fault.EXTRA_MEMBER,
    Flaw.NULL_MEMBER: Fault.NULL_MEMBER,
    Flaw.RESULT_AND_ERROR: Fault.RESULT_AND_ERROR,
}
"""Flaws of a message for which some clients ignore it; all ignore those of `ALWAYS_DROPPED`."""

LINE_FAULTS = (Fault.NOT_A_NUMBER, Fault.INVALID_UTF8, Fault.BYTE_ORDER_MARK)
"""Faults for which a line is no JSON to some clients, and a message to others."""

OPENING_FAULTS = (
    Fault.OPENING_SHAPE,
    *(Fault.CAPABILITY_NULL, Fault.CAPABILITY_SHAPE, Fault.STATELESS_HANDSHAKE, Fault.UNKNOWN_REVISION),
)
"""Faults of the answer to `initialize`, for which some clients end the session."""

READS_NO_MORE = (Outcome.ENDS_SESSION, Outcome.STOPS_READING)


def outcome_of(client: Client, fault: Fault) -> Outcome | None:
    """What a client does about a fault, as far as it is known."""
    known = known_outcome(client, fault)
    return None if known is None else known.value


def dropped(client: Client) -> frozenset[str]:
    """The flaws for which the client ignores a message."""
    known = {flaw: outcome_of(client, fault) for flaw, fault in FLAWS.items()}
    return ALWAYS_DROPPED | {flaw for flaw, does in known.items() if does and does.waits}


def forgiven(client: Client) -> frozenset[Fault]:
    """Faults of a line for which the client reads it all the same."""
    known = {fault: outcome_of(client, fault) for fault in LINE_FAULTS}
    return frozenset(fault for fault, does in known.items() if does is not None and does.reads)


class Judgement:
    """Judges for one client, and completes the report on it."""

    def __init__(self, client: Client, report: ClientReport) -> None:
        self._client = client
        self._report = report

    def told(self, fault: Fault, does: Fact[Outcome]) -> str:
        """What the client, or its library, does about a fault, and how that is known."""
        assert does.value is not None
        if fault not in self._client.reactions and not self._client.is_library:
            self._report.doubtful = True
        return f"{told_by(self._client, fault)} {with_source(does.value.words, does)}"

    def takes_revision(self, opening: Opening, version: object) -> bool:
        """Whether the client goes on after this answer to `initialize`; if not, the report says so."""
        if version in (opening.takes or HANDSHAKE_REVISIONS):
            return True
        answer = f"the server answers initialize with revision {quote(str(version), 40)}"
        if version in HANDSHAKE_REVISIONS:
            self._disconnect(f"{answer}, which {self._client.label} does not take")
            return False
        fault = Fault.STATELESS_HANDSHAKE if version in STATELESS_REVISIONS else Fault.UNKNOWN_REVISION
        does = known_outcome(self._client, fault)
        if does is None or does.value is None:
            self._report.doubtful = True
            self._disconnect(
                f"{answer}, which has no handshake or is unknown; what {self._client.name} does is not known"
            )
        elif not does.value.harmless:
            self._disconnect(f"{answer}; {self.told(fault, does)}")
        return does is not None and does.value is not None and does.value.harmless

    def judge_lines(self, received: list[Message], connected_at: int | None) -> None:
        """What lines that are no messages do; `connected_at` is the place of the answer to the opening."""
        for place, message in enumerate(received):
            if message.kind in MESSAGES or message.kind == BLANK:
                self._judge_size(message)
            elif message.kind != TEXT or not Broken(message.line.data).constant:  # else see judge_findings
                self._judge_stray(message, connected_at is not None and place > connected_at)

    def _judge_stray(self, message: Message, connected: bool) -> None:
        report, client = self._report, self._client
        shown = message.line.data[:60].decode(errors="backslashreplace")
        line = f'record {message.number} on stdout is not JSON ("{shown}")'
        unreadable = known_outcome(client, Fault.INVALID_UTF8)
        if not _is_utf8(message) and unreadable is not None and unreadable.value in READS_NO_MORE:
            told = self.told(Fault.INVALID_UTF8, unreadable)
            self._disconnect(f"record {message.number} on stdout is not UTF-8; {told}")
            return
        does = known_outcome(client, Fault.NOT_JSON)
        if does is None or does.value is None:
            report.remarks.append(f"{line}; what {client.name} does about that is not known")
        elif does.value.harmless or (does.value is Outcome.DISCONNECTS_ONCE_CONNECTED and not connected):
            who = told_by(client, Fault.NOT_JSON)
            report.remarks.append(f"{line}; {who} {with_source(does.value.words, does)}")
        else:
            self._disconnect(f"{line}; {self.told(Fault.NOT_JSON, does)}")

    def _judge_size(self, message: Message) -> None:
        limit = self._client.longest_line.value
        if limit is not None and len(message.line.data) > limit:
            size = len(message.line.data)
            self._disconnect(
                f"record {message.number} on stdout has {size:,} bytes, and {limit:,} are its limit"
            )

    def judge_page_error(self, error: str) -> None:
        """What an error does that the server gives for a later page of its list of tools."""
        fault, report = Fault.PAGE_ERROR, self._report
        does = known_outcome(self._client, fault)
        told = f"a later page of tools/list: {error}"
        if does is None or does.value is None:
            report.remarks.append(f"{told}; what {self._client.name} does about that is not known")
        elif does.value.loses_list:
            report.outcome, report.tools = ClientOutcome.NO_TOOLS, []
            report.why = f"{told}; {self.told(fault, does)}"

    def _disconnect(self, why: str) -> None:
        if self._report.outcome is not ClientOutcome.DISCONNECTED:
            self._report.outcome, self._report.why = ClientOutcome.DISCONNECTED, why

    def judge_findings(self, decisive: Collection[int]) -> None:
        """What the faults do that `mcptap check` finds in these records: the answers without which the
        client has no tools."""
        report, client = self._report, self._client
        if not report.connects or not report.path:
            return
        for finding in findings_in(report.path):
            fault = finding.fault
            if fault is None or {finding.line, *finding.records}.isdisjoint(decisive):
                continue
            does = known_outcome(client, fault)
            value = does.value if does is not None else None
            if does is None or value is None:
                self._tell_unknown(fault, finding.message)
            elif value.ends_session and fault in OPENING_FAULTS:
                report.tools = []
                self._disconnect(f"{finding.message} {capital(self.told(fault, does))}")
                return
            elif value.loses_list and fault not in OPENING_FAULTS:
                report.outcome, report.tools = ClientOutcome.NO_TOOLS, []
                report.why = f"{finding.message} {capital(self.told(fault, does))}"
                return
            elif value is Outcome.DROPS_TOOLS:
                report.drops = True
                report.remarks.append(f"{finding.message} {capital(self.told(fault, does))}")

    def _tell_unknown(self, fault: Fault, message: str) -> None:
        """Name a library that loses the list by it, where nobody knows what this client does."""
        losing = next((name for name, each in reactions(fault).items() if each.loses_list), None)
        if losing and not self._client.libraries.known and not self._client.is_library:
            words = reactions(fault)[losing].words
            self._report.remarks.append(
                f"{message} Its library, if it is the {CLIENTS[losing].label}, {words}; which one it is is "
                "not known"
            )


def _is_utf8(message: Message) -> bool:
    try:
        message.line.data.decode()
    except UnicodeDecodeError:
        return False
    return True
