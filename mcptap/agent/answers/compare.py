"""`mcptap_compare`: in what two sessions differ."""

from __future__ import annotations

from mcptap.agent.answers.wording import next_call
from mcptap.agent.arguments import Arguments, ToolError
from mcptap.agent.judging import Judging
from mcptap.agent.pace import Pace
from mcptap.agent.shelf import Shelf
from mcptap.agent.tools import COMPARE
from mcptap.agent.untrusted import Answer, clipped
from mcptap.play.compare.comparison_text import diff_lines
from mcptap.play.compare.exchanges import read
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.session_diff import diff, masked
from mcptap.recording import made_here
from mcptap.text.units import counted, size

LARGEST = 32 << 20
"""Bytes of a recording that is still compared: both are held at once."""

MOST_CHARS = 4_000
"""So many of the lines of a comparison are told at a time."""


def compare(shelf: Shelf, _judging: Judging, arguments: Arguments, pace: Pace) -> Answer:
    """The differences, a page of them."""
    before, after = shelf.find(arguments.needed("before")), shelf.find(arguments.needed("after"))
    at = arguments.cursor()
    for known in (before, after):
        if known.size > LARGEST:
            raise ToolError(
                f"{known.name} has {size(known.size)}; more than {size(LARGEST)} are not compared here, but "
                "the user can run mcptap diff"
            )
    pace.at(0, 2)
    old = read(before.path)
    pace.at(1, 2)
    new = read(after.path)
    pace.at(2, 2)
    masker = made_here.masker()
    for known in (before, after):
        masker.learn(known.header.argv)
    found = masked(diff(old, new, Ignore(()), masker=masker), masker)
    lines = [clipped(line, 300) for line in diff_lines(found)]
    *lines, verdict = lines
    answer = Answer(f"{before.name} and {after.name} are {verdict if found.different else 'the same'}.")
    end = at
    room = MOST_CHARS
    while end < len(lines) and (room := room - len(lines[end]) - 1) > 0:
        answer.data.append(lines[end])
        end += 1
    if end < len(lines):
        left = counted(len(lines) - end, "more line")
        answer.tail.append(f"{left}. {next_call(COMPARE, before=before.name, after=after.name, cursor=end)}")
    return answer
