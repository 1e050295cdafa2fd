"""What the forms of an export tell alike."""

from __future__ import annotations

import io

from mcptap.captures.evidence import COMPLETE
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.export.session import Choice, read_session
from mcptap.export.told import (
    became,
    launch_facts,
    masked_words,
    place,
    scope_words,
    transcript_lines,
    versions,
)
from mcptap.masking.masker import Masker
from tests.export.sessions import with_secrets


def read(tmp_path):
    path = with_secrets(tmp_path / "a.jsonl")
    return read_session(path, Choice(100, 200, 10), Masker(), io.StringIO())


def test_of_the_file_only_its_name_is_told(tmp_path):
    facts = dict(launch_facts(read(tmp_path).checked))
    assert facts["file"] == "a.jsonl"
    assert "masked:" in facts["command"]


def test_versions_of_who_judged_and_who_recorded(tmp_path):
    assert "recorded by mcptap 0.1.0 on linux, Python 3.12.1" in versions(read(tmp_path).checked)
    path = tmp_path / "x.txt"
    path.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    capture = read_session(str(path), Choice(9, 9, 9), None, io.StringIO())
    assert "read as bare JSON-RPC lines" in versions(capture.checked)


def test_what_was_masked_is_said():
    masker = Masker()
    assert "nothing was masked" in masked_words(masker)
    masker.text("password=hunter22x")
    assert masked_words(masker).startswith('Masked, equal values alike: value of "password" ×1.')
    assert "not masked" in masked_words(None)


def test_what_became_of_requests_and_which_records_are_left_out(tmp_path):
    shown = read(tmp_path)
    told = {call.tool: became(call, COMPLETE) for call in shown.calls}
    assert told["forever"] == "no answer"
    assert told["login"].endswith("ms")
    lines = list(transcript_lines([shown.entries[0], shown.entries[3]], True, 60))
    assert lines[1] == "      … 2 records left out"
    assert all(len(line) <= 60 for line in lines)
    assert "1 record of" in scope_words(shown, 1)
    assert scope_words(shown, shown.total) == ""


def test_the_place_of_a_finding():
    assert place(Finding("x", Level.ERROR, None, "m")) == ""
    assert place(Finding("x", Level.ERROR, 3, "m")) == "record 3"
    assert place(Finding("x", Level.ERROR, 3, "m", records=[3, 5], count=9)) == "records 3, 5 and 7 more"
