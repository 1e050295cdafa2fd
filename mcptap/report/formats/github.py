"""A check as annotations of a GitHub workflow: one command a line on stdout.

The form is `::error file=…,line=…,title=…::message` ("Workflow commands for GitHub
Actions"). In messages `%`, CR and LF are percent-encoded, in properties also `:` and `,`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.diagnosis.engine.finding import Level
from mcptap.report.formats import Format
from mcptap.report.results import Judged
from mcptap.text.escape import visible
from mcptap.text.terminal import Terminal

COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def write(results: Judged, _terminal: Terminal) -> Iterator[str]:
    """The commands, one a line."""
    for found, path in results.findings:
        place = f"file={_property(visible(path))}," if path else ""
        if path and found.line is not None:
            place += f"line={found.line},"
        parts = filter(None, (found.message, found.consequence, found.remedy))
        message = _data("\n".join(map(visible, parts)) or found.rule)
        command, title = COMMANDS[results.ci_level(found)], _property(f"mcptap {found.rule}")
        yield f"::{command} {place}title={title}::{message}"
    for file in results.unusable:
        yield f"::error title=mcptap::{_data(visible(file.why))}"


FORMAT = Format("github", write)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
