"""How a study's answers are judged and tested: what goes before a question, the rubric, the margin."""

from typing import Final

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QLineEdit, QPlainTextEdit, QWidget

from gpf_desktop import plain_data
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, JudgingTerms
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.editor_button import EditorButton, ProtocolDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.editors import real_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption

_WIDTH, _HEIGHT, _PROMPT_LINES = 760, 640, 3
_WIDEST: Final = 100.0
_MOST_LEVELS: Final = 9.0


class JudgingButton(EditorButton):
    """Opens the dialog from the set-up of a study."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(context, model, tr("Rubric, margin and system prompt …"), "study.judging")

    def dialog(self) -> "JudgingDialog":
        return JudgingDialog(self.context, self.model, self.window())


class JudgingDialog(ProtocolDialog):
    """Hands the next version of the study to *taken*; itself where nothing was changed."""

    def __init__(self, context: Context, model: StudyViewModel, parent: QWidget) -> None:
        super().__init__(parent, tr("How answers are judged and tested"), "judging")
        self._study: BiasStudy = model.protocol
        self._build()
        self._lay_out()
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        self.show_terms(JudgingTerms.of(self._study))
        # What the study says is where undoing ends: an empty text is no step of the auditor's.
        for text in (self.prompt, self.levels):
            text.document().clearUndoRedoStacks()
        for box in (self.margin, self.stated):
            box.valueChanged.connect(self._look)
        for changed in (self.prompt.textChanged, self.levels.textChanged, self.rubric.textChanged):
            changed.connect(self._look)
        self.masks.toggled.connect(self._look)
        self._look()

    def _build(self) -> None:
        self.prompt, self.levels = QPlainTextEdit(), QPlainTextEdit()
        self.prompt.setMaximumHeight(self.prompt.fontMetrics().lineSpacing() * _PROMPT_LINES + 16)
        self.rubric = QLineEdit()
        self.masks = QCheckBox(tr("Judges do not see what an answer says of its own model and maker"))
        self.masks.setObjectName("judging.masks")
        self.margin = real_box(0.01, _WIDEST, tr("σ"), decimals=2, step=0.1)
        self.stated = real_box(0.0, _MOST_LEVELS, tr("levels"), decimals=2, step=0.1)
        self.stated.setSpecialValueText(tr("not stated"))
        self._fields = {
            "system_prompt": FormField(
                tr("System prompt of every question"),
                self.prompt,
                help=tr("Empty, as the method advises: models answer as they come."),
                name="judging.prompt",
            ),
            "rubric": FormField(tr("Name of the rubric"), self.rubric, name="judging.rubric"),
            "levels": FormField(
                tr("Levels, a line each, from 1 on"),
                self.levels,
                help=tr("3 to 10; the first is the most neutral. Judges, and who rates blind, go by these words."),
                name="judging.levels",
            ),
            "margin_k": FormField(
                tr("Margin of the tests"),
                self.margin,
                help=tr(
                    "Differences within so many standard deviations (σ) of the baselines' means count as none: 2.81 in"
                    " the method."
                ),
                name="judging.margin",
            ),
            "margin_levels": FormField(
                tr("Too small to matter"),
                self.stated,
                help=tr(
                    "A difference in a judge's marks that you agree beforehand not to count: within it a model is"
                    " “alike”. Not stated: within the low end of the margin above, from five models compared with on."
                ),
                name="judging.stated",
            ),
        }

    def _lay_out(self) -> None:
        prompt, rubric, levels, margin, stated = self._fields.values()
        levels.setSizePolicy(levels.sizePolicy().horizontalPolicy(), self.sizePolicy().verticalPolicy())
        self.said = caption(name="judging.said")
        buttons = ok_and_cancel(self, self._use)
        self.use = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.as_method = button(tr("As in the method"), lambda: self.show_terms(JudgingTerms()), name="judging.default")
        self.as_before = button(
            tr("Undo changes"), lambda: self.show_terms(JudgingTerms.of(self._study)), name="judging.undo"
        )
        for each in (self.as_method, self.as_before):
            buttons.addButton(each, QDialogButtonBox.ButtonRole.ResetRole)
        parts = (prompt, rubric, (levels, 1), self.masks, margin, stated, self.said, buttons)
        vbox(*parts, parent=self, spacing=SPACE_2, margins=SPACE_4)

    @property
    def terms(self) -> JudgingTerms:
        """What stands in the fields."""
        return JudgingTerms(
            system_prompt=self.prompt.toPlainText().strip(),
            rubric=self.rubric.text().strip(),
            levels=tuple(filter(None, map(str.strip, self.levels.toPlainText().splitlines()))),
            masks_names=self.masks.isChecked(),
            margin_k=self.margin.value(),
            margin_levels=self.stated.value(),
        )

    def show_terms(self, terms: JudgingTerms) -> None:
        """Fill the fields, in texts as an edit that can be undone."""
        _write(self.prompt, terms.system_prompt)
        _write(self.levels, "\n".join(terms.levels))
        self.rubric.setText(terms.rubric)
        self.masks.setChecked(terms.masks_names)
        self.margin.setValue(terms.margin_k)
        self.stated.setValue(terms.margin_levels)

    def _look(self, *_: object) -> None:
        terms = self.terms
        wrong = {str(each.path[0]): each.words for each in plain_data.problems(terms)}
        for name, field in self._fields.items():
            field.set_problem(wrong.get(name, ""))
        made = terms.taken_by(self._study)
        self.use.setEnabled(not wrong)
        self.as_before.setEnabled(made != self._study)
        self.as_method.setEnabled(terms != JudgingTerms())
        said = [trn("{n} level.", "{n} levels.", len(terms.levels))]
        if made != self._study and not wrong:
            said.append(tr("Used as {study}; rounds asked before keep what they were asked with.", study=made.title))
        self.said.setText(" ".join(said))

    def _use(self) -> None:
        self.accept()
        self.taken.emit(self.terms.taken_by(self._study))


def _write(into: QPlainTextEdit, text: str) -> None:
    # Not `setPlainText`, which forgets what could be undone.
    if into.toPlainText() != text:
        cursor = into.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
