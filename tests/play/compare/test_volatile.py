"""What differs from run to run and means nothing, and what only looks like it."""

from datetime import date

import pytest

from mcptap.play.compare.volatile import DEFAULTS, KINDS, days_around, days_of, kinds_between


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("times", "It is 9:59:00 PM now", "It is 10:00:01 PM now"),
        ("times", "at 9:59 PM", "at 10:00 AM"),
        ("times", "12/1/2026, 9:59:00 PM", "12/2/2026, 10:59:00 AM"),
        ("times", "Tue, 01 Dec 2026 10:24:51 GMT", "Wed, 02 Dec 2026 11:25:52 GMT"),
        ("times", "Tue Dec  1 10:24:51 UTC 2026", "Wed Dec 12 11:24:51 UTC 2026"),
        ("times", "December 1, 2026 at 9:59 PM", "January 11, 2027 at 9:59 AM"),
        ("times", "2026-12-01T10:24:51.123456+00:00", "2027-01-01T00:00:00Z"),
        ("times", 1796121891, 1796121999),
        ("times", 1796121891.25, 1796121999),
        ("times", "1796121891123", "1796121899999"),
        ("durations", "Completed in 3 seconds.", "Completed in 12 seconds."),
        ("durations", "(34 ms)", "(7ms)"),
        ("uuids", "id 6f1c2d3e-0000-4abc-8def-001122334455", "id aaaaaaaa-0000-4abc-8def-001122334455"),
        ("uuids", "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331aaaaaaaaaaaaaaaa"),
        ("temp", "/tmp/tmpa1b2c3/report.txt", "/tmp/tmpzzzzzz/report.txt"),
        ("temp", r"C:\Users\me\AppData\Local\Temp\a1\x", r"C:\Users\me\AppData\Local\Temp\b2\x"),
        ("ports", "listening on http://localhost:49152/mcp", "listening on http://localhost:50000/mcp"),
        ("ports", "Port: 8123", "Port: 8124"),
        ("pids", "started (pid 4711)", "started (pid 12)"),
    ],
)
def test_it_is_taken_as_the_same(kind, old, new):
    assert kinds_between(old, new, "text", DEFAULTS) == [kind]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3", "4"),
        (3, 4),
        ("12345678 bytes", "87654321 bytes"),
        ("wait 5 seconds", "wait 10 seconds"),
        ("16:9", "4:3"),
        ("version 1.2.3", "version 1.2.4"),
        ("/tmp/a/one.txt", "/tmp/b/two.txt"),
        ("example.org:8080", "example.org:9090"),
        ("at 10:00:00 it works", "at 10:00:00 it fails"),
        (1796121891, "1796121891"),
        (True, False),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709", "5ba93c9db0cff93f52b521d7420e43f6eda2784f"),
    ],
)
def test_it_is_another_value(old, new):
    assert kinds_between(old, new, "text", DEFAULTS) == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [("pid", "pids"), ("serverPort", "ports"), ("duration_ms", "durations"), ("count", None)],
)
def test_a_number_is_known_by_the_name_of_its_member(name, kind):
    assert kinds_between(4711, 4712, name, DEFAULTS) == ([kind] if kind else [])


def test_parts_of_several_kinds_are_named_each():
    old, new = "pid 1234 at 10:00:00 in /tmp/a/x", "pid 1235 at 10:00:00 in /tmp/b/x"
    assert kinds_between(old, new, "text", DEFAULTS) == ["temp", "pids"]


def test_a_date_may_be_read_in_two_ways_and_a_day_has_neighbours():
    assert days_of("3/4/2026") == {date(2026, 3, 4), date(2026, 4, 3)}
    assert days_of("Mar 4, 2026") == days_of("4 March 2026") == {date(2026, 3, 4)}
    assert days_of("99/99/2026") == set()
    assert date(2026, 11, 30) in days_around(1_795_989_600_000_000)
    assert days_around(0) == frozenset()


def test_each_kind_says_what_it_is():
    assert all(kind.text and kind.one for kind in KINDS.values())
