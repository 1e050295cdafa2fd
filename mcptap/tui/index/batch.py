"""The columns of some records in a row, on their way from the indexer to the index."""

from __future__ import annotations

from array import array
from typing import Any


class Batch:
    """Columns of some records in a row, from the indexer: `start` is the index of the first."""

    __slots__ = (
        "channels",
        "continued",
        "ended",
        "kinds",
        "lost",
        "methods",
        "refs",
        "sizes",
        "start",
        "times",
        "tools",
    )

    def __init__(self, start: int) -> None:
        self.start = start
        self.times = array("Q")
        self.refs = array("I")
        self.sizes = array("I")
        self.kinds = bytearray()
        self.channels = bytearray()
        self.methods = array("H")
        self.tools = array("H")
        self.ended = array("I")
        """Pairs: the index of a first part, here or before, and of the record in which its line ends."""
        self.continued = array("I")
        """Those of these pairs in which that record holds only what the parts do not."""
        self.lost = array("I")
        """Pairs: the index of a record that is no response, the index of a request that it answers.

        Such lines hold a response in a form that the requester can't read.
        """

    def __len__(self) -> int:
        return len(self.kinds)


def batch_to_wire(batch: Batch) -> tuple[Any, ...]:
    """A batch as plain bytes, for a pipe."""
    return (
        batch.start,
        batch.times.tobytes(),
        batch.refs.tobytes(),
        batch.sizes.tobytes(),
        bytes(batch.kinds),
        bytes(batch.channels),
        batch.methods.tobytes(),
        batch.tools.tobytes(),
        batch.ended.tobytes(),
        batch.continued.tobytes(),
        batch.lost.tobytes(),
    )


def batch_from_wire(fields: tuple[Any, ...]) -> Batch:
    """The batch that `batch_to_wire` wrote."""
    batch = Batch(fields[0])
    columns: tuple[array[int] | bytearray, ...] = (
        batch.times,
        batch.refs,
        batch.sizes,
        batch.kinds,
        batch.channels,
        batch.methods,
        batch.tools,
        batch.ended,
        batch.continued,
        batch.lost,
    )
    for column, data in zip(columns, fields[1:], strict=True):
        if isinstance(column, array):
            column.frombytes(data)
        else:
            column += data
    return batch
