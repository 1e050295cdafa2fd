"""What the columns of the index say, as small numbers: kinds of records, channels, and states.

They follow from `protocol.model`: see `describer.kind_of` for kinds and `filtering.STATUS_OF` for states.
"""

from __future__ import annotations

from enum import IntEnum

from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR


class Kind(IntEnum):
    """What a record is, as far as one column of the timeline can say."""

    HEADER = 0
    REQUEST = 1
    RESULT = 2
    ERROR = 3
    TOOL_ERROR = 4
    NOTIFICATION = 5
    POLLUTION = 6
    STDERR = 7
    PART = 8
    EVENT = 9
    DAMAGED = 10
    BATCH = 11
    UNREADABLE = 12
    """A response in a form that its receiver can't read."""
    BLANK = 13
    NULL_ID = 14
    """A request with null as its id: nothing can answer it."""


ANSWERS = frozenset((Kind.RESULT, Kind.ERROR, Kind.TOOL_ERROR, Kind.UNREADABLE))


class ChannelCode(IntEnum):
    """The channel of a record as a number: its place in `CHANNEL_OF`."""

    NONE = 0
    C2S = 1
    S2C = 2
    STDERR = 3


CHANNEL_OF = ("", CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR)
CODE_OF = {channel: ChannelCode(number) for number, channel in enumerate(CHANNEL_OF)}


class State(IntEnum):
    """What became of a request, or what a record stands for, as a word."""

    NONE = 0
    PENDING = 1
    ANSWERED = 2
    ERROR = 3
    TOOL_ERROR = 4
    CANCELLED = 5
    UNANSWERED = 6
    LATE = 7
    UNASKED = 8
    """An answer to no request that is known."""
    UNREADABLE = 9
    """Answered in a form that clients can't read: for them it never was."""
    REPEATED = 10
    """An answer to a request that was answered already."""


OUTCOMES = {
    Kind.RESULT: State.ANSWERED,
    Kind.ERROR: State.ERROR,
    Kind.TOOL_ERROR: State.TOOL_ERROR,
}
"""What becomes of a request by the kind of its response; by any other kind it is `UNREADABLE`."""
