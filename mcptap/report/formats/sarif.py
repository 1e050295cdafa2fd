"""A check as SARIF 2.1.0, for code scanning and other tools of CI.

SARIF (OASIS, "Static Analysis Results Interchange Format Version 2.1.0") locates results in
files: the file is the recording, the line is the record. Levels are SARIF's `error`,
`warning` and `note`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from mcptap import __version__
from mcptap.diagnosis.catalogue import summaries
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.masking.values import unsigned
from mcptap.report.formats import Format
from mcptap.report.results import Judged, Results
from mcptap.text.terminal import Terminal

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}


def write(results: Results, _terminal: Terminal) -> Iterator[str]:
    """The log as one text, ASCII only."""
    yield json.dumps(as_object(results, summaries()), indent=2)


FORMAT = Format("sarif", write)


def as_object(results: Judged, about: Mapping[str, str]) -> dict[str, Any]:
    """The log of one run. `about` tells in a sentence what each rule is about."""
    found = list(results.findings)
    rules = sorted({finding.rule for finding, _ in found})
    index = {rule: i for i, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mcptap",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(rule, about.get(rule, "")) for rule in rules],
                    }
                },
                "invocations": [
                    {
                        "executionSuccessful": not results.unusable,
                        "toolExecutionNotifications": [
                            {"level": "error", "message": {"text": u.why}} for u in results.unusable
                        ],
                    }
                ],
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(f, path, index[f.rule], LEVELS[results.ci_level(f)]) for f, path in found
                ],
            }
        ],
    }


def _rule(rule: str, summary: str) -> dict[str, Any]:
    described: dict[str, Any] = {"id": rule}
    if summary:
        described["shortDescription"] = {"text": summary}
    return described


def _result(found: Finding, path: str, index: int, level: str) -> dict[str, Any]:
    text = " ".join(filter(None, (found.message, found.consequence, found.remedy)))
    result: dict[str, Any] = {
        "ruleId": found.rule,
        "ruleIndex": index,
        "level": level,
        "message": {"text": text or found.rule},
        "locations": [_location(path, found.line)] if path else [],
        "partialFingerprints": {"mcptap/v1": f"{found.rule}/{unsigned(found.subject)}"},
        "properties": {"design": found.design, "side": found.side, "subject": found.subject},
    }
    if found.count > 1:
        result["occurrenceCount"] = found.count
    others = [number for number in found.records if number != found.line]
    if others and path:
        result["relatedLocations"] = [{"id": i, **_location(path, n)} for i, n in enumerate(others, 1)]
    return result


def _location(path: str, line: int | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if line is not None:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}


def _uri(path: str) -> str:
    """A relative path as a relative reference, an absolute one as a `file:` URI."""
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    return quote(path.replace(os.sep, "/"), errors="surrogateescape")
