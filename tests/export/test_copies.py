"""Masked recordings of recordings, and of captures."""

from __future__ import annotations

import json
from contextlib import closing

import jsonschema

from mcptap.captures.open import open_source
from mcptap.commands import main
from mcptap.export.copies import copy_of
from mcptap.export.rejudged import judged
from mcptap.masking.masker import Masker
from mcptap.query import parse
from tests.export.sessions import SECRETS, with_secrets
from tests.helpers import END, SPAWN, call, handshake, record, text_result
from tests.test_architecture import ROOT


def copied(path, tmp_path, **how):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(b"".join(copy_of(str(path), Masker(b"key"), **how)))
    return copy


def limits_of(path):
    from mcptap.diagnosis.engine.selection import Selection
    from mcptap.report.check_file import check_file

    with closing(open_source(str(path))) as source:
        return check_file(source, Selection(), lambda: None).limits


def test_a_masked_recording_is_read_and_says_that_it_is_masked(tmp_path):
    copy = copied(with_secrets(tmp_path / "a.jsonl"), tmp_path)
    assert not [secret for secret in SECRETS if secret in copy.read_text()]
    assert limits_of(copy).startswith("Secrets in it were masked when it was exported.")


def test_a_masked_recording_is_one_by_the_schema(tmp_path):
    schema = json.loads((ROOT / "recordings" / "schema.json").read_text())
    copy = copied(with_secrets(tmp_path / "a.jsonl"), tmp_path)
    for line in copy.read_text().splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_its_bytes_are_not_taken_for_those_that_passed(tmp_path, capsys):
    copy = copied(with_secrets(tmp_path / "a.jsonl"), tmp_path)
    assert main(["show", str(copy), "--raw", "stderr"]) == 0
    assert "secrets in it were masked" in capsys.readouterr().err


def test_findings_that_hang_on_a_masked_value_are_named_and_not_judged_again(tmp_path):
    schema = {"type": "object", "properties": {"password": {"type": "integer"}}}
    tool = {"name": "login", "description": "Logs in.", "inputSchema": schema}
    steps = [
        SPAWN,
        *handshake(capabilities={"tools": {}}),
        ("c2s", {"jsonrpc": "2.0", "id": 5, "method": "tools/list"}),
        ("s2c", {"jsonrpc": "2.0", "id": 5, "result": {"tools": [tool]}}),
        ("c2s", call(6, "login", {"password": 12345678})),
        ("s2c", text_result(6, "in")),
        *END,
    ]
    path = record(tmp_path / "a.jsonl", steps)
    copy = copied(path, tmp_path)
    named = json.loads(copy.read_bytes().partition(b"\n")[0])["export"]["not_rejudged"]
    assert [one["rule"] for one in named] == ["tool-arguments-invalid"]
    with closing(open_source(str(path))) as before, closing(open_source(str(copy))) as after:
        assert judged(before) == judged(after)
    assert "tool-arguments-invalid (record" in limits_of(copy)
    assert "not judged again" in limits_of(copy)


def test_a_filter_leaves_out_records_and_the_rest_is_not_taken_for_the_whole(tmp_path):
    copy = copied(with_secrets(tmp_path / "a.jsonl"), tmp_path, query=parse("stderr"), spelled="stderr")
    assert len(copy.read_text().splitlines()) < 5
    assert "nly the records that match a filter" in limits_of(copy)


def test_a_capture_becomes_a_masked_recording_that_says_what_is_not_known(tmp_path):
    log = tmp_path / "x.txt"
    log.write_text('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"password":"hunter22"}}\n')
    copy = copied(log, tmp_path)
    assert "hunter22" not in copy.read_text()
    header = json.loads(copy.read_bytes().partition(b"\n")[0])
    assert "times" in header["capture"]["unknown"]
    assert header["export"]["changed"] == 1
