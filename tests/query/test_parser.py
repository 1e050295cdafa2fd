"""From the text of a filter to what matches rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.request import RequestState
from mcptap.query import QueryError, RecordKind, parse
from tests.query.rows import CALL, Record


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "method:tools/call",
        "METHOD:Tools/CALL",
        "method:tools/*",
        "method:tools/list,tools/call",
        "tool:read_*",
        "tool:read_?ile",
        "id:7",
        'id:"7"',
        "dir:c2s",
        "dir:s2c,c2s",
        "kind:request",
        "status:answered",
        "status:answer*",
        "latency:>1s",
        "latency:>=1500ms",
        "latency:<1.6s",
        "latency:<=1500000us",
        "latency:1s..2s",
        "latency:..0.1m",
        "size:>100k",
        "size:120000",
        "size:=120000b",
        "size:<120.001k",
        "size:<1m",
        "n:17",
        "n:10..20",
        "n:17..",
        "n:>16",
        "t:2s..2s",
        "t:>0",
        "hosts",
        '"hosts (old)"',
        'text:"hosts (old)"',
        r'text:"\"path\""',
        "-method:tools/list",
        "not method:tools/list",
        "NOT method:tools/list AND dir:c2s",
        "-(method:tools/list or dir:s2c)",
        "dir:s2c or dir:c2s",
        "dir:s2c tool:x or tool:read_file dir:c2s",
        "not not dir:c2s",
        "--dir:c2s",
        "(dir:c2s)(id:7)",
        "12:30 or dir:c2s",
    ],
)
def test_a_filter_lets_a_record_through_that_it_describes(text: str) -> None:
    assert parse(text).matches(CALL)
    if text.strip():
        assert not parse(f"not ({text})").matches(CALL)


@pytest.mark.parametrize(
    "text",
    [
        "method:tools",
        "method:tools/list",
        "tool:write_*",
        "tool:read",
        "id:77",
        "dir:s2c",
        "dir:stderr",
        "kind:answer",
        "status:unanswered",
        "status:*error",
        "latency:>1500ms",
        "latency:<1s",
        "latency:2s..3s",
        "size:>1m",
        "size:0",
        "n:18..",
        "t:..1s",
        "nowhere",
        'text:"etc hosts"',
        "-hosts",
        "dir:c2s nowhere",
        "dir:s2c or nowhere",
    ],
)
def test_a_filter_holds_back_a_record_that_it_does_not_describe(text: str) -> None:
    assert not parse(text).matches(CALL)


def test_a_record_without_the_field_is_not_matched_by_any_value() -> None:
    event = Record(channel="", kind="event")
    for text in ("method:*", "tool:*", "id:*", "status:*", "latency:>0", "latency:<1m"):
        assert not parse(text).matches(event), text


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("methd:tools/call", 0, "did you mean method?"),
        ("a https://x", 2, "put it in quotes"),
        ("kind:requst", 5, "did you mean request?"),
        ("dir:c2s,up", 8, "it can be c2s, s2c, stderr"),
        ("method:", 7, "for example method:tools/call"),
        ("tool:a,", 5, "beside the comma"),
        ("latency:1s", 8, "latency:>1s"),
        ("latency:>1", 10, "a unit is missing; it can be us,"),
        ("latency:>1w", 10, "there is no unit 'w'"),
        ("latency:>", 9, "a number is missing behind >"),
        ("latency:2s..1s", 8, "ends before it begins"),
        ("size:>fast", 6, "is no number"),
        ("n:5k", 3, "takes a plain number"),
        ("n:..", 2, "needs a beginning or an end"),
        ("(dir:c2s", 0, "never closed"),
        ("dir:c2s)", 7, "never opened"),
        ("()", 1, "a term is missing before ')'"),
        ("dir:c2s or", 10, "a term is missing behind 'or'"),
        ("or dir:c2s", 0, "a term is missing before 'or'"),
        ("dir:c2s and and x", 12, "a term is missing before 'and'"),
        ("not", 3, "a term is missing behind 'not'"),
        ("a - b", 2, "in quotes"),
        ('text:"abc', 5, "closing quote"),
        ('"abc"d', 5, "space behind the closing quote"),
        ('""', 0, "nothing between the quotes"),
        ("-" * 100 + "x", 64, "too deep"),
        ("(" * 100 + "x" + ")" * 100, 64, "too deep"),
    ],
)
def test_an_error_says_what_is_wrong_and_where(text: str, position: int, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert words in caught.value.message
    assert caught.value.position == position
    assert f"character {position + 1}:" in str(caught.value)


def test_cheap_fields_are_tested_before_text() -> None:
    for text in ("nowhere dir:s2c", "(nowhere or x) dir:s2c", "hosts or dir:c2s", "-nowhere -dir:c2s"):
        record = Record(content="hosts")
        parse(text).matches(record)
        assert record.texts_read == 0, text


def test_a_filter_of_one_piece_of_text_says_so() -> None:
    assert parse("Hosts").literal == "Hosts"
    assert parse('text:"a b"').literal == "a b"
    assert parse('("a b")').literal == "a b"
    for text in ("", "a b", "-a", "dir:c2s", "a dir:c2s", "a or b"):
        assert parse(text).literal is None, text


def test_a_filter_says_which_fields_it_looks_at() -> None:
    assert parse("dir:c2s -(x)").fields == {"dir", "text"}
    assert parse("dir:c2s tool:x* or n:5").fields == {"dir", "tool", "n"}
    assert parse("").fields == frozenset()
    assert parse(" ").is_empty


names = st.from_regex(r"[a-z_/]{1,8}", fullmatch=True)
records = st.builds(
    Record,
    channel=st.sampled_from(["c2s", "s2c", "stderr", ""]),
    kind=st.sampled_from(RecordKind),
    method=st.none() | names,
    tool=st.none() | names,
    id=st.none() | st.integers(0, 9).map(str),
    status=st.none() | st.sampled_from(RequestState),
    latency_us=st.none() | st.integers(0, 10**8),
    size=st.integers(0, 10**7),
    number=st.integers(1, 30),
    t_us=st.integers(0, 10**8),
    content=st.text(max_size=12),
)
terms = st.one_of(
    names.map("method:{}".format),
    names.map("tool:{}*".format),
    st.sampled_from(RecordKind).map("kind:{}".format),
    st.sampled_from(RequestState).map("status:{}".format),
    st.sampled_from(["dir:c2s", "dir:s2c,stderr", "latency:>1s", "size:<100k", "t:1s..30s", "n:>7"]),
    st.sampled_from(["a", '"b c"', "0"]),
)


@given(st.text(alphabet=st.sampled_from('abdehikmnorstuxz:*?,.<>=-()"\\ 0123456789'), max_size=40))
def test_any_text_is_a_filter_or_an_error_with_a_place(text: str) -> None:
    try:
        query = parse(text)
    except QueryError as caught:
        error = caught
    else:
        query.matches(CALL)
        return
    assert 0 <= error.position <= len(text)
    assert error.message


@given(terms, terms, terms, records)
def test_operators_mean_what_they_say(a: str, b: str, c: str, record: Record) -> None:
    is_a, is_b, is_c = (parse(term).matches(record) for term in (a, b, c))
    assert parse(f"{a} {b}").matches(record) == (is_a and is_b)
    assert parse(f"{a} and {b} or {c}").matches(record) == ((is_a and is_b) or is_c)
    assert parse(f"{a} ({b} or {c})").matches(record) == (is_a and (is_b or is_c))
    assert parse(f"not {a} {b}").matches(record) == (not is_a and is_b)
    assert parse(f"-({a} or -{b})").matches(record) == (not (is_a or not is_b))


@given(st.text(min_size=1, max_size=8), st.text(max_size=20), st.text(max_size=20))
def test_quoted_text_is_found_whatever_stands_around_it(wanted: str, before: str, after: str) -> None:
    quoted = wanted.replace("\\", "\\\\").replace('"', '\\"')
    query = parse(f'text:"{quoted}"')
    assert query.literal == wanted
    assert query.matches(Record(content=before + wanted + after))


@given(names)
def test_a_method_is_matched_by_itself_and_by_a_star_for_any_part(name: str) -> None:
    record = Record(method=name)
    assert parse(f"method:{name}").matches(record)
    assert parse(f"method:{name[:2]}*").matches(record)
    assert parse(f"method:*{name[-2:]}").matches(record)
