"""A session written as a masked recording: one of mcptap's, or made of a capture of another tool."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from typing import IO

from mcptap.captures.convert import recording_of
from mcptap.captures.open import RecordingSource, open_source
from mcptap.export.choosing import numbers_matching
from mcptap.export.masked import MaskedRecording
from mcptap.export.rejudged import MOST_COMPARED, hanging_on_masks, judged
from mcptap.masking.masker import Masker
from mcptap.query import Query
from mcptap.recording.paths import SUFFIX
from mcptap.recording.reader import BLOCK


def copy_of(
    path: str, masker: Masker | None, query: Query | None = None, spelled: str = ""
) -> Iterator[bytes]:
    """The recording of a session, in pieces: masked, and only with the records that match the query.

    All but the header waits in a temporary file, since the header tells what was done. `spelled`: the query.
    Raises RecordingError.
    """
    with closing(open_source(path)) as source:
        if isinstance(source, RecordingSource):
            yield from _copy(path, masker, query, spelled)
            return
        with tempfile.NamedTemporaryFile(suffix=SUFFIX) as converted:
            converted.writelines(recording_of(source))
            converted.flush()
            yield from _copy(converted.name, masker, query, spelled)


def _copy(path: str, masker: Masker | None, query: Query | None, spelled: str) -> Iterator[bytes]:
    wanted = None if query is None or query.is_empty else numbers_matching(path, query)
    with open(path, "rb") as file, tempfile.TemporaryFile() as body:
        made = MaskedRecording(file, masker, wanted)
        body.writelines(made.records_masked())
        more: dict[str, object] = {} if wanted is None else {"filter": spelled}
        if made.changed and wanted is None and made.records <= MOST_COMPARED:
            more["not_rejudged"] = _not_rejudged(path, made, body)
        yield made.header_masked(more)
        body.seek(0)
        while piece := body.read(BLOCK):
            yield piece


def _not_rejudged(path: str, made: MaskedRecording, body: IO[bytes]) -> list[dict[str, object]]:
    """The findings that hang on masked values."""
    with tempfile.NamedTemporaryFile(suffix=SUFFIX) as masked:
        masked.write(made.header_masked({}))
        body.seek(0)
        shutil.copyfileobj(body, masked)
        masked.flush()
        with closing(open_source(path)) as before, closing(open_source(masked.name)) as after:
            return list(hanging_on_masks(judged(before), judged(after)))
