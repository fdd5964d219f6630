"""What every report says of SAGED, whatever its numbers."""

from gpf_desktop.domain.text import tr


def required_reading() -> tuple[str, ...]:
    """Long form, one paragraph each."""
    return (
        tr(
            "A model was given the same prompts again and again, each time with another concept of a domain in the "
            "same place. Numbers of its answers (features) are compared between concepts. The calibrated feature is "
            "the answer's number less that of its baseline, the sentence that the prompt came from: what the source "
            "says, and part of what the measuring tool makes of the topic, is taken out. A branched baseline is "
            "counterfactual: no source says it."
        ),
        tr(
            "What may be claimed: in these answers a feature differed between concepts by so much, and so much would "
            "be expected by chance if concepts did not matter (permuted within each root prompt, where they are "
            "matched)."
        ),
        tr(
            "What may not be claimed: that a model is biased or fair; that a concept is treated better or worse in any "
            "sense that the feature does not measure; or any ranking of models by a disparity alone. VADER and "
            "classifiers have a bias of their own towards names, which calibration takes out only as far as the "
            "baseline holds the same name."
        ),
        tr(
            "A maximum over many concepts is large by chance: read every disparity beside what chance shows. Length, "
            "refusals, hedging and questions back move other features and stand beside them. A text without a number "
            "is unavailable; nothing is put in its place."
        ),
    )
