"""A check as SARIF."""

from __future__ import annotations

import json
import re

import pytest

from mcptap.report.formats.sarif import as_object
from tests.report.samples import checked, results


def test_sarif_has_the_structure_that_the_standard_asks_for():
    log = as_object(
        results(checked(), checked("/abs/ü y.jsonl"), unusable=True), {"crlf": "Lines end with CRLF."}
    )
    json.dumps(log)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "mcptap"
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == sorted(set(ids))
    assert driver["rules"][ids.index("crlf")]["shortDescription"] == {"text": "Lines end with CRLF."}
    assert len(run["results"]) == 8
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert re.fullmatch(r"a/x\.jsonl|file:///abs/%C3%BC%20y\.jsonl", place["artifactLocation"]["uri"])
        assert place.get("region", {"startLine": 1})["startLine"] >= 1
    first = run["results"][0]
    assert first["occurrenceCount"] == 7
    related = [place["physicalLocation"]["region"]["startLine"] for place in first["relatedLocations"]]
    assert related == [5, 9]
    assert "region" not in run["results"][1]["locations"][0]["physicalLocation"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["level"] == "error"


@pytest.mark.parametrize(("design_counts", "level"), [(False, "note"), (True, "warning")])
def test_tool_design_is_a_note_unless_it_counts(design_counts, level):
    found = as_object(results(design_counts=design_counts), {})["runs"][0]["results"]
    assert [r["level"] for r in found if r["ruleId"] == "tool-error-as-text"] == [level]
