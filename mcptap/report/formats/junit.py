"""Results as JUnit XML, which CI systems show as tests: a file or server is a suite, what was judged a case.

There is no standard of it. What is written is what Jenkins, GitLab and the usual actions for GitHub read in
common: `testsuites/testsuite/testcase` with `failure`, `error`, `skipped` and `system-out`, and counts on
each suite. A `file` and a `line` (the record) stand on a case, as pytest and GitLab have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from mcptap.report.formats import Format
from mcptap.report.results import Results
from mcptap.report.suites import Case, Suite, Suites, suites_of
from mcptap.text.escape import visible
from mcptap.text.terminal import Terminal


def write(results: Results, _terminal: Terminal) -> Iterator[str]:
    """The document of a check, line by line."""
    return lines(suites_of(results))


FORMAT = Format("junit", write)


def lines(suites: Suites) -> Iterator[str]:
    """The document, line by line. What XML can't hold is written out, as for a terminal."""
    written = [_suite(suite, suites) for suite in suites.suites]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="mcptap"{_counts(case for cases in written for case in cases)}>'
    for suite, cases in zip(suites.suites, written, strict=True):
        yield f"  <testsuite name={_quoted(suite.name)}{_counts(cases)}>"
        for _, of_case in cases:
            yield from of_case
        yield "  </testsuite>"
    yield "</testsuites>"


Written = tuple[str, list[str]]
"""What a case came to (`failure`, `error`, `skipped` or nothing), and its lines."""


def _suite(suite: Suite, suites: Suites) -> list[Written]:
    cases = [_case(case, suite, suites) for case in suite.cases]
    if suite.unusable:
        head = f"    <testcase name={_quoted('can be judged')} classname={_quoted(suite.name)}>"
        cases.append(("error", [head, _element("error", suite.unusable, []), "    </testcase>"]))
    return cases


def _case(case: Case, suite: Suite, suites: Suites) -> Written:
    head = f"    <testcase name={_quoted(case.name)} classname={_quoted(suite.name)}"
    if case.path:
        head += f" file={_quoted(case.path)}"
    at = [found.line for found in case.findings if found.line is not None]
    if case.path and at:
        head += f' line="{at[0]}"'
    failing = [found for found in case.findings if suites.fails(found)]
    told = [case.words] if case.words else []
    for found in case.findings:
        if found not in failing:
            told += [text for text in (found.message, found.consequence, found.remedy) if text]
    body: list[str] = []
    kind = ""
    if failing:
        # Several elements `failure` in one case are read by some tools only.
        kind, first = "failure", failing[0]
        detail = [
            text for found in failing for text in (found.message, found.consequence, found.remedy) if text
        ]
        body.append(_element("failure", first.message or first.rule, detail, first.rule))
    elif case.skipped:
        kind = "skipped"
        body.append(_element("skipped", case.skipped, []))
    if told:
        body.append(f"      <system-out>{_text(told)}</system-out>")
    if not body:
        return "", [f"{head}/>"]
    return kind, [f"{head}>", *body, "    </testcase>"]


def _element(name: str, message: str, detail: list[str], kind: str = "") -> str:
    of_kind = f" type={_quoted(kind)}" if kind else ""
    head = f"      <{name} message={_quoted(message)}{of_kind}"
    return f"{head}>{_text(detail)}</{name}>" if detail else f"{head}/>"


def _counts(cases: Iterable[Written]) -> str:
    kinds = [kind for kind, _ in cases]
    found = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    return f' tests="{len(kinds)}"' + "".join(f' {name}="{kinds.count(kind)}"' for name, kind in found)


def _quoted(text: str) -> str:
    return quoteattr(_allowed(text))


def _text(texts: Iterable[str]) -> str:
    return escape("\n".join(map(_allowed, texts)))


LONGEST = 50_000
"""So many characters of a text are told: libxml2 refuses a whole document with 10 million in one place."""


def _allowed(text: str) -> str:
    """A text that XML 1.0 can hold (section 2.2): beside what `visible` writes out, not U+FFFE and U+FFFF."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}… and {len(text) - LONGEST:,} characters more"
    return visible(text).replace("\ufffe", "<U+FFFE>").replace("\uffff", "<U+FFFF>")
