from hypothesis import given
from hypothesis import strategies as st

from mcptap.agent import lines as module
from mcptap.agent.lines import Lines


@given(st.lists(st.binary(max_size=50)))
def test_lines_come_whole_however_they_are_cut(pieces):
    lines = Lines()
    got = [line for piece in pieces for line in lines.feed(piece)]
    assert got == b"".join(pieces).split(b"\n")[:-1]


def test_of_a_line_that_is_too_long_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(module, "LONGEST_LINE", 10)
    lines = Lines()
    assert [*lines.feed(b"x" * 9), *lines.feed(b"yy"), *lines.feed(b"z\nab\n")] == [None, b"ab"]
