"""A check as JSON for programs."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcptap.protocol.statistics.counts import Statistics
from mcptap.report.formats.json import as_object, schema, write
from mcptap.report.results import Results
from mcptap.text.terminal import Terminal
from tests.report.samples import EVIL, UNUSABLE, checked, foreign, results

PIPE = Terminal(io.StringIO(), {})


def written(checked: Results) -> Any:
    return json.loads("\n".join(write(checked, PIPE)))


@pytest.mark.parametrize("statistics", [None, Statistics()])
def test_json_fits_its_schema(statistics):
    one = checked()
    one.statistics = statistics
    shown = written(results(one, foreign(), unusable=True))
    described = schema()
    jsonschema.Draft202012Validator.check_schema(described)
    jsonschema.validate(shown, described, cls=jsonschema.Draft202012Validator)
    assert [(f["rule"], f["line"], f["file"]) for f in shown["findings"]][:2] == [
        ("capability-undeclared-tools", 3, "a/x.jsonl"),
        ("launch-cwd", None, "a/x.jsonl"),
    ]
    assert shown["files"][2] == {"file": "b.jsonl", "error": UNUSABLE.why}


def test_the_schema_names_every_field_of_a_finding():
    finding = as_object(results())["findings"][0]
    described = schema()["$defs"]["finding"]
    assert set(finding) == set(described["properties"]) == set(described["required"])


def test_json_is_ascii_and_keeps_the_exact_text():
    shown = "\n".join(write(results(), PIPE))
    assert shown.isascii()
    assert "\x1b" not in shown
    assert EVIL in json.loads(shown)["findings"][1]["message"]


def test_the_document_shows_every_field_of_a_finding():
    document = Path(__file__).parents[3] / "mcptap" / "report" / "README.md"
    block = document.read_text().split("```json\n", 1)[1].split("```", 1)[0]
    finding = as_object(results())["findings"][0]
    assert set(json.loads(block)["findings"][0]) == set(finding)
