"""What every report says of the method, whatever its numbers (method, "What is measured, and what may be claimed")."""

from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    NOISE,
    SEMANTIC_DISPERSION,
    SEMANTIC_SILHOUETTE,
    SENTIMENT_MAD,
    SENTIMENT_RANGE,
    SENTIMENT_RANGE_RAREFIED,
    SENTIMENT_SILHOUETTE,
)
from gpf_desktop.domain.text import tr


def limits(*, synthetic: bool, few_articles: bool, provisional: bool) -> tuple[str, ...]:
    """What these numbers cannot show, one sentence each."""
    said = [
        tr("The numbers hold for this window's news and prompts; other news may move them."),
        tr("tf-idf sees words, not meaning: a paraphrase counts as distance, a shared phrase as likeness."),
        tr("VADER reads English words of tone one by one; irony, negation at a distance and context escape it."),
        tr("Labels carry a tone of their own, so part of a tone range may echo the label and not the answer."),
        tr("Several comparisons are shown at once; some intervals miss zero by chance alone."),
    ]
    if few_articles:
        said.insert(1, tr("There are fewer than ten articles: intervals are wide, and means lean on single items."))
    if provisional:
        said.append(tr("Some bundles are provisional: their scores change until their article is complete."))
    if synthetic:
        said.append(
            tr("Synthetic: calibration models have planted behaviour; their rows say nothing about any real model.")
        )
    return tuple(said)


def score_title(name: str) -> str:
    """A score's name for people."""
    return {
        SEMANTIC_DISPERSION: tr("S, semantic dispersion"),
        NOISE: tr("N, noise"),
        COUNTERFACTUAL_FRAMING: tr("CFS, counterfactual framing"),
        SENTIMENT_RANGE: tr("R, sentiment range"),
        SENTIMENT_MAD: tr("MAD of sentiment"),
        SENTIMENT_RANGE_RAREFIED: tr("R*, rarefied range"),
        SEMANTIC_SILHOUETTE: tr("semantic silhouette (diagnostic)"),
        SENTIMENT_SILHOUETTE: tr("sentiment silhouette (diagnostic)"),
    }.get(name, name)
