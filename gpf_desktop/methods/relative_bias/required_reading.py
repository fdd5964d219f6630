"""What every report says of the method, whatever its numbers."""

from gpf_desktop.domain.text import tr


def required_reading() -> tuple[str, ...]:
    """Long form, one paragraph each."""
    return (
        tr(
            "Several models were asked the same questions about one domain, each question in a conversation of its "
            "own. The answers to one question form a bundle. D by an encoder is the mean distance of a model's "
            "answers to the others'; D by a judge is the mean absolute distance of its level to the others' mean "
            "level, and the signed deviation says in which direction."
        ),
        tr(
            "What may be claimed: on these questions, a model's answers lay farther from those of these baselines "
            "than the baselines lie apart, or not. What may not be claimed: that a model is biased, neutral or better "
            "than another. The baselines may share a bias, and the one that differs may be right."
        ),
        tr(
            "The margin is k standard deviations of the baselines' means, and is itself an estimate from few models: "
            "its interval, and the outcome without each baseline in turn, stand beside it. Equivalent means shown to "
            "lie within the margin, deviates means shown to lie beyond it; everything else is undecided. That a model "
            "was not shown to be equivalent is no evidence that it deviates."
        ),
        tr(
            "A judge is a language model with preferences of its own. Its levels are worth what its agreement with "
            "itself, with another judge and with a person is worth. A judge that is not shown to tell these models "
            "apart again, with a lower bound of .667, says nothing about any of them. Absolute "
            "values of D mean nothing by themselves: they depend on the encoder, the scale and the models compared."
        ),
        tr(
            "A refusal in words is an answer and is scored. An answer that the interface blocked has no text: it is "
            "counted and left out, and tables by a judge stand a second time with it at the highest level."
        ),
    )
