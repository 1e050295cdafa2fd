"""goose's log, beside the samples."""

import json

from tests.captures.reading import read


def entry(text: str, target: str = "goose::agents::extension_manager") -> str:
    return json.dumps(
        {
            "timestamp": "2026-03-14T09:26:53.589Z",
            "level": "WARN",
            "fields": {"message": text},
            "target": target,
        }
    )


def test_entries_about_extensions_are_told_and_others_passed_over():
    text = "\n".join(
        [entry("Failed to load extension a: b"), entry("model answered", "goose::providers"), "[1]"]
    )
    source, items = read(text)
    assert [item.fields["text"] for item in items] == ["Failed to load extension a: b"]
    assert source.passed_over == 2
