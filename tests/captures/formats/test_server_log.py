"""What servers log of their own traffic, beside the samples."""

import pytest

from mcptap.recording.format.model import Line, RecordingError
from tests.captures.reading import read

ASKS = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}'
ANSWERS = '{"jsonrpc":"2.0","id":0,"result":{"capabilities":{}}}'


def test_the_prefix_of_initialize_is_the_side_of_the_client_whatever_its_arrow():
    source, items = read(f"<<< {ASKS}\n>>> {ANSWERS}\n")
    assert source.evidence.origin == "what a server logged of its own traffic"
    assert [item.channel for item in items] == ["c2s", "s2c"]


def test_a_transcript_with_the_arrows_of_mcptap_stays_one():
    source, _ = read(f"--> {ASKS}\n<-- {ANSWERS}\n")
    assert source.evidence.origin == "a transcript with arrows"


def test_a_batch_and_a_line_that_is_no_message_are_told_apart():
    text = (
        f"1 [STDIN] {ASKS}\n2 [STDOUT] {ANSWERS}\n"
        f"3 [STDOUT] [{ANSWERS}]\n4 [STDOUT] [1] loaded\n5 [STDERR] x\n"
    )
    _, items = read(text)
    assert [(item.channel, item.data) for item in items][2:] == [
        ("s2c", f"[{ANSWERS}]".encode()),
        ("s2c", b"[1] loaded"),
        ("stderr", b"x"),
    ]


def test_text_behind_words_that_name_no_stream_is_no_line_of_stdout():
    source, items = read(f"1 INCOMING: {ASKS}\n2 OUTGOING: {ANSWERS}\n3 OUTGOING: done\n")
    assert [type(item) for item in items] == [Line, Line]
    assert source.passed_over == 1


def test_messages_without_a_version_throughout_are_the_doing_of_the_log():
    plain = [f"IN {ASKS}", f"OUT {ANSWERS}"]
    stripped = [line.replace('"jsonrpc":"2.0",', "") for line in plain]
    assert read("\n".join(plain))[0].evidence.members
    assert not read("\n".join(stripped))[0].evidence.members


@pytest.mark.parametrize(
    ("stamp", "timed"), [("2026-03-14 09:26:53,589 ", True), ("[Mar 9] ", False), ("", False)]
)
def test_times_are_known_where_all_messages_have_one(stamp: str, timed: bool):
    source, items = read(f"{stamp}IN {ASKS}\n{stamp}OUT {ANSWERS}\n")
    assert source.evidence.times is timed
    assert bool(items[0].wall_us) is timed


def test_a_few_messages_in_a_long_log_of_something_else_make_no_capture():
    with pytest.raises(RecordingError, match="is no capture"):
        read(f"IN {ASKS}\nOUT {ANSWERS}\n" + "another line\n" * 30)
