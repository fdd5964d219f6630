"""Finds in a message the news item and the terms that an answer can take up from it."""

import re
from functools import lru_cache

from gpf_desktop.providers.calibration.corpus import corpus

_NEWS = re.compile(r"(?im)^\s*news article:\s*$")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_TERMS = 10


def anchor_text(user_message: str) -> str:
    """The news item inside *user_message*; the question, which names the identity, is left out.

    Layouts other than the default protocol's: everything but the first paragraph, or the whole of a single one.
    """
    marker = _NEWS.search(user_message)
    if marker is not None:
        return user_message[marker.end() :].strip()
    _question, _blank, rest = user_message.partition("\n\n")
    return rest.strip() or user_message.strip()


@lru_cache(maxsize=512)
def terms(anchor: str) -> tuple[str, ...]:
    """Up to ten terms of one or two words from *anchor*, those that carry a tone of their own last.

    The tone of an answer is planted, so a headline's "dead" or "triumph" is taken up only where nothing else is
    left to say.
    """
    charged = _charged_words()
    plain: dict[str, None] = {}
    toned: dict[str, None] = {}
    for stretch in re.split(r"[^\w'’ -]+", anchor[:4000]):
        for term in _terms_of(stretch):
            into = toned if any(word.lower() in charged for word in re.split(r"[\s-]", term)) else plain
            into.setdefault(term)
    best_first = sorted(plain, key=lambda term: (" " not in term, term.islower()))
    return tuple(best_first[:_TERMS] or list(toned)[:3]) or ("this news",)


def _terms_of(stretch: str) -> list[str]:
    """The last two words of every run of words between breaks: in English a run ends in its noun."""
    breaks = corpus().breaks
    found: list[str] = []
    run: list[str] = []
    for word in [*_WORD.findall(stretch), "the"]:
        low = word.lower()
        if low in breaks or low.endswith(("ed", "ing", "ly")):
            if run and max(map(len, run)) >= 5:
                found.append(" ".join(part[:30] for part in run[-2:]))
            run = []
        else:
            run.append(word)
    return found


@lru_cache(maxsize=1)
def _charged_words() -> frozenset[str]:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return frozenset(SentimentIntensityAnalyzer().lexicon)
