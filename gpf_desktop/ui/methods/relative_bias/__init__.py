"""The editors of a study of Relative Bias: what is asked, and how answers are judged and tested."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.relative_bias.questions_dialog import QuestionsButton
from gpf_desktop.ui.studies.form_dialog import FormButton
from gpf_desktop.ui.studies.study_view_model import StudyViewModel


def _judging(context: Context, model: StudyViewModel) -> FormButton:
    words = tr("Marking guide, margin and system prompt")
    fields = ("system_prompt", "rubric", "masks_names", "margin_k", "margin_levels")
    return FormButton(context, model, words=words, name="study.judging", fields=fields)


EDITORS = (QuestionsButton, _judging)
