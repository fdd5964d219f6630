"""The one box that takes anything: typed, pasted over several lines, or dropped as a file."""

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme

_MOST_LINES = 4
_AROUND = 12
"""Padding and border that the style sheet gives every field."""


class PasteBox(QPlainTextEdit):
    """One line high while one line is in it. Enter submits, Shift+Enter starts a new line."""

    submitted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sources.paste")
        self.setPlaceholderText(tr("Paste anything: a site, a feed, a sitemap, OPML, a file or news text"))
        self.setAccessibleName(tr("Paste a source"))
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(1)
        self.setAcceptDrops(True)
        self.textChanged.connect(self._fit)
        theme.follow(self, self._fit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit(self.toPlainText())
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Text is inserted; a file or link that is dropped or pasted takes the box's place and is looked at."""
        dropped = dropped_address(source)
        if dropped:
            self.setPlainText(dropped)
            self.submitted.emit(dropped)
        else:
            self.insertPlainText(source.text())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasText():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.insertFromMimeData(event.mimeData())
        event.acceptProposedAction()

    def _fit(self) -> None:
        lines = min(max(1, self.document().blockCount()), _MOST_LINES)
        needed = Qt.ScrollBarPolicy.ScrollBarAsNeeded if lines == _MOST_LINES else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(needed)
        text = lines * self.fontMetrics().lineSpacing() + 2 * int(self.document().documentMargin())
        self.setFixedHeight(text + _AROUND)


def dropped_address(mime: QMimeData) -> str:
    """The path or address of the first thing dropped; empty where it is text."""
    for url in mime.urls():
        return url.toLocalFile() if url.isLocalFile() else url.toString()
    return ""
