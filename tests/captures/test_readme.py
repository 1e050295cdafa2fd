"""The page about captures names each format that has a sample, and what it tells."""

from __future__ import annotations

from pathlib import Path

from mcptap.captures.format import Beginning
from mcptap.captures.reader import format_of
from mcptap.recording.format.model import RecordingError

ROOT = Path(__file__).parents[2]
FIELDS = ("messages", "contents", "framing", "times", "stderr", "process", "status")
"""Fields of `Evidence`, in the order of the table's columns."""


def told_by_samples() -> dict[str, set[str]]:
    told: dict[str, set[str]] = {}
    for path in (ROOT / "tests" / "captures" / "samples").rglob("*"):
        if not path.is_file() or path.suffix == ".toml":
            continue
        with open(path, "rb", buffering=0) as file:
            try:
                found, decoder = format_of(Beginning(file))
            except RecordingError:
                continue
        known = {name for name in FIELDS if getattr(decoder.evidence, name)}
        told.setdefault(found.name, set()).update(known)
    return told


def test_the_table_says_of_each_format_what_its_samples_tell():
    page = (ROOT / "mcptap" / "captures" / "README.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    table = {
        name.strip(): {field for field, cell in zip(FIELDS, cells, strict=True) if cell.strip() == "yes"}
        for name, *cells in rows
    }
    assert table == told_by_samples()
