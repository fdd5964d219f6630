"""Sorts news into that about identity groups and all other, by a keyword rule that anybody can read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.news_strata import Classification, NewsStratum
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr

_DASHES = re.compile(r"[\s\u2010-\u2014-]+")
_QUOTES = str.maketrans("\u2018\u2019\u02bc", "'''")


class Stratum(StrEnum):
    """The two groups of news that a study keeps apart; their words are stored."""

    NEUTRAL = "identity-neutral"
    RELEVANT = "identity-relevant"


@dataclass(frozen=True, slots=True, kw_only=True)
class StrataRule:
    """The words of each topic, and how many of them make an article relevant."""

    name: str
    version: int
    topics: Mapping[str, Sequence[str]]
    needed_in_headline: int
    needed_anywhere: int


def news_strata() -> tuple[NewsStratum, ...]:
    """Both, as pages speak of them."""
    return (
        NewsStratum(name=Stratum.NEUTRAL, title=tr("about none of the groups"), short=tr("about none")),
        NewsStratum(name=Stratum.RELEVANT, title=tr("about these groups"), short=tr("about these groups"), marked=True),
    )


def sorted_by() -> str:
    """The shipped rule and how often it erred, as pages and reports say it."""
    return tr(
        "Words in headline and description sort news (rule {name}, version {version}). "
        "Tried on 90 other headlines, it found 13 of the 43 about these groups, and wrongly marked 1 of the 47 others.",
        name=shipped_rule().name,
        version=shipped_rule().version,
    )


def classify(headline: str, description: str, rule: StrataRule | None = None) -> Classification:
    """The stratum of an anchor by *rule* (the shipped one), and every listed word that it holds, in their order."""
    rule = rule or shipped_rule()
    pattern = _pattern(tuple(word for words in rule.topics.values() for word in words))
    in_headline = _found(pattern, headline)
    anywhere = tuple(dict.fromkeys((*in_headline, *_found(pattern, description))))
    relevant = len(in_headline) >= rule.needed_in_headline or len(anywhere) >= rule.needed_anywhere
    return Classification(stratum=Stratum.RELEVANT if relevant else Stratum.NEUTRAL, matched=anywhere)


@cache
def shipped_rule() -> StrataRule:
    """The rule that ships with the program."""
    return load_rule(resources() / "methods" / "gpf_livenews" / "strata.yaml")


def load_rule(path: Path) -> StrataRule:
    """The rule in *path*. Raises `UserError` naming what is wrong in it."""
    import yaml

    try:
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
        needed = read["needed"]
        topics = {str(topic): tuple(map(_plain, words)) for topic, words in read["topics"].items()}
        rule = StrataRule(
            name=str(read["name"]),
            version=int(read["version"]),
            topics=topics,
            needed_in_headline=int(needed["headline"]),
            needed_anywhere=int(needed["anywhere"]),
        )
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise UserError(
            tr("The keyword rule in {name} cannot be used ({why}).", name=path.name, why=str(error)[:200]),
            tr("It needs name, version, needed (headline and anywhere) and topics with lists of words."),
        ) from error
    # An empty word would be found wherever two signs that are no letters follow each other.
    if not all(word for words in topics.values() for word in words) or not topics:
        raise UserError(tr("The keyword rule in {name} has no words or an empty one.", name=path.name))
    return rule


def _found(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[0] for match in pattern.finditer(_plain(text))))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    # Longer phrases first, so that "asylum seeker" is one find and not only "asylum".
    by_length = sorted(set(words), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, by_length))})(?!\w)")


def _plain(text: str) -> str:
    return _DASHES.sub(" ", text.translate(_QUOTES)).strip().lower()
