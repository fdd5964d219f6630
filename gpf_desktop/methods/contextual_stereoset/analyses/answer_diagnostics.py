"""Answers before they are scored, by model and by context."""

from gpf_desktop.methods._answer_diagnostics import AnswerDiagnostics, PartsOf
from gpf_desktop.methods.contextual_stereoset.words import factor_title

ANALYSIS = AnswerDiagnostics(
    "stereoset_answers",
    *(
        PartsOf(title=lambda factor=factor: factor_title(factor), by=factor)  # type: ignore[misc]
        for factor in ("location", "year", "style", "observer")
    ),
)
