"""The one style sheet, filled from a palette and a text scale."""

from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import Final

from gpf_desktop.domain.resources import resources
from gpf_desktop.ui.theme.fonts import BASE_POINTS
from gpf_desktop.ui.theme.qt_palette import blend, disabled_text, field_edge, groove
from gpf_desktop.ui.theme.tokens import PaletteName, palettes

MARKS: Final = {
    "chevron-down": "text_secondary",
    "chevron-up": "text_secondary",
    "chevron-right": "text_secondary",
    "check": "on_accent",
    "remove": "on_accent",
    "dot": "accent",
    "close": "text_secondary",
}
"""Icons that the style sheet shows, each with the colour that it has there; written by `packaging/make_marks.py`."""


def marks_of(name: PaletteName) -> Path:
    """The folder of the marks in the colours of a palette."""
    return resources() / "theme" / "marks" / name.value


def style_sheet(name: PaletteName, scale: int) -> str:
    """The style sheet in the colours of a palette, with text at *scale* per cent."""
    tokens = palettes()[name]
    points = BASE_POINTS * scale / 100
    arrow, mark = round(12 * scale / 100), round(16 * scale / 100)
    words = {
        **asdict(tokens),
        "disabled": disabled_text(tokens),
        "hairline": blend(tokens.border, tokens.surface, 0.45),
        "groove": groove(tokens),
        "edge": field_edge(tokens),
        "hover": blend(tokens.text, tokens.surface, 0.06),
        "rail_hover": blend(tokens.text, tokens.sunken, 0.06),
        "pressed": blend(tokens.text, tokens.surface, 0.12),
        "accent_hover": blend(tokens.text, tokens.accent, 0.14),
        "base": f"{points:.2f}pt",
        "small": f"{points * 0.9:.2f}pt",
        "tiny": f"{points * 0.82:.2f}pt",
        "big": f"{points * 1.1:.2f}pt",
        "title": f"{points * 1.5:.2f}pt",
        "headline": f"{points * 1.75:.2f}pt",
        "number": f"{points * 1.55:.2f}pt",
        "row": f"{round(30 * scale / 100)}px",
        "field": f"{round(18 * scale / 100)}px",
        "mark": f"{mark}px",
        "round": f"{mark // 2}px",
        "arrow": f"{arrow}px",
        "small_arrow": f"{round(10 * scale / 100)}px",
        "arrow_room": f"{arrow + 12}px",
        # A focused border is one pixel wider: as much less room keeps the words where they are.
        "arrow_room_focused": f"{arrow + 11}px",
        "spin": f"{arrow + 8}px",
        "drop": f"{mark + 8}px",
        "drop_room": f"{mark + 10}px",
        "drop_room_focused": f"{mark + 9}px",
        "marks": marks_of(name).as_posix(),
    }
    return Template((resources() / "theme" / "window.qss").read_text(encoding="utf-8")).substitute(words)
