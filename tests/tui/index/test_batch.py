import os

from mcptap.tui.index.batch import batch_from_wire, batch_to_wire
from mcptap.tui.index.indexer import Indexer


def test_a_batch_goes_through_a_pipe_unchanged(session):
    sent = []
    indexer = Indexer(os.fspath(session), sent.append)
    indexer.step()
    indexer.close()
    fields = next(what for kind, what in sent if kind == "batch")
    assert batch_to_wire(batch_from_wire(fields)) == fields
