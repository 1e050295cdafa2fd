"""What the Python SDK's client over HTTP logs at DEBUG: messages as Python writes objects.

`Sending client message: root=JSONRPCRequest(method='initialize', params={…}, jsonrpc='2.0', id=0)`, and
`SSE message: root=JSONRPCResponse(…)`. The arguments are literals of Python.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import LOCAL_TIME, MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import from_local, message_line
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Sessions
from mcptap.recording.format.model import Item
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

LOGGER = re.compile(rb"\bmcp\.client\.(?:streamable_http|sse)\b")
MESSAGE = re.compile(
    rb"(Sending client message|SSE message|Received server message|JSON response)?: "
    rb"(?:root=)?(JSONRPC(?:Request|Response|Notification|Error)\(.*\))\s*$",
    re.DOTALL,
)
STAMP = re.compile(rb"^\[?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:[,.](\d{1,6}))?")
MAX_TEXT = 1 << 20
MAX_NESTING = 60


class PythonClientDecoder(LogDecoder):
    """Decodes messages that are written as calls."""

    def __init__(self, stamped: bool) -> None:
        super().__init__(
            Evidence(
                fineness_us=MILLISECONDS,
                origin="what the Python SDK's client over HTTP logged",
                times=stamped,
                framing=False,
                members=False,
                launch=False,
                process=False,
                status=False,
                stderr=False,
                whole=False,
                assumptions=(LOCAL_TIME,) if stamped else (),
            )
        )
        self._stamped = stamped

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message of this line, or what else it says."""
        if LOGGER.search(raw, 0, 200) is None:
            yield from self.pass_over(raw)
            return
        stamp = STAMP.match(raw) if self._stamped else None
        wall_us = 0
        if stamp is not None:
            wall_us = from_local(f"{stamp[1].decode()}.{(stamp[2] or b'0').decode()}")
        found = MESSAGE.search(raw)
        value = None if found is None else parsed(found[2].decode(errors="replace"))
        if found is None:
            yield self.log(number, raw.decode(errors="replace").strip(), wall_us)
        elif value is None:
            yield from self.pass_over(raw)
        else:
            channel = CLIENT_TO_SERVER if (found[1] or b"").startswith(b"Sending") else SERVER_TO_CLIENT
            yield message_line(number, channel, value, *self.moment(wall_us))


def parsed(text: str) -> dict[str, Any] | None:
    """A message that Python wrote as a call of its class; None if it is not only literals."""
    if len(text) > MAX_TEXT or max(text.count("{"), text.count("("), text.count("[")) > MAX_TEXT // 4:
        return None
    try:
        value = _value(ast.parse(text, mode="eval").body, 0)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    if not isinstance(value, dict):
        return None
    # A member that the object does not have is None in Python; only `id` may be null in JSON-RPC.
    return {name: member for name, member in value.items() if member is not None or name == "id"}


def _value(node: ast.expr, depth: int) -> Any:
    if depth > MAX_NESTING:
        raise ValueError("it nests too deep")
    if isinstance(node, ast.Call):
        return {k.arg: _value(k.value, depth + 1) for k in node.keywords if k.arg is not None}
    if isinstance(node, ast.Dict):
        keys = [_value(key, depth + 1) if key is not None else None for key in node.keys]
        if not all(isinstance(key, str) for key in keys):
            raise ValueError("a key is no string")
        return dict(zip(keys, (_value(value, depth + 1) for value in node.values), strict=True))
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(item, depth + 1) for item in node.elts]
    literal = ast.literal_eval(node)
    if not (literal is None or isinstance(literal, (str, int, float, bool))):
        raise ValueError("it is no value of JSON")
    return literal


def recognise(beginning: Beginning) -> PythonClientDecoder | None:
    """A decoder if most lines are of that logger or of another, and some hold messages."""
    own = [line for line in beginning.lines if LOGGER.search(line, 0, 200)]
    if not any(MESSAGE.search(line) for line in own) or len(own) * 10 < len(beginning.lines):
        return None
    return PythonClientDecoder(all(STAMP.match(line) for line in own))


FORMAT = Format(
    "logs of the Python SDK's client over HTTP",
    Certainty.MARKED,
    recognise,
    Sessions(
        starts=re.compile(
            rb"(?m)^[^\n]*Sending client message: (?:root=)?JSONRPCRequest\(method='initialize'"
        ),
        ends=re.compile(rb"(?m)^[^\n]*(?:Session termination |Terminating session|HTTP Request: DELETE )"),
    ),
)
