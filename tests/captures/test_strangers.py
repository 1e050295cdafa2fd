"""What is said of a file that is no capture: what it is, and what can be done."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.strangers import binary
from mcptap.recording.format.model import RecordingError
from tests.captures.reading import INITIALIZE, read

ACCESS = b'127.0.0.1 - - [14/Mar/2026:09:26:53 +0000] "POST /mcp HTTP/1.1" 200 512\n'


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gzip.compress(INITIALIZE.encode()), "gunzip -c FILE"),
        (b"\x28\xb5\x2f\xfdabc", "zstd -dc FILE"),
        (b"\xfd7zXZ\x00abc", "xz -dc FILE"),
        (b"BZh91AY&SY", "bzip2 -dc FILE"),
        (b"PK\x03\x04abc", "zip archive"),
        (b"SQLite format 3\x00abc", "SQLite"),
        (b"\x7fELF\x02\x01", "is a program"),
        (b"\x89PNG\r\n\x1a\n", "is a picture"),
        (b"%PDF-1.7\n", "is a PDF"),
        (b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00", "packets of a network"),
        (b"\x0a\x0d\x0d\x0a\x1c\x00\x00\x00M<+\x1a", "packets of a network"),
        (f"{INITIALIZE}\n".encode("utf-16"), "iconv -f UTF-16"),
        (f"{INITIALIZE}\n".encode("utf-16-le"), "iconv -f UTF-16"),
        (b"text\x00\x01\x02 and more\n", "binary data"),
        (b'{"log": {"version": "1.2", "creator": {}, "entries": []}}', "HAR archive"),
        (b'{"resourceSpans": []}', "OpenTelemetry"),
        (b'{"mcpServers": {"a": {"command": "x"}}}', "mcptap doctor"),
        (b"5:hello,3810:9:websocket;4:type;", "is no capture"),
        (b"4410:9:websocket;0:~8:response;request;", "mitmproxy"),
        (b"<!DOCTYPE html>\n<html></html>\n", "HTML"),
        (ACCESS * 3, "log of an HTTP server"),
        (b'INFO: 127.0.0.1:51 - "POST /mcp HTTP/1.1" 200 OK\n' * 3, "log of an HTTP server"),
        (b"2026-03-14 09:26:53 INFO started\n2026-03-14 09:26:54 INFO stopped\n", "looks like a log"),
        (b'{"name": "harbour", "version": "1.4.0"}\n', "one JSON document"),
        (b"# Harbour\n\nA server.\n\n- tides\n- moorings\n", "Markdown"),
        (
            f"# Harbour\n\nAsk\n\n{INITIALIZE}\n\nand wait.\nThen go.\n".encode(),
            "only 1 of its first 5 lines",
        ),
        (b'{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}\n', "Ethereum"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_capture_is_called_what_it_is(data: bytes, words: str):
    with pytest.raises(RecordingError) as refused:
        read(data)
    assert words in str(refused.value)


@given(st.text(max_size=200))
def test_no_text_in_utf_8_is_taken_for_something_else(text: str):
    data = b"text " + text.replace("\x00", "").encode()
    assert binary(data) == ""
