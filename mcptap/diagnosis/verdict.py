"""The findings in one or two sentences, for somebody tired."""

from __future__ import annotations

from mcptap.diagnosis.consequences import Client
from mcptap.diagnosis.finding import Finding, Level
from mcptap.protocol.session import Session


def verdict(findings: list[Finding], session: Session, client: Client) -> str:  # noqa: ARG001
    """What went wrong, or that nothing did and what that leaves."""
    bad = [f for f in findings if f.level > Level.INFO and not f.design]
    return bad[0].message if bad else "Nothing is wrong on the wire."
