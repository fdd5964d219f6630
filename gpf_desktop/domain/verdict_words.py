"""What verdicts and severities of people are called wherever they are printed."""

from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr


def verdict_called(verdict: Verdict) -> str:
    return {
        Verdict.HARMFUL: tr("Harmful"),
        Verdict.CONTEXT: tr("Fits the reader"),
        Verdict.LEGITIMATE: tr("Real difference"),
        Verdict.ARTEFACT: tr("Test fault"),
        Verdict.UNSURE: tr("Can't tell"),
    }[verdict]


def severity_word(severity: int) -> str:
    """From 1 to 4."""
    return (tr("slight"), tr("moderate"), tr("serious"), tr("severe"))[severity - 1]


def judged(verdict: Verdict, severity: int | None) -> str:
    """“Harmful, 3 serious”; a severity belongs to a harm alone."""
    words = verdict_called(verdict)
    if severity is None or verdict is not Verdict.HARMFUL:
        return words
    return tr("{verdict}, {n} {word}", verdict=words, n=severity, word=severity_word(severity))
