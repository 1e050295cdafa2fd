"""The revision that a mock agrees to: the client's, where the recording does not speak against it."""

from __future__ import annotations

from dataclasses import replace

from mcptap.jsontext.splice import member_span
from mcptap.play.mock.server_script import Reaction, Step, Write
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS


def negotiated(reaction: Reaction, request: Message) -> tuple[list[Step], str]:
    """The steps of a recorded reaction for a request, and a sentence if they agree to another revision.

    A server answers with the revision that it was asked for if it knows it (2025-11-25, basic/lifecycle). One
    that did so in the recording is taken to know the older ones as well, as those of the SDKs do; one that
    offered another than it was asked for offers that again.
    """
    recorded, asked = _version(reaction.message), _version(request)
    if request.method != "initialize" or not _is_older(asked, recorded):
        return reaction.steps, ""
    steps = [_agreeing(step, recorded, asked) for step in reaction.steps]
    if steps == reaction.steps:
        return steps, ""
    return steps, f"agreed to revision {asked}, as the client asked; the recorded one agreed to {recorded}"


def _agreeing(step: Step, recorded: str, asked: str) -> Step:
    """An answer that agrees to another revision; any other step as it is."""
    if not (isinstance(step, Write) and step.is_answer):
        return step
    span = member_span(step.data, "result", "protocolVersion")
    if span is None or step.data[slice(*span)] != f'"{recorded}"'.encode():
        return step
    # Both are dates of one length, so all else keeps its place in the line.
    return replace(step, data=step.data[: span[0]] + f'"{asked}"'.encode() + step.data[span[1] :])


def _version(message: Message | None) -> str:
    version = (message.params or {}).get("protocolVersion") if message is not None else None
    return version if isinstance(version, str) else ""


def _is_older(asked: str, recorded: str) -> bool:
    known = [str(revision) for revision in HANDSHAKE_REVISIONS]
    return asked in known and recorded in known and asked < recorded
