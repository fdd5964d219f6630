"""The groups that a method sorts news into."""

from dataclasses import dataclass


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
