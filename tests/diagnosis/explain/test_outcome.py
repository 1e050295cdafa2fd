"""The words for what a session came to, which files and other programs rely on."""

from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.report.formats.json import schema


def test_the_schema_names_every_outcome():
    outcome = schema()["$defs"]["file"]["properties"]["outcome"]
    assert outcome["enum"] == [each.value for each in Outcome]
    assert all(f"{each.value}: " in outcome["description"] for each in Outcome)
