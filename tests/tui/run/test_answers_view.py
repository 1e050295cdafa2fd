"""Old and new answer in two columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.diff import ABSENT
from mcptap.text.columns import text_width
from mcptap.tui.run.answers_view import AnswersList
from mcptap.tui.widgets.sidebyside import Row, changes, rows
from tests.tui.screens import alone, played, words

OLD, NEW = {"text": "word " * 40, "same": 1, "gone": 2}, {"text": "words " * 40, "same": 1, "new": 3}


@pytest.mark.parametrize("columns", [40, 80, 121])
def test_every_line_is_as_wide_as_the_list_and_has_both_headings(columns):
    async def play():
        answers = AnswersList()
        answers.old, answers.new = "recorded: result", "now: result"
        async with alone(answers, size=(columns, 20)):
            answers.show(rows(OLD, NEW))
            lines = [words(answers.draw(y, columns - 1)) for y in range(answers.count())]
            assert {text_width(line) for line in lines} == {columns - 1}
            assert lines[0].split() == ["recorded:", "result", "now:", "result"]

    played(play())


def test_what_differs_has_a_mark():
    answers = AnswersList()
    answers.show(rows(OLD, NEW))
    marks = {words(answers.draw(y, 201))[99 + 1 : 99 + 2] for y in range(1, answers.count())}
    assert marks == {"≠", "+", "-", "│"}


def test_the_cursor_goes_to_a_row_and_knows_it():
    async def play():
        answers = AnswersList()
        async with alone(answers, size=(40, 8)):
            made = rows(OLD, NEW)
            answers.show(made)
            assert len(answers.lines) > len(made)
            for row in changes(made):
                answers.go_to_row(row)
                assert answers.row == row
            answers.go_to_row(10_000)
            assert answers.row == changes(made)[-1]

    played(play())


def test_the_row_stays_when_the_terminal_is_resized():
    async def play():
        answers = AnswersList()
        async with alone(answers, size=(40, 8)) as pilot:
            answers.show(rows(OLD, NEW))
            answers.go_to_row(4)
            for columns in (120, 30):
                await pilot.resize_terminal(columns, 8)
                await pilot.pause()
                assert answers.row == 4

    played(play())


def test_an_answer_without_an_old_one_is_known():
    answers = AnswersList()
    answers.show(rows(ABSENT, NEW))
    assert answers.lacks_old
    answers.show(rows(OLD, NEW))
    assert not answers.lacks_old


@given(st.lists(st.builds(Row, st.text(max_size=50), st.text(max_size=50))))
def test_there_is_a_line_for_every_row_and_one_for_the_headings(made):
    answers = AnswersList()
    answers.show(made)
    assert answers.count() >= len(made) + 1
