"""A probe judged as a whole: one sentence, and whether all is well."""

from dataclasses import replace

import pytest

from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.report.judged import JudgedProbe, judge_probe
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade, Verdict
from tests.play.probe.report.samples import BAD, DESIGN, ERROR, GOOD, HINT, HUNG, LISTED

TOOLS = ServerDescription(lists={"tools": [{"name": "a"}]})
ODD = replace(GOOD, verdicts={"start": [Verdict("a batch", Grade.DIFFERS, "an error")]})


@pytest.mark.parametrize(
    ("result", "seen", "found", "words"),
    [
        (GOOD, None, [], "nothing is wrong with what was asked."),
        (GOOD, LISTED, [HINT], "nothing is wrong with what was asked; 1 note."),
        (
            replace(ODD, server=TOOLS),
            None,
            [DESIGN, DESIGN],
            "nothing is wrong with what was asked; 1 answer not to the letter; 2 remarks on tool design; "
            "no tool was called.",
        ),
        (
            replace(GOOD, server=TOOLS, calls=2),
            None,
            [],
            "nothing is wrong with what was asked; 2 tool calls were made.",
        ),
        (BAD, None, [], "1 bad answer."),
        (GOOD, None, [ERROR, DESIGN], "1 finding; 1 remark on tool design."),
        (BAD, HUNG, [ERROR, ERROR], "Codex would have shown: hung; 1 bad answer; 2 findings."),
        (replace(BAD, no_server="this is no server"), None, [ERROR, HINT], "this is no server."),
        (
            replace(GOOD, sessions=[ProbedSession("", "x")]),
            None,
            [],
            "sessions that could not be recorded were not judged.",
        ),
    ],
)
def test_the_whole_is_one_sentence_and_ok_exactly_where_nothing_is_wrong(result, seen, found, words):
    judged = JudgedProbe(result, seen, found)
    assert judged.summary == words
    assert judged.ok is words.startswith("nothing is wrong")


def test_a_probe_without_a_recording_has_no_findings():
    assert judge_probe(ProbeResult(sessions=[ProbedSession("", "x")])).findings == []
