"""Writes the questions of a study: themes and questions as one text, what is lacking or nearly the same below it."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QGridLayout, QLineEdit, QPlainTextEdit, QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.set_up import WritesItems
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.writing import WritingTask, Written
from gpf_desktop.storage.files import written_whole
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.studies.editor_button import EditorButton, ProtocolDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.studies.writer_bar import PlanTasks, WriterBar
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import button, ending_buttons
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, problem_label

_WIDTH, _HEIGHT = 820, 680
_SHOWN = 5
"""Sentences below the text; how many more there are is told."""
_SHORT = 2
"""So many of the words beside the text stand beside each other; what comes after them is longer."""


class QuestionsButton(EditorButton):
    """Opens the editor of the questions from the set-up of a study."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(context, model, tr("Edit the questions …"), "study.questions")

    def dialog(self) -> "QuestionsDialog":
        return QuestionsDialog(self.context, self.model, self.window())


class QuestionsDialog(ProtocolDialog):
    """Hands the next version of the protocol to *taken*; what it says of the text is read beside the typing."""

    def __init__(self, context: Context, model: StudyViewModel, parent: QWidget) -> None:
        super().__init__(parent, tr("Questions"), "questions")
        self._context, self._protocol = context, model.protocol
        set_up = model.set_up
        assert set_up is not None
        assert isinstance(set_up, WritesItems)
        self._items: WritesItems = set_up
        column = vbox(parent=self, spacing=SPACE_2, margins=None)
        self.words: dict[str, QLineEdit] = {}
        words = QGridLayout()
        words.setSpacing(SPACE_2)
        for place, (name, (title, value)) in enumerate(self._items.words(self._protocol).items()):
            self.words[name] = QLineEdit(value)
            at = (0, place, 1, 1) if place < _SHORT else (place - 1, 0, 1, _SHORT)
            words.addWidget(FormField(title, self.words[name], name=f"questions.{name}"), *at)
        column.addLayout(words)
        self._written: list[Written] = []
        self.writer = WriterBar(context, self._items.steps, self._items.amounts, self._items.writers, self._plan)
        self.writer.wrote.connect(self._take_in)
        self.finished.connect(self.writer.cancel)
        column.addWidget(self.writer)
        column.addWidget(
            caption(tr("A theme behind a “#”, with what it is about behind a colon; below it a question a line."))
        )
        self.text = QPlainTextEdit(self._items.text(self._protocol))
        self.text.setObjectName("questions.text")
        self.text.setAccessibleName(tr("Themes and questions"))
        self.text.setTabChangesFocus(True)
        column.addWidget(self.text, 1)
        self.said = caption(name="questions.said")
        self.problem = problem_label(name="questions.problem")
        column.addWidget(self.said)
        column.addWidget(self.problem)
        buttons = ending_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.save = button(tr("Save as a table …"), self._ask_to_save, name="questions.save")
        self.use = button(tr("Use these questions"), self._use, primary=True, name="questions.use")
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.use, QDialogButtonBox.ButtonRole.AcceptRole)
        column.addWidget(buttons)
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        self.text.textChanged.connect(self._look)
        for each in self.words.values():
            each.textChanged.connect(self.writer.look)
        self._look()

    def _plan(self, step: str, amounts: Mapping[str, int]) -> PlanTasks:
        # Read here, since widgets belong to the window's thread and a plan is called on another.
        text, words = self.text.toPlainText(), {name: field.text() for name, field in self.words.items()}
        return lambda: self._items.tasks(step, text, words, amounts)

    def _take_in(self, tasks: Sequence[WritingTask], written: list[Written]) -> None:
        """As an edit like any other, which can be undone."""
        self._written += written
        # Not `setPlainText`, which forgets what could be undone.
        cursor = self.text.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(self._items.with_written(self.text.toPlainText(), tasks, written))

    def _look(self) -> None:
        self.writer.look()
        self._context.bridge.run(
            self._items.said_of,
            self.text.toPlainText(),
            then=self._looked,
            failed=self._wrong,
            owner=self,
            latest="questions",
        )

    def _looked(self, said: Sequence[str]) -> None:
        more = len(said) - _SHOWN
        told = [*said[:_SHOWN], *([trn("And {n} more.", "And {n} more.", more)] if more > 0 else [])]
        self.said.setText("\n".join(told))
        self._show_problem("")

    def _wrong(self, error: BaseException) -> None:
        if not isinstance(error, UserError):
            # Nothing of the auditor's: it goes on to where the program tells of its own faults.
            raise error
        self.said.setText("")
        self._show_problem(f"{error.what} {error.remedy}")

    def _show_problem(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        for each in (self.use, self.save):
            each.setEnabled(not words)

    def _use(self) -> None:
        words = {name: field.text() for name, field in self.words.items()}
        try:
            made = self._items.with_text(self._protocol, self.text.toPlainText(), words, self._written)
        except UserError as error:
            self._show_problem(f"{error.what} {error.remedy}")
            # What is wrong may stand in a field above: changing that does not look at the text again.
            self.use.setEnabled(True)
            return
        self.accept()
        self.taken.emit(made)

    def _ask_to_save(self) -> None:
        table = self._items.table(self.text.toPlainText())
        suggested = f"{self.words['name'].text()}.csv"

        def write(path: Path) -> None:
            self._context.bridge.run(
                partial(_write, table, path),
                failed=lambda error: self._context.messages.failure(error, topic="questions"),
                owner=self,
            )

        ask_to_save(self, tr("Save questions"), tr("Tables (*.csv)"), "csv", write, suggested=suggested)


def _write(table: str, target: Path) -> None:
    with written_whole(target) as beside:
        beside.write_text(table, encoding="utf-8", newline="")
