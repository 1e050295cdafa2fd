"""A probe as suites: a case for the client, each question, each finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.masking.masker import Masker
from mcptap.play.probe.client_report import ClientReport
from mcptap.play.probe.report.judged import UNRECORDED as UNRECORDED_WORDS
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.verdict import Grade, Verdict
from mcptap.play.side_by_side.trial import Trial
from mcptap.report.suites import PASSES, Case, Suite, Suites

CLIENT, LESS, ANSWER, UNRECORDED = "probe-client", "probe-less", "probe-answer", "probe-unrecorded"
NO_SERVER, ENTRY = "probe-no-server", "probe-entry"
ABOUT = {
    ENTRY: "An entry of a configuration is malformed, so that its client does not start the server.",
    NO_SERVER: "The command gives no session, and may be no MCP server at all.",
    CLIENT: "A client would not have had the server's tools.",
    LESS: "Under a client's conditions the server gives less than under the user's own.",
    ANSWER: "The server answers a question of the probe as none should.",
    UNRECORDED: "A session could not be recorded, so that nobody has judged it.",
}
"""The rules of a probe, each in a sentence."""


def probe_suites(name: str, judged: JudgedProbe, masker: Masker | None) -> Suites:
    """One server, probed."""
    result, found = judged.result, judged.findings
    cases = [] if judged.as_client is None else list(_client(judged.as_client))
    if result.no_server:
        cases.append(_case("server", NO_SERVER, result.no_server))
    for section, verdicts in result.verdicts.items():
        cases += (_verdict(section, verdict) for verdict in verdicts)
    if result.unrecorded:
        cases.append(_case("recording", UNRECORDED, UNRECORDED_WORDS))
    cases += (
        Case(_name(one.finding), (one.finding,), one.session.path if judged.is_kept else "") for one in found
    )
    if not found:
        cases.append(Case("findings", words=PASSES))
    return _masked(Suites([Suite(name, cases)], about=ABOUT), masker)


def trial_suites(trials: Sequence[Trial], masker: Masker | None) -> Suites:
    """Servers and clients side by side: a suite for a pair. Findings point at the entry, if one is known."""
    return _masked(Suites([_trial(trial) for trial in trials], about=ABOUT), masker)


def _trial(trial: Trial) -> Suite:
    report = trial.report
    name = " as ".join(filter(None, (trial.server, report.client.label)))
    if trial.skipped:
        case = Case("connects", path=trial.path, skipped=trial.skipped)
        if trial.is_unusable:
            case = _at_entry(_case("connects", ENTRY, f"{name} can't be started: {trial.skipped}"), trial)
        return Suite(name, [case])
    cases = [
        *_client(report),
        *([_case("recording", UNRECORDED, UNRECORDED_WORDS)] if trial.unrecorded else ()),
        *(Case(_name(one.finding), (one.finding,), report.path) for one in trial.found),
    ]
    if trial.path:
        cases = [_at_entry(case, trial) for case in cases]
    return Suite(name, cases)


def _at_entry(case: Case, trial: Trial) -> Case:
    """The case at the entry in the configuration: that is the file which whoever gates has before them."""
    findings = [
        replace(
            finding,
            line=trial.line,
            records=[],
            message=finding.message + (f" (in {case.path})" if case.path else ""),
        )
        for finding in case.findings
    ]
    return replace(case, findings=findings, path=trial.path)


def _client(report: ClientReport) -> Iterator[Case]:
    label = report.client.label
    if report.connects:
        yield Case(f"{label} connects", words=report.words, path=report.path)
    else:
        yield _case(
            f"{label} connects",
            CLIENT,
            f"{report.claim_of(label)}: {report.words}",
            report.cause,
            report.path,
        )
        return
    if report.less:
        yield _case("gives what it gives at home", LESS, f"{label}: {report.less}", report.cause, report.path)


def _verdict(section: str, verdict: Verdict) -> Case:
    name = f"{section}: {verdict.question}"
    if verdict.grade is Grade.BAD:
        return _case(name, ANSWER, f"{verdict.question}: {verdict.words}")
    if verdict.grade is Grade.SKIPPED:
        return Case(name, skipped=verdict.words)
    return Case(name, words=verdict.words)


def _case(name: str, rule: str, message: str, consequence: str = "", path: str = "") -> Case:
    found = Finding(rule, Level.ERROR, None, message, consequence, subject=name, side="server")
    return Case(name, (found,), path)


def _name(finding: Finding) -> str:
    return f"{finding.rule} {finding.subject}".rstrip()


def _masked(suites: Suites, masker: Masker | None) -> Suites:
    """The same without secrets."""
    if masker is None:
        return suites
    return replace(
        suites,
        suites=[
            Suite(
                masker.text(suite.name),
                [
                    replace(
                        case,
                        name=masker.text(case.name),
                        words=masker.text(case.words),
                        skipped=masker.text(case.skipped),
                        findings=[finding.changed(masker.text) for finding in case.findings],
                    )
                    for case in suite.cases
                ],
                masker.text(suite.unusable),
            )
            for suite in suites.suites
        ],
    )
