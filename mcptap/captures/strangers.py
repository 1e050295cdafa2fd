"""What a file looks like that is no capture: what it is, and what can be done."""

from __future__ import annotations

import re

from mcptap.captures.format import Beginning

_BINARY = (
    (b"\x1f\x8b", "is compressed with gzip: read it with gunzip -c FILE | mcptap check -"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd: read it with zstd -dc FILE | mcptap check -"),
    (b"\xfd7zXZ\x00", "is compressed with xz: read it with xz -dc FILE | mcptap check -"),
    (b"BZh", "is compressed with bzip2: read it with bzip2 -dc FILE | mcptap check -"),
    (b"PK\x03\x04", "is a zip archive: unpack it, and name a file of it"),
    (b"SQLite format 3\x00", "is an SQLite database, no log"),
    (b"\x7fELF", "is a program, no log"),
    (b"\x89PNG", "is a picture, no log"),
    (b"%PDF-", "is a PDF, no log: save the text itself"),
    *(
        (
            magic,
            "holds packets of a network: what a client and a server on stdio say to each other is in none; "
            "record it with mcptap run",
        )
        for magic in (
            b"\xd4\xc3\xb2\xa1",
            b"\xa1\xb2\xc3\xd4",
            b"\x4d\x3c\xb2\xa1",
            b"\xa1\xb2\x3c\x4d",
            b"\x0a\x0d\x0d\x0a",
        )
    ),
)
_UTF16 = (
    "is text in UTF-16, as > in Windows PowerShell writes it: read it with iconv -f UTF-16 -t UTF-8 FILE | "
    "mcptap check -"
)
_OVER_HTTP = "mcptap reads sessions on stdio"

_DOCUMENTS = (
    (
        re.compile(rb'^\s*\{\s*"log"\s*:\s*\{.{0,2000}?"(?:creator|entries)"', re.DOTALL),
        f"is a HAR archive, which holds exchanges over HTTP; {_OVER_HTTP}",
    ),
    (
        re.compile(rb'^\s*\{\s*"resource(?:Spans|Logs|Metrics)"'),
        "holds data of OpenTelemetry: times and errors by method, and no messages; the log of the client, or "
        "a recording by mcptap run, says more",
    ),
    (
        re.compile(rb'^\s*\{.{0,2000}?"server_url".{0,4000}?"interactions"\s*:', re.DOTALL),
        f"was recorded over HTTP by mcp-recorder; {_OVER_HTTP}",
    ),
    (
        re.compile(
            rb'^\s*\{.{0,20000}?"(?:mcpServers|context_servers)"\s*:\s*\{|'
            rb'^\s*\{\s*"servers"\s*:\s*\{\s*(?:"[^"]*"\s*:\s*\{\s*"(?:type|command|url)"|\})',
            re.DOTALL,
        ),
        "is a client's configuration, no log: mcptap doctor --config FILE judges it",
    ),
    (
        re.compile(rb"^\d+:\d+:[a-z_]+;.{0,20000}?(?:flow|request)", re.DOTALL),
        f"holds flows of mitmproxy, over HTTP; {_OVER_HTTP}",
    ),
    (
        re.compile(rb'^\s*\{\s*"log":".{0,20000}?","stream":"std(?:out|err)"', re.DOTALL),
        "is what Docker keeps of a container: write its stdout into a file of its own, by jq -rj "
        "'select(.stream==\"stdout\").log' FILE, and name that behind --channel s2c",
    ),
    (
        re.compile(rb'^\s*\{.{0,2000}?"__(?:REALTIME|MONOTONIC)_TIMESTAMP"', re.DOTALL),
        "is the journal in JSON: what the unit wrote, by jq -r .MESSAGE FILE, may be a log that mcptap reads",
    ),
    (re.compile(rb"^\s*<(?:!doctype html|html|\?xml)", re.IGNORECASE), "is a page in HTML or XML, no log"),
)
_ACCESS = re.compile(rb'"?(?:GET|POST|DELETE|OPTIONS|HEAD|PUT) /[^ "]{0,2000} HTTP/\d(?:\.\d)?"? ')
_MARKDOWN = re.compile(rb"^(?:#{1,6} |```|[-*] |\|.*\|)")
_TIMED = re.compile(rb"^\W{0,3}\d{2,4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|^\W{0,3}\d\d:\d\d:\d\d")


def binary(head: bytes) -> str:
    """What a file is that is no text, as a sentence without its subject; empty if it is text."""
    for magic, words in _BINARY:
        if head.startswith(magic):
            return words
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or (
        len(head) > 8 and head[1:64:2].count(0) * 4 > len(head[1:64:2]) * 3
    ):
        return _UTF16
    return ""


def document(head: bytes) -> str:
    """What a document is that may hold messages but is no session on stdio; empty if it is none."""
    return next((words for pattern, words in _DOCUMENTS if pattern.match(head)), "")


def looks_like(beginning: Beginning) -> str:
    """What a text looks like that no format takes, as a sentence without its subject; empty if unknown."""
    head = beginning.head
    if b"\x00" in head:
        return "holds binary data, no text"
    lines = beginning.lines
    if _most(_ACCESS, lines):
        return "looks like the log of an HTTP server: which requests came, and no messages"
    if _most(_TIMED, lines):
        return "looks like a log, but no line of it is known to be of a session of MCP"
    if lines[0].lstrip().startswith((b"{", b"[")) and beginning.document() is not None:
        return "is one JSON document, and holds no session of MCP that mcptap knows"
    if sum(_MARKDOWN.match(line) is not None for line in lines) * 4 > len(lines):
        return "looks like a text about something (Markdown), no log"
    return ""


def _most(pattern: re.Pattern[bytes], lines: list[bytes]) -> bool:
    return 2 * sum(pattern.search(line[:4000]) is not None for line in lines) > len(lines)
