"""Which findings stay where several rules speak, and in which order: root causes first.

This is the only place that knows how rules relate, and it knows it from the rules' own
`yields_to`, `unless`, `explains`, `loses_request`, `about_pollution` and `stage`.
"""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES, matching
from mcptap.diagnosis.engine.rule import Hit, Rule


def without_yielding(hits: list[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """The hits about one record, without those whose rule yields to another one that also speaks."""
    speaking = {rule.id for rule, _ in hits}
    return [(rule, hit) for rule, hit in hits if not matching(rule.yields_to) & speaking - {rule.id}]


def by_cause(findings: list[Finding]) -> list[Finding]:
    """Findings of a session with those left out that another one makes superfluous, root causes first.

    The order is: what is worst, then what cost a request (and last pollution that cost none),
    then what lies earlier on the way (launch, framing, shape, lifecycle, capability, contents), then
    the record. A finding that explains a worse or costlier one comes before it.
    """
    worst: dict[str, Level] = {}
    for finding in findings:
        worst[finding.rule] = max(finding.level, worst.get(finding.rule, finding.level))
    staying = [f for f in findings if matching(RULES[f.rule].unless).isdisjoint(worst)]
    for rule in set(worst) - {f.rule for f in staying}:
        del worst[rule]
    harm: dict[str, int] = {}
    for finding in staying:
        harm[finding.rule] = min(_harm(finding), harm.get(finding.rule, POLLUTION))

    def weight(finding: Finding) -> tuple[bool, int, int, bool, int, int, str]:
        rule = RULES[finding.rule]
        caused = matching(rule.explains) & worst.keys()
        level = max([finding.level, *(worst[other] for other in caused)])
        explained = any(finding.rule in matching(RULES[other].explains) for other in worst)
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


LOSES_REQUEST, PLAIN, POLLUTION = range(3)


def _harm(finding: Finding) -> int:
    if finding.loses_request:
        return LOSES_REQUEST
    return POLLUTION if RULES[finding.rule].about_pollution else PLAIN
