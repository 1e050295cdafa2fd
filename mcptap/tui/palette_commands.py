"""The command palette: of the table of keys, what can be done on the screen that is on top."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.dom import DOMNode

from mcptap.tui.widgets.keys import KEYS, LIST, Key


class KeyCommands(Provider):
    """Every key whose pane is on the screen, by what it does."""

    def _possible(self) -> Iterator[tuple[Key, DOMNode]]:
        """Keys that make sense now, each with the node that has its action."""
        screen = self.screen
        places = getattr(screen, "places", ())
        allowed = getattr(screen, "can_do", None)
        seen = set()
        for key in KEYS:
            if key.where not in places or key.where == LIST or key.action in seen:
                continue
            name = key.action.partition("(")[0].removeprefix("screen.")
            node: DOMNode | None = None
            for candidate in (self.focused, screen, self.app):
                if candidate is not None and hasattr(candidate, f"action_{name}"):
                    node = candidate
                    break
            if node is None or (allowed is not None and not allowed(name)):
                continue
            seen.add(key.action)
            yield key, node

    def _run(self, key: Key, node: DOMNode) -> None:
        action = key.action.removeprefix("screen.")
        self.app.call_later(partial(self.app.run_action, action, node))

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for key, node in self._possible():
            yield DiscoveryHit(f"{key.help}  ({key.display})", partial(self._run, key, node))

    async def search(self, query: str) -> Hits:
        """Those whose words match."""
        matcher = self.matcher(query)
        for key, node in self._possible():
            text = f"{key.help}  ({key.display})"
            score = matcher.match(f"{key.label} {text}")
            if score > 0:
                yield Hit(score, matcher.highlight(text), partial(self._run, key, node))
