"""An explanation as lines of a table, under the letters and names that may be shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.reading_content import Reading
from gpf_desktop.ui.wording import count, decimal, percent

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation

TERMS_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine:
    """One answer's part in the score."""

    level: str
    name: str
    share: float
    without: float | None
    compound: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TermLine:
    """One term's part in the score."""

    term: str
    share: float
    most: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The panel's content, and what each card's head says."""

    summary: str
    answers: tuple[AnswerLine, ...]
    terms: tuple[TermLine, ...]
    shares: dict[str, tuple[str, str]]
    """Level → (words, help)."""


def unexplained(bundle: ReadBundle) -> str:
    """Why nothing explains the scores of *bundle*."""
    if sum(not each.answer.missing for each in bundle.answers) < 2:
        return tr("Fewer than two answers can be scored, so there is nothing to explain.")
    return tr("This method does not say which answers and words moved its scores.")


def explained(reading: Reading, explanation: "BundleExplanation") -> Explained:
    letters = reading.letters
    # Where nothing differs there is nothing to share, and no division by 0.
    whole = explanation.dispersion or 1.0
    order = [answer.level for answer in explanation.answers]
    terms = tuple(
        TermLine(
            term=term.term,
            share=term.contribution / whole,
            most=", ".join(letters[order[at]] for at in _heaviest(term.weights)),
        )
        for term in explanation.terms[:TERMS_SHOWN]
    )
    shown_share = sum(term.share for term in terms)
    every = len(explanation.terms)
    summary = tr(
        "How far apart, in words: {score}, where 0 is the same words and 1 not one in common. The shares of the "
        "{n} answers add up to it. So do those of all {terms} terms; those listed make {share}. Shares show what "
        "moved the score, not why, nor whether it is harmful.",
        score=decimal(explanation.dispersion, 2),
        n=count(len(order)),
        terms=count(every),
        share=percent(shown_share, 1),
    )
    if reading.blind:
        terms = ()
        hidden = tr("Terms are not shown while names are hidden: they would tell which answer is which.")
        summary = f"{summary} {hidden}"
    return Explained(
        summary=summary,
        answers=tuple(
            AnswerLine(
                level=answer.level,
                name=letters[answer.level] if reading.blind else f"{letters[answer.level]} · {answer.level}",
                share=answer.share,
                without=answer.without,
                compound=answer.tone.compound,
            )
            for answer in explanation.answers
        ),
        terms=terms,
        shares={
            answer.level: (
                tr("carries {share}", share=percent(answer.share, 1)),
                _carried(answer.share, answer.without, explanation.dispersion),
            )
            for answer in explanation.answers
        },
    )


def _heaviest(weights: tuple[float, ...]) -> list[int]:
    """The answers in which a term weighs at least half of its greatest weight, at most three."""
    most = max(weights)
    ranked = sorted(range(len(weights)), key=lambda at: -weights[at])
    return [at for at in ranked if weights[at] >= most / 2][:3]


def _carried(share: float, without: float | None, whole: float) -> str:
    """Sentences on an answer's share of the score, and on how far apart the others would be without it."""
    said = tr(
        "Carries {share} of how far apart the answers lie, {whole}.",
        share=percent(share, 1, 1),
        whole=decimal(whole, 2),
    )
    if without is None:
        return said
    return said + " " + tr("Without it that would be {without}.", without=decimal(without, 2))
