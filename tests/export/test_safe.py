"""Strangers' text in Markdown and HTML."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.export.safe import block, in_cell, in_code, in_html, in_markdown, names_in, prose_in_markdown

ODD = st.text(alphabet="`~<>&@#|[]()!*_\\-=+.:/ \n\r\u202eaG H1w3", max_size=60)


@given(ODD)
def test_no_text_closes_the_block_that_it_stands_in(text):
    fence, *lines, end = block(text).split("\n")
    assert fence == end
    assert set(fence) == {"`"}
    assert "\n".join(lines) == text
    assert not any(line.strip().startswith(fence) for line in lines)


@given(ODD)
def test_no_text_ends_its_code_or_its_line(text):
    code = in_code(text)
    fence = re.match("`+", code)[0]
    assert code.endswith(fence)
    assert fence not in code[len(fence) : -len(fence)]
    assert "\n" not in code
    assert not re.search(r"(?<!\\)\|", in_cell(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`get_rates` never returned: see #7", "`get_rates` never returned: see #<!-- -->7"),
        ("a_b `x|*y*` c", "a\\_b `x|*y*` c"),
        ('it said "use `that_one`" of `this_one`', 'it said "use \\`that\\_one\\`" of `this_one`'),
        ("``two`` and `one", "\\`\\`two\\`\\` and \\`one"),
        ("`@octocat </details>`", "`@octocat </details>`"),
    ],
)
def test_names_between_our_own_backticks_are_code(text, shown):
    assert prose_in_markdown(text) == shown


@given(ODD)
def test_prose_with_names_has_no_power_outside_of_them_and_loses_nothing(text):
    pieces = list(names_in(text))
    assert "".join(f"`{piece}`" if is_name else piece for piece, is_name in pieces) == text
    assert prose_in_markdown(text) == "".join(
        in_code(piece) if is_name else in_markdown(piece) for piece, is_name in pieces
    )
    assert "\n" not in prose_in_markdown(text)


@given(ODD)
def test_prose_has_no_markup_mention_or_link(text):
    shown = in_markdown(text)
    assert "\n" not in shown
    plain = shown.replace("<!-- -->", "\0")
    assert "<" not in plain
    assert not re.search(r"@\w|#\d|GH-\d|://|(?<!\\)[`\[\]*_|]", plain, re.IGNORECASE)


def test_what_is_harmless_reads_as_it_was():
    text = 'tools/call of "forecast" (record 10) was answered in 5.3 s, 20 % later: see above!'
    assert in_markdown(text) == text


def test_html_has_neither_tags_nor_ends_of_attributes():
    assert in_html("<script x='1' y=\"2\">&") == "&lt;script x=&#x27;1&#x27; y=&quot;2&quot;&gt;&amp;"
