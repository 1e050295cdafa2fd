"""A palette as styles, for what draws itself, and as a theme, for what is drawn by style sheets."""

from __future__ import annotations

from dataclasses import fields

from rich.style import Style
from textual.theme import Theme

from mcptap.tui.theme.palette import Palette
from mcptap.tui.theme.palettes import Depth, palette_for

_NO_COLOURS = ("chosen_text",)


class Paint:
    """Rich styles of a palette, made once: `paint.dim`, `paint.client`, `paint.title`, …"""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.styles: dict[str, Style] = {}
        for field in fields(palette):
            value = getattr(palette, field.name)
            if isinstance(value, str) and field.name not in _NO_COLOURS:
                bold = True if field.name in palette.bold else None
                self.styles[field.name] = Style(color=value, bold=bold)
        self.title = Style(color=palette.bright, bold=True)
        bare = palette.is_reversed
        self.hit = Style(
            bgcolor=palette.hit, color=palette.hit_text, underline=not palette.has_own_colours or None
        )
        self.under = Style(bgcolor=palette.ground, color=palette.plain)
        """Below all that gives no ground of its own."""
        self.under_bars = Style(bgcolor=palette.raised, color=palette.plain)
        self.under_cursor = Style(bgcolor=palette.chosen, color=palette.plain, reverse=bare or None)
        self.over_cursor: Style | None = None
        """What every text of the row under the cursor has, whatever its own style says."""
        if palette.chosen_text:
            self.over_cursor = Style(bgcolor=palette.chosen, color=palette.chosen_text)
        self.under_resting_cursor = Style(bgcolor=palette.raised, color=palette.plain)

    def __getattr__(self, name: str) -> Style:
        try:
            return self.__dict__["styles"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(name) from None


def theme_name(depth: Depth, *, light: bool) -> str:
    """The name of a theme."""
    if depth is Depth.NONE:
        return "mcptap"
    colours = "" if depth is Depth.TRUE else "-256" if depth is Depth.MANY else "-16"
    return ("mcptap-light" if light else "mcptap-dark") + colours


_PALETTE_OF = {
    theme_name(depth, light=light): palette_for(depth, light=light)
    for depth in Depth
    for light in (False, True)
}
_PAINT_OF = {name: Paint(palette) for name, palette in _PALETTE_OF.items()}
DARK_PAINT = _PAINT_OF[theme_name(Depth.TRUE, light=False)]
LIGHT_PAINT = _PAINT_OF[theme_name(Depth.TRUE, light=True)]


def paint_of(name: str) -> Paint:
    """The styles of a theme, by its name."""
    return _PAINT_OF.get(name, DARK_PAINT)


def themes() -> list[Theme]:
    """All palettes as themes."""
    return [_theme(name, palette) for name, palette in _PALETTE_OF.items()]


def _theme(name: str, palette: Palette) -> Theme:
    def of(colour: str) -> str:
        return colour if colour.startswith("#") else f"ansi_{colour}"

    is_bare = palette.is_reversed
    return Theme(
        name=name,
        ansi=not palette.has_own_colours,
        primary=of(palette.client),
        secondary=of(palette.server),
        warning=of(palette.stderr),
        error=of(palette.problem),
        success=of(palette.server),
        accent=of(palette.client),
        foreground=of(palette.plain),
        background=of(palette.ground),
        surface=of(palette.ground),
        panel=of(palette.raised),
        boost=of(palette.raised),
        dark=palette.dark,
        variables={
            "rule": of(palette.rule),
            "raised": of(palette.raised),
            "chosen": of(palette.chosen),
            "chosen-text": of(palette.chosen_text or palette.bright),
            "dim": of(palette.dim),
            "faint": of(palette.faint),
            "bright": of(palette.bright),
            "key": of(palette.key),
            "scrollbar": of(palette.rule),
            "scrollbar-background": of(palette.ground),
            "border": of(palette.rule),
            "border-blurred": of(palette.rule),
            "ansi-background": of(palette.ground),
            "ansi-foreground": of(palette.plain),
            "input-cursor-background": of(palette.plain),
            "input-cursor-foreground": of(palette.ground),
            "input-cursor-text-style": "reverse" if is_bare else "none",
            "input-selection-background": of(palette.chosen),
            "input-selection-foreground": of(palette.chosen_text or palette.bright),
        },
    )
