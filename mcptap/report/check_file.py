"""One file judged: the items of a source in, a `CheckedFile` out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from mcptap.captures.evidence import is_capture
from mcptap.captures.open import Source
from mcptap.captures.siblings import note_sibling
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.selection import Selection
from mcptap.diagnosis.engine.unjudged import unjudged
from mcptap.masking.masker import Masker
from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expectation import Expectation
from mcptap.protocol.model.message import Message
from mcptap.protocol.statistics.counts import Statistics
from mcptap.recording.format.model import Damaged, Event, Header, Item, RecordingError
from mcptap.report.results import CheckedFile

STRIDE = 2048
"""So many items are judged between two calls of `step`."""


class Watcher(Protocol):
    """Looks on while a session is judged, so that one reading serves for more than the findings."""

    def begin(self, diagnosis: Diagnosis) -> None:
        """What will be fed."""

    def see(self, item: Item, message: Message | None) -> None:
        """An item, and the message that the session made of it if it is a line."""


def check_file(
    source: Source,
    selection: Selection,
    step: Callable[[], None],
    with_statistics: bool = False,
    masker: Masker | None = None,
    expectations: Sequence[Expectation] = (),
    lock: Lock | None = None,
    watcher: Watcher | None = None,
    items: Iterator[Item] | None = None,
) -> CheckedFile:
    """Judge all that a source has to give; `step` is called from time to time, `masker` on what is told.
    `watcher` sees each item when the session has taken it; `items` are those to judge, if not all.

    `expectations` are what the user wants of the session besides, `lock` is what was approved before, unless
    the source itself has one.

    Raises RecordingError for a capture of which no line could be used.
    """
    evidence = source.evidence
    partial, items = look_ahead(source.items() if items is None else items, evidence)
    diagnosis = Diagnosis(
        source.header,
        timed=evidence.times,
        partial=partial,
        evidence=evidence,
        expectations=expectations,
        lock=source.lock or lock,
    )
    statistics = Statistics() if with_statistics else None
    if watcher is not None:
        watcher.begin(diagnosis)
    used = False
    for count, item in enumerate(items, 1):
        used = used or not isinstance(item, Damaged)
        message = diagnosis.feed(item)
        if watcher is not None:
            watcher.see(item, message)
        if statistics is not None:
            if message is not None:
                statistics.feed(message)
            elif isinstance(item, Event):
                statistics.feed_event(item)
        if count % STRIDE == 0:
            step()
    step()
    session = diagnosis.session
    if is_capture(evidence) and not session.traffic.lines and not used:
        why = "; ".join(session.losses.damaged) or "none of them is about a session"
        raise RecordingError(
            f"{source.path}: was read as {evidence.origin}, but no line of it could be used: {why}"
        )
    note_sibling(session, source.path)
    state = source.state()
    everything = diagnosis.finish(state, source.unfinished(), time.time_ns() // 1000)
    findings, ignored = selection.apply(everything)
    client, verdict = diagnosis.client, diagnosis.verdict(source.lines, source.passed_over)
    checked = CheckedFile(
        path=source.path,
        header=source.header,
        evidence=diagnosis.evidence,
        state=state.value,
        verdict=verdict.words,
        outcome=verdict.outcome,
        limits=verdict.limits,
        open_requests=verdict.open,
        findings=findings,
        ignored=ignored,
        messages=session.traffic.messages,
        last_us=session.now_us,
        statistics=statistics,
        client=name_and_version(session.client.info),
        server=name_and_version(session.server.info),
        recognised="" if client.name == session.client.info.get("name") else client.name,
        revision=session.agreed_revision,
        damaged=session.losses.total,
        unjudged=unjudged(everything),
    )
    return checked if masker is None else masked(checked, masker)


def masked(checked: CheckedFile, masker: Masker) -> CheckedFile:
    """The same without secrets in what was quoted, and in how the server was started."""
    masker.learn(checked.header.argv)
    return replace(
        checked,
        header=Header(masker.value(checked.header.fields), checked.header.number),
        verdict=masker.quotation(checked.verdict),
        limits=masker.quotation(checked.limits),
        findings=[finding.changed(masker.quotation) for finding in checked.findings],
        client=masker.text(checked.client),
        server=masker.text(checked.server),
    )


def name_and_version(info: dict[str, object]) -> str:
    """Name and version of `clientInfo` or `serverInfo`, as far as they are strings."""
    return " ".join(
        part for part in (info.get("name"), info.get("version")) if isinstance(part, str) and part
    )
