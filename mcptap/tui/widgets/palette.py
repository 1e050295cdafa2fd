"""Colours: five hues with a fixed meaning, and three degrees of brightness for the order of reading.

Each hue has a glyph beside it on the screen, so nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from rich.style import Style
from textual.theme import Theme


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme's colours as `#rrggbb`."""

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


DARK = Palette(
    dark=True,
    ground="#0f1115",
    raised="#181b21",
    chosen="#232a36",
    rule="#2c313a",
    bright="#f2f4f8",
    plain="#c3c8d1",
    dim="#8b929e",
    faint="#626975",
    client="#6cb2ff",
    server="#7fce8f",
    stderr="#e0ab4a",
    problem="#ff7a72",
    pollution="#f27fd0",
    key="#93b7dc",
    string="#c3c8d1",
    literal="#c4a7e7",
)

LIGHT = Palette(
    dark=False,
    ground="#fcfcfa",
    raised="#f0f1ee",
    chosen="#dfe8f5",
    rule="#d3d6d2",
    bright="#0c0f14",
    plain="#343b46",
    dim="#626a75",
    faint="#868d97",
    client="#0a5cbf",
    server="#1a7436",
    stderr="#8f5f00",
    problem="#c4232b",
    pollution="#a8267f",
    key="#2f5f93",
    string="#343b46",
    literal="#6f42a8",
)


class Paint:
    """Rich styles of a palette, made once: `paint.dim`, `paint.client`, `paint.bold_bright`, …"""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.styles: dict[str, Style] = {}
        for field in fields(palette):
            value = getattr(palette, field.name)
            if isinstance(value, str):
                self.styles[field.name] = Style(color=value)
        self.cursor = Style(bgcolor=palette.chosen)
        self.cursor_away = Style(bgcolor=palette.raised)
        self.hit = Style(bgcolor=palette.stderr, color=palette.ground)
        self.bold = Style(bold=True)
        self.title = Style(color=palette.bright, bold=True)

    def __getattr__(self, name: str) -> Style:
        try:
            return self.styles[name]
        except KeyError:
            raise AttributeError(name) from None


DARK_THEME, LIGHT_THEME = "mcptap-dark", "mcptap-light"
DARK_PAINT, LIGHT_PAINT = Paint(DARK), Paint(LIGHT)


def paint_of(theme_name: str) -> Paint:
    """The styles of a theme, by its name."""
    return LIGHT_PAINT if theme_name == LIGHT_THEME else DARK_PAINT


def theme(palette: Palette) -> Theme:
    """The palette as a theme, for what is drawn by style sheets."""
    return Theme(
        name=DARK_THEME if palette.dark else LIGHT_THEME,
        primary=palette.client,
        secondary=palette.server,
        warning=palette.stderr,
        error=palette.problem,
        success=palette.server,
        accent=palette.client,
        foreground=palette.plain,
        background=palette.ground,
        surface=palette.ground,
        panel=palette.raised,
        dark=palette.dark,
        variables={
            "rule": palette.rule,
            "raised": palette.raised,
            "chosen": palette.chosen,
            "dim": palette.dim,
            "faint": palette.faint,
            "bright": palette.bright,
            "scrollbar": palette.rule,
            "scrollbar-background": palette.ground,
            "input-cursor-background": palette.plain,
            "input-selection-background": palette.chosen,
        },
    )
