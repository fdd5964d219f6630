"""Filters under a name: chosen, saved, replaced, renamed and deleted from one menu, named on a line beside it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu

from gpf_desktop.domain.saved_filters import LONGEST_NAME
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel
from gpf_desktop.ui.widgets.boxes import PlainWidget
from gpf_desktop.ui.widgets.buttons import PushButton, button, link
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import FlowLayout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_entry, plain_tip


class SavedFiltersButton(PushButton):
    """The menu is made anew each time that it opens."""

    name_asked = Signal(str)
    """A name is to be typed: for what is in force (empty), or a new one for the filter of this name."""

    def __init__(self, filters: FiltersViewModel) -> None:
        super().__init__(tr("Saved filters"))
        self.setObjectName("review.filter.saved")
        self.setProperty("menu", True)
        self.setAutoDefault(False)
        self._filters = filters
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self.fill)
        self.setMenu(menu)

    def fill(self) -> None:
        """Write the menu as things stand now."""
        menu, filters = self.menu(), self._filters
        menu.clear()
        # Qt's `clear` takes away what opens submenus and leaves the menus themselves, three more with each opening.
        for old in menu.findChildren(QMenu):
            old.setParent(None)
            old.deleteLater()
        for saved in filters.saved:
            action = menu.addAction(_plain(saved.name))
            action.setToolTip(plain_tip(saved.name))
            action.setCheckable(True)
            action.setChecked(saved.name == filters.name)
            action.setEnabled(filters.may_use(saved.wanted))
            if not action.isEnabled():
                action.setToolTip(tr("It may tell a model: not while names are hidden."))
            action.triggered.connect(partial(self._use, saved.name))
        if filters.saved:
            menu.addSeparator()
        menu.addAction(tr("Save this filter and order as …")).triggered.connect(partial(self._ask, ""))
        for title, do in (
            (tr("Replace with this filter"), filters.replace),
            (tr("Rename"), self.name_asked.emit),
            (tr("Delete"), filters.remove),
        ):
            submenu = menu.addMenu(title)
            submenu.setEnabled(bool(filters.saved))
            for saved in filters.saved:
                submenu.addAction(_plain(saved.name)).triggered.connect(partial(_call, do, saved.name))

    def _use(self, name: str, _checked: bool = False) -> None:
        self._filters.use(name)

    def _ask(self, name: str, _checked: bool = False) -> None:
        self.name_asked.emit(name)


class NameLine(PlainWidget):
    """A line to type a filter's name; Return keeps it, Escape does not."""

    closed = Signal()

    def __init__(self, filters: FiltersViewModel) -> None:
        super().__init__()
        self._filters = filters
        self._renamed = ""
        self._title = label("", "secondary")
        self.name = named(QLineEdit(), "review.filter.name", tr("Name of the filter"))
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setMinimumWidth(200)
        self.name.returnPressed.connect(self._keep)
        self.name.textChanged.connect(self._typed)
        self.keep = button(tr("Save"), self._keep, name="review.filter.name.save")
        FlowLayout(self, self._title, self.name, self.keep, link(tr("Cancel"), self.closed.emit))

    def open(self, renamed: str) -> None:
        """Ask for a name: for what is in force, or a new one for the filter *renamed*."""
        self._renamed = renamed
        words = tr("New name for “{name}”", name=renamed) if renamed else tr("Save this filter and order as")
        self._title.setText(words)
        self.name.setAccessibleName(words)
        self.keep.setText(tr("Rename") if renamed else tr("Save"))
        self.name.setText(renamed)
        self.name.selectAll()
        self._typed(renamed)
        self.show()
        self.name.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _typed(self, text: str) -> None:
        self.keep.setEnabled(bool(text.strip()))

    def _keep(self) -> None:
        text = self.name.text()
        if not text.strip():
            return
        if self._renamed:
            self._filters.rename(self._renamed, text)
        else:
            self._filters.save(text)
        self.closed.emit()


def _plain(name: str) -> str:
    # An ampersand in a menu marks the letter behind it.
    return plain_entry(name)


def _call(do: Callable[[str], object], name: str, _checked: bool = False) -> None:
    do(name)
