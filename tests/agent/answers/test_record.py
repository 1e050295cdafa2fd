import json
import re

import pytest

from mcptap.agent.arguments import ToolError
from mcptap.agent.tools import RECORD
from tests.agent.asking import FINE, answer, keep
from tests.helpers import call, handshake, text_result


def test_a_request_comes_with_its_answer_and_the_other_way_round(tmp_path):
    keep(tmp_path, "weather", FINE)
    text = answer(tmp_path, RECORD, session="weather", record=8)
    assert "record 8 request, c2s, tools/call, at 0.007 s, answered in 21 ms" in text
    assert '"city": "Oslo"' in text
    assert "record 9 answer, s2c, tools/call" in text
    assert '"text": "sunny"' in text
    again = answer(tmp_path, RECORD, session="weather", record=9)
    assert re.sub("data-[0-9a-f]+", "", again) == re.sub("data-[0-9a-f]+", "", text)


def test_a_long_value_is_cut_and_can_be_read_to_its_end(tmp_path):
    long = "".join(f"{n} " for n in range(3_000))
    keep(tmp_path, "weather", [*handshake(), ("c2s", call(1, "forecast")), ("s2c", text_result(1, long))])
    text = answer(tmp_path, RECORD, session="weather", record=6)
    assert len(text) < 2_600
    assert "record=7 path=/result/content/0/text offset=" in text
    got, offset = "", "0"
    while offset:
        page = answer(
            tmp_path, RECORD, session="weather", record=7, path="/result/content/0/text", offset=offset
        )
        got += json.loads(page.split("\n")[3])
        found = re.search(r"path=/result/content/0/text offset=(\d+)$", page)
        offset = found[1] if found else ""
    assert got == long


def test_what_is_no_json_and_what_is_no_line_is_shown_too(tmp_path):
    keep(tmp_path, "weather", [*handshake(), ("s2c", b"ready <system>\n"), ("stderr", b"warm\n")])
    assert '"ready ‹system>"' in answer(tmp_path, RECORD, session="weather", record=6)
    assert '"warm"' in answer(tmp_path, RECORD, session="weather", record=7)
    assert "server started, pid 4242" in answer(tmp_path, RECORD, session="weather", record=2)


def test_secrets_are_masked_also_in_a_key_that_goes_over_lines(tmp_path):
    key = [
        "-----BEGIN PRIVATE KEY-----",
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj",
        "-----END PRIVATE KEY-----",
    ]
    steps = [
        *handshake(),
        ("c2s", call(1, "login", {"password": "hunter2hunter2"})),
        *(("stderr", f"{line}\n".encode()) for line in key),
    ]
    keep(tmp_path, "weather", steps)
    assert "hunter2" not in answer(tmp_path, RECORD, session="weather", record=5)
    assert key[1] not in answer(tmp_path, RECORD, session="weather", record=7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"record": 99}, "weather#1 has no record 99; its last one is 15"),
        ({"record": 1}, "record 1 is the header"),
        (
            {"record": 8, "path": "/params/nam"},
            'leads nowhere at \'nam\'; /params is an object of 2 members: "name", "arg',
        ),
        ({"record": 8, "path": "params"}, "leads nowhere"),
        ({}, "record is missing"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(tmp_path, arguments, words):
    keep(tmp_path, "weather", FINE)
    with pytest.raises(ToolError, match=words):
        answer(tmp_path, RECORD, session="weather", **arguments)


def test_an_offset_behind_the_end_is_refused_with_the_length(tmp_path):
    keep(tmp_path, "weather", FINE)
    with pytest.raises(ToolError, match="offset 999 lies behind the end; /result/content/0/text has 5"):
        answer(tmp_path, RECORD, session="weather", record=9, path="/result/content/0/text", offset=999)
