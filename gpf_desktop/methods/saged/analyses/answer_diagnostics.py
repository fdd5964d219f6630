"""Answers before they are scored, by model and by concept."""

from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_diagnostics import AnswerDiagnostics, PartsOf

ANALYSIS = AnswerDiagnostics("saged_answers", PartsOf(title=lambda: tr("Group"), by="concept", groups=("role_play",)))
