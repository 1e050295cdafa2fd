"""Which findings are wanted: by level, by rule, by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from mcptap.diagnosis.engine.finding import Finding, Level


@dataclass(frozen=True, slots=True)
class Selection:
    """A user's choice. Rules are given by id or by pattern (`capability-*`)."""

    min_level: Level = Level.INFO
    ignore: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def apply(self, findings: Iterable[Finding]) -> tuple[list[Finding], Counter[str]]:
        """The wanted findings in their order, and how many of each rule `ignore` left out."""
        wanted: list[Finding] = []
        ignored: Counter[str] = Counter()
        for found in findings:
            if found.level < self.min_level or (self.only and not matches(found.rule, self.only)):
                continue
            if matches(found.rule, self.ignore):
                ignored[found.rule] += 1
            else:
                wanted.append(found)
        return wanted, ignored


def matches(rule: str, patterns: Iterable[str]) -> bool:
    """Whether a rule's id is one of these, or fits one of these patterns."""
    return any(fnmatchcase(rule, pattern) for pattern in patterns)
