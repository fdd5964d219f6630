"""The typeface that ships with the program, with figures of one width so that numbers line up."""

from functools import cache, lru_cache

from PySide6.QtGui import QFont, QFontDatabase

from gpf_desktop.domain.resources import resources

BASE_POINTS = 10.0
_SIZES = 64


@cache
def typeface() -> str:
    """Inter where its files can be loaded, else the platform's own interface font."""
    found: list[str] = []
    for file in sorted((resources() / "fonts").glob("*.otf")):
        loaded = QFontDatabase.addApplicationFont(str(file))
        if loaded >= 0:
            found += QFontDatabase.applicationFontFamilies(loaded)
    if "Inter" in found:
        return "Inter"
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()


def interface_font(points: float = BASE_POINTS) -> QFont:
    """The window's font at *points*, with tabular figures; the caller's own."""
    return QFont(_font(points))


@lru_cache(_SIZES)
def _font(points: float) -> QFont:
    # A feature takes 0.4 ms to set, and painters ask for dozens of fonts in a turn.
    font = QFont(typeface())
    font.setPointSizeF(points)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
