"""Which server is started, and what fails a test: by marker, command line, ini file and settings."""

from pathlib import Path

from tests.play.probing import SMALL
from tests.pytest.suite import INI, run


def test_without_a_command_it_is_asked_for_one(tmp_path: Path):
    came, _ = run(tmp_path, "def test_x(mcptap): pass\n", ini="[pytest]\n")
    assert "mcptap_command in the ini file, --mcptap-command" in came["test_x"]


def test_the_command_line_goes_before_the_ini_file_and_says_what_fails(tmp_path: Path):
    command = f"--mcptap-command={' '.join(SMALL)} chatters"
    tests = "def test_x(mcptap): assert mcptap.info['name'] == 'small'\n"
    assert "stdout-not-json" in run(tmp_path, tests, command)[0]["test_x"]
    assert run(tmp_path, tests, command, "--mcptap-fail-on=never")[0]["test_x"] == "passed"


def test_settings_of_the_project_count_and_a_wrong_line_is_one_sentence(tmp_path: Path):
    (tmp_path / ".mcptap.toml").write_text("[check]\nexpect-tool = ['tides']\n")
    tests = "def test_x(mcptap): pass\n"
    assert "expectation-tool-missing" in run(tmp_path, tests)[0]["test_x"]
    came, _ = run(tmp_path, tests, ini=f"{INI}mcptap_fail_on = fatal\n")
    assert "mcptap_fail_on is 'fatal'; it can be info, warning, error or never" in came["test_x"]
