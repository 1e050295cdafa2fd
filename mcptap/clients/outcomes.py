"""What a fault may do to a client: each outcome once, in words, and whether it does harm."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """What a client does: a phrase that follows its name, and whether the session goes on unharmed."""

    # no harm
    ACCEPTS = "accepts it", True
    IGNORES = "ignores it", True
    SKIPS = "skips it without a word", True
    LOGS = "logs it and goes on", True
    NOTES_IN_LOG = "ignores it and notes it in its log", True
    ANSWERS = "answers -32600 and goes on", True
    REPORTS = "reports it and goes on", True
    PASSES_ON = "passes it on as an exception and goes on", True
    UNHARMED = "goes on without harm", True
    BROKEN_LETTERS = "shows broken letters and goes on", True
    MATCHES = "matches it all the same", True
    KEEPS_PAGES = "stops there, and keeps the pages that it has read", True
    DELIVERS = "hands it to the program, if that set a handler", True
    ASKS_ALL_THE_SAME = "asks all the same and gets the tools", True

    # a request fails
    WAITS = "waits as if nothing had come", False
    CANNOT_PARSE = "fails to parse it, and waits", False
    REFUSES = "answers -32600, and waits", False
    NEVER_MATCHES = "never matches it, and waits", False
    CANNOT_PARSE_LINE = "fails to parse the line", False
    THROWS_AWAY = "throws, and has no result", False
    TAKES_ERROR = "takes the error, and has no result", False
    FAILS_REQUEST = "fails the request, and has no result", False
    NEVER_ASKS = "returns an empty list without asking", False
    REJECTS_LIST = "rejects the whole tool list", False
    LOSES_LIST = "gives up, and has no list", False
    DROPS_TOOLS = "drops the tools that have it, and keeps the others", False
    REPLACES_CHARACTERS = "turns other characters into _", False

    # the session fails
    DISCONNECTS = "shows an error and disconnects", False
    DISCONNECTS_ONCE_CONNECTED = "skips it until connected; then it shows an error and disconnects", False
    KILLS = "kills the server", False
    STOPS_READING = "reads nothing more, so no request gets its answer", False
    ENDS_SESSION = "raises UnicodeDecodeError and ends the session", False
    FAILS_TO_INITIALIZE = "fails to initialize", False
    THROWS = "throws", False
    THROWS_AND_CLOSES = "throws and closes the connection", False
    THROWS_MISMATCH = "throws a version mismatch", False
    RAISES = "raises RuntimeError", False
    NEVER_RESTARTS = "marks it as failed and does not start it again", False

    def __init__(self, words: str, harmless: bool) -> None:
        self.words = words
        self.harmless = harmless

    @property
    def loses_list(self) -> bool:
        """Whether the client has no tools if their list has this fault."""
        return self in _LOSE_LIST

    @property
    def reads(self) -> bool:
        """Whether the client has what the message says, whatever is wrong with it."""
        return self in _READ

    @property
    def waits(self) -> bool:
        """Whether the client goes on waiting as if the message had not come."""
        return self in _WAIT

    @property
    def ends_session(self) -> bool:
        """Whether the client sends nothing more."""
        return self in _ENDS


_LOSE_LIST = {
    *(Outcome.REJECTS_LIST, Outcome.THROWS_AWAY, Outcome.FAILS_REQUEST, Outcome.LOSES_LIST),
    Outcome.TAKES_ERROR,
}
_READ = {
    *(Outcome.ACCEPTS, Outcome.UNHARMED, Outcome.MATCHES, Outcome.BROKEN_LETTERS),
    *(Outcome.DELIVERS, Outcome.KEEPS_PAGES),
}
_WAIT = {
    *(Outcome.WAITS, Outcome.REFUSES, Outcome.CANNOT_PARSE, Outcome.NEVER_MATCHES),
    *(Outcome.CANNOT_PARSE_LINE, Outcome.STOPS_READING),
}
_ENDS = {
    *(Outcome.DISCONNECTS, Outcome.KILLS, Outcome.ENDS_SESSION, Outcome.FAILS_TO_INITIALIZE),
    *(Outcome.THROWS, Outcome.THROWS_AND_CLOSES, Outcome.THROWS_MISMATCH, Outcome.RAISES),
}
