"""What was wrong with a server that was played to, in sentences."""

from __future__ import annotations

from mcptap.masking.masker import Masker
from mcptap.play.client.client_script import ClientScript
from mcptap.play.send.player import PlayResult
from mcptap.recording.format.model import Event, Line
from mcptap.text.sentences import snippet
from mcptap.text.units import counted

SHOWN = 60
"""Characters of a line that are quoted."""


def pollution(played: PlayResult, masker: Masker) -> str:
    """A sentence if the server wrote on stdout what is no message; else empty."""
    lines = played.outcome.pollution
    if not lines:
        return ""
    quoted = [_quoted(line, masker) for line in lines[:2]]
    more = f" and {len(lines) - 2} more" if len(lines) > 2 else ""
    are = "that is no message" if len(lines) == 1 else "that are no messages"
    return (
        f"the server wrote {counted(len(lines), 'line')} on stdout {are}, which clients can't read: "
        f"{', '.join(quoted)}{more}; print to stderr instead"
    )


def bad_end(played: PlayResult, script: ClientScript) -> str:
    """A sentence if the server crashed or had to be killed, and the recorded one did not; else empty."""
    end = played.exit
    was_stopped = bool(played.signals)
    if "SIGKILL" in played.signals:
        words = "had to be killed: it ended neither with its input nor on SIGTERM"
    elif not was_stopped and end.signal is not None:
        words = f"was killed by {end.signal}"
    elif not was_stopped and end.code:
        words = f"ended with exit code {end.code}"
    else:
        return ""
    if script.end is not None and _is_bad(script.end):
        return ""
    return f"the server {words}" + ("; the recorded one did not" if script.end is not None else "")


def _is_bad(end: Event) -> bool:
    return "signal" in end.fields or bool(end.fields.get("code"))


def _quoted(line: Line, masker: Masker) -> str:
    text = masker.text(line.data.decode(errors="backslashreplace"))
    return f'"{snippet(text, SHOWN, SHOWN)}"'
