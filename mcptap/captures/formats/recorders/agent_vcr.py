"""Recordings of agent-vcr (github.com/Jarvis2021/agent-vcr): one JSON document.

Read from its source, `core/format.py` and `recorder.py`. Only requests that were answered are in it,
each with its answer; a notification of either side hardly ever is. Its data model puts members in:
`"params": null`, `"error": null`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import LOCAL_TIME, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import SIDES, from_local, from_milliseconds, from_rfc3339, message_line
from mcptap.captures.records import RecordsDecoder
from mcptap.recording.format.model import Damaged, Item, RecordingError, as_list, as_object
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT


class AgentVcrDecoder(RecordsDecoder):
    """Decodes the document. Record numbers count its messages."""

    takes_lines = False

    def __init__(self, document: dict[str, Any]) -> None:
        metadata = as_object(document.get("metadata"))
        self._session = as_object(document.get("session"))
        command = metadata.get("server_command")
        argv = [command, *as_list(metadata.get("server_args"))] if isinstance(command, str) else []
        super().__init__(argv=[one for one in argv if isinstance(one, str)])
        self._exchanges = [as_object(one) for one in as_list(self._session.get("interactions"))]
        timed = bool(self._exchanges) and all(_moment(one) for one in self._exchanges)
        assumptions = ("record numbers count the messages in the document", *((LOCAL_TIME,) if timed else ()))
        self.evidence = Evidence(
            origin="a recording of agent-vcr",
            times=timed,
            order=False,
            framing=False,
            members=False,
            launch=False,
            process=False,
            status=False,
            stderr=False,
            whole=False,
            assumptions=assumptions,
            notes=("only requests that were answered are in it",),
        )
        self._number = 0

    def finish(self) -> Iterator[Item]:
        """All messages."""
        opening = {name: self._session.get(f"initialize_{name}") for name in ("request", "response")}
        first = _moment(self._exchanges[0]) if self.evidence.times else 0
        for exchange in ({**opening, "direction": "client_to_server"}, *self._exchanges):
            asker = SIDES.get(str(exchange.get("direction")))
            wall = (_moment(exchange) or first) if self.evidence.times else 0
            took = from_milliseconds(exchange.get("latency_ms"))
            answerer = CLIENT_TO_SERVER if asker == SERVER_TO_CLIENT else SERVER_TO_CLIENT
            for side, what, late in (
                (asker, [exchange.get("request")], 0),
                (SERVER_TO_CLIENT, as_list(exchange.get("notifications")), 0),
                (answerer, [exchange.get("response")], took),
            ):
                for message in what:
                    yield from self._item(side, message, wall and wall + late)

    def _item(self, side: str | None, message: Any, wall_us: int) -> Iterator[Item]:
        if message is None:
            return
        self._number += 1
        if side is None or not isinstance(message, dict):
            yield Damaged(self._number, b"", "its sender or its message is missing")
            return
        # The data model adds these where they were not.
        kept = {
            name: value for name, value in message.items() if value is not None or name in ("id", "result")
        }
        if kept.get("result", 0) is None and "error" in kept:
            del kept["result"]
        if "method" in kept and kept.get("id", 0) is None:
            del kept["id"]
        yield message_line(self._number, side, kept, *self.at(wall_us))


def _moment(exchange: dict[str, Any]) -> int:
    """When an exchange began, in microseconds since 1970; agent-vcr writes the time of its machine."""
    stamp = exchange.get("timestamp")
    if not isinstance(stamp, str):
        return 0
    return from_rfc3339(stamp) if stamp.endswith("Z") or "+" in stamp else from_local(stamp)


def recognise(beginning: Beginning) -> Decoder | None:
    """A decoder if the whole file is such a document. Raises RecordingError for a session over SSE."""
    if not (beginning.head.lstrip().startswith(b"{") and b'"initialize_request"' in beginning.head):
        return None
    document = beginning.document()
    if document is None or "format_version" not in document or not as_object(document.get("session")):
        return None
    transport = as_object(document.get("metadata")).get("transport")
    if transport not in (None, "stdio"):
        raise RecordingError(f"was recorded over {transport} by agent-vcr; mcptap reads sessions on stdio")
    return AgentVcrDecoder(document)


FORMAT = Format("recordings of agent-vcr", Certainty.MARKED, recognise)
