"""The plan of confirmatory comparisons in words: for the set-up of a round, the protocol and every report."""

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.comparing import score_words
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory


def plan_words(plan: Confirmatory) -> str:
    """One or two sentences."""
    if not plan.scores:
        return tr("No test of means is planned beforehand: every such comparison is found on the way.")
    return tr(
        "Planned beforehand: is the mean of {scores} of each model {what}? All models and measures "
        "are counted together (Holm's correction), {alpha}% in all, at {looks} after {sizes} articles, {spending}. "
        "Every other comparison of means is found on the way.",
        what=plan.alternative.words,
        scores=tr(" and ").join(score_words(score) for score in plan.scores),
        alpha=f"{100 * plan.alpha:g}",
        looks=trn("{n} planned look", "{n} planned looks", plan.looks),
        sizes=", ".join(map(str, plan.sizes)),
        spending=plan.spending.words,
    )
