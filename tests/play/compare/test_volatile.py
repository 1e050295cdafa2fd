"""What differs from run to run and means nothing, and what only looks like it."""

import pytest

from mcptap.play.compare.moments import Moment
from mcptap.play.compare.volatile import DEFAULTS, KINDS, filled, kinds_between

NOON = 1_796_126_400_000_000
"""2026-12-01, 12:00 UTC."""


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
        ("ports", "Port: 48123", "Port: 48124"),
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
    assert kinds_between(44711, 44712, name, DEFAULTS) == ([kind] if kind else [])


def test_parts_of_several_kinds_are_named_each():
    old, new = "pid 1234 at 10:00:00 in /tmp/a1/x", "pid 1235 at 10:00:00 in /tmp/b2/x"
    assert kinds_between(old, new, "text", DEFAULTS) == ["temp", "pids"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("see http://localhost:8080/docs", "see http://localhost:9090/docs"),
        ("Will process 10 items", "Will process 20 items"),
        ("The timeout is 500 ms", "The timeout is 100 ms"),
        ("Your session expires after 30 seconds", "Your session expires after 60 seconds"),
        ("Rain in 3 hours", "Rain in 5 hours"),
        ("md5 d41d8cd98f00b204e9800998ecf8427e", "md5 900150983cd24fb0d6963f7d28e17f72"),
        ("wrote /tmp/report.csv", "wrote /tmp/output.csv"),
        ("commit of 2024-03-05 10:00:00", "commit of 2024-04-06 11:00:00"),
        ("Released 2024-03-05", "Released 2024-03-06"),
        ("We open at 9:00 AM", "We open at 10:00 AM"),
        (1734567890, 1600000001),
        ("post 1580661436132757504", "post 1580661436132757505"),
    ],
)
def test_what_only_looks_like_it_is_another_value_unless_a_pattern_asks_for_it(old, new):
    moments = (Moment(NOON), Moment(NOON + 60_000_000))
    assert kinds_between(old, new, "text", DEFAULTS, moments) == []
    every = [name for name in DEFAULTS if name != "uuids"]
    asked = kinds_between(old, new, "text", (), moments, asked=every)
    assert asked or "items" in new or "hours" in new or "md5" in new


def test_a_port_that_somebody_chose_is_no_volatile_member():
    assert kinds_between(5432, 3306, "port", DEFAULTS) == []
    assert kinds_between(40001, 40002, "port", DEFAULTS) == ["ports"]


def test_one_of_two_made_up_names_may_look_like_a_word():
    assert kinds_between("/tmp/cache-abcdef/x", "/tmp/cache-a1cdef/x", "text", DEFAULTS) == ["temp"]


def test_a_placeholder_is_given_to_what_will_be_another_value():
    def made(value, name=""):
        return filled(value, name, DEFAULTS, lambda kind: f"<{kind.one}>", Moment(NOON))

    assert made("2026-12-01T12:00:05Z at localhost:49152, pid 77") == "<time> at localhost:<port>, pid <pid>"
    assert made("2024-12-01T12:00:05Z at localhost:8080") == "2024-12-01T12:00:05Z at localhost:8080"
    assert made(8080, "port") == "8080"
    assert made("1600000001 1796126401") == "1600000001 <time>"


def test_each_kind_says_what_it_is():
    assert all(kind.text and kind.one for kind in KINDS.values())
