import json
import os

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.tui.export.export import as_jsonl, as_markdown, plain_text
from mcptap.tui.export.masking import Masker
from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import fed


@pytest.fixture
def index(tmp_path):
    steps = [
        *handshake(),
        ("c2s", call(1, "login", {"password": "hunter22", "user": "me"})),
        ("s2c", text_result(1, "```\nBearer abcdefghijklmnop123456\n\x1b[2J")),
        ("s2c", b"\x1b[31mnoise\n"),
        *END,
    ]
    return fed(os.fspath(record(tmp_path / "x.jsonl", steps))).index


def test_an_export_is_a_recording_without_secrets(index):
    masker = Masker()
    lines = list(as_jsonl(index, [5, 6], masker))
    header, call_, answer = (json.loads(line) for line in lines)
    assert header["mcptap"] == 1
    assert header["export"]["masked"] == {'value of "password"': 1, "bearer token": 1}
    assert call_["msg"]["params"]["arguments"] == {"password": "***", "user": "me"}
    assert "abcdefgh" not in json.dumps(answer)


def test_a_report_names_records_findings_and_what_was_masked(index):
    finding = Finding("stdout-not-json", Level.ERROR, 8, "Record 8 is noise.")
    text = as_markdown(index, [5, 6, 7], Masker(), "The server prints noise.", [finding])
    assert "> The server prints noise." in text
    assert "- **stdout-not-json** (error): Record 8 is noise." in text
    assert "**6** `+0.005` → tools/call login" in text
    assert "hunter22" not in text
    assert "\x1b" not in text
    assert 'Masked: bearer token ×1, value of "password" ×1.' in text


def test_a_message_with_a_fence_in_it_stays_in_its_own(index):
    text = as_markdown(index, [6], Masker())
    assert "````json" in text


def test_a_report_without_secrets_says_so(index):
    assert "nothing was masked" in as_markdown(index, [2], Masker())


def test_plain_text_is_indented_json(index):
    assert json.loads(plain_text(index, 5))["params"]["name"] == "login"
    assert plain_text(index, 5).startswith('{\n  "jsonrpc"')


ODD = "a\x9b2J\u202e\u2028\u2029\x7fb"


def test_no_export_and_no_copy_can_drive_a_terminal(tmp_path):
    steps = [*handshake(), ("c2s", call(1, ODD, {"x": ODD})), ("s2c", f"noise {ODD}\n".encode()), *END]
    launch = {"argv": [ODD], "version": ODD, "platform": ODD}
    index = fed(os.fspath(record(tmp_path / "x.jsonl", steps, **launch))).index
    with open(tmp_path / "x.jsonl", "ab") as file:
        file.write(f"damaged {ODD}\n".encode())
    everything = range(len(index))
    jsonl = "".join(as_jsonl(index, everything, Masker()))
    markdown = as_markdown(index, everything, Masker(), ODD, [Finding("x", Level.ERROR, 1, ODD)])
    copies = [plain_text(index, i) for i in everything if i]
    for text in (jsonl, markdown, *copies):
        assert text.replace("\n", "").isprintable()
    assert json.loads(jsonl.splitlines()[0])["argv"] == [ODD]
    assert json.loads(jsonl.splitlines()[5])["msg"]["params"]["arguments"] == {"x": ODD}


def test_an_export_does_not_pass_for_what_was_made_here(tmp_path):
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *END], check="0" * 64))).index
    assert "check" not in json.loads(next(as_jsonl(index, [1], Masker())))
