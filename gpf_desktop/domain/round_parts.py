"""A round that several machines ask, each its part."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

_MOST: Final = 999


@dataclass(frozen=True, slots=True)
class RoundPart:
    """One of *of* parts, counted from 1. What is scored together is never parted."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> "RoundPart":
        """*text* as it is typed: ``2/5``. Raises `UserError`."""
        number, slash, of = text.strip().partition("/")
        if slash and number.isascii() and number.isdecimal() and of.isascii() and of.isdecimal() and len(text) < 10:
            part = cls(int(number), int(of))
            if 1 <= part.number <= part.of <= _MOST:
                return part
        raise UserError(tr("“{text}” is no part of a round: type one such as 2/5.", text=text[:40]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"
