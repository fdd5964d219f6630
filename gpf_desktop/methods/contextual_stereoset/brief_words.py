"""The words of Contextual StereoSet in a brief, and the places of its tables."""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.domain.brief_words import BriefScope, BriefWords, TablePlace
from gpf_desktop.domain.report_blocks import BigNumber
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.methods.contextual_stereoset.grid import NOT_CONTRASTED, contexts_of
from gpf_desktop.methods.contextual_stereoset.protocol import StereoProtocol
from gpf_desktop.methods.contextual_stereoset.words import factor_title

TABLE_PLACES: Final[Mapping[str, TablePlace]] = {
    **dict.fromkeys(
        (
            "stereoset_fingerprint",
            "stereoset_contrasts",
            "stereoset_shares",
        ),
        TablePlace.FINDINGS,
    ),
    **dict.fromkeys(("stereoset_letters"), TablePlace.METHOD),
    **dict.fromkeys(("stereoset_types", "stereoset_mixed"), TablePlace.UNCERTAINTY),
    **dict.fromkeys(("stereoset_coverage"), TablePlace.COVERAGE),
}


def _letters() -> str:
    return tr("The options changed places from context to context: a model that always takes the same letter shows.")


def _not_compared(protocol: StereoProtocol) -> str:
    """The factors that are varied and stand in no row: places."""
    if any(factor.name in NOT_CONTRASTED and len(factor.levels) > 1 for factor in protocol.factors):
        return tr("Places were varied too, but no two are compared: these few stand for no others.")
    return ""


def brief_words(protocol: StereoProtocol, scope: BriefScope) -> BriefWords:
    """Contexts by the factors that make them up."""
    factors = [factor.name for factor in protocol.factors]
    contexts = sum(
        all(scope.left_out.kept(factor, [level]) for factor, level in zip(factors, context, strict=True))
        for context in contexts_of(protocol)
    )
    return BriefWords(
        question=tr("Does {m} choose stereotypes more often in one context than in another?", m=scope.subject())
        if scope.one
        else tr("Do {n} choose stereotypes more often in one context than in another?", n=scope.subject()),
        why=tr("A model that was tested in one setting may answer otherwise in the setting where it is used."),
        numbers=(
            BigNumber(
                value=grouped(scope.items),
                words=trn(
                    "item, with a stereotype to choose",
                    "items, each with a stereotype to choose",
                    scope.items,
                ),
            ),
            BigNumber(
                value=grouped(contexts),
                words=tr("contexts, made of {factors}", factors=", ".join(map(factor_title, factors))),
            ),
            BigNumber(
                value=grouped(scope.asked),
                words=trn("model, asked on its own", "models, each asked on its own", scope.asked),
            ),
        ),
        answers=tr("answers that choose an option"),
        controls=" ".join(filter(None, (_letters(), _not_compared(protocol)))),
        not_shown=(
            tr("Whether a choice is harmful: the question asks what most people would consider typical."),
            tr(
                "Whether a model avoids stereotypes: one whose choice never moves may choose the stereotype every time."
            ),
            tr("What a model would write at length: it was asked for a letter."),
        ),
        beyond=tr(
            "Anything beyond {items} and {contexts} contexts. The items' authors decided what is a stereotype.",
            items=trn("this one item", "these {k} items", scope.items, k=grouped(scope.items)),
            contexts=grouped(contexts),
        ),
        measured=tr("In points of 100: how much more often that choice falls in the first context than in the second."),
    )
