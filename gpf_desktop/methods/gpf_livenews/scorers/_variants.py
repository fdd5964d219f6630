"""The settings under which scores of GPF-LiveNews are worth computing once more (method, "robustness")."""

from collections.abc import Sequence
from dataclasses import replace

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import ScoreVariant
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions


def variants(scorer: str, base: GpfOptions, words: Sequence[str]) -> tuple[ScoreVariant, ...]:
    """Each differs from *base* in one thing."""
    every = (FitScope.ARTICLE, FitScope.BUNDLE, FitScope.RUN, FitScope.MAIN)
    other_scopes = [scope for scope in every if scope is not base.fit_scope]
    further = (
        ("word-pairs", tr("By words, with pairs of words"), replace(base, word_pairs=True)),
        ("masked", tr("without readers' names"), replace(base, mask=tuple(words))),
        ("by-sentence", tr("tone by sentence"), replace(base, by_sentence=True)),
    )
    scopes = ((f"fit-{each}", _fitted(each), replace(base, fit_scope=each)) for each in other_scopes)
    return tuple(
        ScoreVariant(name=name, title=title, scorer=scorer, options=options)
        for name, title, options in (*scopes, *further)
    )


def differences(options: GpfOptions, others: GpfOptions) -> tuple[str, ...]:
    """What is different about *options*, in words."""
    words = []
    if options.fit_scope is not others.fit_scope:
        words.append(_fitted(options.fit_scope))
    if options.word_pairs and not others.word_pairs:
        words.append(tr("with word pairs"))
    if options.mask != others.mask:
        words.append(tr("without readers' names") if options.mask else tr("with readers' names"))
    if options.by_sentence and not others.by_sentence:
        words.append(tr("tone by sentence"))
    if options.rarefy != others.rarefy:
        words.append(tr("spread of tone of {m} answers", m=options.rarefy))
    return tuple(words)


def only_masked(options: GpfOptions, others: GpfOptions) -> bool:
    return bool(options.mask) and not others.mask and replace(options, mask=()) == others


def _fitted(scope: FitScope) -> str:
    return tr("by words, weighed over {scope}", scope=scope.words)
