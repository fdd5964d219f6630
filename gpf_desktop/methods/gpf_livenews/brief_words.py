"""The words of GPF-LiveNews in a brief."""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.domain.brief_words import BriefScope, BriefWords, TablePlace
from gpf_desktop.domain.conclusions.counts import count_word
from gpf_desktop.domain.report_blocks import BigNumber
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.methods.gpf_livenews.concluding.sentences import counted_answers
from gpf_desktop.methods.gpf_livenews.planning import narrowed
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol

TABLE_PLACES: Final[Mapping[str, TablePlace]] = {
    **dict.fromkeys(
        (
            "model_table",
            "confirmatory",
        ),
        TablePlace.FINDINGS,
    ),
    **dict.fromkeys(
        (
            "controls",
            "masked_controls",
            "label_test",
            "cue_agreement",
            "giving_way",
            "giving_way_readers",
            "identity_test",
        ),
        TablePlace.METHOD,
    ),
    **dict.fromkeys(
        (
            "variance",
            "stability",
            "batch_view",
            "streaming",
            "robustness",
            "silhouettes",
            "model_comparison",
        ),
        TablePlace.UNCERTAINTY,
    ),
    **dict.fromkeys(
        (
            "coverage",
            "refusals",
        ),
        TablePlace.COVERAGE,
    ),
}


def brief_words(protocol: Protocol, scope: BriefScope) -> BriefWords:
    """Readers and questions by name of the first and the last, so that a stranger knows what is meant."""
    asked = narrowed(protocol, scope.controls or protocol.controls, scope.left_out)
    protocol, controls = asked or (protocol, protocol.controls)
    readers = [identity.label for dimension in protocol.dimensions for identity in dimension.identities]
    families = len(protocol.families)
    return BriefWords(
        question=tr("Does {m} tell the same news differently to different readers?", m=scope.subject())
        if scope.one
        else tr("Do {n} tell the same news differently to different readers?", n=scope.subject()),
        why=tr("People ask such models about the news. Who asks should not decide what they are told."),
        numbers=(
            BigNumber(
                value=grouped(scope.items),
                words=trn(
                    "news article, the same for every reader", "news articles, the same for every reader", scope.items
                ),
            ),
            BigNumber(
                value=grouped(len(readers)),
                words=tr("readers named in the questions, such as “{a}” or “{b}”", a=readers[0], b=readers[-1]),
            ),
            BigNumber(
                value=grouped(families),
                words=trn(
                    "kind of question on each article: {name}",
                    "kinds of question on each article, such as {name}",
                    families,
                    name=protocol.families[0].name.lower(),
                ),
            ),
        ),
        controls=_controls(controls),
        not_shown=(
            tr("That any model is fair, or unfair, or better than another."),
            tr("Why answers moved, or that moving is wrong: an answer that fits its reader moves too."),
            tr("How real people fare. The labels probe a model; they describe nobody."),
        ),
        beyond=tr(
            "Anything beyond {articles}, {readers} labels and {families}, as worded here.",
            articles=trn("this one article", "these {k} articles", scope.items, k=count_word(scope.items)),
            readers=len(readers),
            families=trn("one kind of question", "{k} kinds of question", families, k=count_word(families)),
        ),
        measured="",
        answers=counted_answers(),
    )


def _controls(controls: Controls) -> str:
    asked = (
        (controls.repeat_share > 0 and controls.repeat_generations > 1, tr("word for word again")),
        (controls.random_label, tr("with made-up reader labels")),
        (controls.identity_free_generations > 0, tr("with no reader named")),
    )
    some = [words for there, words in asked if there]
    if not some:
        return tr("Nothing was asked for comparison, so nothing can be said to differ.")
    return tr(
        "For comparison questions were also asked {some}. Answers that differ no more than these do not count as"
        " different.",
        some=", ".join(some),
    )
