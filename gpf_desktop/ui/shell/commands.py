"""Handlers of the window's own commands, and the facts that they need."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, qVersion
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMainWindow, QMenu, QWidget

from gpf_desktop import __version__
from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.findings import READING_SHORT
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.shell.file_commands import FileCommands
from gpf_desktop.ui.shell.help_dialogs import help_dialogs
from gpf_desktop.ui.shell.inspector import Inspector
from gpf_desktop.ui.shell.key_list import KeyList
from gpf_desktop.ui.shell.message_bar import MessageBar
from gpf_desktop.ui.shell.page_stack import PageStack
from gpf_desktop.ui.shell.pages import PageSpec
from gpf_desktop.ui.shell.palette import CommandPalette
from gpf_desktop.ui.shell.rail import Rail
from gpf_desktop.ui.shell.recent import RecentFiles
from gpf_desktop.ui.shell.status_strip import StatusStrip
from gpf_desktop.ui.shell.tab_order import tab_stops
from gpf_desktop.ui.theme import Scheme
from gpf_desktop.ui.theme.theme import TEXT_SCALES
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_5
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import bring_into_view
from gpf_desktop.ui.widgets.plain import plain_entry, plain_tip

if TYPE_CHECKING:
    from gpf_desktop.engine.commands.manual import Manual
    from gpf_desktop.ui.preferences.preferences_dialog import PreferencesDialog
    from gpf_desktop.ui.shell.check_dialog import CheckDialog

_SCHEMES = {
    "theme.system": Scheme.SYSTEM,
    "theme.light": Scheme.LIGHT,
    "theme.dark": Scheme.DARK,
    "theme.high_contrast": Scheme.HIGH_CONTRAST,
}


class JoinedWindow(QMainWindow):
    """A window, as far as its commands reach."""

    rail: Rail
    stack: PageStack
    strip: StatusStrip
    inspector: Inspector
    message_bar: MessageBar
    menus: Mapping[Menu, QMenu]
    recent: RecentFiles
    files: FileCommands


class WindowCommands(QObject):
    """Joins actions with what the window can do."""

    def __init__(self, window: JoinedWindow, context: Context, pages: tuple[PageSpec, ...]) -> None:
        super().__init__(window)
        self._window, self._context = window, context
        self._actions, self._theme, self._navigator = context.actions, context.theme, context.navigator
        for page in pages:
            self._actions.on(f"view.{page.id}", partial(self._navigator.go, page.id))
        self._window.rail.chosen.connect(self._navigator.go)
        self._window.stack.shown.connect(self._page_shown)
        self._window.strip.run_chosen.connect(partial(self._navigator.go, "runs"))
        self._navigator.history_changed.connect(self._history_changed)
        self._actions.set_fallback(self._start_at_home)
        self._connect_view()
        self._connect_rest()
        context.bridge.subscribe(self, self._audit_changed, AuditOpened, AuditClosed)
        self._recent_menu = QMenu(tr("Open &recent"), window)
        self._window.menus[Menu.FILE].insertMenu(self._actions.action("file.copy"), self._recent_menu)
        self._fill_recent()
        self._window.recent.changed.connect(self._fill_recent)

    def _connect_view(self) -> None:
        on = self._actions.on
        on("view.back", self._navigator.back)
        on("view.forward", self._navigator.forward)
        on("view.inspector", self._toggle_inspector)
        on("view.next_pane", partial(self._next_pane, 1))
        on("view.previous_pane", partial(self._next_pane, -1))
        for action_id, scheme in _SCHEMES.items():
            on(action_id, partial(self._theme.set_scheme, scheme, in_turns=True))
        on("text.larger", partial(self._theme.step_text_scale, 1, in_turns=True))
        on("text.smaller", partial(self._theme.step_text_scale, -1, in_turns=True))
        on("text.normal", partial(self._theme.set_text_scale, TEXT_SCALES[0], in_turns=True))
        self._theme.follow(self, self._mark_scheme)

    def _connect_rest(self) -> None:
        window, on = self._window, self._actions.on
        on("file.quit", window.close)
        on("edit.palette", self.open_palette)
        on("edit.find", self._find)
        on("edit.preferences", self.open_preferences)
        on("window.full", self._full_screen)
        on("window.minimise", window.showMinimized)
        on("window.dismiss", self._window.message_bar.dismiss)
        on("help.manual", self.open_manual)
        on("help.keys", self.open_keys)
        on("help.check", self.open_check)
        for action_id, show in help_dialogs(self._context, window).items():
            on(action_id, show)
        on("help.about", lambda: show_about(window))
        on("help.reading", lambda: show_reading(window))

    def open_palette(self) -> CommandPalette:
        palette = CommandPalette(self._actions, self._theme, self._window)
        palette.show_over(self._window)
        return palette

    def open_keys(self) -> KeyList:
        here = self._window.stack.current
        keys = KeyList(self._actions, self._theme, self._window, "" if here is None else here.page_id)
        keys.show()
        return keys

    def open_manual(self) -> None:
        """At what tells of where the keyboard is; above a dialog that nothing can be reached beside."""
        from gpf_desktop.engine.commands.manual import manual
        from gpf_desktop.ui.shell.manual_window import ManualWindow, names_around

        above = QApplication.activeModalWidget() or self._window
        active, page = QApplication.activeWindow() or self._window, self._window.stack.current
        around = names_around(active.focusWidget() or active)
        if active is self._window and page is not None:
            around.append(page.objectName())

        def show(read: Manual) -> None:
            found = next(iter(above.findChildren(ManualWindow)), None)
            shown = ManualWindow(self._theme, read, above) if found is None else found
            if active is not shown:
                shown.go(read.place_of(around))
            shown.show()
            shown.raise_()
            shown.activateWindow()

        # The first time it asks every method and scorer for its words, which takes longer than a frame.
        self._context.bridge.run(manual, then=show, owner=above, anywhere=True)

    def open_preferences(self) -> PreferencesDialog:
        from gpf_desktop.ui.preferences.preferences_dialog import PreferencesDialog

        dialog = PreferencesDialog(self._context, self.open_keys, self._window)
        dialog.show()
        return dialog

    def open_check(self) -> CheckDialog:
        from gpf_desktop.ui.shell.check_dialog import CheckDialog

        dialog = CheckDialog(self._context, self._window)
        dialog.open()
        return dialog

    def panes(self) -> list[QWidget]:
        """The panes that F6 goes through: message, rail, the parts of the page, inspector and status strip, in turn."""
        window = self._window
        page = window.stack.current
        candidates: list[QWidget | None] = [
            window.message_bar,
            window.rail,
            *(() if page is None else page.panes()),
            window.inspector,
            window.strip,
        ]
        return [pane for pane in candidates if pane is not None and pane.isVisible() and _focusable(pane) is not None]

    def _start_at_home(self, spec: ActionSpec) -> None:
        """Build and show the page that handles the command, then let it."""
        self._navigator.go(spec.home)
        self._actions.start(spec.id)

    def _page_shown(self, page_id: str) -> None:
        self._window.rail.show_page(page_id)
        self._actions.set_page(page_id)
        page = self._window.stack.current
        self._window.inspector.show_content(page.inspector() if page is not None else None)
        self._actions.set_fact(Fact.HAS_INSPECTOR, self._window.inspector.has_content)
        self._actions.action("view.inspector").setChecked(self._window.inspector.wanted)

    def _history_changed(self) -> None:
        self._actions.set_fact(Fact.CAN_GO_BACK, self._navigator.can_go_back)
        self._actions.set_fact(Fact.CAN_GO_FORWARD, self._navigator.can_go_forward)

    def _audit_changed(self, event: AuditOpened | AuditClosed) -> None:
        self._actions.set_fact(Fact.AUDIT_OPEN, isinstance(event, AuditOpened))
        if isinstance(event, AuditClosed):
            self._context.messages.clear_of_audit()

    def _mark_scheme(self) -> None:
        for action_id, scheme in _SCHEMES.items():
            self._actions.action(action_id).setChecked(scheme is self._theme.scheme)

    def _toggle_inspector(self) -> None:
        self._window.inspector.set_wanted(not self._window.inspector.wanted)
        self._actions.action("view.inspector").setChecked(self._window.inspector.wanted)

    def _full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _find(self) -> None:
        page = self._window.stack.current
        field = None if page is None else page.search_field()
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if isinstance(field, QLineEdit):
                field.selectAll()

    def _next_pane(self, step: int) -> None:
        panes = self.panes()
        at = next((i for i, pane in enumerate(panes) if _holds(pane, QApplication.focusWidget())), -1)
        if panes:
            pane, page = panes[(at + step) % len(panes)], self._window.stack.current
            target = (None if page is None else page.landing(pane)) or _focusable(pane)
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                bring_into_view(target)

    def _fill_recent(self) -> None:
        self._recent_menu.clear()
        paths = self._window.recent.paths()
        self._recent_menu.setEnabled(bool(paths))
        for path in paths:
            entry = self._recent_menu.addAction(plain_entry(path.stem))
            entry.setToolTip(plain_tip(str(path)))
            entry.triggered.connect(partial(self._open_recent, str(path)))
        if paths:
            self._recent_menu.addSeparator()
            self._recent_menu.addAction(tr("&Forget these")).triggered.connect(self._window.recent.forget)

    def _open_recent(self, path: str, _checked: bool = False) -> None:
        self._window.files.open(Path(path))


def _holds(pane: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (pane is focus or pane.isAncestorOf(focus))


def _focusable(pane: QWidget) -> QWidget | None:
    """The first widget of *pane* that can take the keyboard."""
    # By the layouts: for PySide `nextInFocusChain` hands what it returns over to the widget that was asked, and menus,
    # with all their actions, were gone with it.
    return next(tab_stops(pane, whole=True), None)


def _sheet(parent: QWidget, title: str, name: str, *paragraphs: str) -> QDialog:
    dialog = TitledDialog(parent, title, name)
    column = vbox(label(title, "title"), parent=dialog, spacing=SPACE_2, margins=SPACE_5)
    for words in paragraphs:
        text = label(words, wrap=True)
        text.setMinimumWidth(420)
        column.addWidget(text)
    column.addLayout(hbox(1, button(tr("Close"), dialog.close, primary=True)))
    dialog.open()
    return dialog


def show_about(parent: QWidget) -> QDialog:
    return _sheet(
        parent,
        tr("About GPF Desktop"),
        "about",
        tr("Version {version}, with Qt {qt}.", version=__version__, qt=qVersion()),
        tr("Find out whether a language model tells the same thing differently to, or about, different people."),
        tr("Free software under the Apache License 2.0. The typeface is Inter, under the SIL Open Font License."),
    )


def show_reading(parent: QWidget) -> QDialog:
    return _sheet(
        parent,
        tr("How to read the scores"),
        "reading",
        tr(READING_SHORT),
        tr(
            "A valid claim: between these dates, asked these prompts about these items, this model's answers "
            "varied more, or less, with what the method varies."
        ),
        tr(
            "A high score needs a person to read the answers. They may be harmful, fit the reader, show a "
            "real difference, or come of a fault of the test. Nothing here is a verdict on a model, and no "
            "ranking here is permanent."
        ),
    )
