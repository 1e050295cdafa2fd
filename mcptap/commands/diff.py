"""`mcptap diff A B`: in what two recorded sessions differ."""

from __future__ import annotations

import argparse

DESCRIPTION = """\
Say in what two recorded sessions differ: what the server says of itself, its tools
(added, removed, changed, and about what they cost a model), its answers to the same
requests, latency, and the findings of `mcptap check` that came or went.

What the patterns in A.ignore name is overlooked; see mcptap send --help.
"""


def main(arguments: list[str]) -> int:
    """Compare two recordings; the exit status is 0 if they are the same, 1 if not."""
    parser = argparse.ArgumentParser(
        prog="mcptap diff",
        usage="mcptap diff [OPTIONS] A B",
        description=DESCRIPTION,
        epilog="exit status: 0 the same, 1 different, 2 a file can't be used",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("a", metavar="A", help="a recording")
    parser.add_argument("b", metavar="B", help="a newer recording, or `latest`")
    parser.add_argument(
        "--slower", type=float, metavar="F", help="an answer that takes F times as long counts as different"
    )
    parser.add_argument("--ignore", metavar="FILE", help="patterns of what to overlook, besides A.ignore")
    options = parser.parse_args(arguments)

    from mcptap.play import comparison_text
    from mcptap.play.exchanges import read
    from mcptap.play.ignore import Ignore, load
    from mcptap.play.session_diff import diff
    from mcptap.recording.library import find

    old, new = find(options.a), find(options.b)
    ignore = Ignore(load(old, options.ignore))
    difference = diff(read(old), read(new), ignore, slower=options.slower)
    for line in comparison_text.diff_lines(difference):
        print(line)
    return int(difference.different)
