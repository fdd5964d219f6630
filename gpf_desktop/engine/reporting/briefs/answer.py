"""The answer of a brief: what stands under the headline, with all that weighs on it, since nobody can unfold paper."""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import CaveatEffect, Conclusion, ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage, by_chance, chance_words
from gpf_desktop.domain.text import tr, trn
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
        lines.append(tr("Not settled: {names}.", names=_listed([each.name for each in silent])))
        lines += _of_silent(silent, told.of_all)
    return lines


def how_sure(told: ToldPage) -> str:
    """A sentence on how sure the headline is, with what weighs on all of it; empty if nothing could be tested."""
    real = [each.conclusion for each in told.told if not each.conclusion.synthetic]
    some = real or [each.conclusion for each in told.told]
    outcomes = {each.outcome for each in some}
    # Of several that differ the least sure one, for what is said of all.
    shown = [each for each in some if each.outcome is ConclusionOutcome.DIFFERS]
    sure = [min(ps) for each in shown if (ps := [one.p for one in each.differing if one.p is not None])]
    if not shown:
        sure = [p for each in some if each.parts and (p := _of_parts(told, each)) is not None]
    if sure:
        said = by_chance(max(sure))
    elif shown or any(each.parts for each in some):
        said = chance_words(told.page)
    elif ConclusionOutcome.ALIKE in outcomes:
        said = tr("Alike means that the whole range lies within what is too small to matter.")
    elif ConclusionOutcome.NOT_SHOWN in outcomes:
        said = tr("Not settled means that neither a difference nor its absence was shown.")
    else:
        said = ""
    return " ".join(filter(None, (said, *told.of_all)))


def informing(told: ToldPage) -> list[str]:
    """What rows of the page say that changes no conclusion: it stands beside their numbers."""
    lines = []
    for one in told.told:
        rows = (row for row in told.lead.rows if told.told[row.conclusion] is one)
        seen = {words for row in rows for words in weighing(told, row)}
        several = len(told.told) > 1
        for caveat, words in zip(one.conclusion.caveats, one.weighs, strict=True):
            if caveat.effect is CaveatEffect.INFORMS and words in seen:
                lines.append(tr("{m}: {said}", m=one.name, said=words) if several else words)
    return lines


def _of_parts(told: ToldPage, one: Conclusion) -> float | None:
    """The least p of the parts on which *one* differs, which have rows of their own."""
    rows = (row for row in told.lead.rows if told.told[row.conclusion].conclusion is one)
    differing = (cell.p for row in rows for cell in row.cells if cell.outcome is ConclusionOutcome.DIFFERS)
    return min((p for p in differing if p is not None), default=None)


def _of_silent(silent: Sequence[Told], said: Sequence[str]) -> list[str]:
    """The gravest caveats of the models in *silent*, which share one line: each sentence once, with the models it is
    about."""
    of: dict[str, list[str]] = {}
    for each in silent:
        for words in _gravest(each):
            if words not in said:
                of.setdefault(words, []).append(each.name)
    return [
        trn("The model {names}: {said}", "The models {names}: {said}", len(names), names=_listed(names), said=words)
        for words, names in of.items()
    ]


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
