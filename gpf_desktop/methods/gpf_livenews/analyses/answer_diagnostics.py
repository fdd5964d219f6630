"""Answers before they are scored, by model and by reader."""

from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_diagnostics import AnswerDiagnostics, PartsOf
from gpf_desktop.methods.gpf_livenews.analyses._shares import where_named

ANALYSIS = AnswerDiagnostics(
    "answer_diagnostics",
    PartsOf(title=lambda: tr("Reader"), by="identity", groups=("dimension",), only=where_named),
)
