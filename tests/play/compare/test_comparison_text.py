"""A comparison as text: short, and fit for a terminal."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.diff import ADDED, CHANGED, REMOVED, Change
from mcptap.play.compare.comparison import Comparison, Entry, compare
from mcptap.play.compare.comparison_text import MAX_CHANGES, MAX_LINES, change_lines, lines, spelled, summary
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.severity import Judged
from mcptap.text.escape import visible
from tests.play.sessions import call, session

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def test_nothing_compared_is_the_same():
    assert list(lines(Comparison())) == ["compared: the same"]


def test_the_summary_counts_each_status_in_the_order_of_its_first_entry():
    entries = [
        Entry("same", "a"),
        Entry("missing", "b"),
        Entry("same", "c"),
        Entry("other order", "d", counts=False),
    ]
    assert summary(Comparison(entries)) == "compared: different (2 same, 1 missing, 1 other order)"


def test_what_came_or_went_is_shown_alone_and_the_whole_value_has_no_path():
    assert list(change_lines(Change(("a", "[0]"), REMOVED, old=1))) == ["  a[0]", "    - 1"]
    assert list(change_lines(Change((), ADDED, new={"b": None}))) == [
        "  the whole value",
        '    + {"b": null}',
    ]


def test_more_differences_than_anybody_reads_are_counted():
    changes = tuple(Judged(Change((str(n),), CHANGED, 0, 1)) for n in range(MAX_CHANGES + 3))
    shown = list(lines(Comparison([Entry("different", "x", changes)])))
    assert shown[-2] == "  … and 3 more differences"
    assert len(shown) == 1 + 3 * MAX_CHANGES + 2


def test_of_long_texts_only_so_many_lines_are_shown():
    old, new = ("\n".join(f"{word} {n}" for n in range(100)) for word in ("old", "new"))
    shown = list(change_lines(Change(("t",), CHANGED, old, new)))
    assert shown[-1] == "    …"
    assert len(shown) == 1 + MAX_LINES + 1


@given(values, values, st.text())
def test_no_value_path_or_note_drives_a_terminal(old, new, text):
    entry = Entry("different", text, (Judged(Change((text,), CHANGED, old, new)),), note=text)
    for line in lines(Comparison([entry])):
        assert visible(line) == line


@given(values)
def test_a_value_is_spelled_as_json_on_one_line(value):
    line = spelled(value)
    assert "\n" not in line
    assert line == visible(json.dumps(value, ensure_ascii=False))


def test_a_different_answer_is_told_by_path():
    comparison = compare(session(*call(1, "3")), session(*call(1, "4")), Ignore())
    assert list(lines(comparison)) == [
        "different: tools/call add (id 1)",
        "  result.content[0].text",
        '    - "3"',
        '    + "4"',
        "compared: different (1 different)",
    ]


def test_only_lines_of_a_long_text_that_differ_are_shown():
    text = "\n".join(f"line {n}" for n in range(50))
    comparison = compare(
        session(*call(1, text)), session(*call(1, text.replace("line 7\n", "LINE 7\n"))), Ignore()
    )
    shown = list(lines(comparison))
    assert shown[2:-1] == ["      line 6", "    - line 7", "    + LINE 7", "      line 8"]


def test_a_long_value_is_shown_around_its_first_difference():
    comparison = compare(session(*call(1, "x" * 500 + "old")), session(*call(1, "x" * 500 + "new")), Ignore())
    old, new = list(lines(comparison))[2:4]
    assert old.endswith('xold"')
    assert new.endswith('xnew"')
    assert max(len(old), len(new)) < 80
