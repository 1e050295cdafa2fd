"""Names that rules of several modules share."""

from __future__ import annotations

UNANSWERED = "request-unanswered initialize-unanswered ping-unanswered"
"""The rules about requests that nobody answered, for `explains`."""
