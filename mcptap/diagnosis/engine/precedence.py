"""Which findings stay where several rules speak, and in which order: root causes first.

This is the only place that knows how rules relate, and it knows it from the rules' own
`yields_to`, `unless`, `explains`, `costs`, `stray` and `stage`.
"""

from __future__ import annotations

from collections.abc import Iterable

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import Hit, Rule


def matches(patterns: Iterable[str], rule: str) -> bool:
    """Whether a rule is one of these; `family-*` stands for all whose id begins so."""
    return any(rule == p or (p.endswith("*") and rule.startswith(p[:-1])) for p in patterns)


def settle(hits: list[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """What stays of the hits about one record."""
    spoken = {rule.id for rule, _ in hits}
    return [
        (rule, hit)
        for rule, hit in hits
        if not any(other != rule.id and matches(rule.yields_to, other) for other in spoken)
    ]


def arrange(findings: list[Finding]) -> list[Finding]:
    """Findings of a session with those left out that another one makes needless, root causes first.

    The order is: what is worst, then what cost a request (and last the stray lines that cost none),
    then what lies earlier on the way (launch, framing, shape, lifecycle, capability, contents), then
    the record. A finding that explains a worse or costlier one comes before it.
    """
    worst: dict[str, Level] = {}
    for finding in findings:
        worst[finding.rule] = max(finding.level, worst.get(finding.rule, finding.level))
    staying = [f for f in findings if not any(matches(RULES[f.rule].unless, other) for other in worst)]
    for rule in set(worst) - {f.rule for f in staying}:
        del worst[rule]
    harm: dict[str, int] = {}
    for finding in staying:
        harm[finding.rule] = min(_harm(finding), harm.get(finding.rule, STRAY))

    def weight(finding: Finding) -> tuple[bool, int, int, bool, int, int, str]:
        rule = RULES[finding.rule]
        caused = [other for other in worst if matches(rule.explains, other)]
        level = max([finding.level, *(worst[other] for other in caused)])
        explained = any(matches(RULES[other].explains, finding.rule) for other in worst)
        return (
            finding.design,
            -level,
            min([_harm(finding), *(harm[other] for other in caused)]),
            explained,
            rule.stage,
            finding.line or 0,
            finding.rule + finding.subject,
        )

    return sorted(staying, key=weight)


COSTLY, PLAIN, STRAY = range(3)


def _harm(finding: Finding) -> int:
    if finding.costly:
        return COSTLY
    return STRAY if RULES[finding.rule].stray else PLAIN
