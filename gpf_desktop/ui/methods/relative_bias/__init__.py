"""The editors of a study of Relative Bias: what is asked, and how answers are judged and tested."""

from gpf_desktop.ui.methods.relative_bias.judging_dialog import JudgingButton
from gpf_desktop.ui.methods.relative_bias.questions_dialog import QuestionsButton

EDITORS = (QuestionsButton, JudgingButton)
