"""The probe: both openings, all lists, the hard questions, calls asked for; in fresh processes.

Sessions in which nothing odd is sent count in full for the diagnosis. In the session of the
questions a finding counts only if it is not about an exchange that the probe provoked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mcptap.play.client.arguments import is_read_only, right_arguments
from mcptap.play.client.connection import Connection, ConnectionSettings, as_line, connect
from mcptap.play.client.opening import (
    Opening,
    OpeningOutcome,
    ServerDescription,
    discover,
    initialize,
    learn,
    request_meta,
)
from mcptap.play.probe.questions import Grade, Question, Verdict, judge, questions
from mcptap.protocol.model.message import Message

LATE_S = 1.2
"""How long an answer to a cancelled request is watched for: a second may be on its way."""

CANCEL_AFTER_S = 0.3
MAX_STARTS = 5
"""How often a server that questions end or stop from answering is started for the rest of them."""

REASON = "a question of mcptap probe"


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the user asked for; `cancel` if it is to be cancelled on its way."""

    name: str
    arguments: dict[str, Any]
    cancel: bool = False


@dataclass(slots=True)
class ProbedSession:
    """One recorded session of the probe."""

    path: str
    what: str
    provoked: set[int] = field(default_factory=set)
    """Records of the server that came of deliberately bad input."""
    bad_lines: set[bytes] = field(default_factory=set)
    """The client's lines that were deliberately bad, without their LF."""
    counts: bool = True
    """False if the probe brought the session to its end: a verdict says what that was about."""
    sibling: bool = False


@dataclass(slots=True)
class ProbeResult:
    """What a probe came to."""

    verdicts: dict[str, list[Verdict]] = field(default_factory=dict)
    """By section, in order."""
    offer: ServerDescription | None = None
    recorded: list[ProbedSession] = field(default_factory=list)

    def add(self, section: str, question: str, grade: Grade, words: str) -> None:
        """Add a verdict."""
        self.verdicts.setdefault(section, []).append(Verdict(question, grade, words))

    @property
    def unrecorded(self) -> bool:
        """Whether a session could not be recorded: then nobody has judged it."""
        return any(not session.path for session in self.recorded)

    @property
    def bad(self) -> list[Verdict]:
        """The verdicts that count as findings."""
        return [v for section in self.verdicts.values() for v in section if v.grade is Grade.BAD]


