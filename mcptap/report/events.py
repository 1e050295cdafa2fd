"""Events of a recording in plain words."""

from __future__ import annotations

import json
from typing import Any

from mcptap.recording.format.model import Event
from mcptap.text.units import clock, counted, duration, size
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

_ENDS = {
    (CLIENT_TO_SERVER, False): "the client closed the server's input",
    (CLIENT_TO_SERVER, True): "the server closed its input",
    (SERVER_TO_CLIENT, False): "the server closed its output",
    (SERVER_TO_CLIENT, True): "the client stopped reading the server's output",
    (STDERR, False): "the server closed its stderr",
    (STDERR, True): "nobody reads the server's stderr any more",
}
_BLOCKED = {
    CLIENT_TO_SERVER: "the server did not read its input",
    SERVER_TO_CLIENT: "the client did not read the server's output",
    STDERR: "nobody read the server's stderr",
}


def event_words(event: Event) -> str:
    """What happened, as one line of text. An event of a later format is given as it stands."""
    describe = _WORDS.get(event.kind)
    return (describe(event.fields) if describe is not None else None) or _as_it_stands(event)


def is_trouble(event: Event) -> bool:
    """Whether it is an event that should not happen: no start, a crash, something lost."""
    fields = event.fields
    if event.kind == "exit":
        return "signal" in fields or fields.get("code") != 0
    return event.kind == "gap" or (event.kind == "spawn" and "errno" in fields)


def _spawn(fields: dict[str, Any]) -> str | None:
    if "error" in fields:
        return f"the server could not be started: {fields['error']}"
    return f"server started, pid {fields['pid']}" if "pid" in fields else None


def _paths(fields: dict[str, Any]) -> str | None:
    found, missing = fields.get("found"), fields.get("missing")
    if not isinstance(found, list) or not isinstance(missing, list):
        return None
    return (
        f"of the relative paths in the command line {len(found)} {'is' if len(found) == 1 else 'are'} there, "
        f"{len(missing)} not"
    )


def _eof(fields: dict[str, Any]) -> str | None:
    return _ENDS.get((fields["ch"], fields.get("why") == "receiver closed"))


def _signal(fields: dict[str, Any]) -> str:
    name = fields["signal"]
    sender = f" from pid {fields['sender']}" if fields.get("sender") else ""
    if fields.get("forwarded") is False:
        return f"{name} came{sender} from the terminal, so it was not sent on"
    return f"{name} came{sender} and was sent on to the server"


def _blocked(fields: dict[str, Any]) -> str | None:
    who = _BLOCKED.get(fields.get("ch", ""))
    return f"{who} for {duration(fields['us'])}" if who else None


def _gap(fields: dict[str, Any]) -> str | None:
    records, since = fields.get("records"), fields.get("since")
    if records is None:
        return None
    amount = f" ({size(fields['bytes'])})" if fields.get("bytes") else ""
    begin = "" if since is None else f" since {clock(since)}"
    why = f": {fields['why']}" if fields.get("why") else ""
    if not records:
        return f"recording stopped here{why}"
    verb = "is" if records == 1 else "are"
    return f"{counted(records, 'record')}{amount} {verb} missing here{begin}{why}"


def _question(fields: dict[str, Any]) -> str:
    what = fields.get("what")
    return f"mcptap probe asks: {what}" if what else "mcptap probe goes on: the server still answers"


def _log(fields: dict[str, Any]) -> str:
    level = fields.get("level")
    return f"the log says{f' ({level})' if level else ''}: {fields['text']}"


def _exit(fields: dict[str, Any]) -> str:
    if "signal" in fields:
        how = f"server was ended by {fields['signal'] or 'a signal'}"
    elif "code" in fields:
        how = f"server exited with status {fields['code']}"
    else:
        how = "server ended, with which status is not told"
    after = f" after {duration(fields['us'])}" if "us" in fields else ""
    left = fields.get("left")
    behind = f"; left running: pid {', '.join(map(str, left))}" if left else ""
    return how + after + behind


_WORDS = {
    "spawn": _spawn,
    "paths": _paths,
    "eof": _eof,
    "signal": _signal,
    "blocked": _blocked,
    "gap": _gap,
    "question": _question,
    "log": _log,
    "exit": _exit,
}


def _as_it_stands(event: Event) -> str:
    own = {name: value for name, value in event.fields.items() if name not in ("n", "k", "t", "wall")}
    return f"{event.kind} {json.dumps(own, ensure_ascii=False)}" if own else event.kind
