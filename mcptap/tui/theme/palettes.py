"""The palettes: dark and light, for terminals with true colours, 256, 16, and for none at all.

With 256 and 16 colours a terminal would take the nearest to those that were meant, and the nearest
to a dark grey is black: the row under the cursor would be lost. So these have palettes of their own.
"""

from __future__ import annotations

from enum import Enum

from mcptap.tui.theme.palette import Palette


class Depth(Enum):
    """How many colours the terminal has, by the name that Rich has for it."""

    TRUE = "truecolor"
    MANY = "256"
    FEW = "standard"
    NONE = "none"


DARK = Palette(
    dark=True,
    ground="#0f1115",
    raised="#181b21",
    chosen="#222a38",
    rule="#2f3540",
    bright="#f4f6fa",
    plain="#ccd1da",
    dim="#a9b0bc",
    faint="#8d94a1",
    client="#6cb2ff",
    server="#7fce8f",
    stderr="#e0ab4a",
    problem="#ff827a",
    pollution="#f27fd0",
    key="#93b7dc",
    string="#ccd1da",
    literal="#c4a7e7",
    hit="#e0ab4a",
    hit_text="#0f1115",
)

LIGHT = Palette(
    dark=False,
    ground="#fcfcfa",
    raised="#f0f1ee",
    chosen="#dce6f5",
    rule="#c9cdc8",
    bright="#0a0d12",
    plain="#2b323c",
    dim="#4a515c",
    faint="#5e6570",
    client="#0a58b8",
    server="#166c31",
    stderr="#7d5300",
    problem="#bb1f28",
    pollution="#9d2276",
    key="#2b5889",
    string="#2b323c",
    literal="#663c9c",
    hit="#ffd75f",
    hit_text="#0a0d12",
)

DARK_256 = Palette(
    dark=True,
    ground="#121212",
    raised="#1c1c1c",
    chosen="#303030",
    rule="#444444",
    bright="#ffffff",
    plain="#dadada",
    dim="#bcbcbc",
    faint="#a8a8a8",
    client="#5fafff",
    server="#87d787",
    stderr="#d7af5f",
    problem="#ff8787",
    pollution="#ff87d7",
    key="#87afd7",
    string="#dadada",
    literal="#d7afff",
    hit="#d7af5f",
    hit_text="#121212",
)

LIGHT_256 = Palette(
    dark=False,
    ground="#ffffff",
    raised="#f8f8f8",
    chosen="#d7d7ff",
    rule="#bcbcbc",
    bright="#080808",
    plain="#303030",
    dim="#4e4e4e",
    faint="#585858",
    client="#005faf",
    server="#005f00",
    stderr="#5f5f00",
    problem="#af0000",
    pollution="#87005f",
    key="#005f87",
    string="#303030",
    literal="#5f00af",
    hit="#ffd75f",
    hit_text="#080808",
)

DARK_16 = Palette(
    dark=True,
    ground="black",
    raised="black",
    chosen="white",
    rule="bright_black",
    bright="bright_white",
    plain="white",
    dim="white",
    faint="white",
    client="cyan",
    server="green",
    stderr="bright_yellow",
    problem="bright_red",
    pollution="bright_cyan",
    key="cyan",
    string="white",
    literal="bright_white",
    hit="bright_yellow",
    hit_text="black",
    chosen_text="black",
    bold=frozenset({"bright", "pollution"}),
)
"""The names mean other colours in each terminal. No text is grey (`bright_black`) or magenta: some
show these too dark."""

LIGHT_16 = Palette(
    dark=False,
    ground="bright_white",
    raised="bright_white",
    chosen="black",
    rule="bright_black",
    bright="black",
    plain="black",
    dim="black",
    faint="black",
    client="blue",
    server="black",
    stderr="black",
    problem="red",
    pollution="magenta",
    key="blue",
    string="black",
    literal="magenta",
    hit="bright_yellow",
    hit_text="black",
    chosen_text="bright_white",
    bold=frozenset({"bright", "stderr"}),
)
"""Green and yellow can't be read on white in most terminals: their signs tell what they would."""

NONE = Palette(
    dark=True,
    ground="default",
    raised="default",
    chosen="default",
    rule="default",
    bright="default",
    plain="default",
    dim="default",
    faint="default",
    client="default",
    server="default",
    stderr="default",
    problem="default",
    pollution="default",
    key="default",
    string="default",
    literal="default",
    hit="default",
    hit_text="default",
    bold=frozenset({"bright", "problem", "pollution"}),
    is_reversed=True,
)
"""For `NO_COLOR`, and for terminals that have none."""

_PALETTES = {
    (Depth.TRUE, False): DARK,
    (Depth.TRUE, True): LIGHT,
    (Depth.MANY, False): DARK_256,
    (Depth.MANY, True): LIGHT_256,
    (Depth.FEW, False): DARK_16,
    (Depth.FEW, True): LIGHT_16,
}


def palette_for(depth: Depth, *, light: bool) -> Palette:
    """The palette of a terminal with so many colours."""
    return _PALETTES.get((depth, light), NONE)


def depth_of(colour_system: str | None, *, no_colour: bool) -> Depth:
    """What a terminal can show, as Rich found it out (None: nothing); `no_colour` if none is wanted."""
    if no_colour or colour_system is None:
        return Depth.NONE
    return {"truecolor": Depth.TRUE, "256": Depth.MANY}.get(colour_system, Depth.FEW)
