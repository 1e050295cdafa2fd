"""Cases as text: read, or refused with file and line; and the cases of the product are in order."""

from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import mcptap.diagnosis.rules
from mcptap.diagnosis.cases.case import OTHERS, CaseError, Expected, cases, parse, quiet, speaking
from mcptap.diagnosis.cases.player import play
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import RULES

WHOLE_SESSIONS = "sessions"
RULE_MODULES = {path.stem for path in Path(mcptap.diagnosis.rules.__file__).parent.rglob("[a-z]*.py")}

CASE = """
# a remark
## crlf: why
speaks: info crlf at 6 7: with words
speaks: error other
quiet: a b
quiet: *
known: everything but times
asked: --max-start 2
asked: --expect-tool a b

<~- x\\r\\n
# another
--> {}
"""


def test_a_case_has_what_its_lines_say():
    (case,) = parse(CASE, "framing.txt")
    assert (case.title, case.rule, case.file) == ("crlf: why", "crlf", "framing")
    assert case.speaks == (Expected(Level.INFO, "crlf", (6, 7), "with words"), Expected(Level.ERROR, "other"))
    assert case.quiet == ("a", "b", "*")
    assert [str(one) for one in case.asked] == ["--max-start 2", "--expect-tool a b"]
    assert case.steps == ((12, "<~- x\\r\\n"), (14, "--> {}"))
    assert case.printed() == ["known: everything but times", "<~- x\\r\\n", "--> {}"]


def test_what_is_expected_is_written_as_in_the_file():
    (case,) = parse(CASE, "framing.txt")
    assert [f"speaks: {expected}" for expected in case.speaks] == CASE.splitlines()[3:5]


def test_a_title_without_a_rule_is_about_a_whole_session():
    assert [case.rule for case in parse("## a day\nquiet: *\n--> {}\n## b\nquiet: *\n--> {}", "x.txt")] == [
        "",
        "",
    ]


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


LINES = ["## a: b", "speaks: info crlf", "speaks: crlf", "quiet: *", "known: everything", "# c", "", "--> {}"]


@given(st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=8))
def test_any_text_is_cases_or_a_sentence(lines: list[str]):
    try:
        found = list(parse("\n".join(lines), "x.txt"))
    except CaseError as error:
        event(str(error).partition(": ")[2][:20])
    else:
        assert all(case.title and case.steps for case in found)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_case_in_which_it_speaks_and_one_in_which_it_does_not(rule: str):
    assert speaking(rule)
    assert quiet(rule)


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
        ("## a\nasked: --max-start soon", "x.txt, line 2: 'soon' is not a number of seconds"),
        ("## a\nknown: everything but luck", "x.txt, line 2: 'luck' is nothing that a capture can prove"),
        ("## a\nquiet: *\n# why\n* the moon rises", "x.txt, line 4: there is no such step: * the moon rises"),
    ],
)
def test_a_mistake_in_a_case_is_one_sentence_with_file_and_line(text: str, sentence: str):
    with pytest.raises(CaseError) as raised:
        [play(case) for case in parse(text, "x.txt")]
    assert str(raised.value).startswith(sentence)
    assert "\n" not in str(raised.value)
