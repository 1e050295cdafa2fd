"""Recordings of shapes that cost readers depth, time or memory, written as any program could write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

PART = 500_000
"""Bytes in a part of a long line."""

HEADER = (
    b'{"mcptap":1,"n":1,"k":"header","t":0,"wall":1795987023103145,"version":"0.1.0","session":"s",'
    b'"start":"2026-11-29T21:17:03.103145Z","name":"hostile","argv":["cat"],"program":"/bin/cat","cwd":"/",'
    b'"pid":1,"platform":"linux","python":"3.11.7","parent":{"pid":1},'
    b'"env":{"names":[],"values":{},"placeholders":{}},"stdio":["pipe","pipe","pipe"],"lock":false}\n'
)
OPENING = (
    ("c2s", b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
            b'"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'),
    ("s2c", b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
            b'"serverInfo":{"name":"s","version":"1"}}}'),
    ("c2s", b'{"jsonrpc":"2.0","method":"notifications/initialized"}'),
)  # fmt: skip

Records = Iterator[tuple[str, bytes]]
"""Kind of each record, and its own fields as JSON."""


def message(channel: str, data: bytes) -> tuple[str, bytes]:
    """A line that is JSON; as text if it nests too deep for the tap's parser."""
    deep = data.count(b"[") + data.count(b"{") > 900
    content = b'"text":' + json.dumps(data.decode()).encode() if deep else b'"msg":' + data
    return "line", b'"ch":"%b",%b' % (channel.encode(), content)


def opening() -> Records:
    yield "spawn", b'"pid":2'
    for channel, data in OPENING:
        yield message(channel, data)


def ending() -> Records:
    yield "eof", b'"ch":"c2s"'
    yield "exit", b'"code":0,"us":1'


def deep(depth: int, *, objects: bool = False) -> Records:
    """JSON that nests deep in each place of a session where a value may stand."""
    begin, inner, end = (b'{"a":', b"1", b"}") if objects else (b"[", b"", b"]")
    value = begin * depth + inner + end * depth
    text = json.dumps(value.decode()).encode()
    yield from opening()
    for channel, data in (
        ("c2s", b'"id":1,"method":"tools/list"'),
        ("s2c", b'"id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","default":@},'
                b'"outputSchema":{"type":"object","properties":{"r":{}}}}]}'),
        ("c2s", b'"id":2,"method":"tools/call","params":{"name":"t","arguments":{"x":@},'
                b'"_meta":{"progressToken":@}}'),
        ("s2c", b'"method":"notifications/message","params":{"level":@,"data":@}'),
        ("s2c", b'"id":2,"result":{"content":[{"type":"text","text":%b}],"structuredContent":{"r":@}}'
         % text),
        ("c2s", b'"id":@,"method":"ping"'),
        ("s2c", b'"id":@,"error":{"code":1,"message":"x","data":@}'),
        ("s2c", b'"id":9,"error":{"code":@,"message":@}'),
        ("c2s", b'"id":10,"method":@'),
    ):  # fmt: skip
        yield message(channel, b'{"jsonrpc":"2.0",%b}' % data.replace(b"@", value))
    yield message("s2c", value)
    yield message("s2c", b'glued {"jsonrpc":"2.0","id":2,"result":%b}' % value)
    for kind in ("odd", "spawn", "eof", "signal", "blocked", "gap", "exit"):
        yield kind, b'"ch":@,"signal":@,"why":@,"error":@,"us":@,"code":@,"records":@'.replace(b"@", value)
    yield from ending()


def write(path: Path, records: Records, header: bytes = HEADER) -> Path:
    """A recording of these records, a millisecond apart."""
    with path.open("wb") as file:
        file.write(header)
        for number, (kind, fields) in enumerate(records, 2):
            t = number * 1000
            file.write(
                b'{"n":%d,"k":"%b","t":%d,"wall":%d,%b}\n'
                % (number, kind.encode(), t, 1795987023103145 + t, fields)
            )
    return path


