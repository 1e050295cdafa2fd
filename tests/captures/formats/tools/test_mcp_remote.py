"""The debug log of mcp-remote, beside the samples."""

import json

from mcptap.recording.format.lines import OUTLINE
from tests.captures.reading import read


def line(side: str, **members: object) -> str:
    return f"[2026-03-14T09:26:53.589Z][7] {side} message {json.dumps(members)}"


def test_params_that_were_cut_and_results_are_not_known():
    text = "\n".join(
        [
            line("Local → Remote", method="tools/call", id=1, params='{"name":"a"}'),
            line("Local → Remote", method="tools/call", id=2, params='{"name":"b'),
            line("Remote → Local", id=1, result="result-present"),
            line("Remote → Local", id=2, error={"code": 1, "message": "m"}),
        ]
    )
    _, items = read(text)
    assert [item.known for item in items] == ["", OUTLINE, OUTLINE, ""]
    assert items[0].value["params"] == {"name": "a"}
    assert items[3].value["error"] == {"code": 1, "message": "m"}
