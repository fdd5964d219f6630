"""Answers before they are scored, by model and by theme."""

from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_diagnostics import AnswerDiagnostics, PartsOf

ANALYSIS = AnswerDiagnostics("relative_bias_answers", PartsOf(title=lambda: tr("Theme"), by="theme"))
