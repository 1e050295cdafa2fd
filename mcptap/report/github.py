"""A check as annotations of a GitHub workflow: one command a line on stdout.

The form is `::error file=…,line=…,title=…::message` ("Workflow commands for GitHub
Actions"). In messages `%`, CR and LF are percent-encoded, in properties also `:` and `,`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.diagnosis.engine.finding import Level
from mcptap.report.checked import Checked, Unusable, weight
from mcptap.text.escape import visible

COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def report(checked: list[Checked], unusable: list[Unusable], with_design: bool = False) -> Iterator[str]:
    """The commands, one a line. `with_design`: tool design can fail the check."""
    for one in checked:
        for found in one.findings:
            place = f"file={_property(one.path)},"
            if found.line is not None:
                place += f"line={found.line},"
            parts = filter(None, (found.message, found.consequence, found.remedy))
            message = _data("\n".join(map(visible, parts)) or found.rule)
            command, title = COMMANDS[weight(found, with_design)], _property(f"mcptap {found.rule}")
            yield f"::{command} {place}title={title}::{message}"
    for broken in unusable:
        yield f"::error title=mcptap::{_data(visible(broken.why))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
