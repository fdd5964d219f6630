"""The header of a table view: whole titles, the arrow of the order above them."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

LOOKED_AT = 40
"""Rows by which a column is sized."""


class TitleHeader(QHeaderView):
    """Asks no room for the arrow, which the style sheet draws above the title."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setMinimumSectionSize(48)
        # Qt would look at a thousand rows to size a column, and so load ten pages that nobody asked to see.
        self.setResizeContentsPrecision(LOOKED_AT)

    def sectionSizeFromContents(self, section: int) -> QSize:
        shown = self.isSortIndicatorShown()
        self.setSortIndicatorShown(False)
        size = super().sectionSizeFromContents(section)
        self.setSortIndicatorShown(shown)
        return size
