"""Several sessions in one file."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures import sections
from mcptap.captures.sections import Sessions, find_sections, selected
from mcptap.recording.format.model import RecordingError

NAMED = Sessions(
    starts=re.compile(rb"(?m)^\[(?P<name>\w+)(?:/(?P<key>\d+))?\] start$"),
    ends=re.compile(rb"(?m)^\[(?P<name>\w+)(?:/(?P<key>\d+))?\] end$"),
)
BARE = Sessions(starts=re.compile(rb"(?m)^start$"))


def found(text: str, sessions: Sessions = NAMED) -> list[tuple[str, str, str, bool, int]]:
    data = text.encode()
    return [
        (data[s.begin : s.end].decode(), s.name, s.key, s.shared, s.first_line)
        for s in find_sections(io.BytesIO(data), sessions)
    ]


def test_a_session_goes_on_until_the_next_start_of_its_server():
    text = "[a] start\n[a] one\n[b] start\n[a] end\nlate\n[a] start\n[b] two\n"
    assert found(text) == [
        ("[a] start\n[a] one\n[b] start\n[a] end\nlate\n", "a", "", False, 1),
        ("[b] start\n[a] end\nlate\n[a] start\n[b] two\n", "b", "", False, 3),
        ("[a] start\n[b] two\n", "a", "", False, 6),
    ]


def test_two_processes_of_one_name_at_the_same_time_are_one_section_that_they_share():
    text = "[a] start\n[a] start\n[a] end\n[a] end\n[a] start\n"
    assert found(text) == [
        ("[a] start\n[a] start\n[a] end\n[a] end\n", "a", "", True, 1),
        ("[a] start\n", "a", "", False, 5),
    ]


def test_an_end_more_than_there_were_starts_is_that_of_a_process_which_began_before_the_file():
    sessions = replace(NAMED, mentions=re.compile(rb"(?m)^\[(?P<name>\w+)\] says"))
    shared = [shared for _, _, _, shared, _ in found("[a] start\n[a] end\n[a] end\n", sessions)]
    assert shared == [True]
    shared = [shared for _, _, _, shared, _ in found("[a] start\n[a] end\n[a] says x\n", sessions)]
    assert shared == [True]
    shared = [shared for _, _, _, shared, _ in found("[a] end\n[a] start\n[a] end\n", sessions)]
    assert shared == [False, False]


def test_a_name_that_never_starts_is_a_session_without_its_beginning_where_a_mention_shows_it():
    sessions = replace(NAMED, mentions=re.compile(rb"(?m)^\[(?P<name>\w+)\] says"))
    text = "[a] start\n[b] says x\n[a] says y\n[b] says z\n"
    assert [(name, line) for _, name, _, _, line in found(text, sessions)] == [("b", 1), ("a", 1)]


def test_a_name_is_one_session_however_often_it_starts_where_a_format_says_so():
    sessions = Sessions(re.compile(rb"(?m)^(?P<name>\w): "), each_name=True)
    assert found("a: 1\nb: 2\na: 3\n", sessions) == [
        ("a: 1\nb: 2\na: 3\n", "a", "", False, 1),
        ("b: 2\na: 3\n", "b", "", False, 2),
    ]
    assert found("a: 1\na: 3\n", sessions) == []


def test_a_third_start_while_one_of_two_processes_still_runs_shares_as_well():
    text = "[a] start\n[a] start\n[a] end\n[a] start\n"
    assert [(s[3], s[4]) for s in found(text)] == [(True, 1)]


def test_processes_that_their_lines_tell_apart_share_nothing():
    text = "[a/1] start\n[a/2] start\n[a/1] x\n[a/2] end\n"
    assert [(key, shared) for _, _, key, shared, _ in found(text)] == [("1", False), ("2", False)]


def test_an_end_without_a_start_is_a_session_whose_beginning_is_missing():
    text = "[a] one\n[a] end\n[a] start\n"
    assert [(s[0], s[4]) for s in found(text)] == [("[a] one\n[a] end\n", 1), ("[a] start\n", 3)]


def test_a_format_without_ends_knows_nothing_of_processes_at_the_same_time():
    assert [s[3] for s in found("start\nx\nstart\n", BARE)] == [False, False]


def test_messages_before_the_first_start_are_a_session_whose_beginning_is_missing():
    assert [s[0] for s in found('{"method":"ping"}\nstart\nx\n', BARE)] == [
        '{"method":"ping"}\n',
        "start\nx\n",
    ]
    assert [s[0] for s in found("a banner\nstart\nx\n", BARE)] == ["start\nx\n"]


def test_a_file_with_too_many_sessions_is_refused_and_none_is_left_out_in_silence(monkeypatch):
    monkeypatch.setattr(sections, "MAX_SECTIONS", 2)
    assert len(found("start\n" * 2, BARE)) == 2
    with pytest.raises(RecordingError, match="more than 2 sessions"):
        found("start\n" * 3, BARE)


def test_a_file_in_which_nothing_begins_has_no_sections():
    assert found("nothing\n") == []
    assert found("") == []


def test_marks_are_found_wherever_blocks_end(monkeypatch):
    text = "[a] start\nsome words\n[b] start\n[a] end\n" * 20
    expected = found(text)
    for size in (1, 7, 64):
        monkeypatch.setattr(sections, "BLOCK", size)
        assert found(text) == expected


@given(st.lists(st.sampled_from(["[a] start", "[a] end", "[b] start", "[b] end", "x", ""])))
def test_each_section_begins_at_the_line_that_it_names(lines):
    text = "".join(f"{line}\n" for line in lines)
    for piece, _, _, _, first_line in found(text):
        assert text.splitlines()[first_line - 1 :][:1] == piece.splitlines()[:1]


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("a.log#2", ("a.log", 2)),
        ("a.log", ("a.log", 0)),
        ("a#0", ("a#0", 0)),
        ("#1", ("#1", 0)),
        ("-#3", ("-", 3)),
    ],
)
def test_a_session_is_named_behind_the_file(path, meant, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert selected(path) == meant


def test_a_file_whose_own_name_looks_so_is_meant_itself(tmp_path):
    path = tmp_path / "a.log#2"
    path.touch()
    assert selected(str(path)) == (str(path), 0)


def test_nothing_runs_on_where_the_client_itself_began_anew():
    breaking = Sessions(BARE.starts, re.compile(rb"(?!)"), re.compile(rb"(?m)^client anew"))
    assert found("start\n1\nclient anew\nstart\n2\nstart\n", breaking) == [
        ("start\n1\n", "", "", False, 1),
        ("start\n2\nstart\n", "", "", True, 4),
    ]


def test_words_only_save_looking_at_other_lines():
    log = b"[a] start\n[a] x start\n[b] start\nstop\n[a] stop\n" * 3 + b"[b] start"
    starts = re.compile(rb"(?m)^\[(?P<name>\w)\] start$")
    ends = re.compile(rb"(?m)^\[(?P<name>\w)\] stop$")
    plain = find_sections(io.BytesIO(log), Sessions(starts, ends))
    worded = Sessions(starts, ends, start_words=b"start", end_words=b"stop")
    assert find_sections(io.BytesIO(log), worded) == plain
    assert len(plain) == 4


def test_sessions_of_which_no_line_tells_the_end_may_go_on_beside_each_other():
    def alone(log: bytes, sessions: Sessions) -> list[bool]:
        return [section.alone for section in find_sections(io.BytesIO(log), sessions)]

    starts = re.compile(rb"(?m)^\[(?P<key>\w*)\] start$")
    assert alone(b"[] start\n", Sessions(starts)) == [True]
    assert alone(b"[] start\n[] start\n", Sessions(starts)) == [False, False]
    assert alone(b"[a] start\n[b] start\n[a] start\n", Sessions(starts)) == [False, True, False]
    assert alone(b"[] start\n[] start\n", Sessions(starts, one_at_a_time=True)) == [True, True]
