"""The choice of a form on the command line, and the writing in it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mcptap.report import formats

if TYPE_CHECKING:
    from mcptap.report.suites import Suites
    from mcptap.text.terminal import Terminal

TEXT, JSON = formats.NAMES[:2]


def add_forms(parser: argparse.ArgumentParser) -> None:
    """Add an option for each form but text, which is the default; `options.format` is its name."""
    parser.set_defaults(format=TEXT)
    group = parser.add_mutually_exclusive_group()
    for name in formats.NAMES[1:]:
        what = "one JSON object" if name == JSON else WORDS[name]
        group.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=f"print {what}")


WORDS = {
    "sarif": "SARIF, for code scanning",
    "github": "annotations of a GitHub workflow",
    "junit": "JUnit XML, which CI systems show as tests",
}


def write_json(value: Any) -> None:
    """Print one JSON object."""
    print(json_text(value))


def json_text(value: Any) -> str:
    """One JSON object: ASCII only, so that no byte of it can drive a terminal."""
    return json.dumps(value, ensure_ascii=True, indent=1)


def write_suites(form: str, suites: Suites) -> None:
    """Print what was judged in one of the forms of `WORDS`."""
    from mcptap.text.terminal import Terminal

    for line in suite_lines(form, suites, Terminal(sys.stdout)):
        sys.stdout.write(f"{line}\n")


def suite_lines(form: str, suites: Suites, terminal: Terminal) -> Iterator[str]:
    """What was judged in one of the forms of `WORDS`."""
    from mcptap.report.formats import github, junit, sarif

    if form == "junit":
        yield from junit.lines(suites)
    elif form == "github":
        yield from github.write(suites, terminal)
    else:
        from mcptap.diagnosis.catalogue import summaries

        yield json.dumps(sarif.as_object(suites, {**summaries(), **suites.about}), indent=2)
