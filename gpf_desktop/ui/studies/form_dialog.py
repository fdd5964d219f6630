"""Some fields of a study's protocol in the form of the page Protocol, in a dialog of the set-up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.protocol import kinds
from gpf_desktop.ui.protocol.edit_panel import TabbedForm
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.own_form import own_form
from gpf_desktop.ui.studies.editor_button import EditorButton, ProtocolDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.labels import caption, problem_label

_WIDTH, _HEIGHT = 760, 600


class FormButton(EditorButton):
    """Opens a `FormDialog` about *fields*; a method's own editors call it with their words (`functools.partial`)."""

    def __init__(
        self, context: Context, model: StudyViewModel, *, words: str, name: str, fields: Sequence[str]
    ) -> None:
        self._words, self._fields = words, tuple(fields)
        super().__init__(context, model, f"{words} …", name)

    def dialog(self) -> "FormDialog":
        method, protocol = self.model.method, self.model.protocol
        assert method is not None
        return FormDialog(self.context, method, protocol, self.window(), self._words, self._fields)


class FormDialog(ProtocolDialog):
    """Hands the next version of the study to *taken*; itself where nothing was changed."""

    def __init__(
        self, context: Context, method: Method, study: Any, parent: QWidget, title: str, fields: tuple[str, ...]
    ) -> None:
        """*study*: a protocol of *method*."""
        super().__init__(parent, title, "study.form")
        self._study, self._fields = study, fields
        self.model = _Edit(context, self, fields)
        self.form = TabbedForm(context, self.model)
        self.said = caption(name="study.form.said")
        self.problem = problem_label(name="study.form.problem")
        buttons = ok_and_cancel(self, self._use)
        self.use = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.undo = button(tr("Undo"), self.model.undo, name="study.form.undo")
        self.redo = button(tr("Redo"), self.model.redo, name="study.form.redo")
        self.as_method = button(tr("As in the method"), self._take_defaults, name="study.form.default")
        for each in (self.undo, self.redo, self.as_method):
            buttons.addButton(each, QDialogButtonBox.ButtonRole.ResetRole)
        vbox((self.form, 1), self.said, self.problem, buttons, parent=self, spacing=SPACE_2, margins=SPACE_4)
        QShortcut(QKeySequence.StandardKey.Undo, self, self.model.undo)
        QShortcut(QKeySequence.StandardKey.Redo, self, self.model.redo)
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        self.model.changed.connect(self._show)
        self.model.start(method, own_form(method.name), self._study, self._study)

    def _made(self) -> object:
        draft = self.model.own.finished(self.model.draft, self._study)
        if draft == self._study:
            return self._study
        return replace(draft, version=self._study.version + 1 if draft.name == self._study.name else 1)

    def _show(self) -> None:
        model = self.model
        if not model.editing:
            return
        self.form.show_model()
        first = model.problems.first if model.problems else None
        place = "" if first is None else kinds.place_in_words(type(model.draft), first.path)
        self.problem.setText("" if first is None else tr("{place}: {problem}.", place=place, problem=first.words))
        self.use.setEnabled(first is None and not model.checking)
        self.undo.setEnabled(bool(model.undo_words))
        self.redo.setEnabled(bool(model.redo_words))
        self.as_method.setEnabled(self._defaults() != model.draft)
        made = self._made()
        changed = made is not self._study and first is None
        words = tr("Used as {study}; rounds asked before keep what they were asked with.", study=made.title)  # type: ignore[attr-defined]
        self.said.setText(words if changed else tr("Nothing has been changed yet."))

    def _defaults(self) -> object:
        return replace(self.model.draft, **kinds.defaults_of(type(self._study), self._fields))

    def _take_defaults(self) -> None:
        self.model.put((), self._defaults(), tr("taking the method's own"), typing=False)

    def _use(self) -> None:
        self.accept()
        self.taken.emit(self._made())


class _Edit(EditViewModel):
    """Kept nowhere: it ends with its dialog."""

    def __init__(self, context: Context, parent: QObject, only: tuple[str, ...]) -> None:
        super().__init__(context, parent)
        self.only = only
