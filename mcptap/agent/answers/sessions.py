"""`mcptap_sessions`: which sessions were recorded, and what each came to."""

from __future__ import annotations

from mcptap.agent.answers.wording import ago, next_call
from mcptap.agent.arguments import Arguments
from mcptap.agent.judging import Judging
from mcptap.agent.pace import Pace
from mcptap.agent.shelf import Known, Shelf, is_called, moment
from mcptap.agent.tools import SESSIONS, WHY
from mcptap.agent.untrusted import Answer, clipped
from mcptap.captures.summary import WHOLE_BYTES, Summary, summarise
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording import made_here
from mcptap.recording.format.model import RecordingError
from mcptap.report.results import CheckedFile
from mcptap.text.units import counted, duration, size

LIMIT, MOST = 10, 50

_LOOKED_AT = 200
"""Of so many sessions at most it is looked at whether they had problems, for one page."""


def sessions(shelf: Shelf, judging: Judging, arguments: Arguments, pace: Pace) -> Answer:
    """A page of the list, newest first."""
    server, since = arguments.text("server"), arguments.text("since")
    since_us = moment(since) if since else 0
    limit = arguments.number("limit", LIMIT, most=MOST)
    only_problems, at = arguments.flag("problems_only"), arguments.cursor()
    found = [
        known
        for known in shelf.sessions()
        if known.header.start_wall_us >= since_us
        and (not server or is_called(known.name.partition("#")[0], server))
    ]
    answer = Answer()
    masker = made_here.masker()
    shown: list[Known] = []
    end = at
    for known in found[at : at + _LOOKED_AT]:
        if len(shown) == limit or pace.is_over:
            break
        end += 1
        try:
            summary = summarise(known.path)
            checked = judging.of(known.path, pace) if summary.size <= WHOLE_BYTES else None
        except RecordingError:
            continue  # pruned, or cut, in the meantime
        if only_problems and checked is not None and checked.outcome is Outcome.HEALTHY:
            continue
        shown.append(known)
        answer.data.append(_row(known, summary, checked, masker.text(summary.client)))
    answer.head.append(_summary(found, shown, at))
    if end < len(found):
        same = {name: arguments.spelled(name) for name in ("server", "since", "problems_only", "limit")}
        given = {name: value for name, value in same.items() if value}
        answer.tail.append(next_call(SESSIONS, **given, cursor=end))
    elif shown:
        answer.tail.append(next_call(WHY, session=shown[0].name))
    answer.tail.append(shelf.scope())
    return answer


def _summary(found: list[Known], shown: list[Known], at: int) -> str:
    if not found:
        return "No session is recorded here that fits."
    behind = f", behind the first {at:,}" if at else ""
    return f"{counted(len(found), 'session')}{behind}; shown: {len(shown)}"


def _row(known: Known, summary: Summary, checked: CheckedFile | None, client: str) -> str:
    state = summary.state.value
    start = known.header.start_wall_us
    last_us = checked.last_us if checked is not None else summary.length_us
    age = f"live, last record {ago(start + last_us)}" if state == "live" else f"{ago(start)}, {state}"
    own = "this client, " if known.is_siblings else ""
    count = f"{'' if summary.is_exact else '~'}{counted(summary.messages, 'message')}"
    facts = f"{known.name}  {own}{clipped(client, 40) or '?'}, {age}, {duration(summary.length_us)}, {count}"
    return f"{facts}: {_came_to(summary, checked)}"


def _came_to(summary: Summary, checked: CheckedFile | None) -> str:
    if checked is None:
        return f"not judged yet ({size(summary.size)}): {WHY}"
    worst = next((finding for finding in checked.findings if not finding.design), None)
    if worst is None:
        return checked.outcome.value
    more = sum(1 for finding in checked.findings if not finding.design) - 1
    return f"{checked.outcome.value}, {worst.level.word} {worst.rule}" + (f" and {more} more" if more else "")
