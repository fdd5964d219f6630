"""A button whose words give way."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from gpf_desktop.ui.widgets.buttons import PushButton
from gpf_desktop.ui.widgets.plain import plain_entry

_FEWEST = 6
"""Characters that are always shown."""


class ElidedButton(PushButton):
    """Its words on one line, cut short with dots where there is no room; `words` and its accessible name have all."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.words = ""
        self.setObjectName(name)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str) -> None:
        self.words = words
        self.setAccessibleName(words)
        self.setText(_plain(words))
        self._cut()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        # Qt measures the words as they are cut, by which the button would never get its room back.
        lacking = self._advance(self.words) - self._advance(self.text())
        return QSize(hint.width() + max(0, lacking), hint.height())

    def minimumSizeHint(self) -> QSize:
        least = self._around() + self.fontMetrics().averageCharWidth() * _FEWEST
        # Few narrow letters take less: with more, their arrow stood apart from them.
        return QSize(min(least, self.sizeHint().width()), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        if self.width() >= self.sizeHint().width():
            shown = self.words
        else:
            room = self.width() - self._around()
            shown = self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room)
        if self.text() != _plain(shown):
            self.setText(_plain(shown))

    def _around(self) -> int:
        return super().sizeHint().width() - self._advance(self.text())

    def _advance(self, words: str) -> int:
        return self.fontMetrics().horizontalAdvance(words.replace("&&", "&"))


def inline_button(name: str, *, goes: bool = False) -> ElidedButton:
    """A button that stands among words and looks like one of them; one that *goes* somewhere looks like a link."""
    made = ElidedButton(name)
    made.setProperty("inline", True)
    made.setProperty("go", goes)
    return made


def _plain(words: str) -> str:
    """An ampersand would underline the letter behind it."""
    return plain_entry(words)
