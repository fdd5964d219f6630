"""The three palettes as values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache

from gpf_desktop.domain.resources import resources

SPACE_1, SPACE_2, SPACE_3, SPACE_4, SPACE_5 = 4, 8, 12, 16, 24
"""The only distances between things, in logical pixels."""

RADIUS = 6
ICON = 20
READING_POINTS = 11.0
READING_LINE_HEIGHT = 145
"""Per cent."""


class PaletteName(StrEnum):
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One palette: colours as ``#RRGGBB``, named for what they are for."""

    window: str
    surface: str
    sunken: str
    border: str
    text: str
    text_secondary: str
    accent: str
    on_accent: str
    selection: str
    focus: str
    success: str
    warning: str
    danger: str
    info: str
    only_here: str
    missing_here: str
    tone_positive: str
    tone_negative: str
    synthetic: str


TOKENS = tuple(field.name for field in fields(Palette))


@cache
def palettes() -> Mapping[PaletteName, Palette]:
    """The palettes of ``resources/theme/tokens.json``."""
    found = json.loads((resources() / "theme" / "tokens.json").read_text(encoding="utf-8"))["palettes"]
    return {name: Palette(**found[name.value]) for name in PaletteName}


def luminance(color: str) -> float:
    """Relative luminance of ``#RRGGBB`` (WCAG 2.2)."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    # WCAG before May 2021 has 0.03928, from an older text of sRGB; colours of 8 bits come out the same.
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