def large_message(size: int, *, filling: bytes = b"x", channel: str = "s2c") -> Records:
    """A tool's result of about so many bytes, in parts as the tap writes them; it ends in its own record."""
    yield from opening()
    yield message(
        "c2s", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}'
    )
    yield from _in_parts(
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"',
        filling * (PART // len(filling)),
        size // PART,
        b'"}]}}',
        channel,
    )
    yield from ending()


def many_values(size: int) -> Records:
    """A result of about so many bytes that is nothing but empty objects."""
    yield from opening()
    yield message(
        "c2s", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}'
    )
    begin, end = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{}', b"]}}"
    yield from _in_parts(begin, b",{}" * (PART // 3), size // PART, end, "s2c")
    yield from ending()


def _in_parts(begin: bytes, piece: bytes, count: int, end: bytes, channel: str) -> Records:
    quoted = json.dumps(piece.decode()).encode()
    first = json.dumps(begin.decode()).encode()
    yield "part", b'"ch":"%b","at":0,"text":%b' % (channel.encode(), first)
    at = len(begin)
    for _ in range(count):
        yield "part", b'"ch":"%b","at":%d,"text":%b' % (channel.encode(), at, quoted)
        at += len(piece)
    last = json.dumps(end.decode()).encode()
    yield "line", b'"ch":"%b","from":%d,"text":%b' % (channel.encode(), at, last)


def unanswered(count: int, key: bytes = b"%d") -> Records:
    """So many requests that nobody answers, with progress tokens."""
    yield from opening()
    for number in range(1, count + 1):
        name = key.replace(b"%d", b"%d" % number)
        yield message(
            "c2s",
            b'{"jsonrpc":"2.0","id":%b,"method":"tools/call","params":{"name":"t%d","_meta":{"progressToken":%b}}}'
            % (name, number % 300, name),
        )
    yield from ending()


def answered(count: int) -> Records:
    """So many requests with UUIDs as ids, each answered."""
    yield from opening()
    for number in range(count):
        key = b'"%08x-0000-4000-8000-%012x"' % (number, number * 7)
        yield message("c2s", b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % key)
        yield message("s2c", b'{"jsonrpc":"2.0","id":%b,"result":{}}' % key)
    yield from ending()


def tools(pages: int, each: int) -> Records:
    """A list of tools on so many pages."""
    yield from opening()
    for page in range(pages):
        cursor = b',"params":{"cursor":"c%d"}' % page if page else b""
        yield message("c2s", b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"%b}' % (page + 1, cursor))
        listed = b",".join(
            b'{"name":"tool_%d_%d","description":"Does it.","inputSchema":{"type":"object",'
            b'"properties":{"a":{"type":"string"}}}}' % (page, each)
            for each in range(each)
        )
        following = b',"nextCursor":"c%d"' % (page + 1) if page + 1 < pages else b""
        yield message(
            "s2c", b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[%b]%b}}' % (page + 1, listed, following)
        )
    yield from ending()


def interleaved(count: int) -> Records:
    """Lines of the client that each came in a part, within one line of the server that came in as many."""
    yield from opening()
    for number in range(count):
        line = b'{"jsonrpc":"2.0","method":"notifications/x","params":{"i":%d}}' % number
        yield "part", b'"ch":"s2c","at":%d,"text":"y"' % number
        yield "part", b'"ch":"c2s","at":0,"text":%b' % json.dumps(line[:20].decode()).encode()
        yield message("c2s", line)
    yield "line", b'"ch":"s2c","text":"%b"' % (b"y" * count)
    yield from ending()


def unknown_events(count: int) -> Records:
    """Events of so many kinds that no version knows."""
    yield from opening()
    for number in range(count):
        yield f"kind{number}", b'"x":%d' % number
    yield from ending()


def lost_lines(count: int) -> Records:
    """Requests whose answers all stand in lines that nobody can read."""
    yield from opening()
    for number in range(1, count + 1):
        yield message("c2s", b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number)
    for number in range(1, count + 1):
        yield (
            "line",
            b'"ch":"s2c","text":"glued {\\"jsonrpc\\":\\"2.0\\",\\"id\\":%d,\\"result\\":{}}"' % number,
        )
    yield from ending()


SHAPES = {
    "large": lambda n: large_message(n * 300),
    "wide": lambda n: large_message(n * 300, filling="wide \U0001f600 ".encode()),
    "broken": lambda n: large_message(n * 300, filling=b"x\n"),
    "values": lambda n: many_values(n * 100),
    "unanswered": unanswered,
    "long-ids": lambda n: unanswered(n // 1000, b'"' + b"k" * 400_000 + b'%d"'),
    "answered": answered,
    "tools": lambda n: tools(n // 1000, 600),
    "interleaved": lambda n: interleaved(n // 4),
    "unknown-events": lambda n: unknown_events(n // 3),
    "lost-lines": lambda n: lost_lines(n // 10),
}
"""Shapes by name; at a million each is as large as a recording is likely to be."""
