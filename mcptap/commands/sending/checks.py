"""What `mcptap send` refuses, before anything is started."""

from __future__ import annotations

import argparse
import os

from mcptap.captures.sections import selected
from mcptap.commands.forms.choice import TEXT
from mcptap.errors import UserError
from mcptap.play.client.client_script import ClientLine, ClientScript, half_known_line, masked_line
from mcptap.play.send import expectation


def require_sense(options: argparse.Namespace, path: str, script: ClientScript) -> None:
    """Raise UserError if the options ask for what can't be."""
    if not script.entries:
        raise UserError(f"{path}: there is no line of a client in it; there is nothing to send")
    if not script.is_recorded and (options.pace in ("seen", "recorded") or options.compare):
        wish = "--compare" if options.compare else f"--pace {options.pace}"
        raise UserError(f"{path}: plain lines have no times and no answers; {wish} needs a recording")
    if options.pace == "recorded" and not script.evidence.times:
        raise UserError(f"{path}: {script.evidence.origin} has no times; --pace recorded needs them")
    if options.format != TEXT and not options.compare and not options.expect:
        raise UserError(
            f"--{options.format} is a form of what --compare and --expect find; give one of them as well"
        )
    if options.compare and not os.path.isfile(selected(path)[0]):
        raise UserError(f"{path}: --compare reads a recording twice, which a pipe can't be")
    if options.write_expect:
        expectation.require_free(options.write_expect)
    if options.expect:
        expectation.read(options.expect)  # what can't be used is told before anything is started


def require_requests(path: str, script: ClientScript, *, masked_values: bool) -> None:
    """Raise UserError if there is nothing to ask, or a line that is not what the client sent."""
    if not any(isinstance(entry, ClientLine) and entry.requests for entry in script.entries):
        raise UserError(f"{path}: there is no request in what would be sent; no answer could come")
    number = half_known_line(script)
    if number is not None:
        raise UserError(
            f"{path}: {script.evidence.origin} only tells that the client sent line {number}, not what it "
            "said; what would be sent is made up"
        )
    number = masked_line(script)
    if number is not None and not masked_values:
        raise UserError(
            f"{path}: line {number} has a mask (‹masked:…›) where a secret was, and the server would get it "
            "as it stands; take the recording as it was made, or say --masked-values"
        )
