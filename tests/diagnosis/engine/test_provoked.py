"""Which findings of a probe's recording are its own doing."""

import pytest

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.provoked import is_provoked
from mcptap.protocol.model.parts.questions import Questions
from mcptap.recording.format.model import Header


def finding(rule="request-unanswered", line=5, records=(5,), fault=None):
    return Finding(rule, Level.ERROR, line, "", records=list(records), fault=fault)


@pytest.mark.parametrize(
    ("found", "current", "excused"),
    [
        (finding(), "", True),
        (finding(line=6, records=[6]), "", False),
        (finding(records=[5, 6]), "", False),
        (finding(fault=Fault.NOT_JSON), "", False),
        (finding(line=None, records=[]), "", False),
        # What the server never got over may have brought all about, but for what nobody can read.
        (finding(line=None, records=[]), "a batch", True),
        (finding(line=6, records=[6]), "a batch", True),
        (finding(fault=Fault.NOT_JSON), "a batch", False),
        (finding(rule="probe-question-fatal"), "a batch", False),
    ],
)
def test_a_finding_is_excused_only_if_the_probe_provoked_all_of_it(found, current, excused):
    questions = Questions(Header({"probe": "questions"}))
    questions.provoked, questions.current = {5}, current
    assert is_provoked(found, questions) is excused
