"""A line to look for words: in the answers that are shown, and in the whole audit."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.search_view_model import SearchViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import icon_button, link
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import ElidedLabel, label, show_words
from gpf_desktop.ui.wording import count_of


class FindLine(PlainWidget):
    """Marks all places and selects one after the other; Return goes on, Shift+Return back, Escape closes.

    Alt+Return, or the link, narrows the queue to the bundles of the audit that have the words.
    """

    left = Signal()
    found = Signal()
    """A place in the answers is selected."""

    def __init__(self, theme: Theme, answers: AnswersView, search: SearchViewModel) -> None:
        super().__init__()
        self._answers, self._search = answers, search
        self.field = SearchField(theme, tr("Find in answers, items and notes"), name="review.find")
        self._said = label("", "caption", name="review.found")
        self.everywhere = ElidedLabel("", "caption")
        self.everywhere.setObjectName("review.everywhere")
        self.narrow = link(tr("Read only these (Alt+Enter)"), self._narrow, name="review.narrow")
        row = hbox(
            (self.field, 1),
            self._said,
            icon_button(theme, "chevron-up", tr("Previous place"), lambda: self._find(-1)),
            icon_button(theme, "chevron-down", tr("Next place"), lambda: self._find(1)),
            icon_button(theme, "close", tr("Close the search"), self.left.emit),
            spacing=SPACE_2,
        )
        vbox(row, hbox((self.everywhere, 1), self.narrow, spacing=SPACE_2), parent=self, spacing=SPACE_1)
        self.field.sought.connect(self._sought)
        search.found.connect(self._show_found)
        self._show_found("")
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        match event.key():
            case Qt.Key.Key_Escape:
                self.left.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._narrow()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._find(-1 if back else 1)
            case _:
                super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._search.begin()
        self._answers.mark_found(self.field.text().strip())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._answers.mark_found("")

    def forget(self) -> None:
        """Clear the search, so that it does not go on in the next audit."""
        self.field.clear()
        self._search.look_for("")
        self.hide()

    def look_again(self) -> None:
        """Other answers are shown: go to their first place, and say how many there are."""
        if not self.isHidden() and self.field.text().strip():
            self._find(0)

    def _sought(self, words: str) -> None:
        self._answers.mark_found(words.strip())
        self._find(0)
        if words.strip() != self._search.words:
            self._search.look_for(words)

    def _find(self, step: int) -> None:
        words = self.field.text().strip()
        place, places = self._answers.seek(words, step)
        none = tr("not in these answers") if words else ""
        self._said.setText(count_of(place, places) if places else none)
        if places:
            self.found.emit()

    def _narrow(self) -> None:
        self._search.show_as_queue()

    def _show_found(self, words: str) -> None:
        show_words(self.everywhere, words)
        found = self._search.last
        self.narrow.setVisible(bool(words) and found is not None and bool(found.bundles))
