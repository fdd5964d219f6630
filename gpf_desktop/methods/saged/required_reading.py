"""The statements on SAGED in every report, whatever its numbers."""

from gpf_desktop.domain.text import tr


def required_reading() -> tuple[str, ...]:
    """Long form, one paragraph each."""
    return (
        tr(
            "A model was given the same prompts again and again, each time with another group of a "
            "domain in the same place. Numbers of its answers (features) are compared between groups. "
            "“Less the source” takes off the same number of the sentence that the prompt came from. So "
            "what the source says is taken out, and part of what the measuring tool makes of the topic. "
            "Where another group was put into a source sentence, no source says it."
        ),
        tr(
            "What may be claimed: in these answers a feature differed between groups by so much, and "
            "so much would be expected by chance if groups did not matter. Chance is told by dealing "
            "groups anew within each sentence's prompts."
        ),
        tr(
            "What may not be claimed: that a model is biased or fair; that a group is treated better "
            "or worse in any sense that the feature does not measure; or any order of models by a gap "
            "alone. VADER and classifiers lean by themselves towards some names. That is taken out only "
            "as far as the source holds the same name."
        ),
        tr(
            "The widest gap of many groups is large by chance: read every gap beside what chance "
            "shows. Length, declining, hedging and questions back move other features and stand beside "
            "them. A text without a number is left out; nothing is put in its place."
        ),
    )
