"""Sessions for comparisons, made of rows, without a file."""

import json

from mcptap.play.compare.exchanges import Session, observe
from mcptap.recording.format.model import Event, Header, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT


def request(key, method="ping", **params):
    return {"jsonrpc": "2.0", "id": key, "method": method, **({"params": params} if params else {})}


def result(key, **members):
    return {"jsonrpc": "2.0", "id": key, "result": members}


def c2s(message, ms=0):
    return CLIENT_TO_SERVER, ms, message


def s2c(message, ms=0):
    return SERVER_TO_CLIENT, ms, message


def call(key, text, name="add", ms=0, took_ms=1):
    """A tool call and its answer."""
    content = [{"type": "text", "text": text}]
    return c2s(request(key, "tools/call", name=name), ms), s2c(result(key, content=content), ms + took_ms)


def session(*rows, argv=("server",), **end) -> Session:
    """A session of rows of channel, milliseconds and message; `end` is the server's (`code=0`)."""
    items = [Event(2, "spawn", 0, 0, {"k": "spawn", "pid": 1})]
    for number, (channel, ms, message) in enumerate(rows, 3):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        items.append(Line(number, channel, data, b"\n", ms * 1000, ms * 1000, 0))
    if end:
        items.append(Event(len(items) + 2, "exit", 10_000_000, 0, {"k": "exit", "us": 10_000_000, **end}))
    return observe(Header({"mcptap": 1, "argv": list(argv)}), items, [])
