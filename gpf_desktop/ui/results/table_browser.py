"""All tables: a list with a search at the left, one table at a time at the right."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QScrollArea, QStyle, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.layouts import scrolling

_NAME = Qt.ItemDataRole.UserRole
_LIST = 250
"""Pixels at 100 % of the list."""


class TableBrowser(PlainWidget):
    """Says which table is wanted; what is shown of it is put into `holder`."""

    chosen = Signal(str)
    """The name of a table."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="results.tables")
        self._theme = theme
        self._listed: tuple[object, ...] = ()
        self.search = QLineEdit()
        self.search.setObjectName("tables.search")
        self.search.setPlaceholderText(tr("Find a table"))
        self.search.setAccessibleName(tr("Find a table"))
        self.search.textChanged.connect(self._filter)
        self.list = QListWidget()
        self.list.setObjectName("tables.list")
        self.list.setProperty("headed", True)
        self.list.setAccessibleName(tr("All tables"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.currentItemChanged.connect(self._changed)
        self.none = label(tr("No table has these words."), "secondary", wrap=True, name="tables.none")
        self.none.hide()
        self.holder = PlainWidget(name="tables.holder")
        self.column = vbox(parent=self.holder, spacing=SPACE_3, margins=(0, 0, SPACE_3, 0))
        self.ranges = secondary(wrap=True, name="tables.ranges")
        self.column.addWidget(self.ranges)
        self.column.addStretch(1)
        self.area: QScrollArea = scrolling(self.holder, "results.table")
        self._left = PlainWidget()
        vbox(self.search, (self.list, 1), self.none, parent=self._left, spacing=SPACE_2)
        hbox(self._left, (self.area, 1), parent=self, spacing=SPACE_3)
        theme.follow(self, self._size)

    @property
    def current(self) -> str:
        """The table that is chosen; empty: none."""
        # An index rather than an item, which Qt's stubs say is always there.
        return str(self.list.currentIndex().data(_NAME) or "")

    def show_list(self, parts: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> None:
        """*parts*: titles with the (name, title) of their tables; what is chosen stays so."""
        listed = tuple((title, tuple(tables)) for title, tables in parts)
        if listed == self._listed:
            return
        self._listed = listed
        kept = self.current
        self.list.blockSignals(True)
        self.list.clear()
        for title, tables in parts:
            if not tables:
                continue
            head = QListWidgetItem(title)
            head.setFlags(Qt.ItemFlag.NoItemFlags)
            font = head.font()
            font.setBold(True)
            head.setFont(font)
            self.list.addItem(head)
            for name, words in tables:
                item = QListWidgetItem(words)
                item.setData(_NAME, name)
                self.list.addItem(item)
        self._filter(self.search.text())
        self._size_items()
        if kept:
            self.choose(kept)
        self.list.blockSignals(False)

    def choose(self, name: str) -> bool:
        """Choose the table called *name*; False: there is none."""
        for at in range(self.list.count()):
            item = self.list.item(at)
            if item.data(_NAME) == name:
                if item.isHidden():
                    self.search.clear()
                self.list.setCurrentItem(item)
                return True
        return False

    def choose_first(self) -> None:
        for at in range(self.list.count()):
            if self.list.item(at).data(_NAME) and not self.list.item(at).isHidden():
                self.list.setCurrentRow(at)
                return

    def show_widget(self, widget: QWidget) -> None:
        """*widget* alone stands at the right."""
        self.column.insertWidget(0, widget)
        widget.show()
        self.area.verticalScrollBar().setValue(0)

    def _changed(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_NAME):
            self.chosen.emit(str(item.data(_NAME)))

    def _filter(self, words: str) -> None:
        wanted = words.casefold().split()
        head: QListWidgetItem | None = None
        shown = 0
        for at in range(self.list.count()):
            item = self.list.item(at)
            if not item.data(_NAME):
                head = item
                head.setHidden(bool(wanted))
                continue
            # By the name that exports and commands have for it too.
            known = f"{item.text()} {item.data(_NAME)}".casefold()
            fits = all(word in known for word in wanted)
            item.setHidden(not fits)
            shown += fits
            if fits and head is not None:
                head.setHidden(False)
        self.none.setVisible(not shown and bool(wanted))

    def _size(self) -> None:
        self._left.setFixedWidth(self._theme.px(_LIST))
        self._size_items()

    def _size_items(self) -> None:
        """Every title stands whole: Qt leaves the style sheet's padding out where it breaks a line."""
        bar = self.list.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        room = self._theme.px(_LIST) - bar - 2 * SPACE_3
        for at in range(self.list.count()):
            item = self.list.item(at)
            lines = QFontMetrics(item.font() if item.font().bold() else self.list.font()).boundingRect(
                0, 0, room, 1_000, Qt.TextFlag.TextWordWrap, item.text()
            )
            item.setSizeHint(QSize(0, lines.height() + SPACE_3))
