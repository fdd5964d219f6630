"""A chooser of a passage's codes: they are typed or picked without leaving the answers."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QListWidget, QListWidgetItem, QWidget

from gpf_desktop.domain.codes import CodeBook, plain_name
from gpf_desktop.domain.text import in_quotes, shortened, tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import fill, vbox
from gpf_desktop.ui.widgets.buttons import ending_buttons
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import caption, label, show_words
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip

_WIDTH, _HEIGHT = 380, 420
_SHOWN = 160
_NEW = ""
"""Stands for an id on the line that makes a code of what was typed."""


class CodeChooser(TitledDialog):
    """Typing narrows the list; Enter gives the code that is chosen, or takes it away, or makes one of that name."""

    chosen = Signal(str)
    """The id of a code."""
    created = Signal(str)
    """The name of one that is to be made."""

    def __init__(self, theme: Theme, parent: QWidget, book: CodeBook, given: Sequence[str], words: str) -> None:
        """*given*: ids that the passage has; *words*: the passage."""
        super().__init__(parent, tr("Code the passage"), "codes.chooser")
        self._book = book
        self._given = {each.id for each in book.standing_of(given)}
        self.field = named(QLineEdit(placeholderText=tr("Find a code, or name a new one")), "codes.chooser.field")
        self.field.setAccessibleName(tr("Find a code, or name a new one"))
        self.list = named(QListWidget(), "codes.chooser.list", tr("Codes"))
        self.none = label(
            tr("No codes yet. Type a short name for what you see here, and press Enter."),
            "secondary",
            wrap=True,
            name="codes.chooser.none",
        )
        self.none.setVisible(not book.offered)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(lambda _text: self._list())
        self.field.returnPressed.connect(self._take)
        self.list.itemActivated.connect(lambda _item: self._take())
        self.list.itemClicked.connect(lambda _item: self._take())
        self.list.currentRowChanged.connect(lambda _row: self._define())
        self.definition = label("", "secondary", wrap=True, name="codes.chooser.definition")
        fill(
            vbox(parent=self, spacing=SPACE_2, margins=None),
            label(in_quotes(shortened(" ".join(words.split()), _SHOWN)), wrap=True, name="codes.chooser.words"),
            self.field,
            self.none,
            (self.list, 1),
            self.definition,
            caption(tr("Enter gives the code, or takes it away. Escape leaves all as it is.")),
            ending_buttons(self, QDialogButtonBox.StandardButton.Cancel),
        )
        self.resize(theme.px(_WIDTH), theme.px(_HEIGHT))
        self._list()
        self.field.setFocus()

    def _list(self) -> None:
        sought = plain_name(self.field.text()).casefold()
        self.list.clear()
        for code in self._book.offered:
            if sought in code.name.casefold():
                given = code.id in self._given
                item = QListWidgetItem(tr("✓ {code}", code=code.name) if given else code.name)
                item.setData(Qt.ItemDataRole.UserRole, code.id)
                item.setToolTip(plain_tip(code.definition))
                spoken = tr("{code}, given already", code=code.name) if given else code.name
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
                self.list.addItem(item)
        if sought and self._book.called(sought) is None:
            item = QListWidgetItem(tr("New code “{name}”", name=plain_name(self.field.text())))
            item.setData(Qt.ItemDataRole.UserRole, _NEW)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _define(self) -> None:
        """When the code that Enter would give is meant."""
        item = self.list.currentItem() if self.list.currentRow() >= 0 else None
        code = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        found = next((each for each in self._book.offered if each.id == code), None)
        show_words(self.definition, "" if found is None else found.definition)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The arrows move in the list while one goes on typing.
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self.list.setCurrentRow(max(0, min(self.list.count() - 1, self.list.currentRow() + step)))
                return True
        return super().eventFilter(watched, event)

    def _take(self) -> None:
        item = self.list.currentItem()
        if self.list.currentRow() < 0:
            return
        code = str(item.data(Qt.ItemDataRole.UserRole))
        if code == _NEW:
            self.created.emit(plain_name(self.field.text()))
        else:
            self.chosen.emit(code)
        self.accept()
