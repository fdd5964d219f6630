"""Colours of heat maps, on screen and in files, which people with a colour vision deficiency read alike."""

from functools import lru_cache
from typing import Final

DIVERGING: Final = ("#3A90FE", "#ECECEC", "#887318")
"""Ends and middle of a map for what lies on both sides of something, blue, near white and ochre, after CET-CBD1 (Kovesi
2015), which people with a colour vision deficiency read alike; it is linear between them."""

RISING: Final = ("#ECECEC", "#8FA3C4", "#3D5C93", "#00204D")
"""From nothing to much on a light ground: near white to cividis' own dark blue, so that 0 is never the darkest."""

RISING_ON_DARK: Final = ("#343B45", "#4D6C9C", "#83A9E0", "#D6E6FF")
"""The same on a dark ground, where what is much shines."""

_MIDDLE: Final = 0.18
"""Luminance from which a ground is light."""
_FURTHEST: Final = 2.0
_STEP: Final = 0.02


def color_at(share: float, stops: tuple[str, ...]) -> str:
    """``#RRGGBB`` for *share* from 0 (low) to 1 (high) on the map of *stops*."""
    place = max(0.0, min(1.0, share)) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    part = place - low
    channels = [
        round(a * (1 - part) + b * part) for a, b in zip(_channels(stops[low]), _channels(stops[low + 1]), strict=True)
    ]
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def rising(ground: str) -> tuple[str, ...]:
    """The stops of a map that begins at 0, which has no colour of its own on *ground*."""
    return RISING if _luminance(ground) >= _MIDDLE else RISING_ON_DARK


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
