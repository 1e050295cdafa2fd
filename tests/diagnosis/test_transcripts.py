"""Whole sessions, some really recorded, with every finding that they deserve and none besides.

Above `---` stand the findings of a transcript, `LEVEL RULE RECORDS`; those of level error and
warning are all there are. The transcripts have no times, so the order alone decides.
"""

from pathlib import Path

import pytest

from mcptap.diagnosis.engine.finding import Level
from tests.diagnosis.sessions import judged, untimed

FOLDER = Path(__file__).parent / "transcripts"
FILES = sorted(path.name for path in FOLDER.glob("*.txt"))


def read(name: str) -> tuple[dict[tuple[str, str], set[int]], set[str], list[str]]:
    head, _, body = (FOLDER / name).read_text(encoding="utf-8").partition("---\n")
    wanted: dict[tuple[str, str], set[int]] = {}
    quiet: set[str] = set()
    for row in head.splitlines():
        word, *rest = row.split()
        if word == "quiet":
            quiet.add(rest[0])
        elif word != "#":
            wanted[word, rest[0]] = {int(number) for number in rest[1:]}
    return wanted, quiet, body.split("\n")[:-1]


@pytest.mark.parametrize("name", FILES)
def test_a_transcript_has_its_findings_and_no_others(name: str):
    wanted, quiet, rows = read(name)
    found: dict[tuple[str, str], set[int]] = {}
    for finding in judged(untimed(rows), timed=False):
        assert finding.rule not in quiet
        found.setdefault((finding.level.word, finding.rule), set()).update(finding.records)
    may = {key for key in found if key[0] == Level.INFO.word and key not in wanted}
    assert {key: records for key, records in found.items() if key not in may} == wanted


def test_there_are_transcripts_of_both_eras_clean_and_broken():
    assert len(FILES) == 13
    assert sum(name.startswith("clean") for name in FILES) == 4
