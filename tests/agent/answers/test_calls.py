import pytest

from mcptap.agent.answers import calls as module
from mcptap.agent.arguments import ToolError
from mcptap.agent.pace import OutOfTimeError
from mcptap.agent.reading import Reading
from mcptap.agent.tools import CALLS
from tests.agent.asking import FINE, GLUED, answer, keep
from tests.helpers import Tape, call, handshake, text_result


def rows(text: str) -> list[str]:
    lines = text.split("\n")
    return [line for line in lines if line[:1].isdigit()]


def test_each_request_has_a_line(tmp_path):
    keep(tmp_path, "weather", FINE)
    text = answer(tmp_path, CALLS, session="weather")
    assert text.startswith("weather#1: 4 requests\n")
    assert rows(text)[-2:] == [
        "8  21 ms  answered  tools/call forecast  78 B",
        "10  1.0 ms  iserror  tools/call forecast  113 B  no such city",
    ]


@pytest.mark.parametrize(
    ("wanted", "records"),
    [
        ("status:iserror", ["10"]),
        ("latency:>10ms", ["8"]),
        ("tool:forecast", ["8", "10"]),
        ("Atlantis", ["10"]),
        ("sunny", ["8"]),
        ("not tool:forecast", ["3", "6"]),
        ("kind:event", ["2", "12", "13", "14", "15"]),
    ],
)
def test_a_filter_selects_by_either_half(tmp_path, wanted, records):
    keep(tmp_path, "weather", FINE)
    text = answer(tmp_path, CALLS, session="weather", filter=wanted)
    assert [row.split()[0] for row in rows(text)] == records


def test_lost_and_open_calls_are_told_apart(tmp_path):
    keep(tmp_path, "weather", GLUED)
    assert "  unreadable  tools/call forecast" in answer(tmp_path, CALLS, session="weather")
    with Tape(tmp_path / "live.jsonl") as tape:
        tape.play([*handshake(), ("c2s", call(1, "forecast"))])
        assert "  -  pending for " in answer(tmp_path, CALLS, session="live")
    assert "  -  unanswered  tools/call" in answer(tmp_path, CALLS, session="live")


def test_it_goes_by_pages(tmp_path):
    keep(tmp_path, "weather", FINE)
    first = answer(tmp_path, CALLS, session="weather", limit=2)
    assert "Next: mcptap_calls session=weather#1 cursor=6 limit=2" in first
    second = answer(tmp_path, CALLS, session="weather", limit=2, cursor="6")
    assert [row.split()[0] for row in rows(first) + rows(second)] == ["3", "6", "8", "10"]


def test_a_wrong_filter_is_refused_with_the_place(tmp_path):
    keep(tmp_path, "weather", FINE)
    with pytest.raises(ToolError, match="there is no field 'tol'; did you mean tool"):
        answer(tmp_path, CALLS, session="weather", filter="tol:x")


def test_secrets_are_masked_in_what_is_quoted(tmp_path):
    secret = "ghp_" + "Ab3" * 12
    steps = [
        *handshake(),
        ("c2s", call(1, "forecast")),
        ("s2c", text_result(1, f"bad credentials {secret}", is_error=True)),
        ("stderr", f"token={secret}\n".encode()),
    ]
    keep(tmp_path, "weather", steps)
    for wanted in ("", "dir:stderr"):
        text = answer(tmp_path, CALLS, session="weather", filter=wanted)
        assert "masked:" in text
        assert secret not in text


def test_few_requests_without_an_answer_are_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_HELD", 2)
    keep(tmp_path, "weather", [*handshake(), *(("c2s", call(n, "forecast")) for n in range(1, 6))])
    assert len(rows(answer(tmp_path, CALLS, session="weather", filter="tool:forecast"))) == 5


def test_of_what_lies_behind_the_part_that_was_read_nothing_is_said(tmp_path, monkeypatch):
    keep(tmp_path, "weather", FINE)
    whole = Reading.rows

    def begun(reading):
        for row in whole(reading):
            yield row
            if row.number == 8:  # a call, whose answer comes behind it
                raise OutOfTimeError

    monkeypatch.setattr(Reading, "rows", begun)
    text = answer(tmp_path, CALLS, session="weather")
    assert "Large: only the first" in text
    assert rows(text)[-1] == "8  -  not answered so far  tools/call forecast  -"
    assert "unanswered" not in text


def test_a_right_answer_after_one_that_no_client_can_read_is_the_one_that_is_told(tmp_path):
    late = [*GLUED[:-1], ("s2c", text_result(2, "no such city", is_error=True)), GLUED[-1]]
    keep(tmp_path, "weather", late)
    assert rows(answer(tmp_path, CALLS, session="weather"))[-1].endswith("no such city")
