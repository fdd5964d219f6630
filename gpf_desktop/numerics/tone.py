"""VADER's compound of many texts at once, bit for bit what vaderSentiment 3.3.2 returns of them in one spelling.

The library looks at each word of each text in Python, lower-casing the whole text again at every word that
carries tone. Here each distinct word is looked up once; the rules then run over all words that carry tone, as
array operations in the library's own order, so that every rounding is the same. Where the installed library
does not agree on the sentences below (another version, an edited lexicon), the library itself is asked.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.numerics import tone_rules as rules
from gpf_desktop.numerics.spelling import one_spelling
from gpf_desktop.numerics.tokens import Expansion, Numbering, Ragged, TokenColumn, split
from gpf_desktop.numerics.tone_rules import ToneRule

Mask = Bools

PROBES: Final = (
    "VADER is VERY SMART, uber handsome, and FRIGGIN FUNNY!!!",
    "The plot was good, but the characters are uncompelling and the dialog is not great??",
    "At least it isn't a horrible book; never so good, the least good, without doubt great.",
    "No good, no real harm or worry. Kind of kind, sort of a great kiss of death 💘😁 :-) :D",
    "Yeah right, the bomb went off at the bus stop. This is the shit, to die for, hardly GOOD.",
    "It was bad, bad, good but good and bad, bad, never this bad!",
)
_R: Final = len(rules.ROLES) + 1

By = tuple[int, ...] | str
"""The words that made a rule act: by their distance from the word that it acts on, or as they are."""
Note = Callable[[ToneRule, Ints, Floats, Floats, By], None]
"""Is told of a rule, which of the words that carry tone it acts on, and their valences before and after."""


class Tones:
    """Compounds of many texts, sharing one numbering of tokens with whoever else reads them."""

    def __init__(self, tokens: Numbering) -> None:
        self._tokens = tokens
        self._words = rules.ToneWords()
        self._expand = Expansion(tokens, self._words.of_tokens)
        self._exclamations = TokenColumn(np.uint8)
        self._questions = TokenColumn(np.uint8)

    def compounds(self, texts: Ragged) -> Floats:
        """One compound in [-1, 1] per text of *texts* (numbers of this object's tokens)."""
        words = self.words(texts)
        valence, where = self.valences(words)
        spoken = valence != 0
        valence, where = valence[spoken], where[spoken]
        bounds = np.searchsorted(where, words.starts)
        buts = self.first_but(words)
        exclamations, questions = self.marks(texts)
        everything, places = valence.tolist(), where.tolist()
        compounds = np.zeros(len(texts))
        for row, (low, high) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
            if low == high:
                continue
            values = everything[low:high]
            if buts[row] >= 0:
                rules.turn_at_but(values, places[low:high], int(buts[row]))
            # Python's own sum, as in the library: numpy adds in another order, and from 3.12 on sum() makes good
            # for rounding.
            compounds[row] = rules.compound(sum(values), rules.emphasis(int(exclamations[row]), int(questions[row])))
        return compounds

    def words(self, texts: Ragged) -> Ragged:
        """Numbers of the library's words in each text."""
        return self._expand(texts)

    def first_but(self, words: Ragged) -> list[int]:
        """Place of the first "but" in each text, -1 where there is none."""
        found = np.flatnonzero(self._words.bits[words.values] & rules.BUT)
        first = np.full(len(words), -1, np.int64)
        owners = np.searchsorted(words.starts, found, side="right") - 1
        # Of several assignments to one place numpy keeps the last: backwards, that is the text's first "but".
        first[owners[::-1]] = found[::-1]
        return first.tolist()

    def marks(self, texts: Ragged) -> tuple[list[int], list[int]]:
        """How many "!" and "?" each text has; four of one token are as good as more."""
        spelled = [rules.spell_out(token) for token in self._tokens.strings[len(self._questions) :]]
        self._exclamations.extend([min(token.count("!"), 4) for token in spelled])
        self._questions.extend([min(token.count("?"), 4) for token in spelled])
        return _totals(texts, self._exclamations.array), _totals(texts, self._questions.array)

    def valences(self, words: Ragged, note: Note | None = None) -> tuple[Floats, Ints]:
        """The valence that each word that may carry tone adds, before "but" and punctuation, and
        its place in *words*."""
        bits, role = self._words.bits, self._words.role
        seen = bits[words.values]
        where = np.flatnonzero(seen & rules.CANDIDATE)
        owner = np.searchsorted(words.starts, where, side="right") - 1
        before = where - words.starts[owner]
        after = words.starts[owner + 1] - 1 - where
        # "Kind" before "of" dampens what follows: the library gives it no tone of its own.
        kind_of = (role[words.values[where]] == rules.ROLES["kind"]) & (after > 0)
        kind_of &= role[words.values[np.minimum(where + 1, max(len(seen) - 1, 0))]] == rules.ROLES["of"]
        kept = ~kind_of
        where, owner, before, after = where[kept], owner[kept], before[kept], after[kept]
        near = _Neighbours(self._words, words, where, before, after, note)
        return near.valences(self._mixed_case(words, seen)[owner]), where

    def _mixed_case(self, words: Ragged, seen: NDArray[np.uint8]) -> Mask:
        """Texts where some words but not all are in capitals."""
        total = np.zeros(len(seen) + 1, np.int64)
        np.cumsum((seen & rules.UPPER) != 0, out=total[1:])
        capitals = total[words.starts[1:]] - total[words.starts[:-1]]
        mixed: Mask = (capitals > 0) & (capitals < words.lengths)
        return mixed


def _totals(texts: Ragged, marks: NDArray[np.uint8]) -> list[int]:
    """Sums over each text of what its tokens have, which most have none of."""
    seen = marks[texts.values]
    found = np.flatnonzero(seen)
    owners = np.searchsorted(texts.starts, found, side="right") - 1
    totals: list[int] = np.bincount(owners, seen[found], len(texts)).astype(np.int64).tolist()
    return totals


class _Neighbours:
    """The words that carry tone with the three before and the two after each (number 0: none)."""

    def __init__(
        self, table: rules.ToneWords, words: Ragged, where: Ints, before: Ints, after: Ints, note: Note | None
    ) -> None:
        def at(step: int) -> NDArray[np.int32]:
            there = before >= -step if step < 0 else after >= step
            # numpy looks up both branches: the inner choice keeps places within the array, the outer one puts “none”
            # there.
            return np.where(there, words.values[np.where(there, where + step, 0)], 0).astype(np.int32)

        self._n = {step: at(step) for step in (-3, -2, -1, 0, 1, 2)} if len(where) else {}
        self._table = table
        self._before, self._after = before, after
        self._note = note

    def valences(self, mixed_case: Mask) -> Floats:
        if not self._n:
            return np.zeros(0)
        table, n = self._table, self._n
        self._role = {step: table.role[numbers] for step, numbers in n.items()}
        self._lexical = {step: self._bit(step, rules.LEXICAL) for step in (-3, -2, -1, 1)}
        self._mixed_case = mixed_case
        self._v = table.valence[n[0]]
        # The library's order: each rule reads what those before it left, and none may change places.
        self._as_no()
        loud = self._bit(0, rules.UPPER) & mixed_case
        self._add(ToneRule.CAPITALS, loud, np.where(self._v[loud] > 0, rules.CAPITALS, -rules.CAPITALS), "")
        self._word_before(-1, 1.0)
        self._scale(ToneRule.NEGATION, ~self._lexical[-1] & self._bit(-1, rules.NEGATES), rules.NEGATION, (-1,))
        self._word_before(-2, rules.SECOND_WORD)
        self._second_negation()
        self._word_before(-3, rules.THIRD_WORD)
        self._third_negation()
        self._idioms()
        self._least()
        return self._v

    def _bit(self, step: int, bit: int) -> Mask:
        mask: Mask = (self._table.bits[self._n[step]] & bit) != 0
        return mask

    def _is(self, step: int, *cues: str) -> Mask:
        mask: Mask = (
            np.isin(self._role[step], [rules.ROLES[cue] for cue in cues])
            if len(cues) > 1
            else (self._role[step] == rules.ROLES[cues[0]])
        )
        return mask

    def _set(self, rule: ToneRule, where: Mask | Ints, values: Floats, by: By) -> None:
        """The one way in which a rule changes valences."""
        if self._note is not None:
            which = np.arange(len(self._v))[where]
            self._note(rule, which, self._v[which], values, by)
        self._v[where] = values

    def _add(self, rule: ToneRule, where: Mask | Ints, amount: Floats, by: By) -> None:
        self._set(rule, where, self._v[where] + amount, by)

    def _scale(self, rule: ToneRule, mask: Mask, factor: float, by: By) -> None:
        where = np.flatnonzero(mask)
        self._set(rule, where, self._v[where] * factor, by)

    def _as_no(self) -> None:
        """ "No" before a word of the lexicon turns that word instead of counting itself."""
        silent = self._is(0, "no") & self._lexical[1] & (self._after > 0)
        self._set(ToneRule.NO, silent, np.zeros(int(silent.sum())), (1,))
        turned = self._is(-1, "no") | self._is(-2, "no") | (self._is(-3, "no") & self._is(-1, "or", "nor"))
        # From the lexicon anew, as in the library: it overrides what the line above silenced.
        self._set(ToneRule.NO, turned, self._table.valence[self._n[0][turned]] * rules.NEGATION, "no")

    def _word_before(self, step: int, damping: float) -> None:
        """Boosters and dampeners, louder in capitals, weaker further away."""
        boost = self._table.boost[self._n[step]]
        where = np.flatnonzero((boost != 0) & ~self._lexical[step])
        v, scalar = self._v[where], boost[where]
        # Boosters strengthen away from 0, by the sign that earlier rules left.
        scalar = np.where(v < 0, -scalar, scalar)
        loud = self._bit(step, rules.UPPER)[where] & self._mixed_case[where]
        scalar[loud] += np.where(v[loud] > 0, rules.CAPITALS, -rules.CAPITALS)
        self._add(ToneRule.BOOSTER, where, scalar if damping == 1.0 else scalar * damping, (step,))

    def _second_negation(self) -> None:
        free = ~self._lexical[-2]
        never = free & self._is(-2, "never") & self._is(-1, "so", "this")
        self._scale(ToneRule.NEVER_SO, never, rules.NEVER_SO, (-2, -1))
        doubt = self._is(-2, "without") & self._is(-1, "doubt")
        self._scale(ToneRule.NEGATION, free & ~never & ~doubt & self._bit(-2, rules.NEGATES), rules.NEGATION, (-2,))

    def _third_negation(self) -> None:
        # The rule may be met by the first word before alone, so that a third is asked for by itself.
        free = ~self._lexical[-3] & (self._before > 2)
        never = self._is(-1, "so", "this") | (self._is(-3, "never") & self._is(-2, "so", "this"))
        never &= free
        self._scale(ToneRule.NEVER_SO, never, rules.NEVER_SO, (-3, -2, -1))
        doubt = self._is(-3, "without") & (self._is(-2, "doubt") | self._is(-1, "doubt"))
        self._scale(ToneRule.NEGATION, free & ~never & ~doubt & self._bit(-3, rules.NEGATES), rules.NEGATION, (-3,))

    def _idioms(self) -> None:
        """Fixed phrases replace the valence; later assignments win, so the library's first choice comes last."""
        table = _phrases(idioms=True)
        # The library looks for phrases only where a third word stands before, even for those that begin later.
        free = ~self._lexical[-3] & (self._before > 2)
        for steps, there in (
            ((-3, -2), free),
            ((-3, -2, -1), free),
            ((-2, -1), free),
            ((-2, -1, 0), free),
            ((-1, 0), free),
            ((0, 1), free & (self._after > 0)),
            ((0, 1, 2), free & (self._after > 1)),
        ):
            code, found = self._phrase(table, steps, there)
            self._set(ToneRule.IDIOM, found, table[code], steps)
        boosters = _phrases(idioms=False)
        for steps in ((-3, -2, -1), (-3, -2), (-2, -1)):
            code, found = self._phrase(boosters, steps, free)
            self._add(ToneRule.BOOSTER, found, boosters[code], steps)

    def _phrase(self, table: Floats, steps: tuple[int, ...], there: Mask) -> tuple[Ints, Ints]:
        likely = np.flatnonzero(there & (self._role[steps[0]] != 0) & (self._role[steps[1]] != 0))
        code = np.zeros(len(likely), np.int64)
        for step in steps:
            code = code * _R + self._role[step][likely]
        if len(steps) == 3:
            code[self._role[steps[2]][likely] == 0] = 0
        hit = ~np.isnan(table[code])
        return code[hit], likely[hit]

    def _least(self) -> None:
        least = self._is(-1, "least") & ~self._lexical[-1]
        self._scale(ToneRule.NEGATION, least & ~self._is(-2, "at", "very"), rules.NEGATION, (-1,))


@cache
def _phrases(*, idioms: bool) -> Floats:
    """Valence by the roles of a phrase's words, read as digits; NaN where they make no phrase."""
    table = np.full(_R**3, np.nan)
    for phrase, value in (rules.IDIOMS if idioms else rules.BOOSTERS).items():
        words = phrase.split()
        if len(words) > 1:
            code = 0
            for word in words:
                code = code * _R + rules.ROLES[word]
            table[code] = value
    return table


@cache
def agrees_with_library() -> bool:
    """Whether the installed library still scores the probes as this module does."""
    tokens = Numbering()
    ours = Tones(tokens).compounds(split(PROBES, tokens))
    return [float(value) for value in ours] == [rules.analyser().polarity_scores(probe)["compound"] for probe in PROBES]


def library_compounds(texts: Sequence[str]) -> Floats:
    """Compounds by the library itself, one text after the other."""
    polarity = rules.analyser().polarity_scores
    return np.array([polarity(one_spelling(text))["compound"] for text in texts], np.float64)
