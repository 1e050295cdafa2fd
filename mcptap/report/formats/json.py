"""A check as JSON for programs: one object for any number of files.

The form is stable and described by `schema/check.schema.json`, which `schema()` gives:
fields may be added, none is renamed or removed while `format` stays the same. All text is
that of the recording, but for masked secrets; what prints it on a terminal has to take care itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from mcptap import __version__
from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.protocol.statistics.counts import Row, Statistics, tokens
from mcptap.protocol.statistics.quantiles import Quantiles
from mcptap.report.formats import Format
from mcptap.report.results import CheckedFile, Results
from mcptap.text.terminal import Terminal

VERSION = 1


def write(results: Results, _terminal: Terminal) -> Iterator[str]:
    """The object as one text: ASCII only, so that no byte of it can drive a terminal."""
    yield json.dumps(as_object(results), indent=2)


FORMAT = Format("json", write)


def as_object(results: Results) -> dict[str, Any]:
    """The object: `findings` of all files in one list, and `files` with what is known of each."""
    return {
        "format": VERSION,
        "mcptap": __version__,
        "findings": [{**found.as_object(), "file": path} for found, path in results.findings],
        "files": [
            *map(_file, results.files),
            *({"file": file.path, "error": file.why} for file in results.unusable),
        ],
    }


def _file(checked: CheckedFile) -> dict[str, Any]:
    header = checked.header
    shown: dict[str, Any] = {
        "file": checked.path,
        "verdict": checked.verdict,
        "outcome": checked.outcome.value,
        "limits": checked.limits or None,
        "open": checked.open_requests,
        "state": checked.state,
        "revision": checked.revision or None,
        "server": {
            "name": header.name,
            "said": checked.server or None,
            "argv": header.argv,
            "program": header.program,
            "cwd": header.cwd or None,
        },
        "client": {
            "said": checked.client or None,
            "recognised": checked.recognised or None,
            "parent": header.parent.get("name"),
        },
        "source": {
            "origin": checked.evidence.origin,
            "unknown": checked.evidence.unknown,
            "assumed": list(checked.evidence.assumptions),
        },
        "ignored": dict(sorted(checked.ignored.items())),
        "damaged": checked.damaged,
        "messages": checked.messages,
        "duration_us": checked.last_us if checked.evidence.times else None,
    }
    if checked.statistics is not None:
        shown["statistics"] = statistics(checked.statistics, checked.evidence)
    return shown


def statistics(numbers: Statistics, evidence: Evidence = COMPLETE) -> dict[str, Any]:
    """The numbers of a session; times in microseconds, sizes in bytes."""
    startup = numbers.startup
    return {
        "messages": numbers.messages,
        "strays": numbers.strays,
        "lines": numbers.lines,
        "bytes": numbers.bytes,
        "duration_us": numbers.last_us,
        "startup": {
            "opened_by": startup.method or None,
            "spawn_us": startup.spawn_us,
            "first_byte_us": startup.first_byte_us,
            "answered_us": startup.answered_us,
            "listed_us": startup.listed_us,
        },
        "methods": [
            {"method": row.name, "from": row.side, **_row(row, evidence)} for row in numbers.methods.values()
        ],
        "tools": [{"tool": row.name, **_row(row, evidence)} for row in numbers.tools.values()],
        "listed": [
            {"tool": name, "bytes": size, "tokens": tokens(size), "called": name in numbers.tools}
            for name, size in numbers.listed.items()
        ],
    }


def _row(row: Row, evidence: Evidence) -> dict[str, Any]:
    return {
        "calls": row.calls,
        "answered": row.answered,
        "errors": row.errors,
        "is_errors": row.is_errors,
        "latency_us": _latency(row.latency, evidence),
        "bytes_in": row.bytes_in,
        "bytes_out": row.bytes_out,
        "tokens_in": tokens(row.bytes_in),
        "tokens_out": tokens(row.bytes_out),
    }


def _latency(latency: Quantiles, evidence: Evidence) -> dict[str, int | None] | None:
    if not latency.count or not evidence.times:
        return None
    known = {"median": latency.median, "p95": latency.at(0.95), "max": latency.largest}
    least = evidence.fineness_us if evidence.fineness_us > 1 else 0
    return {name: took if took is not None and took >= least else None for name, took in known.items()}


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of what `as_object` gives."""
    text = files("mcptap.report.formats").joinpath("schema/check.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def schema_text() -> str:
    """The schema for printing."""
    return json.dumps(schema(), indent=2)
