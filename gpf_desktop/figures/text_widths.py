"""How wide words are in Inter, without a font engine, and where their lines break."""

from functools import lru_cache
from typing import Final

from gpf_desktop.domain.text import middle_shortened

# Advances of Inter from space to ~, in hundredths of the size.
_REGULAR: Final = (
    *(28, 28, 40, 63, 64, 81, 64, 22, 36, 36, 50, 66, 28, 46, 28, 36, 62, 46, 61, 64, 64, 61, 62, 57, 62, 62, 28, 28),
    *(66, 66, 66, 51, 94, 68, 65, 73, 72, 60, 59, 74, 74, 26, 54, 65, 56, 89, 75, 76, 63, 76, 64, 64, 64, 74, 68, 95),
    *(64, 66, 62, 36, 36, 36, 47, 45, 50, 56, 62, 56, 62, 58, 36, 61, 59, 24, 24, 54, 24, 87, 59, 60, 61, 61, 37, 52),
    *(36, 58, 56, 81, 54, 56, 54, 36, 33, 36, 66),
)
_BOLD: Final = 1.04
"""Semibold letters are so much wider, on average."""
_WIDE: Final = 1.0
"""Of the size: a character of Chinese, Japanese or Korean."""
_OTHER: Final = 0.6
_OTHERS: Final = {"←": 0.96, "→": 0.96, "…": 0.82, "▲": 1.01, "·": 0.28, "“": 0.38, "”": 0.38, "„": 0.38}
_NARROWEST: Final = 0.2
"""Of the size: no character is narrower."""


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels of *text* on one line."""
    return sum(map(_advance, text)) * size * (_BOLD if bold else 1.0)


def _advance(character: str) -> float:
    place = ord(character) - 32
    if 0 <= place < len(_REGULAR):
        return _REGULAR[place] / 100
    return _WIDE if "\u2e80" <= character <= "\uffdc" else _OTHERS.get(character, _OTHER)


def wrapped(text: str, size: float, room: float, *, bold: bool = False, most: int = 0, first: float = 0.0) -> list[str]:
    """*text* in lines no wider than *room*, *most* of them (0: as many as it takes), the last then ends in an ellipsis.
    The first begins *first* pixels further right; it is empty where no word has room behind them.

    A word wider than the room is cut: it has no better place to break.
    """
    lines: list[str] = []
    now = ""
    # A no-break space keeps a number with its range: only plain spaces are places to break.
    for word in text.split(" "):
        longer = f"{now} {word}" if now else word
        taken = 0.0 if lines else first
        if (now or taken) and taken + width_of(longer, size, bold=bold) > room:
            lines.append(now)
            now = word
        else:
            now = longer
    lines.append(now)
    fitting = [fitted(line, size, room, bold=bold) for line in lines]
    if most and len(fitting) > most:
        return [*fitting[: most - 1], fitted(f"{fitting[most - 1]} …", size, room, bold=bold, always=True)]
    return fitting


def balanced(text: str, size: float, room: float, *, first: float = 0.0) -> list[str]:
    """*text* in as few lines as `wrapped` needs, about equally long: no line holds a lone word or number."""
    lines = wrapped(text, size, room, first=first)
    narrow, wide = room / 2, room
    # To a pixel or so: what lines gain from a closer search nobody sees.
    while len(lines) > 1 and wide - narrow > 2:
        middle = (narrow + wide) / 2
        if len(tried := wrapped(text, size, middle, first=first)) == len(lines) and not any(
            each.endswith("…") for each in tried
        ):
            wide = middle
        else:
            narrow = middle
    return wrapped(text, size, wide, first=first) if wide < room else lines


def _most(size: float, room: float) -> int:
    """More characters than have room: what comes from outside may have any length, and is not measured whole."""
    return max(8, int(room / (_NARROWEST * size)) + 2)


def middle_fitted(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """*text* cut to *room* in its middle: names of models are alike where they begin, and differ where they end."""
    most = min(len(text), _most(size, room))
    while most > 6 and width_of(middle_shortened(text, most), size, bold=bold) > room:
        most -= 1
    return middle_shortened(text, most)


def fitted(text: str, size: float, room: float, *, bold: bool = False, always: bool = False) -> str:
    """*text* cut to *room*, an ellipsis for what is cut; *always*: with an ellipsis at its end."""
    if len(text) <= _most(size, room) and width_of(text, size, bold=bold) <= room:
        return text
    kept = (text.removesuffix(" …") if always else text)[: _most(size, room)]
    while kept and width_of(f"{kept}…", size, bold=bold) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
