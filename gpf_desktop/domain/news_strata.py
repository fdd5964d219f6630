"""The groups that a method sorts news into."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol as Port
from typing import runtime_checkable


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsStratum:
    """One group, as pages speak of it."""

    name: str
    """As it is stored with an article."""
    title: str
    short: str
    """Where there is little room, such as in a column."""
    marked: bool = False
    """Drawn with a flag and offered by itself where a round is set up: the news that the method is most about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The stratum of an article and the words in it that decided it; both empty where a method sorts no news."""

    stratum: str = ""
    matched: tuple[str, ...] = ()


@runtime_checkable
class SortsNews(Port):
    """A method to which it matters what news is about."""

    @property
    def strata(self) -> Sequence[NewsStratum]: ...
    def classify(self, headline: str, description: str) -> Classification: ...
