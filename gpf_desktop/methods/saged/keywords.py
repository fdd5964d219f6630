"""Keywords that texts themselves propose for a concept; an auditor edits the list."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.saged.sentences import Keyword, sentences
from gpf_desktop.methods.saged.texts import SourceText
from gpf_desktop.methods.saged.verbs import tagger

MOST: Final = 12
FEWEST_SENTENCES: Final = 2
_LEAST_LETTERS: Final = 3
_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_NAME: Final = re.compile(r"(?<=[\w,;:] )[^\W\d_a-z]\w+(?: (?:(?:of|the|de|la|del|von|al) )?[^\W\d_a-z]\w+){0,3}")
"""Words with a capital that do not begin a sentence, up to four of them."""
_LINE_WORDS: Final = 5
_MOST_ENCODED: Final = 2_000
_LONGEST: Final = 64
"""Tokens of a keyword."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A word that may find a concept's sentences."""

    word: str
    sentences: int
    """In how many sentences of the texts it stands; of a name, how often it stands in them."""
    nearness: float | None = None
    """Correlation with the concept over sentences, or cosine by an encoder; None where the finder goes by frequency."""


def nearest(texts: Sequence[SourceText], concept: str, language: str) -> list[Proposed]:
    """Words that stand in the same sentences as *concept*, the nearest first.

    Nearness is the φ coefficient (Pearson's correlation of two yes/no columns) over the texts' sentences: 1 for words
    that stand exactly where the concept does. Those of one sentence alone, of more than half of them, and those that
    only join others (for, its) are none.
    """
    pattern = Keyword(text=concept, any_case=True, inflected=True).pattern()
    said = _said(texts, language)
    held = [bool(pattern.search(sentence)) for sentence in said]
    counts, both = Counter[str](), Counter[str]()
    words = _words(said, concept, language)
    for found, about in zip(words.of, held, strict=True):
        counts.update(found)
        both.update(found if about else ())
    proposals = [
        Proposed(word=words.shown(word), sentences=n, nearness=phi)
        for word, n in counts.items()
        if FEWEST_SENTENCES <= n <= len(said) / 2 and (phi := _phi(both[word], n, sum(held), len(said))) > 0
    ]
    return _first(proposals, MOST)


def near_in_meaning(
    texts: Sequence[SourceText], concept: str, given: Sequence[str], language: str, encoder: str
) -> list[Proposed]:
    """Words of *texts* nearest to *concept* by cosine of the vectors of *encoder*, behind all of *given* with theirs.

    *encoder* is as `numerics.weights.find` names models. Words are those that `nearest` weighs, the most frequent
    `_MOST_ENCODED` of them. Raises `UserError` without the encoder.
    """
    from gpf_desktop.numerics.language_models import load
    from gpf_desktop.numerics.sentence_vectors import unit_vectors

    model = load(encoder, "", "", _LONGEST)
    said = _said(texts, language)
    words = _words(said, concept, language)
    counts = Counter[str](word for found in words.of for word in found)
    often = [word for word, n in counts.most_common(_MOST_ENCODED) if FEWEST_SENTENCES <= n <= len(said) / 2]
    known = {each.casefold() for each in given}
    candidates = [*given, *(words.shown(word) for word in often if word not in known)]
    vectors = unit_vectors(model, [concept, *candidates])
    of_concept = vectors.get(0)
    if of_concept is None:
        return []
    proposals = [
        Proposed(word=word, sentences=counts[word.casefold()], nearness=float(vectors[at] @ of_concept))
        for at, word in enumerate(candidates, start=1)
        if at in vectors
    ]
    asked = [each for each in proposals if each.word in given]
    return _first(asked, len(asked)) + _first([each for each in proposals if each.word not in given], MOST)


@dataclass(frozen=True, slots=True)
class _Words:
    of: list[set[str]]
    """Of each sentence, in small letters; without those of the concept."""
    written: dict[str, Counter[str]]

    def shown(self, word: str) -> str:
        """The form of *word* that is written most often."""
        return self.written[word].most_common(1)[0][0]


def _words(said: Sequence[str], concept: str, language: str) -> _Words:
    own = {word.casefold() for word in _WORD.findall(concept)}
    written: dict[str, Counter[str]] = {}
    of: list[set[str]] = []
    for sentence in said:
        words = {word for word in _WORD.findall(sentence) if len(word) >= _LEAST_LETTERS}
        for word in words:
            written.setdefault(word.casefold(), Counter())[word] += 1
        of.append({word.casefold() for word in words} - own)
    empty = _function_words(written, language)
    return _Words([words - empty for words in of], written)


def _function_words(written: Mapping[str, Counter[str]], language: str) -> set[str]:
    """The words of *written* that say nothing by themselves, as the language's tagger has it; none without a tagger."""
    try:
        tells = tagger(language).tells
    except UserError:
        return set()
    return {word for word, forms in written.items() if not any(map(tells, forms))}


def _said(texts: Sequence[SourceText], language: str) -> list[str]:
    return [text.text[start:end] for text in texts for start, end in sentences(text.text, language)]


def _first(found: Sequence[Proposed], most: int) -> list[Proposed]:
    return sorted(found, key=lambda each: (-(each.nearness or 0), -each.sentences, each.word))[:most]


def names(texts: Sequence[SourceText], concept: str, links: Sequence[str] = (), most: int = MOST) -> list[Proposed]:
    """Names in *texts*: what is written with a capital inside a sentence, entries of lists, and *links* of pages that
    stand there; the most frequent first."""
    whole = "\n".join(text.text for text in texts)
    listed = [*links, *(entry for text in texts for entry in _entries(text.text))]
    candidates = dict.fromkeys((*_NAME.findall(whole), *listed))
    own = concept.casefold()
    found = [
        Proposed(word=name, sentences=n)
        for name in candidates
        if name.casefold() != own and (n := len(Keyword(text=name).pattern().findall(whole)))
    ]
    return sorted(found, key=lambda each: (-each.sentences, each.word))[:most]


def _entries(text: str) -> Iterator[str]:
    """Short lines that begin with a capital and end as no sentence does, as entries of lists do."""
    for line in map(str.strip, text.splitlines()):
        words = line.split()
        if 0 < len(words) <= _LINE_WORDS and line[0].isupper() and line[-1].isalnum():
            yield line


def _phi(both: int, word: int, concept: int, n: int) -> float:
    spread = word * (n - word) * concept * (n - concept)
    return (n * both - word * concept) / sqrt(spread) if spread else 0.0
