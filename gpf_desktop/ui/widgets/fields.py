"""Fields with their labels, help and problems."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy, QToolButton, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.labels import caption, label, problem_label
from gpf_desktop.ui.widgets.layouts import restyle

_SEARCH_MS = 150


class FormField(PlainWidget):
    """One field: its label above, its help below, and in place of the help what is wrong with it."""

    def __init__(self, text: str, editor: QWidget, *, help: str = "", name: str = "") -> None:  # noqa: A002
        super().__init__()
        self.editor = editor
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._label = label(text)
        self._label.setBuddy(editor)
        self._help = caption(help)
        self._problem = problem_label()
        if not editor.accessibleName():
            editor.setAccessibleName(text)
        editor.setAccessibleDescription(help)
        if name:
            editor.setObjectName(name)
        if isinstance(editor, QPlainTextEdit):
            editor.setTabChangesFocus(True)
        column = vbox(self._label, parent=self, spacing=SPACE_1)
        # A tick box carries its own words.
        self._label.setVisible(not isinstance(editor, QCheckBox))
        column.addWidget(editor)
        column.addWidget(self._help)
        # Not before it stands here: without a parent it would be shown as a window of its own.
        self._help.setVisible(bool(help))
        column.addWidget(self._problem)

    @property
    def problem(self) -> str:
        return self._problem.text()

    def hide_label(self) -> None:
        """Leave the label out: what is around the field says the same."""
        self._label.hide()

    def set_text(self, text: str) -> None:
        """Call the field *text* from now on."""
        self._label.setText(text)
        self.editor.setAccessibleName(text)

    def set_problem(self, words: str) -> None:
        """Say what is wrong; empty: nothing is."""
        self._problem.setText(words)
        self._help.setVisible(bool(self._help.text()) and not words)
        if bool(self.editor.property("problem")) != bool(words):
            self.editor.setProperty("problem", bool(words))
            restyle(self.editor)
        self.editor.setAccessibleDescription(words or self._help.text())


_AS_IT_IS: Final = object()


def offer(box: QComboBox, choices: Sequence[tuple[str, object]], chosen: object = _AS_IT_IS) -> None:
    """Have *box* list *choices*, by their words, telling nobody; where it does so already nothing moves.

    *chosen*: the value that is then chosen, the first where there is no such one.
    """
    values = [value for _, value in choices]
    with QSignalBlocker(box):
        if [(box.itemText(at), box.itemData(at)) for at in range(box.count())] != list(choices):
            box.clear()
            for words, value in choices:
                box.addItem(words, value)
        if chosen is not _AS_IT_IS:
            box.setCurrentIndex(values.index(chosen) if chosen in values else 0)


class SearchField(QLineEdit):
    """A field that filters while one types, a moment after the last letter."""

    sought = Signal(str)

    def __init__(self, theme: Theme, prompt: str, *, name: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self.setPlaceholderText(prompt)
        self.setAccessibleName(prompt)
        self.setClearButtonEnabled(True)
        glass = QAction(self)
        theme.put_icon(glass, "search", "text_secondary")
        self.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        for inner in self.findChildren(QToolButton):
            inner.setAccessibleName(tr("Clear") if inner.defaultAction() is not glass else prompt)
        self._soon = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._soon.timeout.connect(lambda: self.sought.emit(self.text()))
        self.textChanged.connect(self._soon.start)
        self.returnPressed.connect(self._now)

    def flush(self) -> None:
        """Filter now by what was typed last, where that did not happen yet."""
        if self._soon.isActive():
            self._now()

    def _now(self) -> None:
        self._soon.stop()
        self.sought.emit(self.text())
