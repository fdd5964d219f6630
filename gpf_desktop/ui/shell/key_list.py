"""`?`: the list of keys, and the place to change them."""

from PySide6.QtGui import QFontMetrics, QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry, ActionSpec, Menu
from gpf_desktop.ui.fuzzy import match
from gpf_desktop.ui.shell.palette import plain, searched
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4, SPACE_5
from gpf_desktop.ui.widgets.boxes import hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import caption, heading, label, problem_label
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling

_EDGES = 44
"""Pixels at 100 % of a field that its text does not have: edges, and the button that clears it."""


class KeyList(TitledDialog):
    """All commands with their keys; a key is changed by pressing another one in its field."""

    def __init__(self, registry: ActionRegistry, theme: Theme, parent: QWidget, page: str) -> None:
        """*page*: the one that is looked at; its own keys stand first."""
        super().__init__(parent, tr("Keyboard shortcuts"), "keyList")
        self._registry, self._page = registry, page
        self.search = SearchField(theme, tr("Find a command or a key"))
        self.search.sought.connect(self._fill)
        self.problem = problem_label()
        self._holder = QWidget()
        self._grid = spaced_grid(parent=self._holder, across=SPACE_5, down=SPACE_2, wide=0, margins=(0, 0, SPACE_4, 0))
        buttons = hbox(
            button(tr("Back to the original keys"), registry.reset_keys),
            1,
            button(tr("Close"), self.close, primary=True),
        )
        vbox(
            self.search,
            caption(tr("Single letters work where no text is being typed.")),
            (scrolling(self._holder), 1),
            self.problem,
            buttons,
            parent=self,
            spacing=SPACE_2,
            margins=SPACE_4,
        )
        self.editors: dict[str, QKeySequenceEdit] = {}
        widest = QFontMetrics(theme.font()).horizontalAdvance("Ctrl+Alt+Shift+Backspace")
        self._room = widest + theme.px(_EDGES)
        registry.rebound.connect(self._show_key)
        self.resize(theme.px(620), theme.px(560))
        self._fill()

    def _fill(self) -> None:
        clear_layout(self._grid)
        self.editors.clear()
        typed = self.search.text()
        row = 0
        last: tuple[str, str] | None = None
        for spec in sorted(self._registry.specs(), key=self._place):
            keys = self._registry.keys(spec.id)
            if typed and match(typed, f"{searched(spec)} {' '.join(keys)}") is None:
                continue
            part = (spec.page, spec.menu.value)
            if part != last:
                self._grid.addWidget(heading(_part(spec)), row, 0, 1, 2)
                last, row = part, row + 1
            self._grid.addWidget(
                label(" › ".join(filter(None, (plain(spec.submenu), plain(spec.text)))), wrap=True), row, 0
            )
            self._grid.addWidget(self._editor(spec, keys), row, 1)
            row += 1
        self._grid.setRowStretch(row, 1)

    def _place(self, spec: ActionSpec) -> tuple[bool, str, int]:
        return not spec.page or spec.page != self._page, spec.page, list(Menu).index(spec.menu)

    def _editor(self, spec: ActionSpec, keys: tuple[str, ...]) -> QKeySequenceEdit:
        editor = self.editors[spec.id] = QKeySequenceEdit(_first(keys))
        editor.setMaximumSequenceLength(1)
        editor.setClearButtonEnabled(True)
        # Its own hint is that of a field without the style sheet's edges, and cuts the first letters off.
        editor.setMinimumWidth(self._room)
        editor.setAccessibleName(tr("Key for {command}", command=plain(spec.text)))
        # The keyboard lands in Qt's own field inside, which has no name that a screen reader could say.
        for inner in editor.findChildren(QWidget):
            inner.setAccessibleName(editor.accessibleName())
        editor.editingFinished.connect(lambda: self._rebind(spec, editor))
        return editor

    def _show_key(self, action_id: str) -> None:
        # Where it stands: the list made anew takes the keyboard away, and takes long.
        if action_id in self.editors:
            self.editors[action_id].setKeySequence(_first(self._registry.keys(action_id)))

    def _rebind(self, spec: ActionSpec, editor: QKeySequenceEdit) -> None:
        typed = editor.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        now = self._registry.keys(spec.id)
        if typed == (now[0] if now else ""):
            return
        clashes = self._registry.rebind(spec.id, ((typed, *now[1:]) if typed else ()))
        if clashes:
            other = next(c.first if c.first != spec.id else c.second for c in clashes)
            name = plain(self._registry.spec(other).text)
            self.problem.setText(tr("{key} already belongs to “{command}”.", key=typed, command=name))
            editor.setKeySequence(_first(now))
        else:
            self.problem.setText("")


def _first(keys: tuple[str, ...]) -> QKeySequence:
    return QKeySequence(keys[0]) if keys else QKeySequence()


def _part(spec: ActionSpec) -> str:
    words = spec.menu.value or tr("Other")
    return f"{words} · {tr('only on this page')}" if spec.page else words
