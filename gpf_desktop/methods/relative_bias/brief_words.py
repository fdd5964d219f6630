"""The words of Relative Bias in a brief."""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.domain.brief_words import BriefScope, BriefWords, TablePlace
from gpf_desktop.domain.conclusions.counts import count_word
from gpf_desktop.domain.report_blocks import BigNumber
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.methods.relative_bias.protocol import BiasStudy

TABLE_PLACES: Final[Mapping[str, TablePlace]] = {
    **dict.fromkeys(
        (
            "relative_bias_tests",
            "relative_bias_models",
            "relative_bias_themes",
        ),
        TablePlace.FINDINGS,
    ),
    **dict.fromkeys(
        (
            "relative_bias_judges",
            "relative_bias_correlations",
        ),
        TablePlace.METHOD,
    ),
    **dict.fromkeys(
        (
            "relative_bias_left_out",
            "relative_bias_every_target",
        ),
        TablePlace.UNCERTAINTY,
    ),
}


def brief_words(protocol: BiasStudy, scope: BriefScope) -> BriefWords:
    """The model under study stands in the question, those that it is held against in the numbers."""
    # A domain is a title where it stands alone, and part of a sentence here.
    domain = f"the {protocol.domain[4:]}" if protocol.domain.startswith("The ") else protocol.domain
    about = tr(" about {domain}", domain=domain) if domain else ""
    named = scope.left_out.kept("theme", (theme.name for theme in protocol.themes))
    themes = len(named)
    return BriefWords(
        question=_question(scope, about),
        why=tr("What many people are told about a contested matter should not hang on which model they happen to ask."),
        numbers=(
            BigNumber(
                value=grouped(scope.items),
                words=trn("question, the same for every model", "questions, the same for every model", scope.items),
            ),
            BigNumber(
                value=grouped(themes),
                words=trn("theme: {name}", "themes, such as {name}", themes, name=named[0]),
            ),
            BigNumber(
                value=grouped(scope.asked),
                words=trn("model, asked on its own", "models, each asked on its own", scope.asked),
            ),
        ),
        controls=tr(
            "How far the others lie from each other is the yardstick. A model differs only where it lies further off"
            " than they do."
        ),
        not_shown=(
            tr("Which of the models is right. The one that differs may be the one that is right."),
            tr("That a model which answers much as the others is neutral: all may be wrong together."),
            tr("Anything about a model alone: each number depends on the models that it is compared with."),
        ),
        beyond=tr(
            "Anything beyond {n} and the models named here.",
            n=trn("this one question", "these {k} questions", scope.items, k=grouped(scope.items)),
        ),
        measured=tr(
            "Distance less the others' own: 0 is like them, 1 as far as they lie apart. Below 0 is closer to the rest"
            " than they are, or marked lower."
        ),
    )


def _question(scope: BriefScope, about: str) -> str:
    if not scope.one:
        return tr("Do {n} answer questions{about} differently from each other?", n=scope.subject(), about=about)
    if scope.asked < 2:
        return tr("Does {m} answer questions{about} differently from other models?", m=scope.subject(), about=about)
    return tr(
        "Does {m} answer questions{about} differently from {k} other models?",
        m=scope.subject(),
        about=about,
        k=count_word(scope.asked - 1),
    )
