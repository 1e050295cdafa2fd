from dataclasses import replace

import pytest

from mcptap.errors import UserError
from mcptap.jsontext.diff import CHANGED, Change, differences
from mcptap.play.compare.ignore import Ignore, load, parse
from mcptap.play.compare.volatile import mask


def left(patterns, old, new, method="tools/call"):
    """The paths that are still different once the patterns had their say."""
    ignore = Ignore(parse(patterns, "FILE.ignore"), kinds=())
    return [c.path for c in differences(old, new) if not ignore.reason(c, method)]


OLD = {"result": {"content": [{"text": "at 10:11:12 in /tmp/a1/x"}], "n": 1}}
NEW = {"result": {"content": [{"text": "at 10:59:59 in /tmp/b2/x"}], "n": 2}}


@pytest.mark.parametrize(
    ("patterns", "paths"),
    [
        ("", ["result.content[0].text", "result.n"]),
        ("result.n", ["result.content[0].text"]),
        ("result.content", ["result.n"]),
        ("result.content[*].text", ["result.n"]),
        ("result.content[1].text", ["result.content[0].text", "result.n"]),
        ("**.text # a comment", ["result.n"]),
        ("*.n\n**.text", []),
        ("tools/call result.n", ["result.content[0].text"]),
        ("tools/list result.n", ["result.content[0].text", "result.n"]),
        ("** ~ times temp", ["result.n"]),
        ("** ~ times", ["result.content[0].text", "result.n"]),
        ("result.n ~ numbers", ["result.content[0].text"]),
    ],
)
def test_a_pattern_overlooks_what_it_names_and_nothing_else(patterns, paths):
    assert left(patterns, OLD, NEW) == paths


def test_a_name_with_dots_stands_in_quotes():
    old, new = ({"_meta": {"a.b/c": value}} for value in (1, 2))
    assert left('_meta["a.b/c"]', old, new) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("times", "2026-11-29T21:15:04.123Z"),
        ("times", "2026-11-29 21:15:04,5"),
        ("durations", "12.5 ms"),
        ("times", "1795987023123"),
        ("uuids", "6f1c2d3e-0000-4abc-8def-001122334455"),
        ("ids", "0x7f00deadbeef"),
        ("temp", "/tmp/pytest-1/a.txt"),
        ("numbers", "-1.5e3"),
    ],
)
def test_volatile_parts_are_blank_and_words_stay(kind, text):
    masked = mask(f"before {text} after", [kind])
    assert masked.startswith("before ")
    assert masked.endswith(" after")
    assert text not in masked
    assert mask("a plain sentence, decade", [kind]) == "a plain sentence, decade"


def test_what_was_carried_over_is_the_same():
    ignore = Ignore(same_as={"old-cursor": "new-cursor"})
    (change,) = differences(
        {"result": {"nextCursor": "old-cursor"}}, {"result": {"nextCursor": "new-cursor"}}
    )
    (other,) = differences({"result": {"nextCursor": "old-cursor"}}, {"result": {"nextCursor": "third"}})
    assert ignore.reason(change, "tools/list") == "carried over"
    assert ignore.reason(other, "tools/list") == "states"
    assert not replace(ignore, kinds=()).reason(other, "tools/list")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a..b", "'a..b' is no path"),
        ("a[", "is no path"),
        ("a ~ clocks", "'clocks' is no kind"),
        ("a ~", "'nothing' is no kind"),
    ],
)
def test_a_line_that_is_not_understood_is_named(line, words):
    with pytest.raises(UserError, match=r"FILE\.ignore, line 2: .*"):
        parse(f"# first\n{line}", "FILE.ignore")
    with pytest.raises(UserError) as caught:
        parse(line, "FILE.ignore")
    assert words in str(caught.value)


def test_patterns_lie_beside_the_recording_or_where_the_user_says(tmp_path):
    recording = tmp_path / "r.jsonl"
    assert load(str(recording), None) == ()
    (tmp_path / "r.jsonl.ignore").write_text("a\n")
    (tmp_path / "more").write_text("b\n")
    assert [p.steps for p in load(str(recording), str(tmp_path / "more"))] == [("a",), ("b",)]
    with pytest.raises(UserError, match="cannot be read"):
        load(str(recording), str(tmp_path / "missing"))


def test_what_a_server_promises_is_no_matter_of_its_clock():
    def reason(method, *steps):
        old, new = "5 ms, 10:00:00", "9 ms, 10:00:01"
        return Ignore().reason(Change(steps, CHANGED, old, new), method)

    assert reason("tools/call", "result", "content", "[0]", "text") == "times and durations"
    assert reason("tools/list", "result", "tools", "[add]", "description") == ""
    schema = ("result", "tools", "[add]", "inputSchema")
    assert Ignore().reason(Change((*schema, "maximum"), CHANGED, 1700000000, 1800000000), "tools/list") == ""


def test_a_date_alone_is_the_same_only_if_it_is_that_of_each_session():
    ignore = Ignore().between(1_795_989_600_000_000, 1_796_076_000_000_000)  # 2026-11-29 and -30
    text = ("result", "content", "[0]", "text")
    today = Change(text, CHANGED, "Today is 2026-11-29", "Today is 2026-11-30")
    other = Change(text, CHANGED, "born 1985-03-04", "born 1985-03-05")
    assert (ignore.reason(today, "tools/call"), ignore.reason(other, "tools/call")) == ("dates", "")
    assert Ignore().reason(today, "tools/call") == ""
