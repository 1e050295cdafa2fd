"""A finding in full."""

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.text.columns import text_width
from mcptap.tui.session.tabs.finding import finding_lines, finding_page
from tests.tui.screens import lines_of

FINDING = Finding(
    "stdout-not-json",
    Level.ERROR,
    9,
    "Record 9 is no message. " * 5,
    "The client drops it.",
    "Print to stderr.",
    records=[9, 12],
    count=700,
)


def test_what_is_wrong_and_what_to_do_stand_before_what_it_leads_to():
    text = "\n".join(lines_of(finding_lines(FINDING, 60)))
    assert text.startswith("✗ stdout-not-json  error  ×700")
    assert text.index("Record 9") < text.index("→ Print to stderr.") < text.index("The client drops it.")


def test_it_fits_its_columns():
    assert all(text_width(line) <= 40 for line in lines_of(finding_lines(FINDING, 40)))


def test_enter_follows_each_record_that_shows_it():
    page = finding_page(FINDING, 80)
    assert [line.record for line in page if line.record is not None] == [8, 11]
    assert "Records (the first 2 of 700)" in lines_of(page)


def test_a_finding_about_the_session_leads_nowhere():
    page = finding_page(Finding("never-ended", Level.WARNING, None, "x"), 80)
    assert all(line.record is None for line in page)
    assert "Records" not in "".join(lines_of(page))
