"""The command palette: of the table of keys, what can be done on the screen that is on top."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode

from mcptap.text.columns import fit
from mcptap.tui.help import KEYS_WIDTH
from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.widgets.keys import KEYS, LIST, Key
from mcptap.tui.widgets.palette import paint_of
from mcptap.tui.widgets.tap_screen import TapScreen


class KeyCommands(Provider):
    """Every key that is bound on the screen at this moment, by what it does."""

    def _possible(self) -> Iterator[tuple[Key, DOMNode]]:
        """Keys that make sense now, each with the node that has its action."""
        screen = self.screen
        if not isinstance(screen, TapScreen):
            return
        bound = screen.active_bindings
        offered = set()
        for key in (*KEYS, *TAB_KEYS):
            if key.where not in screen.places or key.where == LIST or key.action in offered:
                continue
            active = bound.get(key.keys.split(",")[0])
            name = key.action.partition("(")[0].removeprefix("screen.")
            if active is not None and active.binding.action == key.action and screen.can_do(name):
                offered.add(key.action)
                yield key, active.node

    def _run(self, key: Key, node: DOMNode) -> None:
        self.app.call_later(partial(self.app.run_action, key.action, node))

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for key, node in self._possible():
            shown = Content.assemble(self._head(key), key.help)
            yield DiscoveryHit(shown, partial(self._run, key, node), key.help)

    async def search(self, query: str) -> Hits:
        """Those whose words match."""
        matcher = self.matcher(query)
        for key, node in self._possible():
            score = matcher.match(f"{key.label} {key.help} {key.display}")
            if score > 0:
                shown = Content.assemble(self._head(key), matcher.highlight(key.help))
                yield Hit(score, shown, partial(self._run, key, node), key.help)

    def _head(self, key: Key) -> tuple[str, str]:
        """The keys before what they do, as on the page of keys."""
        # The colour of keys can't be read on the chosen row where the terminal has but sixteen.
        has_own_colours = paint_of(self.app.theme).palette.has_own_colours
        return fit(key.display, KEYS_WIDTH), "$key" if has_own_colours else ""
