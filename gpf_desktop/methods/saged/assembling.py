"""A of SAGED without a model: sentences split into prompts and baselines, and branched."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.saged.benchmark import BenchmarkRow, Sentence
from gpf_desktop.methods.saged.branching import Branching, Flagged, branch_all
from gpf_desktop.methods.saged.replacements import Replacements
from gpf_desktop.methods.saged.sentences import Keyword
from gpf_desktop.methods.saged.verbs import TOKENS, Tagger, tagger

FIRST_WORDS: Final = 6
WORDS_MORE: Final = 3
_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_WORD: Final = re.compile(r"\w")


class LeftOut(StrEnum):
    """Why a sentence makes no prompt."""

    NO_VERB = "no_verb"
    USED_UP = "used_up"
    NO_KEYWORD = "no_keyword"

    @property
    def words(self) -> str:
        match self:
            case LeftOut.NO_VERB:
                return tr("no verb after the first six words")
            case LeftOut.USED_UP:
                return tr("the whole sentence would be used up")
            case LeftOut.NO_KEYWORD:
                return tr("the keyword would be cut off")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltBenchmark:
    """A benchmark with what was left out on the way."""

    rows: tuple[BenchmarkRow, ...]
    left_out: Mapping[LeftOut, int]
    flagged: Flagged
    tagger: str
    """Which one found the verbs, with its version; empty: nothing was split."""

    @property
    def roots(self) -> int:
        return len({row.root for row in self.rows})

    def sentences(self) -> list[str]:
        """Sentences for people on what was built."""
        said = [
            trn(
                "{n} prompt of {roots} about {concepts}.",
                "{n} prompts of {roots} about {concepts}.",
                len(self.rows),
                roots=trn("{n} root", "{n} roots", self.roots),
                concepts=trn("{n} concept", "{n} concepts", len({row.concept for row in self.rows})),
            ),
        ]
        if self.tagger:
            said.append(tr("First verbs were found by {tagger}.", tagger=self.tagger))
        said += [
            trn("{n} sentence was left out: {why}.", "{n} sentences were left out: {why}.", n, why=why.words)
            for why, n in self.left_out.items()
        ]
        return said + self.flagged.sentences()


def split_sentences(sentences: Sequence[Sentence], by: Tagger) -> tuple[list[BenchmarkRow], Counter[LeftOut]]:
    """The prompts that *sentences* begin with, and how many have none."""
    rows: list[BenchmarkRow] = []
    left_out: Counter[LeftOut] = Counter()
    for each in sentences:
        split = split_sentence(each.text, Keyword(text=each.keyword, any_case=True), by)
        if split.left_out is not None:
            left_out[split.left_out] += 1
            continue
        rows.append(
            BenchmarkRow(
                domain=each.domain,
                concept=each.concept,
                keyword=each.keyword,
                source_tag=each.source_tag,
                prompt=split.prompt,
                baseline=each.text,
                root=each.root,
            )
        )
    return rows, left_out


def make_benchmark(
    sentences: Sequence[Sentence],
    replacements: Replacements | None,
    branching: Branching,
    *,
    language: str = "en",
) -> BuiltBenchmark:
    """Split *sentences* and branch them by *replacements*; None: branch nothing. Raises `UserError`."""
    by = tagger(language)
    rows, left_out = split_sentences(sentences, by)
    flagged = Flagged(left={}, unchanged=[])
    if replacements is not None:
        rows = list(branch_all(rows, replacements, branching, flagged))
    if not rows:
        raise UserError(
            tr("None of {n} sentences makes a prompt.", n=len(sentences)),
            tr(
                "A sentence needs six words, a verb after them, more than three words behind it, and its keyword"
                " before that; {why}.",
                why="; ".join(f"{n} × {why.words}" for why, n in left_out.items()),
            ),
        )
    return BuiltBenchmark(rows=tuple(rows), left_out=left_out, flagged=flagged, tagger=by.name)


def branch_rows(
    rows: Sequence[BenchmarkRow], replacements: Replacements | None, branching: Branching
) -> BuiltBenchmark:
    """A benchmark that stands, branched by *replacements* where there are any. Raises `UserError`.

    A branch that was there and is made again gives way to the new one; the others stay.
    """
    flagged = Flagged(left={}, unchanged=[])
    if replacements is None:
        return BuiltBenchmark(rows=tuple(rows), left_out={}, flagged=flagged, tagger="")
    made = list(branch_all([row for row in rows if not row.branch], replacements, branching, flagged))
    again = {(row.root, row.concept) for row in made}
    stayed = [row for row in rows if row.branch and (row.root, row.concept) not in again]
    place = {root: at for at, root in enumerate(dict.fromkeys(row.root for row in rows))}
    return BuiltBenchmark(
        # A stable sort: within a root its own prompt stays first, before branches made now and those that stayed.
        rows=tuple(sorted((*made, *stayed), key=lambda row: place[row.root])),
        left_out={},
        flagged=flagged,
        tagger="",
    )


@dataclass(frozen=True, slots=True)
class Split:
    """A prompt, or why there is none."""

    prompt: str = ""
    left_out: LeftOut | None = None


def split_sentence(sentence: str, keyword: Keyword, tagger: Tagger) -> Split:
    """The first six words of *sentence*, on through the first verb outside brackets, and three words more."""
    tokens = list(TOKENS.finditer(sentence))
    verbs = tagger.verbs([token.group() for token in tokens])
    depth = words = 0
    last = -1
    ends: list[int] = []
    for token, verb in zip(tokens, verbs, strict=True):
        sign = token.group()
        # Never below 0: a bracket that closes nothing, as behind the letter of a list, would hide the next that opens.
        depth += (sign in _OPENS) - (sign in _CLOSES and depth > 0)
        if not _WORD.search(sign):
            continue
        words += 1
        ends.append(token.end())
        if last < 0 and verb and depth == 0 and words > FIRST_WORDS:
            last = words
    if last < 0:
        return Split(left_out=LeftOut.NO_VERB)
    if last + WORDS_MORE >= words:
        return Split(left_out=LeftOut.USED_UP)
    prompt = sentence[: ends[last + WORDS_MORE - 1]]
    if not keyword.pattern().search(prompt):
        return Split(left_out=LeftOut.NO_KEYWORD)
    return Split(prompt)
