"""A line to look for words in the answers that are shown."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.buttons import icon_button
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.wording import count_of


class FindLine(QWidget):
    """Selects what is found, one place after the other; Return goes on, Shift+Return back, Escape closes."""

    left = Signal()

    def __init__(self, theme: Theme, answers: AnswersView) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._answers = answers
        self.field = SearchField(theme, tr("Find in the answers"), name="review.find")
        self._said = label("", "caption", name="review.found")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_2)
        row.addWidget(self.field, 1)
        row.addWidget(self._said)
        row.addWidget(icon_button(theme, "chevron-up", tr("Previous place"), lambda: self._find(-1)))
        row.addWidget(icon_button(theme, "chevron-down", tr("Next place"), lambda: self._find(1)))
        row.addWidget(icon_button(theme, "close", tr("Close the search"), self.left.emit))
        self.field.sought.connect(lambda _words: self._find(0))
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.left.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._find(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            case _:
                super().keyPressEvent(event)

    def _find(self, step: int) -> None:
        words = self.field.text().strip()
        place, places = self._answers.seek(words, step)
        none = tr("not in these answers") if words else ""
        self._said.setText(count_of(place, places) if places else none)
