"""F1: the manual, at the place that tells of where one is."""

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, QUrl
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QTreeWidgetItemIterator, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.manual import Manual, ManualSection
from gpf_desktop.ui.shell.manual_text import ManualText
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import column_of, hbox, splitter, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import caption

_PLACE = Qt.ItemDataRole.UserRole


class ManualWindow(TitledDialog):
    """Stays open beside the page: contents and a search at the left, the text at the right."""

    def __init__(self, theme: Theme, read: Manual, parent: QWidget) -> None:
        super().__init__(parent, tr("Manual"), "manual")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._theme = theme
        self._manual = read
        self._been: list[str] = []
        self._place = ""
        self.search = SearchField(theme, tr("Search the manual"), name="manual.search")
        self.search.sought.connect(self._seek)
        self.search.returnPressed.connect(self._to_first)
        self.contents = QTreeWidget()
        self.contents.setObjectName("manual.contents")
        self.contents.setAccessibleName(tr("Contents of the manual"))
        self.contents.setHeaderHidden(True)
        self.contents.header().setStretchLastSection(False)
        self.contents.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.contents.currentItemChanged.connect(self._chosen)
        self.none = caption(tr("Nothing in the manual has these words."))
        self.none.hide()
        self.text = ManualText(theme)
        self.text.anchorClicked.connect(self._follow)
        self.back = button(tr("Back"), self.go_back, name="manual.back")
        left = column_of(self.search, self.none, (self.contents, 1), spacing=SPACE_2)
        parts = splitter(left, (self.text, 1))
        vbox(
            (parts, 1),
            hbox(self.back, 1, button(tr("Close"), self.close, primary=True)),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self._list()
        standard = QKeySequence.StandardKey
        QShortcut(QKeySequence(standard.Back), self, self.go_back)
        QShortcut(QKeySequence(standard.Find), self, self._to_search)
        room = parent.screen().availableSize()
        self.resize(min(theme.px(980), room.width() - 80), min(theme.px(640), room.height() - 80))
        self._parts = parts
        theme.follow(self, self._paint)

    @property
    def place(self) -> str:
        """The place that is shown: “page” or “page#anchor”."""
        return self._place

    def go(self, place: str, *, keep: bool = True) -> None:
        """Show *place*; *keep*: one can go back to where one was."""
        page_id, _, anchor = place.partition("#")
        page = self._manual.page(page_id)
        if page is None:
            return
        if keep and self._place and self._place != place:
            self._been.append(self._place)
        if self._place.partition("#")[0] != page_id:
            self.text.show_page(page)
        self._place = place
        self.back.setEnabled(bool(self._been))
        self.text.go_to(anchor)
        # Before it is shown its lines have no width, so no place either.
        QTimer.singleShot(0, self.text, lambda: self.text.go_to(anchor) if self._place == place else None)
        item = self._item(place) or self._item(page_id)
        if item is not None:
            with QSignalBlocker(self.contents):
                self.contents.setCurrentItem(item)

    def go_back(self) -> None:
        """To where one was before; nothing where that is the first place."""
        if self._been:
            self.go(self._been.pop(), keep=False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.text.setFocus()

    def _paint(self) -> None:
        left = min(self._theme.px(270), self.width() * 2 // 5)
        self._parts.setSizes([left, self.width() - left])
        self.text.paint_anew()

    def _to_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _to_first(self) -> None:
        """To the first place that has the words."""
        found = [each for each in self.items() if not each.isHidden() and (each.parent() or not each.childCount())]
        if self.search.text() and found:
            self.contents.setCurrentItem(found[0])

    def _list(self) -> None:
        for page in self._manual.pages:
            top = QTreeWidgetItem(self.contents, [page.title])
            top.setData(0, _PLACE, page.id)
            for section in page.sections[1:]:
                if section.level == 2:
                    below = QTreeWidgetItem(top, [section.title])
                    below.setData(0, _PLACE, f"{page.id}#{section.anchor}")
        self.contents.expandAll()

    def items(self) -> list[QTreeWidgetItem]:
        """The items of the contents, from top to bottom."""
        found, walk = [], QTreeWidgetItemIterator(self.contents)
        while walk.value() is not None:
            found.append(walk.value())
            walk += 1
        return found

    def _item(self, place: str) -> QTreeWidgetItem | None:
        return next((each for each in self.items() if each.data(0, _PLACE) == place), None)

    def _chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.go(item.data(0, _PLACE))

    def _follow(self, url: QUrl) -> None:
        page = url.path().removesuffix(".md") or self._place.partition("#")[0]
        self.go(f"{page}#{url.fragment()}" if url.hasFragment() else page)

    def _seek(self, typed: str) -> None:
        """List only what has every word of *typed*, and mark these in the text."""
        words = tuple(typed.lower().split())
        found = 0
        for page in self._manual.pages:
            for place, sections in _by_place(page.id, page.sections):
                said = " ".join(f"{each.title} {each.text}" for each in sections).lower()
                has = all(word in said for word in words)
                item = self._item(place)
                if item is not None:
                    item.setHidden(not has)
                found += has
            top = self._item(page.id)
            if top is not None:
                below = [each for each in self.items() if each.parent() is top]
                top.setHidden(top.isHidden() and all(each.isHidden() for each in below))
        self.none.setVisible(not found)
        self.text.mark(words)


def _by_place(page_id: str, sections: tuple[ManualSection, ...]) -> list[tuple[str, list[ManualSection]]]:
    """Each place of the contents with what stands there, sections of the third level with the one above them."""
    made: list[tuple[str, list[ManualSection]]] = []
    for each in sections:
        if each.level == 1:
            made.append((page_id, [each]))
        elif each.level == 2:
            made.append((f"{page_id}#{each.anchor}", [each]))
        else:
            made[-1][1].append(each)
    return made


def names_around(widget: QObject | None) -> list[str]:
    """Names of *widget* and of what it is in, from within."""
    found = []
    while widget is not None:
        if widget.objectName():
            found.append(widget.objectName())
        widget = widget.parent()
    return found
