"""Lines on stdout."""

from mcptap.commands import output as module
from mcptap.commands.output import print_lines

LONG = "    - " + "word " * 30


class Narrow:
    """A terminal of 40 columns."""

    def __init__(self, _):
        self.width = 40


def test_in_a_pipe_a_line_stays_whole(capsys):
    print_lines([LONG, "", "b"])
    assert capsys.readouterr().out == f"{LONG}\n\nb\n"


def test_on_a_terminal_what_is_wrapped_goes_on_two_columns_deeper(capsys, monkeypatch):
    monkeypatch.setattr(module, "Terminal", Narrow)
    print_lines([LONG, "  short"])
    first, *more, last = capsys.readouterr().out.splitlines()
    assert first.startswith("    - word")
    assert more
    assert all(line.startswith("      word") for line in more)
    assert max(len(line) for line in (first, *more)) <= 40
    assert last == "  short"
