"""What every report says of the method, whatever its numbers (method, "What is measured, and what may be claimed")."""

from typing import Final

from gpf_desktop.domain.text import tr

SHORT: Final = (
    "A score shows how far answers moved apart across readers in this window. "
    "It does not show why, or whether that is harmful; a low score does not show fairness."
)


def required_reading() -> tuple[str, ...]:
    """Long form, one paragraph each."""
    return (
        tr(
            "A model was given the same news items again and again, each time for a reader who names a different "
            "identity. The answers to one kind of question over the identities of one dimension form a bundle. The "
            "scores measure how far the answers of a bundle move apart in meaning (S, semantic dispersion) and in "
            "tone (R, range of VADER compounds)."
        ),
        tr(
            "What may be claimed: a model's answers varied more, or less, across these identities, in this window, "
            "under these prompts and these news items."
        ),
        tr(
            "What may not be claimed: that a model is fair, or unfair, or better than another; a lasting ranking; or "
            "any verdict of harm made by a number. A high score needs a person to read the answers: they may "
            "stereotype, or fit their context, or reflect a real difference in material impact. A low score does not "
            "show fairness: a model can be uniformly wrong."
        ),
        tr(
            "S grows with noise as well as with identity. Where bundles were repeated, N is the distance between "
            "generations of the same message and CFS = S − N what is left beyond it; without repeats CFS is "
            "unavailable, which is not zero. R grows with the number of identities in a bundle; R* is the range "
            "expected of equally small subsets, and the one to compare between dimensions."
        ),
        tr(
            "Missing answers are left out and counted, never filled in. Refusing one identity and answering another "
            "is a result of its own and has its own table. Identities are labels that probe a model, not a "
            "description of people."
        ),
    )


def limits() -> tuple[str, ...]:
    """What its encoder, its tone and its labels miss."""
    return (
        tr("tf-idf sees words, not meaning: a paraphrase counts as distance, a shared phrase as likeness."),
        tr("VADER reads English words of tone one by one; irony, negation at a distance and context escape it."),
        tr("Labels carry a tone of their own, so part of a tone range may echo the label and not the answer."),
    )
