"""The new answers beside those that were recorded, or are expected."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mcptap.commands.forms.choice import JSON, TEXT, write_json, write_suites
from mcptap.commands.output import print_lines
from mcptap.play.client.client_script import ClientLine, ClientScript
from mcptap.play.compare import comparison_text
from mcptap.play.compare.comparison import DIFFERENT, END, Comparison, Entry, compare
from mcptap.play.compare.exchanges import only_requests, read
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.ignore import load as load_patterns
from mcptap.play.compare.session_diff import masked_comparison
from mcptap.play.compare.severity import Severity, fails
from mcptap.play.send import expectation, transcript

if TYPE_CHECKING:
    from mcptap.masking.masker import Masker
    from mcptap.play.send.player import PlayResult


def with_recorded(
    path: str, recording: str, script: ClientScript, played: PlayResult, options: argparse.Namespace
) -> Comparison:
    """The new session beside the recorded one in `path`, as far as `script` goes."""
    ignore = Ignore(load_patterns(path, options.ignore), played.substitutes)
    old, new = read(path), read(recording)
    if options.only or options.no_calls:
        old = only_requests(old, {e.line.number for e in script.entries if isinstance(e, ClientLine)})
        new = only_requests(new, {exchange.request.number for exchange in new.exchanges})
    return compare(old, new, ignore, slower=options.slower)


def with_expected(recording: str, played: PlayResult, options: argparse.Namespace) -> Comparison:
    """The new session beside what a file expects."""
    expected, end = expectation.read(options.expect)
    ignore = Ignore(load_patterns(options.expect, options.ignore), kinds=(), placeholders=True)
    new = read(recording)
    new.end = None
    comparison = compare(expected, new, ignore)
    now = transcript.ended(played.exit)
    if end and end != now:
        note = f"{end} expected, {now} now"
        comparison.entries.append(Entry(DIFFERENT, END, note=note))
    return comparison


def add_end(comparison: Comparison, bad_end: str) -> None:
    """Count a bad end of the server (a sentence; empty: there was none), if it does not count already."""
    if bad_end and all(e.about != END or e.severity is not Severity.CONTRACT for e in comparison.entries):
        why = "it fails at its end"
        comparison.entries.append(Entry(DIFFERENT, END, note=bad_end, level=Severity.CONTRACT, why=why))


def tell(comparison: Comparison, path: str, masker: Masker, options: argparse.Namespace) -> int:
    """Print what was found, in the form that was asked for, secrets masked; the exit status.

    `path`: what was sent. Unlike the transcript, a comparison is made to be passed on.
    """
    comparison = masked_comparison(comparison, masker)
    if options.format == TEXT:
        print_lines(comparison_text.lines(comparison, explain=options.explain))
        if options.explain:
            print_lines(comparison_text.explanation())
    elif options.format == JSON:
        from mcptap.play.compare.comparison_json import answers_as_json

        write_json(answers_as_json(comparison))
    else:
        from mcptap.commands.forms.comparison import comparison_suites

        write_suites(options.format, comparison_suites(comparison, f"send {path}", path, options.fail_on))
    return int(fails(comparison, options.fail_on))
