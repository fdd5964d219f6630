"""Whether news and questions are in a language that the scores read, told before answers are paid for."""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from gpf_desktop.methods.gpf_livenews.scorers import classifier_tone, sentence_encoder
from gpf_desktop.numerics.other_languages import looks_foreign

_FEW: Final = 4
"""Letters from which a script is told: a short headline in Chinese has as many."""
_ENOUGH: Final = 40
"""Words from which a language is told by the commonest of English; of fewer, by those of others (`looks_foreign`)."""
_LATIN: Final = 0.5
"""Share of letters that are Latin below which a text is not English, whatever its words."""
_ENGLISH: Final = 0.04
"""Share of the commonest words: headlines with a description have .08 to .3, German, French and Spanish ones .03 at
most."""
_SPACELESS: Final = (("\u0e00", "\u109f"), ("\u1780", "\u17ff"), ("\u3040", "\u9fff"))


def unread(items: Sequence[StudyItem], protocol: Protocol) -> str:
    """A warning about what the scores do not read of answers in the language of *items* or of the questions; empty:
    they read all of it."""
    each_one = [f"{each.title} {each.text}" for each in items]
    news = " ".join(each_one)
    questions = " ".join(family.templates[0].replace("{identity}", "") for family in protocol.families)
    where = [
        words for text, words in ((news, tr("The news")), (questions, tr("The questions"))) if not is_english(text)
    ]
    foreign = sum(_other_script(text) or looks_foreign(text) for text in each_one)
    if not where and not foreign:
        return ""
    parted = any(map(_spaceless, (*each_one, questions)))
    if len(where) > 1:
        first = tr("The news and the questions do not look English.")
    elif where:
        first = tr("{what} may not be English.", what=where[0])
    else:
        first = tr("Of {all} articles {n} may not be English.", all=len(each_one), n=foreign)
    return " ".join(
        (
            first,
            tr("Answers that are not either have no tone to the English lexicon: nothing is said of it."),
            tr("This writing sets no spaces: a whole clause is read as one word, and answers look further apart.")
            if parted
            else tr("Words are read as they stand: a noun in two cases counts as two words."),
            tr(
                "“Measure again …” in Results reads them by a sentence encoder and a classifier of tone of many"
                " languages ({encoder}; {classifier}), beside what was planned.",
                encoder=sentence_encoder.OF_MANY_LANGUAGES,
                classifier=classifier_tone.OF_MANY_LANGUAGES,
            ),
        )
    )


def is_english(text: str) -> bool:
    """Whether *text* looks English, or is too short to tell."""
    from gpf_desktop.numerics.english import english_share

    if _other_script(text):
        return False
    if len(text.split()) < _ENOUGH:
        return not looks_foreign(text)
    return english_share([text]) >= _ENGLISH


def _other_script(text: str) -> bool:
    """Whether most letters of *text* are not Latin; a few tell it."""
    letters = [sign for sign in text if sign.isalpha()]
    return len(letters) >= _FEW and sum(sign < "\u0250" for sign in letters) < _LATIN * len(letters)


def _spaceless(text: str) -> bool:
    """Chinese, Japanese, Thai, Lao, Burmese and Khmer."""
    letters = [sign for sign in text if sign.isalpha()]
    clauses = sum(any(low <= sign <= high for low, high in _SPACELESS) for sign in letters)
    return clauses > 0.2 * max(1, len(letters))
