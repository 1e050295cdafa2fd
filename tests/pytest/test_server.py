"""The plugin as its users have it: a suite of their own, run by pytest, and what they read."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.pytest.suite import run
from tests.test_architecture import ROOT

TESTS = """
import os
import time
import pytest
from mcptap.pytest import NoAnswerError, RequestError, ServerEndedError

SMALL_SERVER = <SMALL>

def test_lists_and_calls(mcptap):
    assert [tool["name"] for tool in mcptap.tools()][::4] == ["forecast", "fails"]
    result = mcptap.call("forecast", city="Oslo")
    assert (result.text, result.is_error) == ("rain in Oslo", False)
    assert mcptap.call_with("fails", {}).is_error
    assert (mcptap.info["name"], mcptap.revision) == ("weather", "2025-11-25")
    assert mcptap.recording.is_file()

def test_errors_are_raised(mcptap):
    with pytest.raises(RequestError) as caught:
        mcptap.request("no/such")
    assert caught.value.code == -32601

@pytest.mark.mcptap(capabilities={"roots": {}})
def test_both_sides_talk(mcptap):
    mcptap.replies["roots/list"] = lambda params: {"roots": []}
    assert mcptap.call("asks").text == '{"roots": []}'
    mcptap.call("announces")
    assert mcptap.wait_for("notifications/message")["params"]["data"] == "rain"

def test_several_servers(mcptap_server):
    old = mcptap_server(*SMALL_SERVER, name="old")
    new = mcptap_server(*SMALL_SERVER, "stateless", name="new")
    assert (old.revision, new.revision) == ("2025-06-18", "2026-07-28")
    assert [tool["name"] for tool in old.tools() + new.tools()] == ["act", "act"]
    assert old.recording != new.recording

@pytest.mark.mcptap(*SMALL_SERVER, "stateless", revision="2026-07-28", expect_tool="act")
def test_a_stateless_server(mcptap):
    assert mcptap.tools()[0]["name"] == "act"

@pytest.mark.mcptap(ignore="stdout-*")
def test_pollution_that_is_allowed(mcptap):
    mcptap.call("chatty")

def test_pollution(mcptap):
    mcptap.call("chatty")

def test_hangs(mcptap):
    while "database" not in mcptap.stderr:
        time.sleep(0.001)
    mcptap.call_with("stuck", {}, timeout=0.05)

def test_fails_by_itself(mcptap):
    mcptap.call("chatty")
    assert False, "my own reason"

@pytest.mark.mcptap(expect_tool="tides", max_latency="tools/call=0")
def test_expectations(mcptap):
    mcptap.call("forecast")

def test_dies(mcptap):
    mcptap.call("dies")

@pytest.mark.mcptap("no-such-server-at-all")
def test_no_such_server(mcptap):
    raise AssertionError("never reached")

@pytest.mark.mcptap(*SMALL_SERVER, "silent", start_timeout=0.2)
def test_never_opens(mcptap):
    raise AssertionError("never reached")

@pytest.mark.mcptap(colour="red")
def test_a_marker_that_is_wrong(mcptap):
    raise AssertionError("never reached")

def test_a_deaf_server(mcptap, tmp_path):
    mcptap.call("deaf", pid_file=str(tmp_path / "pid"))
    print("pid:", (tmp_path / "pid").read_text())

def test_another_suite_uses_nothing():
    pass
"""


@pytest.fixture(scope="module")
def came(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What became of the tests above, which two workers ran."""
    folder = tmp_path_factory.mktemp("suite")
    found, printed = run(folder, TESTS, "-n", "2", "-rA", "-o", "junit_logging=all")
    assert found, printed
    return {**found, "": printed}


@pytest.mark.parametrize(
    "name",
    [
        "lists_and_calls",
        "errors_are_raised",
        "both_sides_talk",
        "several_servers",
        "a_stateless_server",
        "pollution_that_is_allowed",
        "another_suite_uses_nothing",
    ],
)
def test_what_is_in_order_passes(came: dict[str, str], name: str):
    assert came[f"test_{name}"] == "passed"


def test_pollution_fails_the_test_with_the_report(came: dict[str, str]):
    text = came["test_pollution"]
    assert text.startswith("failure: Failed: The server printed")
    assert "error: stdout-not-json" in text
    assert "Remedy: " in text
    assert re.search(r"^file +\S+/mcptap/\S+\.jsonl$", text, re.MULTILINE)
    assert "FAILED test_suite.py::test_pollution - Failed: The server printed" in came[""]


def test_a_call_that_hangs_says_so_and_the_report_stands_behind_it(came: dict[str, str]):
    text = came["test_hangs"]
    assert "tools/call of 'stuck' got no answer within 50 ms; the server still runs." in text
    assert 'Its last words on stderr: "no database yet".' in text
    assert ">       mcptap.call_with(" in text  # the line of the test, none of ours
    assert "def request" not in text
    behind = came[""].partition("_ test_hangs _")[2].partition("\n____")[0]
    assert "mcptap show /" in behind.partition("Captured mcptap check call")[2]


def test_a_test_that_fails_by_itself_keeps_its_reason_and_has_the_report(came: dict[str, str]):
    assert came["test_fails_by_itself"].startswith("failure: AssertionError: my own reason")
    behind = came[""].partition("_ test_fails_by_itself _")[2].partition("\n____")[0]
    assert "error: stdout-not-json" in behind.partition("Captured mcptap check call")[2]
    assert "ERROR test_suite.py::test_fails_by_itself" not in came[""]
    assert "mcptap check: The server printed" in came["test_fails_by_itself"]  # in pytest's JUnit file too


def test_expectations_of_the_marker_are_judged(came: dict[str, str]):
    text = came["test_expectations"]
    assert "expectation-tool-missing" in text
    assert "expectation-latency" in text


def test_a_server_that_ends_is_told_from_one_that_hangs(came: dict[str, str]):
    assert "The server ended before it answered tools/call of 'dies' (exit status 3)." in came["test_dies"]


def test_a_server_that_does_not_start_or_open_is_a_sentence(came: dict[str, str]):
    assert "no-such-server-at-all" in came["test_no_such_server"]
    assert "(exit status 127)" in came["test_no_such_server"]
    assert "initialize got no answer within 200 ms; the server still runs." in came["test_never_opens"]
    assert "@pytest.mark.mcptap has no 'colour'" in came["test_a_marker_that_is_wrong"]
    assert not [text for text in came.values() if "never reached" in text and "Traceback" in text]


def test_no_process_is_left_of_a_server_that_ignores_all_that_tells_it_to_end(came: dict[str, str]):
    [pid] = re.findall(r"pid: (\d+)", came[""])
    assert not os.path.exists(f"/proc/{pid}")


def test_a_suite_that_does_not_use_it_imports_nothing_of_mcptap():
    new = "import pytest, sys; before = set(sys.modules); import mcptap.pytest"
    script = f"{new}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["mcptap", "mcptap.pytest"]


def test_pytest_finds_the_plugin_by_its_entry_point():
    assert (
        '[project.entry-points.pytest11]\nmcptap = "mcptap.pytest"\n' in (ROOT / "pyproject.toml").read_text()
    )
