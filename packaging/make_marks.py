"""Writes the marks that the window's style sheet names, in the colours of each palette, into `resources/theme/marks`.

A style sheet shows a picture from a file alone. Run it after a change to `resources/theme/tokens.json` or to one of
the icons that `gpf_desktop.ui.theme.style_sheet` lists: .venv/bin/python packaging/make_marks.py
"""

from collections.abc import Mapping
from pathlib import Path

from gpf_desktop.ui.theme.icons import tinted
from gpf_desktop.ui.theme.style_sheet import MARKS, marks_of
from gpf_desktop.ui.theme.tokens import PaletteName, palettes


def marks() -> Mapping[Path, str]:
    """What is to stand in each file."""
    return {
        marks_of(name) / f"{mark}.svg": tinted(mark, getattr(palettes()[name], token))
        for name in PaletteName
        for mark, token in MARKS.items()
    }


if __name__ == "__main__":
    for path, drawing in marks().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(drawing, encoding="utf-8", newline="\n")
