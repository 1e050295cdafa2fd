"""All palettes, as terminals show them: what is to be read can be read, what is told apart is told apart."""

from dataclasses import fields

import pytest
from rich.color import Color, ColorSystem

from mcptap.tui.theme.palette import Palette
from mcptap.tui.theme.palettes import (
    DARK,
    DARK_16,
    DARK_256,
    LIGHT,
    LIGHT_16,
    LIGHT_256,
    NONE,
    Depth,
    depth_of,
    palette_for,
)

GROUNDS = ("ground", "raised", "chosen")
HUES = ("client", "server", "stderr", "problem", "pollution")
TEXTS = ("bright", "plain", "dim", "faint", *HUES, "key", "string", "literal")
READABLE = 4.5
"""WCAG 2, level AA."""

SIXTEEN = {
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 "
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "VGA": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa "
    "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "Windows": "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc "
    "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
}
"""What the sixteen names mean in terminals that are common."""


def as_written(colour):
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def among_256(colour):
    return tuple(Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT).get_truecolor())


def in_terminal(name):
    values = SIXTEEN[name].split()
    return lambda colour: as_written("#" + values[Color.parse(colour).number])


SHOWN = [
    pytest.param(DARK, as_written, id="dark"),
    pytest.param(LIGHT, as_written, id="light"),
    pytest.param(DARK_256, among_256, id="dark-256"),
    pytest.param(LIGHT_256, among_256, id="light-256"),
    *(
        pytest.param(palette, in_terminal(name), id=f"{kind}-16-{name}")
        for name in SIXTEEN
        for kind, palette in (("dark", DARK_16), ("light", LIGHT_16))
    ),
]


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("palette", "seen"), SHOWN)
def test_every_text_can_be_read_on_every_ground(palette: Palette, seen):
    too_faint = {}
    for ground in GROUNDS:
        for text in TEXTS:
            name = (palette.chosen_text if ground == "chosen" else "") or getattr(palette, text)
            ratio = contrast(seen(name), seen(getattr(palette, ground)))
            if ratio < READABLE:
                too_faint[text, ground] = round(ratio, 2)
    assert too_faint == {}
    assert contrast(seen(palette.hit_text), seen(palette.hit)) >= READABLE


@pytest.mark.parametrize(("palette", "seen"), SHOWN)
def test_the_chosen_row_is_seen(palette, seen):
    assert contrast(seen(palette.chosen), seen(palette.ground)) >= 1.2


@pytest.mark.parametrize(
    ("palette", "seen"),
    [case for case in SHOWN if not str(case.id).startswith("light-16")],
)
def test_hues_with_a_meaning_are_told_apart(palette, seen):
    assert len({seen(getattr(palette, hue)) for hue in HUES}) == len(HUES)


def test_a_light_terminal_with_few_colours_tells_problems_and_pollution_from_all_else():
    told = {getattr(LIGHT_16, hue) for hue in HUES}
    assert {LIGHT_16.problem, LIGHT_16.pollution, LIGHT_16.client} < told


@pytest.mark.parametrize(("palette", "seen"), SHOWN[:4])
def test_brightness_tells_the_order_of_reading(palette, seen):
    ratios = [contrast(seen(getattr(palette, name)), seen(palette.ground)) for name in TEXTS[:4]]
    assert ratios == sorted(ratios, reverse=True)
    assert len(set(ratios)) == 4


def test_without_colours_there_is_none():
    colours = [getattr(NONE, f.name) for f in fields(NONE) if isinstance(getattr(NONE, f.name), str)]
    assert set(colours) <= {"default", ""}
    assert NONE.is_reversed


def test_the_terminal_says_how_many_colours_it_has():
    assert depth_of("truecolor", no_colour=False) is Depth.TRUE
    assert depth_of("256", no_colour=False) is Depth.MANY
    assert depth_of("standard", no_colour=False) is depth_of("windows", no_colour=False) is Depth.FEW
    assert depth_of(None, no_colour=False) is depth_of("truecolor", no_colour=True) is Depth.NONE


def test_each_depth_has_a_dark_palette_and_a_light_one_but_for_no_colours():
    for depth in (Depth.TRUE, Depth.MANY, Depth.FEW):
        assert palette_for(depth, light=False).dark
        assert not palette_for(depth, light=True).dark
    assert palette_for(Depth.NONE, light=True) is palette_for(Depth.NONE, light=False) is NONE
