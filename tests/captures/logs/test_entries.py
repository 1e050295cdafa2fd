"""Entries of logs, and the lines that continue them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.logs.entries import EDITOR, MAX_LINES, Entries, entries_of, is_log

FIRST = b"2026-03-14 09:26:53.589 [info] Starting"
SECOND = b"2026-03-14 09:26:54.000 [error] boom"


def texts(*lines: bytes) -> list[tuple[int, str, bytes]]:
    return [(entry.number, entry.level, entry.text) for entry in entries_of(lines, EDITOR)]


def test_lines_without_a_time_continue_the_entry_before():
    found = texts(FIRST, SECOND + b"\r", b"  at harbour.js:1", b"")
    assert found == [(1, "info", b"Starting"), (2, "error", b"boom\n  at harbour.js:1\n")]


def test_an_entry_is_held_until_the_next_one_begins():
    entries = Entries(EDITOR)
    assert entries.feed(FIRST, 1) is None
    first = entries.feed(SECOND, 2)
    assert first is not None
    assert first.text == b"Starting"
    last = entries.finish()
    assert last is not None
    assert last.wall_us - first.wall_us == 411_000
    assert entries.finish() is None


def test_what_stands_before_the_first_entry_is_counted():
    entries = Entries(EDITOR)
    for number, line in enumerate((b"a", b"", b"b", FIRST), 1):
        entries.feed(line, number)
    assert entries.leading == 2


def test_an_entry_without_end_is_given_in_pieces():
    found = texts(FIRST, *([b"more"] * (MAX_LINES + 10)), SECOND)
    assert [number for number, _, _ in found] == [1, 1 + MAX_LINES, MAX_LINES + 12]
    assert sum(text.count(b"more") for _, _, text in found) == MAX_LINES + 10


@given(st.lists(st.sampled_from([FIRST, SECOND, b"", b"x", b"\xff\r", b"2026-03-14 nonsense"])))
def test_no_line_is_lost(lines: list[bytes]):
    kept = b"\n".join(text for _, _, text in texts(*lines)).replace(b"\n", b"")
    first = next((i for i, line in enumerate(lines) if EDITOR.match(line)), len(lines))
    wanted = [
        re.sub(rb"^2026-03-14 09:\S+ \[\w+\] ", b"", line.removesuffix(b"\r")) for line in lines[first:]
    ]
    assert kept == b"".join(wanted)


def test_a_page_that_shows_a_piece_of_a_log_is_no_log():
    prose = [b"# Harbour", b"This is what the log says:", b"```", FIRST, b"```", b"Then do so.", b"Or so."]
    assert not is_log(prose, 1, EDITOR)
    assert is_log([FIRST, *[b"from stderr"] * 50], 1, EDITOR)
    assert is_log([b"from stderr"] * 4 + [FIRST], 1, EDITOR)
    assert not is_log([b"prose"] * 9 + [FIRST], 1, EDITOR)
    assert not is_log([], 0, EDITOR)
