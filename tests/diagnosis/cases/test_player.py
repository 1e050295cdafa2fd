"""All cases: the rules say what is expected, also about a case that was printed and read back."""

from collections import defaultdict

import pytest

from mcptap.captures.open import source_of
from mcptap.diagnosis.cases.case import Case, cases, parse
from mcptap.diagnosis.cases.player import failures, play
from mcptap.diagnosis.engine.selection import Selection
from mcptap.report.check_file import check_file

FILES: dict[str, list[Case]] = defaultdict(list)
"""The cases by the name of their file: a test for each of them would take longer than the case."""
for one in cases():
    FILES[one.file].append(one)

every_file = pytest.mark.parametrize("file", FILES)


@every_file
def test_each_case_is_judged_as_it_expects(file: str):
    judged = {case.title: failures(case, play(case)) for case in FILES[file]}
    assert {title: wrong for title, wrong in judged.items() if wrong} == {}


@every_file
def test_each_case_that_was_printed_is_judged_the_same(file: str):
    judged = {case.title: judged_as_printed(case) for case in FILES[file]}
    assert {title: wrong for title, wrong in judged.items() if wrong} == {}


def judged_as_printed(case: Case) -> list[str]:
    printed = [
        "about a rule",
        "",
        *(f"  {line}" for line in case.printed()),
        "",
        "quiet:",
        "  known: everything",
    ]
    source = source_of("case", "\n".join(printed).encode())
    checked = check_file(source, Selection(), lambda: None, expectations=case.asked)
    assert not checked.damaged, case.title
    return failures(case, checked.findings)


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
