"""Words about how scores were made, to stand beside every table."""

from collections.abc import Callable

from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.engine.reporting.results_filter import ScoreScope, Window
from gpf_desktop.engine.scoring.stored_scoring import costly


def sets_words(window: Window) -> str:
    """Words on how many sets of answers *window* has, and how many of these lack some: 125 of 1,008 sets of
    answers are incomplete"""
    lacking = window.bundles - window.complete
    if not lacking:
        return trn("{n} set of answers, complete", "{n:,} sets of answers, all complete", window.bundles)
    return trn(
        "{n} of {of} sets of answers is incomplete",
        "{n:,} of {of} sets of answers are incomplete",
        lacking,
        of=grouped(window.bundles),
    )


def scope_notes(scope: ScoreScope) -> tuple[str, ...]:
    """Sentences on how the scores were made, to stand beside every table."""
    if scope.setting_id is None:
        return ()
    return (
        tr(
            "Scores: {made}, settings {hash}; protocol {protocols}.",
            made=made_by(scope, lambda fit: tr("by words, weighed over {scope}", scope=fit)),
            hash=scope.hash[:12],
            protocols=", ".join(scope.protocols),
        ),
        *(
            (
                trn(
                    "The scores of {n} set were made before newer answers came and do not rest on all of them.",
                    "The scores of {n:,} sets were made before newer answers came and do not rest on all of them.",
                    scope.behind,
                ),
            )
            if scope.behind
            else ()
        ),
        *(
            (
                trn(
                    "{n} set is left aside: a model was asked the same in several rounds. The round counts in "
                    "which most of the set was answered or declined, of equals the first.",
                    "{n:,} sets are left aside: a model was asked the same in several rounds. The round counts "
                    "in which most of a set was answered or declined, of equals the first.",
                    scope.set_aside,
                ),
            )
            if scope.set_aside
            else ()
        ),
        *(
            (
                tr(
                    "This pools rounds of unlike designs: they differ in {parts}. Means of models that were not asked "
                    "alike do not compare; filter to rounds of one design.",
                    parts=", ".join(scope.unlike),
                ),
            )
            if scope.unlike
            else ()
        ),
    )


def cautions(scope: ScoreScope) -> tuple[str, ...]:
    """Cautions to know before rows are compared, in the few words that fit under a table."""
    aside = trn(
        "{n} set that was asked again is left aside.",
        "{n:,} sets that were asked again are left aside.",
        scope.set_aside,
    )
    unlike = tr("Pools rounds of unlike designs: they differ in {parts}.", parts=", ".join(scope.unlike))
    return (*((aside,) if scope.set_aside else ()), *((unlike,) if scope.unlike else ()))


def scope_words(scope: ScoreScope) -> str:
    """The same in a few words, for a line under a table."""
    made = made_by(scope, lambda fit: tr("words weighed over {scope}", scope=fit))
    return tr("{made}, settings {hash}", made=made, hash=scope.hash[:12])


def made_by(scope: ScoreScope, fitted_on: Callable[[str], str]) -> str:
    """Scorer and settings, *fitted_on* the words for its fit; what differs from the audit's primary setting is last."""
    words = [f"{scope.scorer} {scope.version}"]
    if scope.fit_scope is not None and not costly(scope.scorer):
        words.append(fitted_on(scope.fit_scope.words))
    if scope.rarefied is not None and not costly(scope.scorer):
        words.append(tr("spread of tone of {m} answers", m=scope.rarefied))
    return ", ".join((*words, scope.variant) if scope.variant else words)
