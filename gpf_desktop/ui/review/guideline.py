"""The guideline that this audit's reviewers follow."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.section import CollapsibleSection


class Guideline(CollapsibleSection):
    """The guideline's text, editable; open where there is room until the reviewer opens or closes it."""

    edited = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Guideline"), open=False, name="review.guideline")
        self._chosen = False
        self._leads = True
        self.head.clicked.connect(self._was_chosen)
        self._words = _Words()
        self._editor = QPlainTextEdit(tabChangesFocus=True)
        self._editor.setAccessibleName(tr("Guideline for this audit"))
        self._editor.setMinimumHeight(theme.px(96))
        self._edit = button(tr("Edit"), self._begin, compact=True)
        self._keep = button(tr("Keep"), self._end, compact=True)
        for widget in (self._words, self._editor, self._edit, self._keep):
            self.body.addWidget(widget)
        self._text = self._default = ""
        self.show_text("")

    def show_text(self, text: str, by_default: str = "", *, leads: bool = True) -> None:
        """The audit's own guideline; empty: *by_default*. Text that is being edited stays. *leads*: it may be."""
        self._leads = leads
        if self._editor.isVisibleTo(self) and text == self._text:
            return
        self._text, self._default = text, by_default
        self._words.setText(text or by_default)
        self._editing(on=False)

    def fit(self, *, room: bool) -> None:
        """Open where there is *room*, unless the reviewer has chosen."""
        if not self._chosen and not self._editor.isVisibleTo(self):
            self.set_open(room)

    def _was_chosen(self) -> None:
        self._chosen = True

    def _begin(self) -> None:
        self._editor.setPlainText(self._text or self._default)
        self._editing(on=True)
        self._editor.setFocus()

    def _end(self) -> None:
        text = self._editor.toPlainText().strip()
        self._editing(on=False)
        kept = "" if text == self._default else text
        self.edited.emit(kept)
        self.show_text(kept, self._default, leads=self._leads)

    def _editing(self, *, on: bool) -> None:
        self._words.setVisible(not on)
        self._edit.setVisible(self._leads and not on)
        self._editor.setVisible(on)
        self._keep.setVisible(on)


class _Words(QLabel):
    """Wrapped text as high as it is: a form that scrolls would take its height at another width for granted."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "caption")
        self.setWordWrap(True)

    def setText(self, words: str) -> None:
        super().setText(words)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # Measured without: Qt makes it at least as high as the least height, that of a longer text before.
        self.setMinimumHeight(0)
        height = self.heightForWidth(self.width())
        if height > 0:
            self.setFixedHeight(height)
