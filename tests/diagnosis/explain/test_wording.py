"""The wording of findings."""

from mcptap.diagnosis.explain.wording import seconds


def test_a_time_beyond_all_floats_is_still_a_text():
    assert seconds(9_200_000) == "9.2 s"
    assert seconds(10**400).endswith(" s")
