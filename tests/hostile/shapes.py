"""Recordings of shapes that cost readers depth, time or memory, written as any program could write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

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
