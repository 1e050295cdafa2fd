"""What was declared and what was used."""

import os

from mcptap.tui.index.judgement import Judgement
from mcptap.tui.session.tabs.capabilities import capability_lines
from tests.helpers import END, call, handshake, record, request, text_result
from tests.tui.screens import fed, lines_of

REVISION = "2025-11-25"


def page(judgement):
    return lines_of(capability_lines(judgement, judgement.statistics, 100))


def line_about(name, judgement):
    return next(line for line in page(judgement) if line[2:].startswith(name + " "))


def judged(tmp_path, *steps, capabilities):
    path = record(tmp_path / "x.jsonl", [*handshake(capabilities=capabilities), *steps, *END])
    feed = fed(os.fspath(path))
    feed.close()
    return feed.findings


def test_what_is_declared_has_a_full_circle_and_its_use_beside_it(tmp_path):
    steps = [("c2s", call(1, "a")), ("s2c", text_result(1, "x")), ("c2s", call(2, "a"))]
    judgement = judged(tmp_path, *steps, capabilities={"tools": {"listChanged": True}})
    line = line_about("tools", judgement)
    assert line.startswith("● tools")
    assert "2×" in line
    assert line.endswith("listChanged")


def test_what_is_used_and_not_declared_is_a_gap_and_so_is_the_reverse(tmp_path):
    judgement = judged(tmp_path, ("c2s", call(1, "a")), capabilities={"prompts": {}})
    assert "used, but not declared" in line_about("tools", judgement)
    assert line_about("prompts", judgement).endswith("declared, never used")
    assert line_about("logging", judgement).startswith("○ logging")


def test_a_name_that_no_revision_knows_is_shown_safe(tmp_path):
    judgement = judged(tmp_path, capabilities={"x\x1b[2J": {}})
    assert any(line.startswith("● x␛[2J") for line in page(judgement))


def test_methods_are_listed_by_how_often_they_passed(tmp_path):
    pings = [("c2s", request(n, "ping")) for n in (1, 2, 3)]
    lines = page(judged(tmp_path, *pings, ("s2c", request(1, "roots/list")), capabilities={}))
    methods = [line.split()[:2] for line in lines if line[:2] in ("→ ", "← ")]
    assert methods[0] == ["→", "ping"]
    assert ["←", "roots/list"] in methods
    assert "It declared nothing at all." in lines


def test_who_said_no_name_and_agreed_on_nothing_is_told_of():
    lines = page(Judgement(requested=REVISION))
    assert any(line.startswith("client") and line.endswith("said no name") for line in lines)
    assert any(line.endswith(f"asked for {REVISION}, never agreed") for line in lines)
    assert sum("nothing was declared" in line for line in lines) == 2


def test_another_revision_than_the_client_asked_for_is_said():
    lines = page(Judgement(requested=REVISION, revision="2024-11-05"))
    assert any(f"2024-11-05 (the client asked for {REVISION})" in line for line in lines)
