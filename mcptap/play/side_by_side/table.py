"""Servers and clients side by side: a table, and below it in full what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mcptap.masking.masker import Masker
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.play.probe.report.judged import UNRECORDED
from mcptap.play.side_by_side.trial import Trial
from mcptap.text.escape import visible
from mcptap.text.paragraphs import hanging
from mcptap.text.table import Column, Row, table
from mcptap.text.terminal import Terminal
from mcptap.text.units import counted

SERVER, CLIENT = Column("SERVER", least=8), Column("CLIENT", least=8)
COLUMNS = (Column("CONNECTS"), Column("TOOLS", right=True), Column("PROBLEMS"))
DIFFERENT = Column("WHAT IS DIFFERENT", least=16)

NOT_PLAYED = "-"


def lines(
    trials: Sequence[Trial], terminal: Terminal, masker: Masker | None, calls: int = 0
) -> Iterator[str]:
    """The table, what is wrong row by row, and the sum of it. `calls`: how many tools were called."""
    by_server, by_client = _differ(t.server for t in trials), _differ(t.client.id for t in trials)

    def mask(text: str) -> str:
        return visible(text if masker is None else masker.text(text))

    untried = _untried(trials)
    rows = []
    for trial in trials:
        if trial.ok and trial.skipped in untried:
            continue
        named = [trial.server] * by_server + [trial.client.label] * (by_client or not by_server)
        cells, styles = _cells(trial)
        rows.append(Row([mask(cell) for cell in (*named, *cells)], ["bold"] * len(named) + styles))
    columns = [SERVER] * by_server + [CLIENT] * (by_client or not by_server)
    yield from table((*columns, *COLUMNS, DIFFERENT), rows, terminal)
    for why, names in untried.items():
        yield from hanging(mask(f"not tried, {why}: {', '.join(names)}"), terminal.width, 2)
    for trial in trials:
        if not trial.ok:
            yield ""
            for style, line, hang in _in_full(trial):
                yield from (
                    terminal.paint(piece, style) for piece in hanging(mask(line), terminal.width, hang)
                )
    yield ""
    yield terminal.paint(summary(trials, calls), "bold")


MANY = 4
"""So many rows that are not tried for the same reason are told in one line."""


def _untried(trials: Sequence[Trial]) -> dict[str, list[str]]:
    """Reasons for which many are not tried, each with their names."""
    found: dict[str, list[str]] = {}
    for trial in trials:
        if trial.skipped and trial.ok:
            found.setdefault(trial.skipped, []).append(_name(trial))
    return {why: list(dict.fromkeys(names)) for why, names in found.items() if len(names) >= MANY}


def _name(trial: Trial) -> str:
    return " as ".join(filter(None, (trial.server, trial.client.label)))


def _differ(values: Any) -> bool:
    return len(set(values)) > 1


def _cells(trial: Trial) -> tuple[list[str], list[str]]:
    """What stands behind the names, and the style of each."""
    report = trial.report
    if trial.skipped:
        words = "no" if trial.is_unusable else "not tried"
        style = "error" if trial.is_unusable else "dim"
        return [words, NOT_PLAYED, NOT_PLAYED, trial.skipped], [style, "dim", "dim", style]
    problems = sum(1 for one in trial.found if one.counts)
    none = NOT_PLAYED if report.outcome is ClientOutcome.FAILED else "none"
    cells = [
        CONNECTS[report.outcome],
        f"{'≤' * report.drops}{len(report.tools)}" if report.connects else NOT_PLAYED,
        counted(problems, "finding") if problems else none,
        different(trial),
    ]
    styles = [
        "plain" if report.connects else "error",
        "plain",
        "error" if problems else "dim",
        "plain" if report.works else "error",
    ]
    return cells, styles


CONNECTS = {
    ClientOutcome.LISTED: "yes",
    ClientOutcome.NO_TOOLS: "yes",
    ClientOutcome.DISCONNECTED: "no",
    ClientOutcome.HUNG: "no",
    ClientOutcome.FAILED: "no",
}


def different(trial: Trial) -> str:
    """In what the server is under this client otherwise than at home, or why it is not to be had."""
    report = trial.report
    if report.less:
        return f"{report.less}; {report.cause}"
    if not report.connects or report.outcome is ClientOutcome.NO_TOOLS:
        return report.cause or report.why
    facts = (("working directory", trial.client.cwd), ("environment", trial.client.environment))
    unknown = [name for name, fact in facts if not fact.known]
    return f"nothing; its {' and '.join(unknown)} not known" if unknown else "nothing"


def _in_full(trial: Trial) -> Iterator[tuple[str, str, int]]:
    report = trial.report
    if trial.skipped:
        yield "bold", f"{_name(trial)}: can't be started: {trial.skipped}", 4
        return
    yield "bold", f"{_name(trial)}: {report.words}", 4
    if trial.unrecorded:
        yield "error", f"  error   {UNRECORDED}", 10
    for label, text in (("less", report.less), ("cause", report.cause)):
        if text:
            yield "plain", f"  {label:7} {text}", 10
    for text in report.remarks:
        yield "warning", f"  note    {text}", 10
    for one in trial.found:
        if one.counts:
            finding = one.finding
            place = f" (record {finding.line})" if finding.line is not None else ""
            yield finding.level.word, f"  {finding.level.word:7} {finding.rule}{place}: {finding.message}", 10
            if finding.remedy:
                yield "plain", f"          Remedy: {finding.remedy}", 10
    if report.path:
        yield "dim", f"  record  {report.path}", 10


def summary(trials: Sequence[Trial], calls: int = 0) -> str:
    """How many are as they should be, in a sentence."""
    played = [trial for trial in trials if not trial.skipped]
    wrong = [trial for trial in trials if not trial.ok]
    skipped = len(trials) - len(played)
    asked = f"{counted(len(played), 'session')} played" + (f", {skipped} not tried" if skipped else "")
    called = f"{counted(calls, 'tool call was', 'tool calls were')} made" if calls else "no tool was called"
    if not wrong:
        return f"{asked}; nothing is wrong with what was asked: opening and lists; {called}."
    return f"{asked}; {len(wrong)} with something wrong; {called}."


def as_json(trials: Sequence[Trial], calls: int = 0) -> dict[str, Any]:
    """The rows for programs. `calls`: how many tools were called."""
    return {
        "ok": all(trial.ok for trial in trials),
        "calls": calls,
        "sessions": [_row(trial) for trial in trials],
    }


def _row(trial: Trial) -> dict[str, Any]:
    report = trial.report
    row: dict[str, Any] = {
        "server": trial.server or None,
        "client": trial.client.id,
        "config": trial.path or None,
        "line": trial.line,
        "skipped": trial.skipped or None,
    }
    if trial.skipped:
        return {**row, "ok": False} if trial.is_unusable else row
    return {
        **row,
        "ok": trial.ok,
        "recorded": not trial.unrecorded,
        "connects": report.connects,
        "shown": report.outcome.value,
        "why": report.why,
        "tools": report.tools,
        "less": report.less,
        "cause": report.cause,
        "conditions": dict(report.conditions),
        "assumptions": report.assumptions,
        "remarks": report.remarks,
        "findings": [
            {
                "rule": one.finding.rule,
                "level": one.finding.level.word,
                "line": one.finding.line,
                "message": one.finding.message,
                "consequence": one.finding.consequence,
                "remedy": one.finding.remedy,
            }
            for one in trial.found
        ],
        "recording": report.path or None,
    }
