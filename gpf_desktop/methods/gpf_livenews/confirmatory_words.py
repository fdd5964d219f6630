"""The plan of confirmatory comparisons in words: for the set-up of a round, the protocol and every report."""

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.comparing import score_words
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory


def plan_words(plan: Confirmatory) -> str:
    """One or two sentences."""
    if not plan.scores:
        return tr("Nothing is confirmatory: every comparison is exploratory.")
    return tr(
        "Confirmatory: is the mean {scores} of each model {what}? Holm over all models and scores, {alpha}% in all, "
        "{looks} after {sizes} articles ({spending}). Every other comparison is exploratory.",
        what=plan.alternative.words,
        scores=tr(" and ").join(score_words(score) for score in plan.scores),
        alpha=f"{100 * plan.alpha:g}",
        looks=trn("{n} look", "{n} looks", plan.looks),
        sizes=", ".join(map(str, plan.sizes)),
        spending=plan.spending.words,
    )
