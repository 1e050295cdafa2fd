"""The page of a run of stderr."""

from mcptap.tui.session.tabs import stderr_run
from mcptap.tui.session.tabs.stderr_run import run_page
from tests.helpers import handshake, record
from tests.tui.screens import indexed, lines_of


def test_all_lines_of_the_run_are_there_and_lead_to_their_records(tmp_path, monkeypatch):
    said = [("stderr", line) for line in (b"one\n", b"two\n", b"\x1b[31mError: three\n", b"four\n")]
    index = indexed(record(tmp_path / "x.jsonl", [*handshake(), *said]))
    page = run_page(index, index.folds.shown_by(8), 60)
    text = lines_of(page)
    assert "4 lines" in text[0]
    assert any("6 to 9" in line for line in text[:4])
    assert any("says" in line and "Error: three" in line for line in text[:5])
    assert [(line.pieces[0][0], line.record) for line in page[-4:]] == [
        ("one", 5),
        ("two", 6),
        ("␛[31mError: three", 7),
        ("four", 8),
    ]
    monkeypatch.setattr(stderr_run, "LINES_SHOWN", 3)
    assert (
        lines_of(run_page(index, index.folds.shown_by(8), 60))[-1]
        == "… 1 more line: V opens all in the pager"
    )
