"""Varied synthetic English for benchmarks: each article has its own words, each answer its own sentences."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain, product

from gpf_desktop.domain.scores import BundleAnswers, FitGroup

DIMENSION_SIZES = (7, 7, 8, 6, 9, 5)
FAMILIES = 7


def _split(words: str) -> list[str]:
    return words.split()


_COMMON = _split(
    """
    the of to and in a for is that on with as it this by are be from your you may will at have not or an
    which their can how more news people who about but could would might these when if some them also
    such other what into through only because while community policy local change article impact many
    should there where been
    """
)
_TONE = _split(
    """
    good bad hope worry fear support help harm benefit risk loss gain trust concern care pain proud sad
    angry happy strong weak safe danger fair unfair great terrible hopeful anxious relief stress improve
    threat love hate win lose success failure respect insult calm crisis positive negative very
    extremely hardly never no
    """
)
_STARTS = _split(
    """
    ba be bi bo bra cho cla co cre da de dri e fa fe fla ga gre ha he i ju ka la le li ma me mo na ne no
    o pa
    """
)
_MIDDLES = _split(
    """
    bil cen der fin gor han kel lan lim mar nes nor pel ran ren sal san sel tan ter tim tor val ven ver
    """
)
_ENDS = _split(
    """
    al ance ate ding ed ence ent er est ible ing ion ist ity ive less ment ness or ous s th ure y
    """
)


@cache
def _words() -> list[str]:
    made = ["".join(parts) for parts in product(_STARTS, _MIDDLES, _ENDS)]
    random.Random(7).shuffle(made)
    return made


def _answer(rnd: random.Random, topic: list[str], shared: list[str], words: int) -> str:
    pool = rnd.choices(_COMMON, _zipf(len(_COMMON)), k=words // 2)
    pool += rnd.choices(topic, k=words // 4) + rnd.choices(shared, k=words // 6) + rnd.choices(_TONE, k=words // 14)
    pool += rnd.choices(_words(), k=words // 30)
    rnd.shuffle(pool)
    sentences = []
    place = 0
    while place < len(pool):
        size = rnd.randint(7, 24)
        sentence = pool[place : place + size]
        place += size
        if rnd.random() < 0.1:
            sentence[-1] = sentence[-1].upper()
        text = " ".join(sentence)
        sentences.append(text[0].upper() + text[1:] + rnd.choice((".", ".", ".", ".", "!", "?")))
    return " ".join(sentences).replace(" which ", ", which ").replace(" not ", " don\u2019t ", 1)


@cache
def _zipf(n: int) -> tuple[float, ...]:
    return tuple(1 / (rank + 3) for rank in range(n))


def articles(bundles: int, *, seed: int = 1, words: int = 200, repeated: float = 0.14) -> Iterator[FitGroup]:
    """Fit groups of one (model, article) each, 42 bundles of 5 to 9 answers, until *bundles* are made.

    Half of an answer's topic words are its article's, some are its dimension's; a share *repeated* of the bundles
    has three generations of every identity.
    """
    rnd = random.Random(seed)
    made = 0
    while made < bundles:
        texts: list[str] = []
        group: list[BundleAnswers] = []
        topic = rnd.sample(_words(), 120)
        for size in first_sizes(min(bundles - made, len(DIMENSION_SIZES) * FAMILIES)):
            shared = rnd.sample(_words(), 40)
            generations = 3 if rnd.random() < repeated else 1
            cells = list(product(range(size), range(generations)))
            first = len(texts)
            texts.extend(_answer(rnd, topic, shared, rnd.randint(words - 60, words + 60)) for _ in cells)
            group.append(
                BundleAnswers(
                    bundle=made,
                    planned=size,
                    rows=tuple(range(first, first + len(cells))),
                    levels=tuple(f"identity {identity}" for identity, _ in cells),
                    repeats=tuple(repeat for _, repeat in cells),
                )
            )
            made += 1
        yield FitGroup(texts=tuple(texts), bundles=tuple(group))


def first_sizes(count: int) -> list[int]:
    """The sizes of an article's first *count* bundles: every dimension in every family."""
    return list(chain.from_iterable(DIMENSION_SIZES for _ in range(FAMILIES)))[:count]
