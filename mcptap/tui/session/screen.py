"""The screen of one recording, put together from its parts."""

from __future__ import annotations

from mcptap.tui.session.actions import SessionActions
from mcptap.tui.session.find import SessionFind
from mcptap.tui.session.findings import SessionFindings
from mcptap.tui.session.play import SessionPlay


class SessionScreen(SessionFindings, SessionFind, SessionPlay, SessionActions):
    """One recording. `feed` must have been started; it is closed with the screen."""
