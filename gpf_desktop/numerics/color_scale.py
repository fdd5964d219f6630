"""Colours of heat maps, on screen and in files: cividis, which people with a colour vision deficiency read alike."""

from functools import lru_cache
from typing import Final

CIVIDIS: Final = (
    "#00204D",
    "#002C69",
    "#06366E",
    "#2D426C",
    "#414D6B",
    "#52596C",
    "#61646F",
    "#6F7073",
    "#7D7C78",
    "#8B8779",
    "#9B9477",
    "#ACA174",
    "#BCAF6F",
    "#CEBC68",
    "#E0CB5E",
    "#F2DA50",
    "#FFEA46",
)
"""Every sixteenth colour of the map (Nuñez, Anderton and Renslow 2018); between them it is all but linear."""

DIVERGING: Final = ("#3A90FE", "#ECECEC", "#887318")
"""Ends and middle of a map for what lies on both sides of something, blue, near white and ochre, after CET-CBD1 (Kovesi
2015), which people with a colour vision deficiency read alike; it is linear between them."""

_FURTHEST: Final = 2.0
_STEP: Final = 0.02


def color_at(share: float, stops: tuple[str, ...] = CIVIDIS) -> str:
    """``#RRGGBB`` for *share* from 0 (low) to 1 (high) on the map of *stops*."""
    place = max(0.0, min(1.0, share)) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    part = place - low
    channels = [
        round(a * (1 - part) + b * part) for a, b in zip(_channels(stops[low]), _channels(stops[low + 1]), strict=True)
    ]
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def text_on(color: str) -> str:
    """Black or white, whichever has more contrast on *color*: 4.58:1 at least."""
    luminance = _luminance(color)
    return "#FFFFFF" if 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 else "#000000"


@lru_cache(maxsize=4096)
def faded(color: str, strength: float, ground: str) -> str:
    """*color* with a *strength* from 0 to 1 on *ground*, never further from itself than a contrast of 2:1.

    A pale cell among dark ones would be looked at first, and is the one of which least is known.
    """
    known = _luminance(color)
    while True:
        made = mixed(color, strength, ground)
        light, dark = sorted((known, _luminance(made)), reverse=True)
        if strength >= 1 or (light + 0.05) / (dark + 0.05) <= _FURTHEST:
            return made
        strength = min(1.0, strength + _STEP)


def mixed(color: str, strength: float, ground: str) -> str:
    """*color* with a *strength* from 0 to 1 on *ground*, however pale that makes it."""
    channels = (
        round(a * strength + b * (1 - strength)) for a, b in zip(_channels(color), _channels(ground), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    red, green, blue = (
        # 10 is the last channel of 255 below 0.04045, where sRGB's curve leaves its straight beginning.
        channel / 255 / 12.92 if channel <= 10 else ((channel / 255 + 0.055) / 1.055) ** 2.4
        for channel in _channels(color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
