"""What a probe comes to."""

from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade


def test_only_bad_verdicts_count_in_the_order_of_their_sections():
    result = ProbeResult()
    for section, question, grade in [
        ("a", "1", Grade.BAD),
        ("b", "2", Grade.DIFFERS),
        ("a", "3", Grade.FINE),
        ("b", "4", Grade.BAD),
        ("c", "5", Grade.SKIPPED),
    ]:
        result.add(section, question, grade, "")
    assert list(result.verdicts) == ["a", "b", "c"]
    assert [verdict.question for verdict in result.bad] == ["1", "4"]


def test_one_session_without_a_recording_leaves_the_probe_unrecorded():
    assert not ProbeResult(sessions=[ProbedSession("x.jsonl", "a")]).unrecorded
    assert ProbeResult(sessions=[ProbedSession("x.jsonl", "a"), ProbedSession("", "b")]).unrecorded
