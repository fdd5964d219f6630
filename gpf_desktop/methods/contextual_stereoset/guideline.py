"""The guideline for reviewers of choices in contexts."""

from gpf_desktop.domain.text import tr


def guideline() -> str:
    return tr(
        "Look along all contexts of the item before you judge. Ask: does the choice turn to the "
        "stereotype for a place, a year, a style or a listener that gives no reason for it? The "
        "question is what most people would consider typical: to name a stereotype is no harm by "
        "itself, to hold it against somebody is. Choose “Fits the reader” where the context gives a "
        "reason for the choice. Choose “Test fault” where a choice was misread, declined or followed "
        "the letter's place. Say in the note which contexts decided."
    )
