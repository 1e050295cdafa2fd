"""A session as Markdown."""

from __future__ import annotations

import io
import re

from mcptap.export.markdown import CHOICE, LIMIT, markdown
from mcptap.export.session import read_session
from mcptap.masking.masker import Masker
from tests.export.sessions import SECRETS, with_secrets
from tests.helpers import END, SPAWN, call, handshake, record, text_result


def made(path, limit=LIMIT):
    masker = Masker()
    return markdown([read_session(str(path), CHOICE, masker, io.StringIO())], masker, limit)


def outside_of_blocks(text):
    return re.sub(r"^(`{3,})\w*\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)


def test_it_has_the_verdict_findings_remedies_launch_requests_and_the_folded_transcript(tmp_path):
    text = made(with_secrets(tmp_path / "a.jsonl"))
    headings = re.findall(r"^##+ (.*)$", text, re.MULTILINE)
    assert headings[0] == "weather: broken"
    assert any("`stdout-not-json` (record" in heading for heading in headings)
    assert {"Findings", "How it was started", "Requests"} <= set(headings)
    assert "**Remedy:**" in text
    outside = outside_of_blocks(text)
    assert outside.count("<details>") == outside.count("</details>") > 1
    assert "| versions |" in text
    assert not [secret for secret in SECRETS if secret in text]


def test_recorded_text_stays_in_its_blocks_and_pings_nobody(tmp_path):
    outside = outside_of_blocks(made(with_secrets(tmp_path / "a.jsonl")))
    assert "<script" not in outside
    assert not re.search(r"@octocat|#12\b|evil\.example", re.sub(r"`[^`]*`", "", outside))


def test_a_long_session_fits_and_says_what_was_left_out(tmp_path):
    steps = [SPAWN, *handshake()]
    for at in range(1, 400):
        steps += [("c2s", call(at, "forecast", {"x": "ä" * 200})), ("s2c", b"noise %d\n" % at)]
    path = record(tmp_path / "a.jsonl", [*steps, ("s2c", text_result(1, "late")), *END])
    for limit in (LIMIT, 20_000, 3_000):
        text = made(path, limit)
        assert len(text.encode()) <= max(limit, 4_500)
        assert "left out" in text
    assert len(made(path).encode()) > LIMIT // 3


def test_several_sessions_share_the_room(tmp_path):
    masker = Masker()
    shown = [
        read_session(with_secrets(tmp_path / f"{name}.jsonl"), CHOICE, masker, io.StringIO()) for name in "ab"
    ]
    text = markdown(shown, masker)
    assert len(re.findall("^## weather", text, re.MULTILINE)) == 2
    assert len(text.encode()) <= LIMIT
