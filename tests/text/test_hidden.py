"""Characters that no one can see: found all, but for those that scripts and emoji need."""

import pytest

from mcptap.text.hidden import hidden_in, spelled_by

LANGUAGES = {
    "English": "Gives the weather — “today”, ½ price, naïve café.",
    "German": "Straßen\u00adbahn für Übergrößen",
    "French": "L’été\u00a0: déjà vu\u202f!",
    "Polish": "Zażółć gęślą jaźń",
    "Turkish": "İstanbul’da ılık hava",
    "Vietnamese": "Thời tiết hôm nay thế nào?",
    "Russian": "Показывает погоду в городе",
    "Greek": "Δείχνει τον καιρό",
    "Hebrew": "מזג האוויר \u200f(API)\u200e היום",
    "Arabic": "الطقس \u2067API\u2069 اليوم \u061c5",
    "Persian": "می\u200cخواهم آب\u200cوهوا را ببینم",
    "Urdu": "موسم کی معلومات",
    "Hindi": "मौसम क्\u200dष र्\u200dय की जानकारी",
    "Bengali": "আবহাওয়া র\u200d্য",
    "Malayalam": "കാലാവസ്ഥ ന്\u200d",
    "Sinhala": "කාලගුණය ශ්\u200dරී",
    "Thai": "พยากรณ์\u200bอากาศ\u200bวันนี้",
    "Khmer": "អាកាស\u200bធាតុ",
    "Japanese": "天気を教えます 葛\U000e0100城市",
    "Chinese": "显示天气預報",
    "Korean": "날씨를 보여 줍니다",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ\u180bᠤᠨ\u180e\u1820",
    "emoji": "👩\u200d💻 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f⃣ ☀\ufe0e 🏳\ufe0f\u200d🌈 👍🏽 ✔\ufe0f ©\ufe0f",
    "flags": "🇩🇪 \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a mark at the beginning": "\ufeffWeather",
}


@pytest.mark.parametrize("text", LANGUAGES.values(), ids=LANGUAGES)
def test_what_a_language_needs_is_passed_over(text: str):
    assert hidden_in(text) == []


TAGS = "".join(chr(0xE0000 + ord(sign)) for sign in "ignore all")
HIDDEN = {
    "tags": f"Adds.{TAGS}",
    "tags behind a flag": f"\U0001f3f4{TAGS}",
    "a language tag": "Adds\U000e0001.",
    "zero-width spaces": "Adds\u200b two\u200b numbers",
    "a joiner among Latin letters": "pass\u200dword",
    "a non-joiner among Latin letters": "pass\u200cword",
    "many joiners in Persian": "می\u200c\u200d\u200c\u200d\u200cخ",
    "a word joiner": "a\u2060b",
    "a mark in the middle": "a\ufeffb",
    "invisible operators": "a\u2062b\u2063c\u2064d",
    "an override": "abc\u202etxt.exe",
    "an override in Hebrew": "מזג \u202dabc",
    "an embedding without need": "a\u202ab\u202c",
    "isolates without need": "a\u2066b\u2069",
    "a mark of direction without need": "a\u200fb",
    "selectors in a row": "☀\ufe0f\ufe0f\ufe0e",
    "selectors behind letters": "a\ufe01b\ufe02c",
    "supplementary selectors": "x\U000e0100\U000e0155",
    "a Hangul filler": "a\u3164b",
    "annotations": "a\ufff9b\ufffac\ufffb",
    "a grapheme joiner": "a\u034fb",
    "a deprecated control": "a\u206ab",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_what_hides_is_found(text: str):
    assert hidden_in(text)


def test_tags_are_spelled_out():
    assert spelled_by(hidden_in(HIDDEN["tags"])) == "ignore all"
    assert spelled_by(hidden_in("a\u200bb")) == ""
