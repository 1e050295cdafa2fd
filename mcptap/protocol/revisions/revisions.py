"""The published revisions of MCP and their two eras."""

from __future__ import annotations

A = "2024-11-05"
B = "2025-03-26"
C = "2025-06-18"
D = "2025-11-25"
E = "2026-07-28"

REVISIONS = (A, B, C, D, E)
HANDSHAKE_REVISIONS = (A, B, C, D)
"""Revisions that begin with `initialize`."""

HANDSHAKE = "handshake"
STATELESS = "stateless"

LETTERS = {"A": A, "B": B, "C": C, "D": D, "E": E}


def era(revision: str) -> str:
    """The era of a revision: `handshake`, `stateless`, or an empty string if it is unknown."""
    if revision in HANDSHAKE_REVISIONS:
        return HANDSHAKE
    return STATELESS if revision == E else ""


def looks_stateless(version: object) -> bool:
    """Whether this is 2026-07-28 or something dated later."""
    return isinstance(version, str) and len(version) == 10 and version >= E and version[:2] == "20"
