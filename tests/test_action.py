"""The GitHub Action, as a runner has it: inputs as variables, steps as processes, the runner's files."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from mcptap.commands.manual.parsers import parser_of
from tests.helpers import END, call, handshake, record, request, result, text_result
from tests.play.probing import SMALL
from tests.test_architecture import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ROOT / ".github" / "action" / "steps.py"
TOOL = {"name": "forecast", "description": "Says it.", "inputSchema": {"type": "object"}}
LISTING = [("c2s", request(1, "tools/list")), ("s2c", result(1, {"tools": [TOOL]}))]
CLEAN = [*handshake(), *LISTING, ("c2s", call(2, "forecast")), ("s2c", text_result(2, "rain")), *END]


class Runner:
    """What a runner gives to the last step, and what it reads afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.summary = self.printed = ""
        self.outputs: dict[str, str] = {}

    def judge(self, **inputs: str) -> int:
        """Run the step with these inputs, as the environment that action.yml maps."""
        [step] = [one for one in ACTION["runs"]["steps"] if one.get("id") == "judge"]
        given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()} | {"version": "installed"}
        variables = {}
        for variable, expression in step["env"].items():
            [name] = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", expression).groups()  # type: ignore[union-attr]
            variables[variable] = given[name]
        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        temporary = self.folder / "temp"
        temporary.mkdir(exist_ok=True)
        bin_folder = self.folder / "bin"
        bin_folder.mkdir(exist_ok=True)
        (bin_folder / "mcptap").write_text(f'#!/bin/sh\nexec {sys.executable} -P -m mcptap "$@"\n')
        (bin_folder / "mcptap").chmod(0o755)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env={
                **os.environ,
                **variables,
                **{name: str(path) for name, path in files.items()},
                "PATH": f"{bin_folder}:{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
                "RUNNER_TEMP": str(temporary),
                "GITHUB_ACTION_PATH": str(ROOT),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self.printed = done.stdout + done.stderr
        if files["GITHUB_OUTPUT"].exists():
            lines = files["GITHUB_OUTPUT"].read_text().splitlines()
            self.outputs = dict(line.split("=", 1) for line in lines)
            self.summary = files["GITHUB_STEP_SUMMARY"].read_text()
        return done.returncode


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_a_server_is_probed_and_recordings_are_checked(runner: Runner):
    record(runner.folder / "good.jsonl", CLEAN)
    bad = [*handshake(), ("s2c", b"Ready | <b>now</b> `x`\n"), *LISTING, *END]
    record(runner.folder / "bad file.jsonl", bad)
    status = runner.judge(
        command=shlex.join([*SMALL, "a 'quoted' word"]),
        recordings="good.jsonl\nbad file.jsonl\n",
        expect_tool="forec*\nact",
        max_start="600",
        output="reports",
    )
    assert status == 1
    assert "::error file=bad file.jsonl,line=6,title=mcptap stdout-not-json::" in runner.printed
    assert "title=mcptap expectation-tool-missing::" in runner.printed
    assert runner.outputs["result"] == "found"
    folder = Path(runner.outputs["artifacts"])
    assert folder == runner.folder / "reports"
    assert list((folder / "recordings").glob("*.jsonl"))
    for name in ("probe", "check"):
        assert ElementTree.parse(folder / f"{name}.xml").getroot().tag == "testsuites"
        assert (folder / f"{name}.txt").read_text()
        assert (folder / "sarif" / f"{name}.sarif").exists()
    assert "### Probe: ❌ failed" in runner.summary
    assert "| ❌ error | stdout-not-json |" in runner.summary
    assert "<b>" not in runner.summary  # what a server wrote is no Markdown and no HTML


def test_what_is_in_order_is_clean(runner: Runner):
    record(runner.folder / "good.jsonl", CLEAN)
    assert runner.judge(recordings="good.jsonl", expect_tool="forecast", check_options="--stats") == 0
    assert runner.outputs["result"] == "clean"
    assert "### Check: ✅ nothing found" in runner.summary
    assert "::" not in runner.printed


def test_no_input_becomes_a_part_of_a_shells_line(runner: Runner):
    mark = runner.folder / "injected"
    evil = f'"; touch {mark}; $(touch {mark}) `touch {mark}`'
    for name in ("recordings", "expect_tool", "fail_on", "server", "check_options"):
        assert runner.judge(**{"recordings": "none.jsonl", name: evil}) == 2
    assert not mark.exists()


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ({}, "give a command, a config, or recordings"),
        ({"config": ".mcp.json", "expect_tool": "act"}, "what is expected is asked of one server"),
        ({"command": "x", "config": "y"}, "give one of them"),
        ({"command": "x 'y"}, "command can't be read"),
        ({"command": "x", "server": "y"}, "give config as well"),
        ({"command": "x", "working_directory": "nowhere"}, "there is no such folder"),
        ({"recordings": "x", "max_latency": "foo"}, "'foo' is not METHOD=MS"),
    ],
)
def test_bad_input_is_a_sentence_and_status_2(runner: Runner, inputs: dict[str, str], why: str):
    assert runner.judge(**inputs) == 2
    assert why in runner.printed
    assert "Traceback" not in runner.printed


def test_every_input_reaches_a_step_by_a_variable_and_none_stands_in_a_command():
    mapped: dict[str, str] = {}
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        assert "uses" not in step
        mapped |= step["env"]
    assert mapped == {
        f"INPUT_{name.upper().replace('-', '_')}": f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]
    }
    assert all(one["description"] for one in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))


def test_the_steps_name_only_options_that_are_there():
    text = STEPS.read_text(encoding="utf-8")
    found = importlib.util.spec_from_file_location("steps", STEPS)
    assert found is not None
    assert found.loader is not None
    steps = importlib.util.module_from_spec(found)
    found.loader.exec_module(steps)
    known = {
        name: {flag for action in parser_of(name)._actions for flag in action.option_strings}
        for name in ("check", "probe")
    }
    named = set(re.findall(r'"(--[a-z-]+)"', text)) - {"--quiet", "--disable-pip-version-check"}
    assert named <= known["check"] | known["probe"]
    assert {"--as", "--config", "--record", "--server", "--yes"} <= named & known["probe"]
    for name in (*steps.LINES, "github", "also"):
        assert f"--{name}" in known["check"] & known["probe"]


@pytest.mark.parametrize("version", ["latest; rm", "--help", "git+https://x"])
def test_only_a_version_is_installed(version: str, tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-I", str(STEPS), "install"],
        env={**os.environ, "INPUT_VERSION": version, "RUNNER_TEMP": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert "it can be empty, installed, or a version" in done.stdout
