"""Which log messages the client asked for."""

from mcptap.protocol.model.parts.log_levels import LogLevels


def test_a_level_holds_from_the_answer_on_and_may_be_unknown_again():
    levels = LogLevels()
    levels.take_level("warning", 100)
    assert (levels.level, levels.level_us) == ("warning", 100)
    levels.take_level(3, 200)
    assert (levels.level, levels.level_us) == (None, 200)


def test_only_the_end_of_a_request_that_asked_for_messages_counts():
    levels = LogLevels()
    levels.requests.add(1)
    levels.end_request("1", 100)
    assert (levels.requests, levels.request_ended_us) == ({1}, None)
    levels.end_request(1, 200)
    assert (levels.requests, levels.request_ended_us) == (set(), 200)
