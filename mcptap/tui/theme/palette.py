"""What a colour is for: five hues with a fixed meaning, and degrees of brightness for the order of reading.

Each hue has a glyph beside it on the screen, so nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme's colours: `#rrggbb`, or one of the terminal's own by its name in Rich (`bright_red`).

    Every text can be read on `ground`, `raised` and `chosen` (a contrast of 4.5 at least), but on
    `chosen` only after `chosen_text` has taken its colour, where there is one.
    """

    dark: bool
    ground: str
    raised: str
    """Bars, and the row under the cursor."""
    chosen: str
    """The row under the cursor in the pane that has the focus."""
    rule: str
    bright: str
    plain: str
    dim: str
    faint: str
    client: str
    """Client to server."""
    server: str
    """Server to client."""
    stderr: str
    problem: str
    pollution: str
    key: str
    """Keys, strings and other values of JSON: muted, so that colours with a meaning stand out."""
    string: str
    literal: str
    hit: str
    """The ground of what was searched for; its text has the colour `hit_text`."""
    hit_text: str
    chosen_text: str = ""
    """The one colour of all text on `chosen`, where the others could not be read there."""
    bold: frozenset[str] = frozenset()
    """Names of the colours above whose text is bold, since too few colours tell them apart."""
    is_reversed: bool = False
    """Whether the row under the cursor is told by reverse video: there are no colours at all."""

    @property
    def has_own_colours(self) -> bool:
        """Whether the colours are ours, and not those that the terminal gives to sixteen names."""
        return self.ground.startswith("#")
