"""A page of the manual as rich text in the colours and the size of the window."""

import re
from typing import Any, Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QFont,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.manual import ManualPage, manual_picture
from gpf_desktop.ui.reports.inert_text import InertBrowser
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import READING_LINE_HEIGHT, SPACE_1, SPACE_2, SPACE_4

_WIDEST: Final = 680
"""Pixels at 100 %: about 75 letters."""
_PICTURE: Final = "\ufffc"
_DESCRIBED: Final = re.compile(r"!\[[^\]]*\]")
_HEADS: Final = {1: 1.6, 2: 1.25, 3: 1.05}
"""Sizes of headings, in sizes of the text."""


class ManualText(InertBrowser):
    """Shows one page; pictures come from the manual's own folder alone."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(tr("Text of the manual"), "manual.text")
        self._theme = theme
        self._page: ManualPage | None = None
        self._sought: tuple[str, ...] = ()
        self._pictured = 0
        """How wide its pictures are; 0: it has none."""

    def show_page(self, page: ManualPage) -> None:
        """Show *page* from its beginning."""
        self._page = page
        theme = self._theme
        self.set_widest(theme.px(_WIDEST))
        document = self.document()
        document.setDefaultFont(theme.reading_font())
        document.setDocumentMargin(SPACE_4)
        self._pictured = self._most() if "![" in page.text else 0
        # Of a description on two lines Qt makes a picture for each.
        self.setMarkdown(_DESCRIBED.sub(lambda found: found[0].replace("\n", " "), page.text))
        self._dress()
        self.mark(self._sought)

    def paint_anew(self) -> None:
        """After the look has changed."""
        if self._page is not None:
            place = self.verticalScrollBar().value() / max(1, self.verticalScrollBar().maximum())
            self.show_page(self._page)
            self.verticalScrollBar().setValue(round(place * self.verticalScrollBar().maximum()))

    def go_to(self, anchor: str) -> bool:
        """Bring the section to the top; False: there is none of that name."""
        anchors = () if self._page is None else self._page.anchors
        heads = (each for each in self._blocks() if each.blockFormat().headingLevel())
        block = next((head for head, its in zip(heads, anchors, strict=False) if its == anchor), None)
        if block is None:
            self.verticalScrollBar().setValue(0)
            return not anchor
        layout = self.document().documentLayout()
        self.verticalScrollBar().setValue(round(layout.blockBoundingRect(block).top()) - SPACE_2)
        return True

    def mark(self, words: tuple[str, ...]) -> None:
        """Mark every place of each of *words*."""
        self._sought = words
        marks = []
        for word in words:
            cursor = self.document().find(word)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor
                mark.format.setBackground(self._theme.color("only_here"))
                marks.append(mark)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marks)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        file = manual_picture(QUrl(name).fileName())
        if file.suffix == ".png" and file.is_file():
            image = QImage(str(file))
            ratio = self.devicePixelRatio()
            made = image.scaledToWidth(round(self._most() * ratio), Qt.TransformationMode.SmoothTransformation)
            made.setDevicePixelRatio(ratio)
            return made
        return super().loadResource(kind, name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._pictured not in (0, self._most()):
            self.paint_anew()

    def _most(self) -> int:
        """Pixels that a picture may be wide."""
        return max(160, min(self._theme.px(_WIDEST), self.width()) - 4 * SPACE_4)

    def _blocks(self) -> list[QTextBlock]:
        found, block = [], self.document().begin()
        while block.isValid():
            found.append(block)
            block = block.next()
        return found

    def _dress(self) -> None:
        points = self.document().defaultFont().pointSizeF()
        for block in self._blocks():
            cursor = QTextCursor(block)
            shape = QTextBlockFormat()
            # Of a picture, which is a letter to Qt, the height of a line is its own.
            high = 100 if _PICTURE in block.text() else READING_LINE_HEIGHT
            shape.setLineHeight(high, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            level = block.blockFormat().headingLevel()
            if level:
                shape.setTopMargin(points * (0.4 if level == 1 else 1.4))
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                words = cursor.charFormat()
                # Where it stands, Qt takes no size.
                words.clearProperty(QTextFormat.Property.FontSizeAdjustment)
                words.setFontPointSize(points * _HEADS[level])
                words.setFontWeight(QFont.Weight.DemiBold)
                cursor.setCharFormat(words)
            elif block.textList() is not None:
                shape.setBottomMargin(SPACE_1)
            cursor.mergeBlockFormat(shape)
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                made = frame.format()
                made.setBorder(1)
                made.setBorderCollapse(True)
                made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                made.setBorderBrush(QBrush(self._theme.color("border")))
                made.setCellPadding(SPACE_2)
                made.setCellSpacing(0)
                frame.setFormat(made)
