"""The colours that figures and reports name, by what they are for."""

import json
from functools import cache

from gpf_desktop.domain.resources import resources


@cache
def palette(name: str) -> dict[str, str]:
    """Colours as ``#RRGGBB`` by what they are for, in the palette called *name*: light, dark or high_contrast."""
    palettes = json.loads((resources() / "theme" / "tokens.json").read_text(encoding="utf-8"))["palettes"]
    return dict(palettes[name])
