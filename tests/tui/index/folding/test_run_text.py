"""The line of a run that tells most."""

from mcptap.tui.index.folding import run_text
from mcptap.tui.index.folding.run_text import lines_of_run, telling_line
from tests.helpers import Tape, handshake, record
from tests.tui.screens import InProcessFeed, indexed

TRACE = ["Traceback (most recent call last):", '  File "x.py", line 3, in f', "KeyError: 'city'"]


def logged(words):
    return [("stderr", word.encode() + b"\n") for word in words]


def test_an_error_among_many_lines_is_the_text_and_else_the_last_line(tmp_path):
    quiet = [f"request {n} handled" for n in range(200)]
    steps = [*logged([*quiet, *TRACE, *quiet]), ("c2s", b"{}\n"), *logged(quiet)]
    index = indexed(record(tmp_path / "x.jsonl", [*handshake(), *steps]))
    first, second = index.folds.shown_by(4 + 403), index.folds.shown_by(4 + 604)
    assert telling_line(index, first) == "KeyError: 'city'"
    assert telling_line(index, second) == "request 199 handled"
    assert [i for i, _ in lines_of_run(index, [0, 5, 6])] == [5, 6]


def test_of_a_run_that_grows_only_what_came_is_looked_through(tmp_path, monkeypatch):
    looked_at = []
    speaks = run_text._speaks_of_failure
    monkeypatch.setattr(
        run_text, "_speaks_of_failure", lambda index, lines: looked_at.append(lines) or speaks(index, lines)
    )
    with Tape(tmp_path / "x.jsonl") as tape:
        tape.play([*handshake(), *logged([*TRACE, *["more"] * 300])])
        feed = InProcessFeed(tape.path)
        feed.catch_up(live=True)
        run = feed.index.folds.shown_by(len(feed.index) - 1)
        assert telling_line(feed.index, run) == "KeyError: 'city'"
        assert len(looked_at) > 4
        del looked_at[:]
        tape.play([step for line in logged(["and"] * 9) for step in (("s2c", b"part"), line)])
        feed.catch_up(live=True)
        run = feed.index.folds.run_of(run.start)
        assert len(feed.index) - 19 < run.stop
        assert telling_line(feed.index, range(run.start, 300)) == "KeyError: 'city'"
        assert len(looked_at) > 4
        feed.close()
