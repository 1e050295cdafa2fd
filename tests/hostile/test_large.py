"""What recordings of odd shapes cost: memory stays within bounds, and what was not looked at is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hostile.__main__ import measure
from tests.hostile.commands import read_with
from tests.hostile.shapes import SHAPES, write

CHECK_MB = 90
"""What check may take, however many records there are."""

LARGE = 20_000
"""The size of the shapes here, a part of what `python -m tests.hostile shapes` has."""


@pytest.mark.parametrize("shape", SHAPES)
def test_check_stays_within_its_bound(shape: str, tmp_path: Path):
    path = write(tmp_path / "shape.jsonl", SHAPES[shape](LARGE))
    _, memory, status = measure(("check", "--json", "--stats"), path)
    assert status in (0, 1)
    assert memory < CHECK_MB


def test_what_large_messages_say_is_told_to_be_left_out(tmp_path: Path):
    path = write(tmp_path / "shape.jsonl", SHAPES["large"](100_000))
    told = json.loads(read_with(("check", "--json"), path, path))
    assert "too large to be taken apart" in json.dumps(told["files"][0])
    assert "request-unanswered" not in {finding["rule"] for finding in told["findings"]}
