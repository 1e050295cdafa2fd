"""A session of a test is judged as by check, with the settings of the project."""

from pathlib import Path

import pytest

from mcptap.protocol.expectations.expectation import expectation
from mcptap.pytest.judging import Wanted, judge
from tests.helpers import END, handshake, record

POLLUTED = [*handshake(client="mcptap-probe"), ("s2c", b"Ready\n"), *END]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("fail_on", "ignore", "fails"),
    [("", [], True), ("never", [], False), ("", ["stdout-*"], False), ("info", ["stdout-*"], False)],
)
def test_level_and_rules_say_what_fails(project: Path, fail_on: str, ignore: list[str], fails: bool):
    recording = record(project / "x.jsonl", POLLUTED)
    judged = judge("weather", recording, Wanted.of(str(project), fail_on, ignore, []))
    assert judged.fails is fails
    assert str(recording) in judged.text


def test_the_settings_of_the_project_count(project: Path):
    recording = record(project / "x.jsonl", POLLUTED)
    (project / ".mcptap.toml").write_text("[check.ignore]\nstdout-not-json = 'known'\n")
    assert not judge("weather", recording, Wanted.of(str(project), "", [], [])).fails
    expected = [expectation("expect-tool", "forecast")]
    assert judge("weather", recording, Wanted.of(str(project), "", [], expected)).fails


def test_what_the_client_of_a_test_does_on_purpose_is_no_finding(project: Path):
    odd = [*handshake(client="mcptap-probe"), ("c2s", b"no JSON\n"), *END]
    assert not judge("weather", record(project / "x.jsonl", odd), Wanted.of(str(project), "", [], [])).fails


def test_no_recording_is_no_pass(project: Path):
    judged = judge("weather", project / "none.jsonl", Wanted.of(str(project), "", [], []))
    assert judged.fails
    assert "could not be judged" in judged.text


@pytest.mark.parametrize(("fail_on", "ignore"), [("fatal", []), ("", ["no-such-rule"])])
def test_what_is_no_level_or_rule_is_refused(project: Path, fail_on: str, ignore: list[str]):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        Wanted.of(str(project), fail_on, ignore, [])
