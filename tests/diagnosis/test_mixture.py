"""Lines of several processes in one capture: they accuse nobody."""

from dataclasses import replace

from mcptap.captures.evidence import COMPLETE
from mcptap.captures.lines import message_line
from mcptap.diagnosis.mixture import Mixture
from mcptap.protocol.model.message import Match, classify
from mcptap.wire import CLIENT_TO_SERVER
from tests.diagnosis.test_logs import LOG, call, handshake, judged, rules

CALLED_TWICE = [message_line(n, CLIENT_TO_SERVER, call(7)) for n in (4, 5)]


def test_a_log_that_opens_twice_with_one_id_may_be_of_two_processes():
    diagnosis = judged(*handshake(), *handshake(), *CALLED_TWICE)
    assert diagnosis.findings() == []
    assert "opens twice with one id" in diagnosis.verdict().limits
    assert "several processes may stand" in diagnosis.verdict().words


def test_ids_that_clash_show_that_a_session_was_not_alone_in_its_file():
    lines = [*handshake(), *CALLED_TWICE]
    assert "id-reused" in rules(judged(*lines))
    diagnosis = judged(*lines, evidence=replace(LOG, alone=False))
    assert diagnosis.findings() == []
    assert "whose lines may be among these" in diagnosis.verdict().limits


def test_a_recording_of_mcptap_is_of_one_process_whatever_its_ids_are():
    message = classify(CALLED_TWICE[0])
    message.match = Match.REUSED
    assert not Mixture(replace(COMPLETE, alone=False)).sign(message)