class Probe:
    """One probe of one server."""

    def __init__(self, settings: ConnectionSettings, calls: list[Call], call_read_only: bool = False) -> None:
        self._settings = settings
        self._calls = calls
        self._call_read_only = call_read_only
        self._offers: dict[bool, ServerDescription] = {}
        self._answers_ping = True
        self.result = ProbeResult()

    async def run(self) -> ProbeResult:
        """Everything, one process after another. Raises UserError if the server can't be started."""
        modern = await self._both_in_one_process()
        handshake = await self._in_two_processes()
        if not handshake and modern is None:
            self.result.add("questions", "all questions", Grade.SKIPPED, "there is no session to ask them in")
            return self.result
        await self._ask_questions(stateless=not handshake)
        if handshake and modern is not None:
            await self._ask_questions(stateless=True)
        await self._call_tools(stateless=not handshake)
        return self.result

    # --- openings ----------------------------------------------------------------------------

    async def _both_in_one_process(self) -> ServerDescription | None:
        """`server/discover`, and `initialize` in the same process if that is refused."""
        section = "start"
        async with connect(self._settings) as connection:
            self._record(connection, "server/discover first")
            opening = await discover(connection, limit_s=self._settings.timeout_s)
            if opening.opened is OpeningOutcome.ACCEPTED:
                self.result.add(section, "server/discover", Grade.FINE, "accepted: speaks 2026-07-28")
                offer = self._keep(await learn(connection, opening))
                await self._read(connection, offer)
                await self._finish(connection, section, "end of input")
                return offer
            words = f"{opening.words}; a server of the handshake"
            grade = Grade.FINE if opening.opened is OpeningOutcome.REFUSED else Grade.DIFFERS
            self.result.add(section, "server/discover", grade, words)
            if opening.opened is OpeningOutcome.GONE:
                return None
            opening = await initialize(connection)
            self._tell_handshake("initialize behind it", opening)
            if opening.opened is OpeningOutcome.ACCEPTED:
                self._keep(await learn(connection, opening))
            await self._finish(connection, section, "end of input")
        return None

    async def _in_two_processes(self) -> bool:
        """`server/discover` in a process of its own, then a fresh one; True if the handshake works."""
        section = "two processes"
        async with connect(self._settings) as connection:
            self._record(connection, "server/discover alone").sibling = True
            alone = await discover(connection, limit_s=self._settings.timeout_s)
            await connection.stop()
        self.result.add(section, "server/discover alone", Grade.FINE, alone.words)
        async with connect(self._settings) as connection:
            record = self._record(connection, "initialize")
            opening = await initialize(connection)
            if opening.opened is OpeningOutcome.REFUSED and alone.opened is OpeningOutcome.ACCEPTED:
                record.counts = False
                words = f"{opening.words}; only clients of 2026-07-28 can use it"
                self.result.add(section, "initialize", Grade.DIFFERS, words)
                return False
            self._tell_handshake("initialize", opening, section)
            if opening.opened is not OpeningOutcome.ACCEPTED:
                await self._finish(connection, section, "end of input")
                return False
            offer = self._keep(await learn(connection, opening))
            await self._read(connection, offer)
            self._tell_ping(await connection.ask("ping"), section)
            await self._cancel_a_list(connection, offer, section, record)
            await self._finish(connection, section, "end of input")
        return True

    def _tell_handshake(self, question: str, opening: Opening, section: str = "start") -> None:
        if opening.opened is OpeningOutcome.ACCEPTED:
            words = f"accepted: {opening.result.get('protocolVersion')}"
            self.result.add(section, question, Grade.FINE, words)
        else:
            self.result.add(section, question, Grade.BAD, opening.words)

    def _tell_ping(self, answer: Message | None, section: str) -> None:
        if answer is None:
            self._answers_ping = False
            self.result.add(section, "ping", Grade.BAD, "not answered")
        elif isinstance(answer.error, dict):
            words = f"error {answer.error.get('code')}, though a ping has to be answered"
            self.result.add(section, "ping", Grade.BAD, words)
        else:
            self.result.add(section, "ping", Grade.FINE, "answered")

    async def _read(self, connection: Connection, offer: ServerDescription) -> None:
        """Read the first resource that is listed: reading is what a list is for, and has no effects."""
        resources = offer.lists.get("resources") or []
        uri = resources[0].get("uri") if resources else None
        if isinstance(uri, str):
            await connection.ask("resources/read", {"uri": uri})

    async def _cancel_a_list(
        self, connection: Connection, offer: ServerDescription, section: str, record: ProbedSession
    ) -> None:
        """Cancel what takes no time: the answer may be on its way, but the server must go on."""
        if "tools" not in offer.capabilities:
            return
        key = connection.new_id()
        asked = connection.request_line("tools/list", None, key)
        reason = {"requestId": key, "reason": REASON}
        cancelled = as_line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": reason})
        # The race is the probe's doing: an answer that overtakes the cancellation is nobody's fault.
        record.bad_lines.update({asked[:-1], cancelled[:-1]})
        begin = len(connection.heard)
        await connection.send(asked + cancelled)
        behind = await self._ask_something_ordinary(connection)
        record.provoked.update(m.number for m in connection.heard[begin:] if m is not behind)
        if behind is not None:
            self.result.add(section, "a list, cancelled", Grade.FINE, "the request behind it is answered")
        else:
            self.result.add(section, "a list, cancelled", Grade.BAD, "the request behind it is not answered")

    async def _finish(self, connection: Connection, section: str, question: str) -> None:
        """End of input, and how the server takes it."""
        crashed = connection.gone
        end = await connection.stop()
        if crashed:
            self.result.add(section, question, Grade.BAD, f"the server had ended before ({end})")
        elif end.signal is not None:
            self.result.add(section, question, Grade.BAD, f"the server stayed until it was ended by {end}")
        else:
            grade = Grade.FINE if end.code == 0 else Grade.DIFFERS
            self.result.add(section, question, grade, f"the server ended with code {end}")

    # --- questions ---------------------------------------------------------------------------

    async def _ask_questions(self, stateless: bool) -> None:
        """Ask them one by one; a server that a question has ended is started anew for the rest."""
        section = "questions (2026-07-28)" if stateless else "questions"
        offer = self._offers.get(stateless) or self.result.offer or ServerDescription()
        todo = list(questions(offer, request_meta() if stateless else None, self._ordinary(stateless)))
        for _ in range(MAX_STARTS):
            async with connect(self._settings) as connection:
                record = self._record(connection, section)
                opening = await (discover(connection) if stateless else initialize(connection))
                if opening.opened is not OpeningOutcome.ACCEPTED:
                    why = f"a fresh start failed: {opening.words}"
                    self.result.add(section, "the rest", Grade.SKIPPED, why)
                    return
                await self._ask_while_it_answers(connection, todo, section, record)
            if not todo:
                return
        why = f"the server had to be started {MAX_STARTS} times"
        self.result.add(section, f"{len(todo)} more", Grade.SKIPPED, why)

    async def _ask_while_it_answers(
        self, connection: Connection, todo: list[Question | Verdict], section: str, record: ProbedSession
    ) -> None:
        """Ask, and take what was asked off the list, until it is empty or the server is of no use."""
        answers = True
        while todo and answers:
            asked = todo.pop(0)
            if isinstance(asked, Question):
                verdict, answers = await self._ask(connection, asked, record)
            else:
                verdict = asked
            self.result.verdicts.setdefault(section, []).append(verdict)
        record.counts = answers
        if answers:
            await self._finish(connection, section, "end of input after all that")

    async def _ask(
        self, connection: Connection, question: Question, record: ProbedSession
    ) -> tuple[Verdict, bool]:
        """The verdict, and whether the server still answers an ordinary request behind it."""
        begin = len(connection.heard)
        record.bad_lines.add(question.data.rstrip(b"\r\n"))
        await connection.send(question.data)
        answer = None
        if question.key is not None:
            answer = await connection.answer_to(question.key, begin)
        # Whatever comes without being asked for comes before the answer to a request behind it.
        behind = await self._ask_something_ordinary(connection)
        end = len(connection.heard) if behind is None else connection.heard.index(behind)
        since = [m for m in connection.heard[begin:end] if m is not answer]
        record.provoked.update(m.number for m in since)
        if answer is not None:
            record.provoked.add(answer.number)
        verdict = judge(question, answer, since, connection.gone)
        if behind is None and not connection.gone and verdict.grade is not Grade.BAD:
            verdict = Verdict(question.name, Grade.BAD, "after it, the server answers nothing any more")
        return verdict, behind is not None

    async def _ask_something_ordinary(self, connection: Connection) -> Message | None:
        return await connection.ask(self._ordinary(bool(connection.meta)))

    def _ordinary(self, stateless: bool) -> str:
        """A harmless method that this server answers."""
        if stateless:
            return "server/discover"
        return "ping" if self._answers_ping else "tools/list"

    # --- calls -------------------------------------------------------------------------------

    async def _call_tools(self, stateless: bool) -> None:
        """The calls that were asked for, in one process."""
        calls = list(self._calls)
        section = "calls"
        tools = self.result.offer.tools if self.result.offer else []
        if self._call_read_only:
            for tool in filter(is_read_only, tools):
                arguments, why_not = right_arguments(tool)
                if arguments is None:
                    self.result.add(section, str(tool.get("name")), Grade.SKIPPED, why_not)
                else:
                    calls.append(Call(str(tool.get("name")), arguments))
        if not calls:
            return
        async with connect(self._settings) as connection:
            self._record(connection, section)
            opening = await (discover(connection) if stateless else initialize(connection))
            if opening.opened is not OpeningOutcome.ACCEPTED:
                self.result.add(section, "all calls", Grade.SKIPPED, f"a fresh start failed: {opening.words}")
                return
            for call in calls:
                if connection.gone:
                    self.result.add(section, call.name, Grade.SKIPPED, "the server had ended")
                elif call.cancel:
                    await self._call_and_cancel(connection, call)
                else:
                    await self._call(connection, call)
            await self._finish(connection, section, "end of input")

    async def _call(self, connection: Connection, call: Call) -> None:
        params = {"name": call.name, "arguments": call.arguments}
        answer = await connection.ask("tools/call", params, limit_s=self._settings.call_s)
        grade, words = Grade.FINE, "a result"
        if answer is None:
            grade, words = Grade.BAD, "the server ended" if connection.gone else "no answer"
        elif isinstance(answer.error, dict):
            grade, words = Grade.BAD, f"error {answer.error.get('code')}, {answer.error.get('message')}"
        elif isinstance(answer.result, dict) and answer.result.get("isError") is True:
            grade, words = Grade.DIFFERS, "a result with isError"
        self.result.add("calls", call.name, grade, words)

    async def _call_and_cancel(self, connection: Connection, call: Call) -> None:
        """The contract of cancellation: no answer to the call, and the ping behind it answered."""
        question = f"{call.name}, cancelled"
        key = connection.new_id()
        begin = len(connection.heard)
        params = {"name": call.name, "arguments": call.arguments}
        await connection.send(connection.request_line("tools/call", params, key))
        if await connection.answer_to(key, begin, CANCEL_AFTER_S) is not None:
            self.result.add(
                "calls", question, Grade.SKIPPED, "the call was over before it could be cancelled"
            )
            return
        await connection.notify("notifications/cancelled", {"requestId": key, "reason": REASON})
        since = len(connection.heard)
        behind = await self._ask_something_ordinary(connection)
        late = await connection.answer_to(key, since, LATE_S)
        if behind is None:
            self.result.add("calls", question, Grade.BAD, "the request behind it is not answered")
        elif late is not None and isinstance(late.result, dict):
            self.result.add("calls", question, Grade.DIFFERS, "the call was answered all the same")
        elif late is not None:
            self.result.add("calls", question, Grade.DIFFERS, "the call was answered, with an error")
        else:
            self.result.add(
                "calls", question, Grade.FINE, "no answer to the call; the request behind it is answered"
            )

    def _keep(self, offer: ServerDescription) -> ServerDescription:
        """Note what the server offers in this era; the first that was had is shown."""
        self._offers.setdefault(offer.stateless, offer)
        self.result.offer = self.result.offer or offer
        return offer

    def _record(self, connection: Connection, what: str) -> ProbedSession:
        record = ProbedSession(connection.path, what)
        self.result.recorded.append(record)
        return record
