"""Differences of one answer from the others, word by word.

Against the *consensus*: what is here alone is in no other answer; what is missing, in at least half of them. Against a
*baseline*: sentences of the two answers are paired by likeness first, so that a moved sentence is no difference, then
compared word by word.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from gpf_desktop.engine.review.reading_aids.function_words import tells
from gpf_desktop.engine.review.reading_aids.words import Stretch, Word, joined, sentences, words

LIKE: Final = 0.45
"""Share of common words (Dice) from which two sentences are taken for two wordings of one."""


@dataclass(frozen=True, slots=True)
class MissingWords:
    """Words of the baseline that this answer lacks, and where in it they would stand."""

    at: int
    text: str
    sentence: bool = False
    """A whole one, or more."""


@dataclass(frozen=True, slots=True)
class MissingWord:
    """A word of the consensus that this answer lacks."""

    word: str
    answers: int
    """How many of the other answers have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One answer against the rest."""

    only_here: tuple[Stretch, ...] = ()
    shared: tuple[Stretch, ...] = ()
    missing: tuple[MissingWords, ...] = ()
    """In place; against a baseline only."""
    missing_words: tuple[MissingWord, ...] = ()
    """The commonest first; against the consensus only."""
    others: int = 0
    """How many other answers make the consensus."""


def against_consensus(texts: Sequence[str]) -> list[Difference]:
    """The difference of each of *texts* from all others. A single text differs from nothing."""
    split = [words(text) for text in texts]
    having: Counter[str] = Counter()
    for each in split:
        having.update({word.folded for word in each})
    return [_against(text, each, having, len(texts) - 1) for text, each in zip(texts, split, strict=True)]


def against_agreed(text: str, others: Sequence[str]) -> Difference:
    """*text* against what at least half of *others* have, of which it is none itself."""
    its = words(text)
    having = Counter({word.folded for word in its})
    for other in others:
        having.update({word.folded for word in words(other)})
    return _against(text, its, having, len(others))


def _against(text: str, its: list[Word], having: Counter[str], others: int) -> Difference:
    if others < 1:
        return Difference(shared=(Stretch(0, len(text)),) if text else ())
    own = {word.folded for word in its}
    # The text's own share is taken out: it is no witness for itself.
    agreed = {word for word, n in having.items() if 2 * (n - (word in own)) >= others}
    lacking = sorted((word for word in agreed - own if tells(word)), key=lambda word: (-having[word], word))
    return Difference(
        only_here=joined(text, [Stretch(w.start, w.end) for w in its if having[w.folded] == 1 and tells(w.folded)]),
        shared=joined(text, [Stretch(w.start, w.end) for w in its if w.folded in agreed]),
        missing_words=tuple(MissingWord(word, having[word]) for word in lacking),
        others=others,
    )


def against_baseline(text: str, baseline: str) -> Difference:
    """*text* against one other answer."""
    here, there = sentences(text), sentences(baseline)
    pairs = _paired([words(part.of(text)) for part in here], [words(part.of(baseline)) for part in there])
    only: list[Stretch] = []
    shared: list[Stretch] = []
    missing: list[MissingWords] = []
    partner_of = {theirs: ours for ours, theirs in pairs.items()}
    for ours, part in enumerate(here):
        theirs = pairs.get(ours)
        if theirs is None:
            only.append(part)
            continue
        _compare(text, part, baseline, there[theirs], only, shared, missing)
    at = 0
    for theirs, part in enumerate(there):
        if theirs in partner_of:
            # Sentences that are missing stand behind the one that their forerunner was paired with.
            at = here[partner_of[theirs]].end
        else:
            missing.append(MissingWords(at, part.of(baseline), sentence=True))
    return Difference(
        only_here=tuple(part for part in joined(text, only) if any(tells(w.folded) for w in words(part.of(text)))),
        shared=joined(text, shared),
        missing=tuple(sorted(missing, key=lambda each: each.at)),
        others=1,
    )


def _compare(
    text: str,
    here: Stretch,
    baseline: str,
    there: Stretch,
    only: list[Stretch],
    shared: list[Stretch],
    missing: list[MissingWords],
) -> None:
    ours, theirs = words(here.of(text)), words(there.of(baseline))
    # From 200 words on difflib would pass over the frequent ones of its own accord.
    matcher = SequenceMatcher(None, [w.folded for w in ours], [w.folded for w in theirs], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        stretches = [Stretch(here.start + w.start, here.start + w.end) for w in ours[a:b]]
        (shared if tag == "equal" else only).extend(stretches)
        if tag in ("insert", "replace"):
            at = here.start + (ours[b - 1].end if b > 0 else 0)
            missing.append(MissingWords(at, baseline[there.start + theirs[c].start : there.start + theirs[d - 1].end]))


def _paired(ours: list[list[Word]], theirs: list[list[Word]]) -> dict[int, int]:
    """Our sentence → theirs, the likest first, each once; unlike ones stay unpaired."""
    bags = [Counter(w.folded for w in each) for each in ours], [Counter(w.folded for w in each) for each in theirs]
    likeness = [
        # Of equally like sentences those that stand nearest to each other.
        (2 * (a & b).total() / (a.total() + b.total()), -abs(i - j), i, j)
        for i, a in enumerate(bags[0])
        for j, b in enumerate(bags[1])
        if a & b
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for like, _, i, j in sorted(likeness, reverse=True):
        if like >= LIKE and i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs
