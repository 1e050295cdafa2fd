"""`mcptap report`: the newest session as a bug report, on the clipboard, and where it belongs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from mcptap.commands.options import Parser
from mcptap.commands.output import tell

if TYPE_CHECKING:
    from mcptap.export.session import Shown

DESCRIPTION = """\
Make a bug report of the newest session, or of another: the Markdown of mcptap export, on the clipboard. Says
what to attach, and where the server's issues are reported, if its package on this machine tells. Nothing is
sent."""


def main(arguments: list[str]) -> int:
    """Make the report; return the exit status."""
    parser = Parser(prog="mcptap report", description=DESCRIPTION)
    parser.add_argument(
        "file",
        nargs="?",
        default="latest",
        metavar="FILE|latest|NAME",
        help="a recording, another tool's log, or the newest session of the server NAME (default: latest)",
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", default="", help="into a new file, not the clipboard"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it is there already")
    options = parser.parse_args(arguments)

    from mcptap.commands.sharing.export import free_name, put, read_all
    from mcptap.export import clipboard
    from mcptap.export.markdown import CHOICE, markdown
    from mcptap.recording import made_here
    from mcptap.text.units import size

    masker = made_here.masker()
    shown, _ = read_all([options.file], CHOICE, masker)
    text = markdown(shown, masker)
    data = text.encode(errors="replace")
    taken = "" if options.output else clipboard.copy(text, os.environ)
    if taken:
        tell(f"{size(len(data))} of Markdown are in {taken}: look through it, and paste it into an issue")
    else:
        target = options.output or free_name(".", f"mcptap-report-{shown[0].checked.header.name}", ".md")
        if not options.output:
            tell("no program that fills a clipboard was found, so it goes into a file")
        put(target, [data], options.force)
    for line in (*_where(shown[0]), *_attached(options.file)):
        tell(line)
    return 0


def _where(shown: Shown) -> Iterator[str]:
    """Who can mend it, and where they are told."""
    from mcptap.captures.open import open_source
    from mcptap.commands.sharing.export import STANDARD_INPUT
    from mcptap.export.issues import issue_page, registry_page

    sides = [finding.side for finding in shown.checked.findings if not finding.design]
    if sides and sides[0] == "launch":
        yield (
            "the first finding is about how the server is started here: its remedy may be all that it takes"
        )
    if sides and sides[0] == "client":
        client = shown.checked.client or "the client"
        yield f"the first finding is about the client: it belongs to the issues of {client}"
        return
    if shown.checked.path == STANDARD_INPUT:
        return
    with closing(open_source(shown.checked.path)) as source:
        header = source.header  # the one without masks: it names files
    place = issue_page(header)
    if place is not None:
        yield f"issues of {place.package}: {place.url} ({place.said_by} says so)"
        return
    page = registry_page(header)
    look = f": {page} links to it" if page else ""
    yield f"where the server's issues are reported its package here does not tell; find its repository{look}"


def _attached(target: str) -> Iterator[str]:
    quoted = shlex.quote(target)
    yield (
        f"to attach, if more is asked for: mcptap export {quoted} -o session.html (a page), "
        "or -o session.jsonl (a recording)"
    )
