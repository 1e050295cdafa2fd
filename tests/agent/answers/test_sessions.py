from mcptap.agent.tools import SESSIONS
from tests.agent.asking import FINE, GLUED, answer, keep


def test_each_session_is_a_line_with_what_it_came_to(tmp_path):
    keep(tmp_path, "weather", GLUED, 1)
    keep(tmp_path, "notes", FINE, 2)
    lines = answer(tmp_path, SESSIONS).split("\n")
    assert lines[0] == "2 sessions; shown: 2"
    assert lines[2].startswith("notes#1  agent 1.2.3, ")
    assert lines[3].startswith("weather#1  agent 1.2.3, ")
    assert lines[3].endswith(": broken, error stdout-glued")
    assert lines[-2:] == [
        "Next: mcptap_why session=notes#1",
        "Scope: all sessions, whatever folder they were started in.",
    ]


def test_it_goes_by_pages(tmp_path):
    for at in range(1, 6):
        keep(tmp_path, "weather", FINE, at)
    first = answer(tmp_path, SESSIONS, limit=3)
    assert "Next: mcptap_sessions limit=3 cursor=3" in first
    second = answer(tmp_path, SESSIONS, limit=3, cursor="3")
    assert "5 sessions, behind the first 3; shown: 2" in second
    assert [f"weather#{n} " in first + second for n in range(1, 6)] == [True] * 5


def test_it_can_be_narrowed(tmp_path):
    keep(tmp_path, "weather", GLUED, 1)
    keep(tmp_path, "notes", [], 2)
    assert "notes#1 " not in answer(tmp_path, SESSIONS, server="weath")
    assert "shown: 0" in answer(tmp_path, SESSIONS, since="2h").replace(
        "No session is recorded here that fits.", "shown: 0"
    )
    assert "weather#1 " in answer(tmp_path, SESSIONS, problems_only=True)


def test_a_healthy_session_has_no_problems(tmp_path):
    keep(tmp_path, "fine", FINE[:-6] + FINE[-4:], 1)
    text = answer(tmp_path, SESSIONS, problems_only=True)
    assert text.startswith("1 session; shown: 0")


def test_nothing_found_is_an_answer(tmp_path):
    assert answer(tmp_path, SESSIONS).startswith("No session is recorded here that fits.")


def test_the_next_page_is_asked_for_with_what_this_one_was(tmp_path):
    for at in (1, 2):
        keep(tmp_path, "weather", FINE, at=at)
    text = answer(tmp_path, SESSIONS, server="wea", since="2026-01-01", problems_only=True, limit=1)
    assert "Next: mcptap_sessions server=wea since=2026-01-01 problems_only=true limit=1 cursor=1" in text


def test_a_server_that_is_called_by_a_secret_is_named_without_it(tmp_path):
    secret = "ghp_" + "Ab3" * 12
    keep(tmp_path, secret, FINE)
    text = answer(tmp_path, SESSIONS)
    assert secret not in text
    assert "masked" in text
