"""The register of all rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from mcptap.captures.evidence import PROVABLE
from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import Levels, everywhere, in_order
from mcptap.diagnosis.engine.occasion import parse
from mcptap.diagnosis.engine.rule import ANY_TRANSPORT, Check, Rule, Stage, Transport
from mcptap.diagnosis.engine.selection import matches
from mcptap.diagnosis.engine.template import Template

RULES: dict[str, Rule] = {}
"""All rules by id (filled when `mcptap.diagnosis.rules` is imported)."""


def rule(
    name: str,
    levels: Level | Levels,
    *,
    side: str,
    on: str,
    stage: Stage,
    source: str,
    says: str,
    brief: str = "",
    leads_to: str = "",
    remedy: str = "",
    requires: str = "",
    transports: frozenset[Transport] = ANY_TRANSPORT,
    fault: Fault | None = None,
    yields_to: str = "",
    unless: str = "",
    explains: str = "",
    silence: str = "",
    needs_start: bool = False,
    judges_probes: bool = False,
    design: bool = False,
    loses_request: bool = False,
    about_pollution: bool = False,
    judges_outlines: bool = False,
    odd_only: bool = False,
    failures_only: bool = False,
    about_lock: bool = False,
    about_questions: bool = False,
    expected: bool = False,
    tells_unjudged: bool = False,
) -> Callable[[Check], Check]:
    """Register a function as a rule; the fields are those of `Rule`.

    A single level counts in all revisions. Occasions (`on`) have commas between, and the words of
    `requires`, `yields_to`, `unless` and `explains` spaces. Raises ValueError if a field can't be
    understood.
    """
    if name in RULES:
        raise ValueError(f"two rules are called {name}")
    by_revision = in_order(everywhere(levels) if isinstance(levels, Level) else levels)
    needed = frozenset(requires.split())
    if needed - PROVABLE.keys():
        raise ValueError(f"{name} requires {sorted(needed - PROVABLE.keys())}, which no evidence has")

    def register(check: Check) -> Check:
        RULES[name] = Rule(
            id=name,
            levels=by_revision,
            level=max(by_revision.values()),
            side=side,
            stage=stage,
            on=tuple(parse(occasion) for occasion in on.split(",")),
            source=source,
            says=Template(says),
            brief=Template(brief or says),
            leads_to=Template(leads_to),
            remedy=remedy,
            check=check,
            requires=needed,
            transports=transports,
            fault=fault,
            yields_to=tuple(yields_to.split()),
            unless=tuple(unless.split()),
            explains=tuple(explains.split()),
            silence=Template(silence) if silence else None,
            needs_start=needs_start,
            judges_probes=judges_probes,
            design=design,
            loses_request=loses_request,
            about_pollution=about_pollution,
            judges_outlines=judges_outlines,
            odd_only=odd_only,
            failures_only=failures_only,
            about_lock=about_lock,
            about_questions=about_questions,
            expected=expected,
            tells_unjudged=tells_unjudged,
        )
        return check

    return register


@cache
def matching(patterns: tuple[str, ...]) -> frozenset[str]:
    """The ids of all rules that are among these, or fit one of these patterns."""
    return frozenset(rule for rule in RULES if matches(rule, patterns))
