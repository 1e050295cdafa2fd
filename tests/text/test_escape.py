"""One table of what of a stranger's text is written out before a terminal sees it."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.columns import text_width
from mcptap.text.escape import decoded, excerpt, visible, visible_json

ZWNJ, ZWJ = "\u200c", "\u200d"
STRANGE = st.text(
    st.characters()
    | st.sampled_from("a1␛👩❤⚕ی🏽" + ZWNJ + ZWJ + "\ufe0e\ufe0f\x1b\u202e\ud83d\ufeff\U000e0041"),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x00\x07\x08\x1f", "␀␇␈␟"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\tb", "a␉b"),
        ("a\r\nb", "a␍␊b"),
        ("\x7f", "␡"),
        ("\x9b31m\x85", "<U+009B>31m<U+0085>"),
        ("\u061c\u200e\u200f", "<U+061C><U+200E><U+200F>"),
        ("\u202a\u202b\u202c\u202d\u202e", "<U+202A><U+202B><U+202C><U+202D><U+202E>"),
        ("\u2066\u2067\u2068\u2069", "<U+2066><U+2067><U+2068><U+2069>"),
        ("a\u200bb\u2060c\ufeffd\xade", "a<U+200B>b<U+2060>c<U+FEFF>d<U+00AD>e"),
        ("a\u2028b\u2029", "a<U+2028>b<U+2029>"),
        ("\U000e0041\U000e007f\U000e0100", "<U+E0041><U+E007F><U+E0100>"),
        ("\ud800", "<U+D800>"),
        ("\ufff9", "<U+FFF9>"),
    ],
)
def test_each_kind_of_unseen_character_has_its_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    ["naïve", "日本語", "👨‍👩‍👧 ❤️ 👩🏽‍⚕️ 🏳️‍🌈", "1️⃣ #️⃣ ☎︎", "می‌خواهم", "a\xa0b", "\ue0b0", "e\u0301"],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"a{ZWJ}b", "a<U+200D>b"),
        (f"{ZWJ}👧", "<U+200D>👧"),
        (f"👧{ZWJ}", "👧<U+200D>"),
        (f"👧{ZWJ}x", "👧<U+200D>x"),
        (f"x\ufe0f{ZWJ}👧", "x<U+FE0F><U+200D>👧"),
        (f"a{ZWNJ}b", "a<U+200C>b"),
        (f"ی{ZWNJ}{ZWNJ}ی", "ی<U+200C><U+200C>ی"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f<U+FE0F>"),
        ("x\ufe00", "x<U+FE00>"),
    ],
)
def test_joiners_are_written_out_where_they_join_nothing(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_bytes_that_are_not_utf8_are_shown_as_hex() -> None:
    assert decoded(b"caf\xe9 \xff\x1b") == "caf\\xe9 \\xff␛"


@given(STRANGE | st.binary().map(decoded))
def test_nothing_is_left_that_drives_a_terminal_or_hides(text: str) -> None:
    shown = visible(text)
    shown.encode()
    for character in shown:
        category = unicodedata.category(character)
        assert category not in ("Cc", "Cs", "Zl", "Zp"), hex(ord(character))
        # Number signs of Arabic and Egyptian quadrats are formats that one sees.
        is_seen = 0x600 <= ord(character) < 0x1000 or 0x110BD <= ord(character) < 0x14000
        assert category != "Cf" or character in ZWNJ + ZWJ or is_seen, hex(ord(character))


@given(STRANGE)
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(STRANGE, STRANGE)
def test_a_joiner_never_swallows_the_width_of_what_follows(left: str, right: str) -> None:
    # rich leaves out what stands behind a joiner: it may be an emoji or another symbol only.
    shown = visible(left + ZWJ + right)
    for at, character in enumerate(shown):
        if character == ZWJ:
            after = shown[at + 1]
            assert (
                text_width(after) == 2
                or "\u203c" <= after <= "\u2bff"
                or after >= "\U0001f000"
                or after in "©®"
            )


@given(STRANGE | st.binary(max_size=60), st.integers(1, 50))
def test_an_excerpt_is_no_longer_than_asked_and_says_that_it_is_cut(text: str | bytes, limit: int) -> None:
    shown = excerpt(text, limit)
    whole = decoded(text) if isinstance(text, bytes) else visible(text)
    assert shown == visible(shown)
    assert shown == whole or (len(shown) <= limit + 1 and shown.endswith("…"))


@given(st.text())
def test_a_json_text_keeps_its_value_and_hides_nothing(text: str) -> None:
    spelled = visible_json(json.dumps({"a": text}, ensure_ascii=False, indent=2))
    assert json.loads(spelled)["a"].encode(errors="surrogatepass") == text.encode(errors="surrogatepass")
    assert visible(spelled.replace("\n", "")) == spelled.replace("\n", "")


def test_the_shim_gets_it_without_other_modules() -> None:
    program = (
        "import sys; before = set(sys.modules); import mcptap.text.escape; print(*set(sys.modules) - before)"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert set(out.split()) == {"__future__", "mcptap", "mcptap.text", "mcptap.text.escape"}
