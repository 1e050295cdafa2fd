"""The published revisions of MCP. A new one is a module of its own, and a line in `REVISIONS`."""

from __future__ import annotations

from typing import Final

from mcptap.protocol.revisions import r2024_11_05, r2025_03_26, r2025_06_18, r2025_11_25, r2026_07_28
from mcptap.protocol.revisions.revision import Method, Revision

REVISIONS: Final = (
    r2024_11_05.REVISION,
    r2025_03_26.REVISION,
    r2025_06_18.REVISION,
    r2025_11_25.REVISION,
    r2026_07_28.REVISION,
)
"""All revisions, oldest first."""

HANDSHAKE_REVISIONS: Final = tuple(revision for revision in REVISIONS if not revision.is_stateless)
"""Revisions that begin with `initialize`."""
STATELESS_REVISIONS: Final = tuple(revision for revision in REVISIONS if revision.is_stateless)
"""Revisions without `initialize`."""
NEWEST_HANDSHAKE: Final = HANDSHAKE_REVISIONS[-1]
NEWEST_STATELESS: Final = STATELESS_REVISIONS[-1]
UNKNOWN: Final = Revision("")

_BY_DATE = {str(revision): revision for revision in REVISIONS}

KNOWN: Final = frozenset(name for revision in REVISIONS for name in revision.methods)
"""Names of methods and notifications that any revision has."""
REQUESTS: Final = frozenset(
    name for revision in REVISIONS for name, method in revision.methods.items() if method.is_request
)
"""Names of methods that any revision has as requests."""


def find(version: object) -> Revision:
    """The revision of this name, else `UNKNOWN`."""
    return _BY_DATE.get(version, UNKNOWN) if isinstance(version, str) else UNKNOWN


def find_handshake(version: object) -> Revision:
    """The revision of this name if it begins with `initialize`, else `UNKNOWN`."""
    found = find(version)
    return UNKNOWN if found.is_stateless else found


def find_stateless(version: object) -> Revision:
    """The stateless revision of this name, else the newest one."""
    found = find(version)
    return found if found.is_stateless else NEWEST_STATELESS


def looks_stateless(version: object) -> bool:
    """Whether this is a stateless revision or something dated later than the first one."""
    is_date = isinstance(version, str) and len(version) == 10 and version[:2] == "20"
    return is_date and str(version) >= STATELESS_REVISIONS[0]


__all__ = [
    "HANDSHAKE_REVISIONS",
    "KNOWN",
    "NEWEST_HANDSHAKE",
    "NEWEST_STATELESS",
    "REQUESTS",
    "REVISIONS",
    "STATELESS_REVISIONS",
    "UNKNOWN",
    "Method",
    "Revision",
    "find",
    "find_handshake",
    "find_stateless",
    "looks_stateless",
]
