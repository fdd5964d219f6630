"""The statements on the method in every report, whatever its numbers."""

from gpf_desktop.domain.text import tr


def required_reading() -> tuple[str, ...]:
    """Long form, one paragraph each."""
    return (
        tr(
            "Several models were asked the same questions about one domain, each question in a "
            "conversation of its own. The answers to one question are a set. By words or meaning, a "
            "model lies as far off as the mean distance of its answers from the others'. By a judge "
            "model it lies as far off as its mark from the others' mean mark; marked higher or lower "
            "says in which direction."
        ),
        tr(
            "What may be claimed: on these questions, a model's answers lay further from those of the "
            "models compared than these lie apart, or not. What may not be claimed: that a model is "
            "biased, neutral or better than another. The models compared may all be wrong together, and "
            "the one that differs may be right."
        ),
        tr(
            "What is too small to matter is k standard deviations of the means of the models compared. "
            "It is itself an estimate from few models: its range, and the conclusion without each of "
            "them, stand beside it. Alike means shown to lie within it, differs means shown to lie "
            "beyond it; everything else is not settled. That a model was not shown to be alike does not "
            "mean that it differs."
        ),
        tr(
            "A judge model is a language model with preferences of its own. Its marks are worth what its "
            "agreement with itself, with another judge model and with a person is worth. One that is not "
            "shown to tell these models apart again, at 0.667 or more, says nothing about any of them. "
            "Distances mean nothing by themselves: they depend on the measure, the scale and the models "
            "compared."
        ),
        tr(
            "An answer that declines in its own words is an answer, and is measured. One that the "
            "provider blocked has no text: it is counted and left out, and tables by a judge model stand "
            "a second time with it at the highest mark."
        ),
    )
