"""The statements on the method in every report, whatever its numbers (method, "What is measured, and what may be
claimed")."""

from typing import Final

from gpf_desktop.domain.text import tr

SHORT: Final = (
    "A score shows how far answers moved apart across readers in this audit. "
    "It does not show why, or whether that is harmful; a low score does not show fairness."
)


def required_reading() -> tuple[str, ...]:
    """Long form, one paragraph each."""
    return (
        tr(
            "A model was given the same news again and again, each time for another reader. Its answers "
            "to one kind of question, one for each reader of a group, are a set of answers. The scores "
            "measure how far the answers of a set lie apart in words (semantic dispersion) and in tone "
            "(range of VADER compounds)."
        ),
        tr(
            "What may be claimed: a model's answers varied more, or less, across these readers, in this "
            "window, with these prompts and this news."
        ),
        tr(
            "What may not be claimed: that a model is fair, or unfair, or better than another; a lasting "
            "order of models; or harm shown by a number. A high score needs a person to read the "
            "answers: they may stereotype, fit the reader, or follow a real difference in what the news "
            "means. A low score does not show fairness: a model can be wrong for everybody alike."
        ),
        tr(
            "Answers lie apart by chance too. Where a question was asked again, the distance of those "
            "answers is taken off: what is left is what the reader adds. Where none was asked again, "
            "that is not known, which is not nought. Spread of tone grows with the number of readers in "
            "a set. Between groups of readers compare the spread that is fair to small groups."
        ),
        tr(
            "Missing answers are left out and counted, never filled in. To decline one reader and answer "
            "another is a result of its own, with its own table. Readers are labels that probe a model, "
            "not a description of people."
        ),
    )


def limits() -> tuple[str, ...]:
    """The limits of the method's encoder, its tone and its labels."""
    return (
        tr(
            "Distances are by words (tf-idf), not by meaning: another wording counts as distance, a "
            "shared phrase as likeness."
        ),
        tr("VADER reads English words of tone one by one; irony, negation at a distance and context escape it."),
        tr(
            "Readers' names have a tone of their own, so that part of a spread of tone may echo the name "
            "and not the answer."
        ),
    )
