"""Numbers of things as words, and models as sentences speak of them."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.text import grouped, tr

_IN_DIGITS: Final = 10
"""From so many on numbers are digits in sentences."""


def count_word(n: int) -> str:
    """Words below ten, digits from there on."""
    small = (
        *(tr("none"), tr("one"), tr("two"), tr("three"), tr("four"), tr("five"), tr("six"), tr("seven")),
        *(tr("eight"), tr("nine")),
    )
    return small[n] if n < _IN_DIGITS else grouped(n)


def capital(n: int) -> str:
    """`count_word` where a sentence begins."""
    words = count_word(n)
    return words[:1].upper() + words[1:]


def some_of(k: int, of: int, *, begins: bool = True) -> str:
    """“Two of six”, where a sentence *begins* or within it; both in digits where one is not below ten: “2 of 12”."""
    if max(k, of) >= _IN_DIGITS:
        return tr("{k} of {of}", k=grouped(k), of=grouped(of))
    return tr("{k} of {of}", k=capital(k) if begins else count_word(k), of=count_word(of))


@dataclass(frozen=True, slots=True)
class SomeModels:
    """*k* of the *of* models of a page; *planted*: all are built-in test models, and what is said of them says so."""

    k: int
    of: int
    planted: bool = False

    def __str__(self) -> str:
        """“Two of six models”, as a sentence begins."""
        return self._said(begins=True)

    @property
    def within(self) -> str:
        """“two of six models”, within a sentence."""
        return self._said(begins=False)

    def _said(self, *, begins: bool) -> str:
        some = some_of(self.k, self.of, begins=begins)
        return tr("{some} test models", some=some) if self.planted else tr("{some} models", some=some)


def planted_name(name: str) -> str:
    """A built-in test model called *name*, within a sentence, which its name would read as a part of: “neutral”."""
    return tr("test model “{name}”", name=name)
