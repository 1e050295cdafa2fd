import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.index.batch import Batch, batch_from_wire, batch_to_wire
from mcptap.tui.index.indexer import Indexer


def test_a_batch_goes_through_a_pipe_unchanged(session):
    sent = []
    indexer = Indexer(os.fspath(session), sent.append)
    indexer.step()
    indexer.close()
    fields = next(what for kind, what in sent if kind == "batch")
    assert batch_to_wire(batch_from_wire(fields)) == fields


columns = st.lists(st.integers(0, 0xFFFF), max_size=20)


@given(columns, columns, columns, columns)
def test_every_column_of_a_batch_goes_through_a_pipe_unchanged(refs, ended, continued, lost):
    batch = Batch(1_000_000)
    for number in refs:
        for column in (batch.times, batch.refs, batch.sizes, batch.methods, batch.tools):
            column.append(number)
        batch.kinds.append(number & 7)
        batch.channels.append(number & 3)
    batch.ended.extend(ended)
    batch.continued.extend(continued)
    batch.lost.extend(lost)
    sent = batch_to_wire(batch)
    assert all(isinstance(field, bytes) for field in sent[1:])
    received = batch_from_wire(sent)
    assert all(getattr(received, name) == getattr(batch, name) for name in Batch.__slots__)
    assert len(received) == len(refs)


def test_a_batch_with_a_column_too_few_is_refused():
    with pytest.raises(ValueError, match="zip"):
        batch_from_wire(batch_to_wire(Batch(0))[:-1])
