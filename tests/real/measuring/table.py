"""What was measured, as data: `measured.json`, and in what a new measurement differs from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("measured.json")

Table = dict[str, dict[str, Any]]
"""By the client's id: `about` (version, date, opening), and `cases` by their names (see `clients.Seen`)."""


def load() -> Table:
    """What was measured last."""
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def store(table: Table) -> None:
    """Keep it, a case a line."""
    parts = []
    for name, row in sorted(table.items()):
        lines = (f"   {json.dumps(case)}: {json.dumps(seen)}" for case, seen in row["cases"].items())
        cases = ",\n".join(lines)
        about = json.dumps(row["about"])
        parts.append(f' {json.dumps(name)}: {{\n  "about": {about},\n  "cases": {{\n{cases}\n  }}\n }}')
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def differences(name: str, cases: dict[str, Any]) -> Iterator[str]:
    """In what a client does another thing now: sentences."""
    before = load().get(name, {}).get("cases", {})
    for case, seen in cases.items():
        was = before.get(case)
        if was is not None and was["outcome"] != seen["outcome"]:
            yield f"{name}, {case}: {seen['outcome']} ({seen['said']}); it was {was['outcome']}"
