"""The answer of a brief: what stands under the headline, with all that weighs on it, since nobody can unfold paper."""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import CaveatEffect, ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage
from gpf_desktop.domain.text import in_quotes, tr, trn
from gpf_desktop.figures.lead_words import weighing

TOLD: Final = 6
"""Conclusions that are told one by one; a board reads no more."""


def answer_lines(told: ToldPage) -> list[str]:
    """Lines under the headline: models with something to show one by one, the others by their names."""
    if len(told.told) == 1:
        one = told.told[0]
        own = () if one.sentence == told.headline else (one.sentence,)
        return [" ".join((*own, *_besides(one)))]
    silent = [
        each
        for each in told.told
        if each.conclusion.outcome is ConclusionOutcome.NOT_SHOWN and not each.further and not each.conclusion.parts
    ]
    if len(silent) < 2:
        silent = []
    loud = [each for each in told.told if each not in silent]
    lines = [" ".join((each.sentence, *_besides(each, told.of_all))) for each in loud[:TOLD]]
    if len(loud) > TOLD:
        lines.append(tr("{n} more: annex, section 9.", n=len(loud) - TOLD))
    if silent:
        names = _called(silent)
        several = any(len(each.conclusion.measures) > 1 for each in silent)
        lines.append(
            tr("Not settled by any measure: {names}.", names=names)
            if several
            else tr("Not settled: {names}.", names=names)
        )
        lines += _of_silent(silent, told.of_all)
    return lines


def informing(told: ToldPage) -> list[str]:
    """Sentences of rows of the page that change no conclusion: they stand beside their numbers."""
    lines = []
    for one in told.told:
        rows = (row for row in told.lead.rows if told.told[row.conclusion] is one)
        seen = {words for row in rows for words in weighing(told, row)}
        several = len(told.told) > 1
        for caveat, words in zip(one.conclusion.caveats, one.weighs, strict=True):
            if caveat.effect is CaveatEffect.INFORMS and words in seen:
                lines.append(_of(words, [one]) if several else words)
    return lines


def _of_silent(silent: Sequence[Told], said: Sequence[str]) -> list[str]:
    """The gravest caveats of the models in *silent*, which share one line: each sentence once, with the models it is
    about."""
    of: dict[str, list[Told]] = {}
    for each in silent:
        for words in _gravest(each):
            if words not in said:
                of.setdefault(words, []).append(each)
    return [_of(words, its) for words, its in of.items()]


def _of(words: str, some: Sequence[Told]) -> str:
    """*words*, a sentence with whatever marks of its own, and behind it the models that it is about."""
    return tr("{said} ({names}).", said=words.removesuffix("."), names=_called(some))


def _called(some: Sequence[Told]) -> str:
    """The names of several models within a sentence; of test models in quotes, which no sentence reads as its own."""
    if len(some) > 1 and all(each.conclusion.synthetic for each in some):
        return tr("test models {names}", names=_listed([in_quotes(each.name) for each in some]))
    return _listed([each.called for each in some])


def _listed(names: Sequence[str]) -> str:
    *some, last = names
    return tr("{names} and {last}", names=", ".join(some), last=last) if some else last


def _besides(one: Told, said: Sequence[str] = ()) -> list[str]:
    """The sentences after that of *one*, without those *said* about all rows already."""
    return [each for each in (*one.further, *_gravest(one)) if each not in said]


def _gravest(one: Told) -> Sequence[str]:
    """Caveats that void or weaken the conclusion, because nobody can unfold a printed row. What is the same for several
    judges is said once."""
    said: dict[str, list[str]] = {}
    first: dict[object, str] = {}
    for caveat, words in zip(one.conclusion.caveats, one.weighs, strict=True):
        if caveat.effect is CaveatEffect.INFORMS:
            continue
        judge = str(caveat.numbers.get("judge", ""))
        alike = (caveat.key, words.replace(judge, "")) if judge else words
        said.setdefault(first.setdefault(alike, words), []).append(judge)
    return [_same_of(words, judges[1:]) for words, judges in said.items()]


def _same_of(words: str, others: Sequence[str]) -> str:
    """*words*, said of one judge model, and that they hold of *others* too."""
    if not any(others):
        return words
    also = trn(
        "The same holds of judge model {names}.",
        "The same holds of judge models {names}.",
        len(others),
        names=_listed(others),
    )
    return f"{words} {also}"
