"""All cases: the rules say what is expected, also about a case that was printed and read back."""

import io
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import mcptap.diagnosis.rules
from mcptap.captures.format import Beginning
from mcptap.captures.reader import CaptureReader
from mcptap.diagnosis.cases.case import OTHERS, Case, CaseError, cases, parse, quiet, speaking
from mcptap.diagnosis.cases.player import failures, play
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.selection import Selection
from mcptap.report.check_file import check_file

WHOLE_SESSIONS = "sessions"
RULE_MODULES = {path.stem for path in Path(mcptap.diagnosis.rules.__file__).parent.glob("[a-z]*.py")}

every_case = pytest.mark.parametrize("case", cases(), ids=[case.title for case in cases()])


@every_case
def test_a_case_is_judged_as_it_expects(case: Case):
    assert failures(case, play(case)) == []


@every_case
def test_a_case_that_was_printed_is_judged_the_same(case: Case):
    printed = [
        "about a rule",
        "",
        *(f"  {line}" for line in case.printed()),
        "",
        "quiet:",
        "  known: everything",
    ]
    beginning = Beginning(io.BytesIO("\n".join(printed).encode()))
    checked = check_file(CaptureReader("case", beginning), Selection(), lambda: None)
    assert not checked.damaged
    assert failures(case, checked.findings) == []


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_case_in_which_it_speaks_and_one_in_which_it_does_not(rule: str):
    assert speaking(rule)
    assert quiet(rule)


def test_the_cases_of_a_rule_stand_in_the_file_beside_its_module():
    misplaced = [
        case.title
        for case in cases()
        if case.file
        != (RULES[case.rule].check.__module__.rpartition(".")[2] if case.rule else WHOLE_SESSIONS)
    ]
    assert misplaced == []
    assert {case.file for case in cases()} <= {*RULE_MODULES, WHOLE_SESSIONS}


def test_a_case_names_the_rule_that_its_title_begins_with_and_only_rules_that_exist():
    for case in cases():
        named = {expected.rule for expected in case.speaks} | set(case.quiet)
        assert not case.rule or case.rule in named, case.title
        assert named <= {*RULES, OTHERS}, case.title


def test_no_two_cases_have_the_same_title():
    titles = [case.title for case in cases()]
    assert sorted(set(titles)) == sorted(titles)


SPEAKING = """
# a remark
## crlf: a carriage return
speaks: info crlf at 6
* a good handshake: {"tools":{},"logging":{}}
<~- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\\r\\n
"""


def wrong(text: str) -> list[str]:
    (case,) = parse(text, "x.txt")
    return failures(case, play(case))


def test_what_is_expected_is_looked_at_in_full():
    assert wrong(SPEAKING) == []
    assert wrong(SPEAKING.replace("at 6", "at 6: blue sky")) != []
    assert wrong(SPEAKING.replace("at 6", "at 7"))[0] == "expected, but not found: info crlf at 7"
    assert wrong(SPEAKING.replace("info crlf", "error crlf"))[1].startswith(
        "found, but not expected: info crlf at 6"
    )
    assert wrong(SPEAKING.replace("speaks: info crlf at 6", "quiet: crlf")) != []
    assert wrong(SPEAKING.replace("speaks: info crlf at 6", "quiet: *")) == []
    assert wrong(SPEAKING.replace("speaks: info crlf at 6", "speaks: info crlf\nspeaks: info crlf")) != []


def test_nothing_above_info_is_expected_where_all_others_are_quiet():
    text = "## x: y\nquiet: *\n* a good handshake\n<-- hello\n"
    assert wrong(text)[0].startswith("found, but not expected: error stdout-not-json at 6: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("--> {}", "x.txt, line 1: a case begins with ## and its title"),
        ("## a\n", "x.txt, line 1: the case has no session"),
        ("## a\nquiet: b\n## c\n", "x.txt, line 1: the case has no session"),
        ("\n## a\n--> {}", "x.txt, line 2: the case does not say what speaks or what is quiet"),
        ("## a\nspeaks: b", 'x.txt, line 2: write "speaks: LEVEL RULE at RECORDS: WORDS"'),
        ("## a\nquiet: b, c", 'x.txt, line 2: write "quiet: RULE …"'),
        ("## a\nknown: little", 'x.txt, line 2: say "known: everything"'),
        ("## a\nknown: everything but luck", "x.txt, line 2: 'luck' is nothing that a capture can prove"),
        ("## a\nquiet: *\n# why\n* the moon rises", "x.txt, line 4: there is no such step: * the moon rises"),
    ],
)
def test_a_mistake_in_a_case_is_one_sentence_with_file_and_line(text: str, sentence: str):
    with pytest.raises(CaseError) as raised:
        [play(case) for case in parse(text, "x.txt")]
    assert str(raised.value).startswith(sentence)
    assert "\n" not in str(raised.value)


LINES = ["## a: b", "speaks: info crlf", "speaks: crlf", "quiet: *", "known: everything", "# c", "", "--> {}"]


@given(st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=8))
def test_any_text_is_cases_or_a_sentence(lines: list[str]):
    try:
        found = list(parse("\n".join(lines), "x.txt"))
    except CaseError as error:
        event(str(error).partition(": ")[2][:20])
    else:
        assert all(case.title and case.steps for case in found)
