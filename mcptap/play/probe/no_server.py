"""What to say of a command that answers nothing: that it looks like no MCP server, and by what."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.diagnosis.explain.last_words import last_words
from mcptap.play.server.stop import Exit
from mcptap.protocol.model.message import BLANK, MESSAGES, Message
from mcptap.text.sentences import snippet
from mcptap.text.units import counted

MOST_WORDS, MOST_CHARACTERS = 16, 120
"""How much of a line is quoted."""

NONE = "this is no MCP server on stdio"


@dataclass(frozen=True, slots=True)
class Silence:
    """A process that answered neither `server/discover` nor `initialize`."""

    received: list[Message]
    """What came on its stdout."""
    stderr: list[str]
    echoed: int
    """How many of the client's own lines it repeated."""
    exit: Exit | None
    """How it ended, if it did so by itself while it was asked."""

    def words(self, timeout_s: float) -> str:
        """A sentence without its end; empty if it writes messages, and so is a server of some kind.

        `timeout_s` is how long an answer was waited for.
        """
        if any(message.kind in MESSAGES for message in self.received):
            return ""
        if self.echoed:
            return f"{NONE}: it repeats the lines that it is sent"
        lines = [m.line.data.decode(errors="backslashreplace") for m in self.received if m.kind != BLANK]
        stray = ""
        if lines:
            count = counted(len(lines), "line that is no message", "lines that are no messages")
            quoted = next(filter(None, map(_quoted, lines)), "")
            stray = f"wrote {count} to stdout" + (f' ("{quoted}")' if quoted else "")
        if self.exit is None:
            asked = f"answered neither server/discover nor initialize within {timeout_s:g} s"
            return f"this may be no MCP server on stdio: it {' and '.join(filter(None, (stray, asked)))}"
        telling = last_words(self.stderr).telling
        said = f'; on stderr it wrote "{_quoted(telling)}"' if telling else ""
        ended = f"ended by itself ({_ending(self.exit)}) before it answered anything"
        if self.exit.code == 0 or lines:
            return f"{NONE}: it {' and '.join(filter(None, (stray, ended)))}{said}"
        if said:
            return f"no session came about: it {ended}{said}"
        return f"this is no MCP server on stdio, or one that failed in silence: it {ended}"


def _ending(end: Exit) -> str:
    return f"exit status {end.code}" if end.signal is None else f"signal {end.signal}"


def _quoted(line: str) -> str:
    return snippet(line, MOST_WORDS, MOST_CHARACTERS)
