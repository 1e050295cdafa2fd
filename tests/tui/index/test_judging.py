"""What the diagnosis says at one moment, for the screen."""

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.statistics.counts import Statistics
from mcptap.recording.reader import Reader
from mcptap.tui.index.declared import Declared
from mcptap.tui.index.judging import judgement_of


def test_a_judgement_says_who_spoke_and_that_a_request_waits_until_its_end_is_known(session):
    reader = Reader(str(session))
    items = list(reader.items())
    reader.close()
    diagnosis, statistics, declared = Diagnosis(reader.header), Statistics(), Declared()
    for item in items:
        message = diagnosis.feed(item)
        if message is not None:
            declared.take(message)
            statistics.feed(message)
    said = judgement_of(diagnosis, statistics, declared, final=False)
    assert (said.client, said.revision) == ("agent 1.2.3", "2025-11-25")
    assert (said.waits, said.final) == (diagnosis.verdict().open > 0, False)
    assert said.verdict == diagnosis.verdict().said
    assert said.statistics is statistics
    assert said.counts["tools/call"] == 4
