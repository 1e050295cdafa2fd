"""The forms of a report, chosen on the command line."""

from __future__ import annotations

import argparse
import json
from xml.etree import ElementTree

import pytest

from mcptap.commands.forms.choice import TEXT, add_forms, write_json, write_suites
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.report import formats
from mcptap.report.suites import Case, Suite, Suites

FOUND = Finding("comparison-missing", Level.ERROR, None, "tools/list: \x1b[2J missing")
SUITES = Suites(
    [Suite("server", [Case("tools", (FOUND,))])], about={"comparison-missing": "Something is gone."}
)


def test_each_form_of_check_can_be_chosen_and_text_is_the_default():
    parser = argparse.ArgumentParser()
    add_forms(parser)
    assert parser.parse_args([]).format == TEXT
    for name in formats.NAMES[1:]:
        assert parser.parse_args([f"--{name}"]).format == name


def test_two_forms_at_once_are_refused(capsys):
    parser = argparse.ArgumentParser()
    add_forms(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--json", "--junit"])
    assert "not allowed with" in capsys.readouterr().err


def test_suites_are_written_in_the_form_asked_for(capsys):
    write_suites("junit", SUITES)
    assert ElementTree.fromstring(capsys.readouterr().out).get("failures") == "1"
    write_suites("github", SUITES)
    assert capsys.readouterr().out == "::error title=mcptap comparison-missing::tools/list: ␛[2J missing\n"
    write_suites("sarif", SUITES)
    [run] = json.loads(capsys.readouterr().out)["runs"]
    [rule] = run["tool"]["driver"]["rules"]
    assert rule == {"id": "comparison-missing", "shortDescription": {"text": "Something is gone."}}
    assert run["results"][0]["locations"] == []


def test_json_drives_no_terminal(capsys):
    write_json({"a": "\x1b\x9b"})
    assert json.loads(shown := capsys.readouterr().out) == {"a": "\x1b\x9b"}
    assert shown.isascii()
    assert "\x1b" not in shown
