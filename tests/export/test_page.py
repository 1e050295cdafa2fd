"""A session as a page."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from mcptap.export.page import CHOICE, page
from mcptap.export.session import read_session
from mcptap.masking.masker import Masker
from tests.export.sessions import EVIL, SECRETS, with_secrets
from tests.helpers import END, SPAWN, call, handshake, record

VOID = {"meta", "rect", "br"}


class Reader(HTMLParser):
    """What a browser would make of a page: its elements, ids, links, and text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.ids, self.links, self.attributes = [], [], [], [], []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def made(path):
    masker = Masker()
    return page([read_session(str(path), CHOICE, masker, io.StringIO())], masker)


def test_it_is_one_file_that_runs_and_loads_nothing(tmp_path):
    text = made(with_secrets(tmp_path / "a.jsonl"))
    read = Reader(text)
    assert read.open == []
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & set(read.elements)
    assert not [name for name, _ in read.attributes if name in ("style", "src") or name.startswith("on")]
    assert all(link.startswith("#") for link in read.links)
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert len(read.ids) == len(set(read.ids))
    style = text[text.index("<style>") + 7 : text.index("</style>")]
    assert f"style-src 'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" in text
    assert "default-src 'none'" in text


def test_it_tells_what_happened_without_secrets(tmp_path):
    words = Reader(made(with_secrets(tmp_path / "a.jsonl"))).words
    for part in ("stdout-not-json", "Remedy", "How it was started", "Transcript", "no answer", "masked:"):
        assert part in words
    assert not [secret for secret in SECRETS if secret in words]


def test_recorded_text_has_no_power(tmp_path):
    evil = f"{EVIL} <img src=x onerror=alert(1)> \" ' onclick=x \x1b[31m".replace("\n", " ")
    steps = [SPAWN, *handshake(), ("s2c", evil.encode() + b"\n"), ("stderr", evil.encode() + b"\n"), *END]
    text = made(record(tmp_path / "a.jsonl", steps, name=evil, argv=[evil], cwd=evil))
    read = Reader(text)
    assert read.open == []
    assert not {"script", "img"} & set(read.elements)
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "onerror=alert(1)" in read.words


def test_a_page_of_several_sessions_has_links_of_its_own_for_each(tmp_path):
    masker = Masker()
    shown = [
        read_session(with_secrets(tmp_path / f"{name}.jsonl"), CHOICE, masker, io.StringIO()) for name in "ab"
    ]
    read = Reader(page(shown, masker))
    assert len(read.ids) == len(set(read.ids))
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert len(re.findall(r"How it was started", read.words)) == 2


def test_a_name_in_our_own_words_is_code_without_backticks(tmp_path):
    steps = [SPAWN, *handshake(), ("c2s", call(1, "fore_cast", {})), *END]
    text = made(record(tmp_path / "a.jsonl", steps))
    assert "<code>fore_cast</code>" in text
    assert "`fore_cast`" not in text
