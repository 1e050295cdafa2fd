"""What `mcptap show` printed, read back: the same messages at the same records, and no guesses."""

import io
from pathlib import Path

import pytest

from mcptap.captures.format import Beginning
from mcptap.captures.formats.shown import ShownDecoder
from mcptap.captures.open import RecordingSource
from mcptap.captures.reader import format_of
from mcptap.recording.format.model import NOT_JSON, Damaged, Line
from mcptap.report.transcript import Transcript
from mcptap.text.terminal import Terminal
from mcptap.wire import STDERR

RECORDINGS = sorted((Path(__file__).parents[2] / "diagnosis" / "real").glob("*.jsonl"))


def shown(path: Path) -> tuple[list[Line], bytes]:
    """The lines of a recording, and what show prints of it into a pipe."""
    with RecordingSource(str(path)) as reader:
        transcript = Transcript(reader, Terminal(io.StringIO(), {}))
        text = transcript.opening()
        lines = []
        for item in reader.items():
            text.append(transcript.line(transcript.take(item)))
            if isinstance(item, Line):
                lines.append(item)
        return lines, "\n".join(text).encode()


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_the_messages_come_back_at_their_records(path: Path):
    lines, text = shown(path)
    decoder = format_of(Beginning(io.BytesIO(text)))[1]
    assert isinstance(decoder, ShownDecoder)
    found = [item for number, raw in enumerate(text.split(b"\n"), 1) for item in decoder.feed(raw, number)]
    assert len(found) == len(lines)
    for item, line in zip(found, lines, strict=True):
        assert isinstance(item, Line)
        assert (item.number, item.channel, item.t_us) == (line.number, line.channel, round(line.t_us, -3))
        assert item.channel == STDERR or item.value is not NOT_JSON
        if item.channel != STDERR:
            assert item.value == line.value


def decoded(*lines: str):
    decoder = ShownDecoder()
    return [item for number, line in enumerate(lines, 1) for item in decoder.feed(line.encode(), number)]


def test_stray_text_comes_back_as_text():
    (line,) = decoded("   5     0.013 <-- NOT JSON: Server ready on stdio")
    assert (line.number, line.t_us, line.data) == (5, 13_000, b"Server ready on stdio")


@pytest.mark.parametrize(
    "line",
    [
        '   3     0.002 --> initialize #0 {"protocolVersion":"2025-11-…',
        "   3     0.002 --> initialize #0 2025-11-25, agent 1.2",
        "   4     0.003 <-- initialize #0 (1.0 ms) tools, prompts…",
        "   4     0.003 <-- tools/call x #2 (1.0 ms) ERROR -32603 it was a lo…",
        "   4     0.003 <-- NOT JSON: Server rea…",
        "   4     0.003 <-- batch of 2 [1,2]",
        "   4     0.003 <-- NOT JSON: [NO NEWLINE] Server",
        "   4     0.003 <-- NOT JSON: a␀b",
        "   4     0.003 <-- ping #1 [NO NEWLINE] {}",
    ],
)
def test_what_was_cut_is_left_out(line: str):
    (item,) = decoded(line)
    assert isinstance(item, Damaged)


def test_an_error_comes_back_with_its_data():
    asked, plain, full = decoded(
        "   3     0.002 --> tools/call x y #2",
        "   4     0.003 <-- tools/call x y #2 (1.0 ms) ERROR -32603 no {brace}",
        '   5     0.003 <-- answer #"a" ERROR -1 no {brace} {"code":-1,"message":"no","data":{"x":1}}',
    )
    assert asked.value == {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    assert plain.value["error"] == {"code": -32603, "message": "no {brace}"}
    assert full.value["error"]["data"] == {"x": 1}


def test_a_second_answer_is_no_request_of_the_other_side():
    asked, first, second = decoded(
        "   3     0.002 --> ping #2",
        "   4     0.003 <-- ping #2 (1.0 ms) {}",
        "   5     0.003 <-- ping #2 A SECOND ANSWER [CRLF] {}",
    )
    assert asked.value["method"] == "ping"
    assert first.value == second.value == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_events_headings_and_summaries_are_no_lines():
    assert (
        decoded("weather: python x.py", "   2     0.008  *  server started, pid 3", "finished: 2 lines") == []
    )
