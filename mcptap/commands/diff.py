"""`mcptap diff A B`: in what two recorded sessions differ."""

from __future__ import annotations

from mcptap.commands.forms.choice import JSON, TEXT, add_forms, write_json, write_suites
from mcptap.commands.options import BOTH_SIDES, Parser, add_comparison, add_unmasked, factor
from mcptap.commands.output import tell

DESCRIPTION = """\
Say in what two recorded sessions differ: what the server says of itself, its tools
(added, removed, changed, and about what they cost a model), its answers to the same
requests, latency, and the findings of `mcptap check` that came or went.

Times, ports, ids of processes, UUIDs and other values that mean nothing are taken as the same,
and counted (--explain shows them); what the patterns in A.ignore name is overlooked as well,
see mcptap send --help.
"""


def main(arguments: list[str]) -> int:
    """Compare two recordings; the exit status is 0 if they are the same, 1 if not."""
    parser = Parser(
        prog="mcptap diff",
        usage="mcptap diff [OPTIONS] A B",
        description=DESCRIPTION,
        epilog="exit status: 0 the same (or only below --fail-on), 1 different, 2 a file can't be used",
    )
    parser.add_argument("a", metavar="A", help=f"a recording or capture; {BOTH_SIDES}")
    parser.add_argument("b", metavar="B", help="a newer recording, or `latest`")
    parser.add_argument(
        "--slower", type=factor, metavar="F", help="an answer that takes F times as long counts as different"
    )
    parser.add_argument("--ignore", metavar="FILE", help="patterns of what to overlook, besides A.ignore")
    add_forms(parser)
    add_comparison(parser)
    add_unmasked(parser)
    options = parser.parse_args(arguments)

    from mcptap.commands.output import print_lines
    from mcptap.play.compare.comparison_json import as_json
    from mcptap.play.compare.comparison_text import diff_lines, explanation
    from mcptap.play.compare.exchanges import read
    from mcptap.play.compare.ignore import Ignore, load
    from mcptap.play.compare.session_diff import diff, masked
    from mcptap.play.compare.severity import fails
    from mcptap.recording import made_here
    from mcptap.recording.library import find

    old, new = find(options.a, tell), find(options.b, tell)
    ignore = Ignore(load(old, options.ignore))
    masker = None if options.unmasked else made_here.masker()
    difference = diff(read(old), read(new), ignore, slower=options.slower, masker=masker)
    if masker is not None:
        difference = masked(difference, masker)
    if options.format == TEXT:
        print_lines(diff_lines(difference, explain=options.explain))
        if options.explain:
            print_lines(explanation())
    elif options.format == JSON:
        write_json(as_json(difference))
    else:
        from mcptap.commands.forms.comparison import diff_suites

        write_suites(options.format, diff_suites(difference, f"{old} and {new}", new, options.fail_on))
    return int(fails(difference, options.fail_on))
