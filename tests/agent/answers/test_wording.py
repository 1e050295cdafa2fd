import time

from mcptap.agent.answers.wording import ago, heading, next_call
from tests.agent.asking import FINE, keep, shelf


def test_an_age_has_one_unit():
    now = time.time_ns() // 1_000
    assert ago(now - 3_000_000) == "3 s ago"
    assert ago(now - 150_000_000) == "2 m ago"
    assert ago(now - 10_000 * 1_000_000) == "2 h ago"
    assert ago(now - 400_000 * 1_000_000) == "4 d ago"
    assert ago(now + 9_000_000) == "0 s ago"
    assert ago(0) == ""


def test_a_session_is_headed_by_its_name(tmp_path):
    keep(tmp_path, "weather", FINE)
    known = shelf(tmp_path).find("latest")
    told = heading(known, "finished", 1_500_000, 11)
    assert told.startswith("weather#1: started ")
    assert told.endswith(" ago, 1.50 s, finished, 11 messages")


def test_the_next_call_can_be_made_as_it_stands():
    assert (
        next_call("mcptap_record", session="weather#1", record=3)
        == "Next: mcptap_record session=weather#1 record=3"
    )
