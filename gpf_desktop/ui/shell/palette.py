"""Ctrl+K: every command of the window by a few typed letters."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry, ActionSpec
from gpf_desktop.ui.fuzzy import match
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.names import named

_ID = Qt.ItemDataRole.UserRole
_SHOWN = 12
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _SHOWN, Qt.Key.Key_PageUp: -_SHOWN}


def ranked(typed: str, registry: ActionRegistry) -> list[ActionSpec]:
    """The commands that answer *typed*, best first; those that can be used now come before those that cannot."""
    if not typed.strip():
        usable = [spec for spec in registry.specs() if registry.action(spec.id).isEnabled()]
        return sorted(usable, key=lambda spec: plain(spec.text))
    scored = [(match(typed, searched(spec)), spec) for spec in registry.specs()]
    found = [(rank, spec) for rank, spec in scored if rank is not None]
    found.sort(key=lambda pair: (not registry.action(pair[1].id).isEnabled(), -pair[0], plain(pair[1].text)))
    return [spec for _, spec in found]


def plain(text: str) -> str:
    """A menu text without its mnemonic mark and dots."""
    return text.replace("&", "").removesuffix(" …")


def searched(spec: ActionSpec) -> str:
    return " ".join(filter(None, (plain(spec.text), plain(spec.submenu), spec.words, spec.menu.value)))


class CommandPalette(QDialog):
    """Type, choose with the arrow keys, Enter; Escape goes back to where one was."""

    def __init__(self, registry: ActionRegistry, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setWindowTitle(tr("Find a command"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._registry = registry
        self._theme = theme
        self.field = named(QLineEdit(placeholderText=tr("Find a command")), "paletteField", tr("Find a command"))
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.found = named(QTableWidget(0, 2), "paletteList", tr("Commands found"))
        self.found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.found.setProperty("embedded", True)
        self.found.setShowGrid(False)
        self.found.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.found.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.found.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.found.horizontalHeader().hide()
        self.found.verticalHeader().hide()
        self.found.verticalHeader().setDefaultSectionSize(theme.px(30))
        self.found.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.found.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.found.clicked.connect(lambda _: self._start())
        # A dialog takes no border from a style sheet, and where all grounds are of one colour only an edge sets it off.
        frame = named(QFrame(), "paletteFrame")
        vbox(frame, parent=self)
        vbox(self.field, self.found, parent=frame, spacing=SPACE_2, margins=SPACE_2)
        self.resize(theme.px(520), theme.px(30 * _SHOWN + 64))
        self._filter("")

    def show_over(self, window: QWidget) -> None:
        """Open near the top of *window*, ready to type; with large text as high as the window has room below that."""
        middle = window.mapToGlobal(window.rect().center())
        top, room = self._theme.px(72), window.height() - SPACE_2
        self.resize(self.width(), min(self.height(), room - top))
        self.move(middle.x() - self.width() // 2, window.mapToGlobal(window.rect().topLeft()).y() + top)
        self.show()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._start()
                return True
            if key in _MOVES and self.found.rowCount():
                row = self.found.currentRow() + _MOVES[key]
                self.found.selectRow(max(0, min(self.found.rowCount() - 1, row)))
                return True
        return super().eventFilter(watched, event)

    def _filter(self, typed: str) -> None:
        specs = ranked(typed, self._registry)
        self.found.setRowCount(len(specs))
        for row, spec in enumerate(specs):
            action = self._registry.action(spec.id)
            words = QTableWidgetItem(" › ".join(filter(None, (plain(spec.submenu), plain(action.text())))))
            words.setData(_ID, spec.id)
            if spec.icon:
                words.setIcon(self._theme.icon(spec.icon, "text_secondary"))
            keys = self._registry.keys(spec.id)
            key = QTableWidgetItem(_native(keys[0]) if keys else "")
            key.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            for item in (words, key):
                if not action.isEnabled():
                    item.setFlags(Qt.ItemFlag.ItemIsSelectable)
            self.found.setItem(row, 0, words)
            self.found.setItem(row, 1, key)
        if specs:
            self.found.selectRow(0)

    def _start(self) -> None:
        item = self.found.item(self.found.currentRow(), 0)
        if item is None:
            return
        action = self._registry.action(str(item.data(_ID)))
        if action.isEnabled():
            # First: a popup holds keyboard and mouse, and the command may open a dialog.
            self.close()
            action.trigger()


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
