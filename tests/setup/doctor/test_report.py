from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.examination import examine
from mcptap.setup.doctor.report import as_json, catalogue, report, summary
from tests.setup.machines import entry, examined_file

BAD = examined_file(
    "claude-code", entry("claude-code", {"command": "no-such", "args": ["~/x"]}), shared=False
)


def lines(file, least=Level.INFO):
    return [line for _, line, _ in report([file], examine([file]), least)]


def test_what_is_wrong_is_told_in_full_and_what_is_worth_knowing_in_a_line():
    told = lines(BAD)
    assert told[0] == "/home/sam/shop/.claude.json  (Claude Code, user)"
    begin = told.index("  error: program-not-found  one  line 4, column 18")
    assert told[begin + 1].startswith("    There is no program no-such on the PATH that Claude Code has if")
    assert told[begin + 2 : begin + 4] == [
        "    Effect: Claude Code can't start the server.",
        "    Remedy: Install it, or give its absolute path.",
    ]
    assert "    Remedy: Write the whole path (--fix writes the home folder in place of ~)." in told
    assert "  `claude mcp add` and `remove` indent the file anew." in told


def test_below_the_least_level_nothing_is_told():
    assert not [line for line in lines(BAD, Level.ERROR) if "warning" in line or "anew" in line]


def test_a_file_with_nothing_wrong_says_so():
    good = examined_file("windsurf", entry("windsurf", {"command": "npx", "args": ["-y", "x"]}), shared=False)
    assert "  nothing is wrong with its 1 server" in lines(good)
    none = examined_file("windsurf", {"mcpServers": {}}, shared=False)
    assert "  nothing is wrong with it; there are no servers in it" in lines(none)


def test_the_summary_counts():
    assert summary([BAD], examine([BAD])) == "1 file, 1 server: 1 error, 2 warnings, 3 notes"
    assert summary([], []) == "no configuration of a client is here"


def test_the_result_for_programs_has_place_source_and_repair():
    whole = as_json([BAD], examine([BAD]))
    assert whole["ok"] is False
    (tilde,) = [one for one in whole["findings"] if one["check"] == "tilde"]
    assert (tilde["line"], tilde["column"], tilde["server"], tilde["client"]) == (6, 9, "one", "claude-code")
    assert tilde["source"] == {
        "place": "run of 2.1.332 on Linux",
        "version": "2.1.332",
        "confidence": "verified",
    }
    assert tilde["fix"] == "writes the home folder in place of ~"


def test_the_catalogue_lists_all_checks():
    text = "\n".join(line for _, line, _ in catalogue())
    assert "  error   program-not-found" in text
