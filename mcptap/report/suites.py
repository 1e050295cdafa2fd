"""What was judged, case by case, for machines that gate: what passed as well as what did not.

`check` tells what is wrong in files; a probe and a comparison also tell what is as it should be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.report.results import Results, UnusableFile

PASSES = "nothing is wrong"
"""The one case of a file without findings."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was judged. `path` is the file whose lines the findings point at; empty: none."""

    name: str
    findings: Sequence[Finding] = ()
    path: str = ""
    skipped: str = ""
    """Why it was not judged; empty if it was."""
    words: str = ""
    """What else is to be told of it."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one server, file or comparison."""

    name: str
    cases: Sequence[Case] = ()
    unusable: str = ""
    """Why nothing could be judged, in a sentence; empty if something was."""


@dataclass(slots=True)
class Suites:
    """All that was judged. The forms that know findings alone take it as they take a check's results."""

    suites: list[Suite] = field(default_factory=list)
    design_counts: bool = False
    fail_on: Level | None = Level.WARNING
    """The lowest level that fails a case; None: none does."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What each rule is about that is in no catalogue of `check`."""

    @property
    def findings(self) -> Iterator[tuple[Finding, str]]:
        """Each finding with the path of its file."""
        return (
            (finding, case.path) for suite in self.suites for case in suite.cases for finding in case.findings
        )

    @property
    def unusable(self) -> list[UnusableFile]:
        """What could not be judged at all."""
        return [UnusableFile(suite.name, suite.unusable) for suite in self.suites if suite.unusable]

    def ci_level(self, finding: Finding) -> Level:
        """The level that a finding has for CI: tool design is a note unless it counts."""
        return Level.INFO if finding.design and not self.design_counts else finding.level

    def fails(self, finding: Finding) -> bool:
        """Whether a finding fails its case."""
        return self.fail_on is not None and self.ci_level(finding) >= self.fail_on


def suites_of(results: Results) -> Suites:
    """A check as suites: a file each, with a case for each finding, or one that passes."""
    suites = [
        Suite(
            file.path,
            [
                Case(f"{found.rule} {found.subject}".rstrip(), (found,), file.path)
                for found in file.findings
                if not (found.design and not results.design_counts)
            ]
            or [Case(PASSES, path=file.path)],
        )
        for file in results.files
    ]
    suites += [Suite(file.path, unusable=file.why) for file in results.unusable]
    return Suites(suites, results.design_counts, results.fail_on)
