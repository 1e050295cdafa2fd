"""One file judged: what it came to, and what took no part in it."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from mcptap.captures.open import open_source
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.selection import Selection
from mcptap.masking.masker import Masker
from mcptap.report.check_file import STRIDE, check_file, name_and_version
from mcptap.report.results import CheckedFile
from tests.helpers import END, EXIT, SPAWN, Step, call, error, handshake, record, request, text_result

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
PROBE: list[Step] = [
    SPAWN,
    ("c2s", request(1, "server/discover", {"_meta": META})),
    ("s2c", error(1, -32601, "Method not found")),
    ("end", "c2s"),
    EXIT,
]


def check(path: Path, selection: Selection | None = None, with_statistics: bool = False) -> CheckedFile:
    source = open_source(str(path))
    try:
        return check_file(source, selection or Selection(), lambda: None, with_statistics)
    finally:
        source.close()


def test_a_session_is_told_by_its_two_sides_its_revision_and_its_end(tmp_path: Path):
    found = check(record(tmp_path / "a.jsonl", [*handshake(), ("s2c", b"hello\n"), *END]))
    assert (found.client, found.server, found.recognised) == ("agent 1.2.3", "weather 2.0", "")
    assert (found.revision, found.state) == ("2025-11-25", "finished")
    assert found.messages == 3
    assert found.findings[0].rule == "stdout-not-json"
    assert found.verdict
    assert found.statistics is None


def test_a_client_that_is_known_is_named_as_it_is_known(tmp_path: Path):
    found = check(record(tmp_path / "a.jsonl", [*handshake(client="claude-code"), *END]))
    assert (found.client, found.recognised) == ("claude-code 1.2.3", "Claude Code")


def test_only_the_wanted_findings_are_kept_and_the_ignored_are_counted(tmp_path: Path):
    path = record(tmp_path / "a.jsonl", [*handshake(), ("s2c", b"hello\n"), *END])
    chosen = check(path, Selection(Level.ERROR, ignore=("stdout-not-json",)))
    assert chosen.findings == []
    assert chosen.ignored == {"stdout-not-json": 1}


def test_records_that_took_no_part_are_counted_by_reason(tmp_path: Path):
    path = record(tmp_path / "a.jsonl", [*handshake(), ("gap", {"records": 12, "why": "disk full"}), *END])
    with path.open("ab") as file:
        file.write(b"damage\nmore of it\n")
    found = check(path)
    assert found.damaged == 14
    assert "12 records are missing" in found.limits
    assert ": disk full. 2 records took no part in this: it is not a JSON object." in found.limits
    assert not found.evidence.whole


def test_a_gap_of_unknown_size_is_at_least_one_record(tmp_path: Path):
    path = record(tmp_path / "a.jsonl", [*handshake(), ("gap", {}), *END])
    assert check(path).damaged == 1
    assert ": for an unknown reason." in check(path).limits


def test_numbers_are_counted_if_they_are_asked_for(tmp_path: Path):
    path = record(
        tmp_path / "a.jsonl", [*handshake(), ("c2s", call(1, "add")), ("s2c", text_result(1, "3")), *END]
    )
    statistics = check(path, with_statistics=True).statistics
    assert statistics is not None
    assert list(statistics.tools) == ["add"]


def test_a_probe_beside_the_session_that_followed_is_no_failure(tmp_path: Path):
    alone = record(tmp_path / "alone" / "a.jsonl", PROBE)
    assert [found.rule for found in check(alone).findings] == ["era-no-fallback"]


def test_a_long_file_lets_others_act_from_time_to_time(tmp_path: Path):
    path = record(tmp_path / "a.jsonl", [("stderr", b"x\n")] * (2 * STRIDE))
    steps: list[None] = []
    source = open_source(str(path))
    check_file(source, Selection(), lambda: steps.append(None))
    source.close()
    assert len(steps) in (2, 3)


@pytest.mark.parametrize(
    ("info", "said"),
    [
        ({"name": "a", "version": "1"}, "a 1"),
        ({"version": "1"}, "1"),
        ({"name": "a", "version": 1}, "a"),
        ({"name": ""}, ""),
    ],
)
def test_a_side_is_named_as_far_as_it_gave_strings(info: dict[str, object], said: str):
    assert name_and_version(info) == said


def test_secrets_are_masked_in_what_is_told_but_not_in_what_is_judged(tmp_path):
    argv = ["srv", "--token", "abcd1234efgh", "--url", "https://u:hunter22@h/x", "${UNFILLED}"]
    noise = b"ready, api_key=hunter33 abcd1234efgh\n"
    path = record(tmp_path / "x.jsonl", [*handshake(), ("s2c", noise), *END], argv=argv)
    checks = []
    for masker in (None, Masker()):
        with closing(open_source(str(path))) as source:
            checks.append(check_file(source, Selection(), lambda: None, masker=masker))
    exact, masked = checks
    told = repr((masked.header.argv, masked.verdict, masked.findings))
    for secret in ("abcd1234efgh", "hunter22", "hunter33"):
        assert secret in repr((exact.header.argv, exact.verdict, exact.findings))
        assert secret not in told
    assert [found.rule for found in masked.findings] == [found.rule for found in exact.findings]
    assert masked.header.argv[-1] == "${UNFILLED}"


def test_where_a_recording_breaks_off_within_a_line_nothing_is_said_of_its_end(tmp_path: Path):
    path = record(tmp_path / "cut.jsonl", handshake())
    text = '{"jsonrpc":"2.0","id":7,"result":{}}'
    cut = {"n": 6, "k": "part", "t": 9000, "wall": 1795987023113000, "ch": "s2c", "at": 0, "text": text}
    path.write_bytes(path.read_bytes() + json.dumps(cut).encode() + b"\n")
    assert "line-unterminated" not in {finding.rule for finding in check(path).findings}
