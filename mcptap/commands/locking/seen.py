"""What a server offers, seen in a recording or by starting it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from tempfile import TemporaryDirectory

import trio

from mcptap.captures.open import open_source
from mcptap.diagnosis.beginning import look_ahead
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.errors import UserError
from mcptap.play.client.connection import Connection, ConnectionSettings, connect
from mcptap.play.client.messages import reply
from mcptap.play.client.opening import OpeningOutcome, discover, initialize
from mcptap.play.client.persona import PROBE, Persona
from mcptap.play.client.server_description import describe_server
from mcptap.play.probe.observation import STOP
from mcptap.play.server.interrupt import unless_interrupted
from mcptap.protocol.contract.items import METHODS
from mcptap.protocol.contract.lock import Key, Lock
from mcptap.protocol.contract.offer import Offer, offer_of
from mcptap.protocol.revisions.names import LISTS_OF_CHANGE
from mcptap.text.enumeration import listed

EVERYTHING = Persona(
    capabilities={
        "roots": {"listChanged": True},
        "sampling": {"tools": {}, "context": {}},
        "elicitation": {"form": {}, "url": {}},
    }
)
"""A client that declares all that servers are known to make their lists hang on."""
SETTLE_S = 0.5
"""So long a server has to say that its lists changed once it knows who is there."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a server offers, and which of it only to clients that declare something."""

    offer: Offer
    needs: Mapping[Key, frozenset[str]] = field(default_factory=dict)


def seen_in(path: str) -> Seen:
    """What a recorded server offered. Raises UserError if the recording does not tell all of it."""
    with closing(open_source(path)) as source:
        evidence = source.evidence
        for is_known, why in (
            (evidence.contents and evidence.messages, "it does not keep what messages said"),
            (evidence.values, "values in it were replaced or shortened"),
            (evidence.server, "it does not hold what the server sent"),
            (evidence.one_process, "several processes wrote to it"),
        ):
            if not is_known:
                raise UserError(f"{path} can't be locked: it was read as {evidence.origin}, and {why}")
        partial_, items = look_ahead(source.items(), evidence)
        diagnosis = Diagnosis(
            source.header, timed=evidence.times, partial=partial_, evidence=evidence, lock=Lock()
        )
        for item in items:
            diagnosis.feed(item)
    offer = offer_of(diagnosis.session)
    if offer.cut:
        lists = listed([METHODS[kind] for kind in METHODS if kind in offer.cut])
        raise UserError(
            f"{path} can't be locked: of {lists} it does not hold every page; take a whole session, or the "
            "command (mcptap lock -- COMMAND)"
        )
    if offer.masked:
        names = listed([key[1] or key[0] for key in sorted(offer.masked)])
        raise UserError(
            f"{path} can't be locked: secrets in {names} were masked when it was exported; take the "
            "recording that it was made of, or the command (mcptap lock -- COMMAND)"
        )
    if not offer.whole:
        raise UserError(
            f"{path} can't be locked: nothing was listed in it; take another, or the command "
            "(mcptap lock -- COMMAND)"
        )
    return Seen(offer, dict.fromkeys(offer.items, offer.declared) if offer.declared else {})


def seen_of(settings: ConnectionSettings) -> Seen | int:
    """What a server offers that is started for this, to a client that declares nothing and one that
    declares all.

    Returns the signal that put an end to it, if one did. Raises UserError if it offers nothing.
    """
    offers, signal = trio.run(unless_interrupted, partial(_look, settings))
    if offers is None:
        return signal
    bare, *others = offers
    items, needs = dict(bare.items), {}
    declared = bare.declared
    for other in others:
        more = other.declared - bare.declared
        declared |= other.declared
        for key, offered in other.items.items():
            if key not in items:
                items[key], needs[key] = offered, more
    return Seen(replace(bare, items=items, declared=declared), needs)


async def _look(settings: ConnectionSettings) -> list[Offer]:
    with TemporaryDirectory(prefix="mcptap-lock-") as folder:
        settings = replace(settings, record=f"{folder}/")
        bare = seen_in(await _listed(settings, PROBE)).offer
        try:
            return [bare, seen_in(await _listed(settings, EVERYTHING)).offer]
        except UserError:  # it does not take such a client; then nothing hangs on what one declares
            return [bare]


async def _listed(settings: ConnectionSettings, persona: Persona) -> str:
    """Start the server, let it list all that it has, and stop it; returns the recording."""
    async with connect(settings, "to be locked") as connection:
        folder = settings.launch.cwd or "."
        connection.reply = partial(reply, capabilities=persona.capabilities, folder=folder)
        opening = await initialize(connection, persona=persona)
        if opening.outcome is OpeningOutcome.REFUSED:
            opening = await discover(connection, persona=persona)
        if opening.outcome is not OpeningOutcome.ACCEPTED:
            raise UserError(f"the server can't be locked: its answer to the opening: {opening.description}")
        description = await describe_server(connection, opening, frozenset({"tools"}))
        if await _has_changed(connection):
            description = await describe_server(connection, opening, frozenset({"tools"}))
        if description.errors and not description.lists:
            raise UserError(f"the server can't be locked: {listed(list(description.errors.values()))}")
        await connection.stop(STOP)
        return connection.recording_path


async def _has_changed(connection: Connection) -> bool:
    """Whether the server says that a list changed while it was read, or in the moment behind it."""

    def said() -> bool:
        return any(message.method in LISTS_OF_CHANGE for message in connection.received)

    await connection.wait_until(said, SETTLE_S)
    return said()
