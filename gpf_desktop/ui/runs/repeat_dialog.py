"""Asks how often a round is repeated, by this program or by the system's scheduler."""

from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLineEdit, QPlainTextEdit, QWidget

from gpf_desktop.documents.targets import there
from gpf_desktop.domain.schedules import Schedule
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_replace
from gpf_desktop.ui.runs.repeat_view_model import AT_TIMES, RepeatViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import fill, vbox
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import FormField, offer
from gpf_desktop.ui.widgets.labels import caption, label, show_words
from gpf_desktop.ui.widgets.section import CollapsibleSection


class RepeatDialog(TitledDialog):
    """Shown above the set-up of a round; nothing waits for it."""

    def __init__(
        self,
        context: Context,
        parent: QWidget,
        setup: RunSetup | None,
        *,
        editing: Schedule | None = None,
    ) -> None:
        """For a round that is set up, or for the schedule *editing*."""
        super().__init__(parent, tr("Repeat this round"), "runs.repeatDialog")
        self.model = RepeatViewModel(context, setup, self, editing=editing)
        self.setMinimumWidth(context.theme.px(560))
        self.often = QComboBox()
        offer(self.often, self.model.choices)
        self.often.activated.connect(lambda _: self.model.choose(self.often.currentData()))
        self.times = QLineEdit(self.model.times)
        self.times.textEdited.connect(self.model.type_times)
        self._times_field = FormField(tr("Times of day"), self.times, help=tr("Local time, separated by commas."))
        self._next = caption(name="repeat.next")
        self._left = label("", "warning", wrap=True, name="repeat.left")
        self.entry = QPlainTextEdit(readOnly=True)
        self._save = button(tr("Save the plan for it"), self._save_plan, name="repeat.savePlan")
        outside = CollapsibleSection(context.theme, tr("Repeat while the program is closed"))
        fill(
            outside.body,
            caption(tr("The system's scheduler runs the round by this entry and the saved plan.")),
            FormField(tr("Entry for the scheduler"), self.entry),
            self._save,
        )
        self._buttons = ok_and_cancel(self)
        self.accepted.connect(self.model.keep)
        vbox(
            caption(self.model.about),
            FormField(tr("Repeat while the program is open"), self.often, name="repeat.often"),
            self._times_field,
            self._next,
            self._left,
            outside,
            self._buttons,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.model.changed.connect(self._show)
        self._show()

    def _save_plan(self) -> None:
        if there(self.model.plan_path):
            ask_to_replace(self, [self.model.plan_path], self.model.save_plan)
        else:
            self.model.save_plan()

    def _show(self) -> None:
        model = self.model
        self.often.setCurrentIndex(self.often.findData(model.hours) if model.hours is not None else 0)
        self._times_field.setVisible(model.hours == AT_TIMES)
        self._times_field.set_problem(model.problem)
        if not self.times.hasFocus():
            self.times.setText(model.times)
        self._next.setText(f"{model.next_text} {model.most_text}".rstrip())
        show_words(self._left, model.left_text)
        self.entry.setPlainText(model.entry_text)
        self._save.setEnabled(model.can_save_plan)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not model.problem)
