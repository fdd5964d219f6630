"""The window: joins menus, rail, pages, inspector, message bar and status strip."""

from functools import partial
from hashlib import blake2b
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget
from shiboken6 import createdByPython

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry, ActionSpec, Menu
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.exchange_commands import ExchangeCommands, openable
from gpf_desktop.ui.shell.commands import JoinedWindow, WindowCommands
from gpf_desktop.ui.shell.file_commands import FileCommands
from gpf_desktop.ui.shell.inspector import Inspector
from gpf_desktop.ui.shell.leaving import TOPIC, Leaving
from gpf_desktop.ui.shell.locked_pages import LockedPages
from gpf_desktop.ui.shell.message_bar import MessageBar
from gpf_desktop.ui.shell.page_stack import PageStack
from gpf_desktop.ui.shell.pages import PageSpec
from gpf_desktop.ui.shell.rail import Rail
from gpf_desktop.ui.shell.recent import RecentFiles
from gpf_desktop.ui.shell.sample_commands import SampleCommands
from gpf_desktop.ui.shell.status_strip import StatusStrip
from gpf_desktop.ui.shell.status_view_model import StatusViewModel
from gpf_desktop.ui.shell.tab_order import order_tabs
from gpf_desktop.ui.widgets.boxes import hbox, splitter, vbox
from gpf_desktop.ui.widgets.layouts import bring_into_view

_SIZE = QSize(1280, 800)
"""Where no size was kept."""


class MainWindow(JoinedWindow):
    """One window, one audit. Everything it can do stands in the registry of its context."""

    def __init__(self, context: Context, pages: tuple[PageSpec, ...]) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setWindowTitle("GPF Desktop")
        self.setAcceptDrops(True)
        self.context = context
        self.rail = Rail(context.theme, pages)
        self.stack = PageStack(context, pages)
        self._over = QWidget()
        self.message_bar = MessageBar(context.theme, context.messages, self._over, self._foot)
        self.message_bar.left.connect(self._keyboard_to_page)
        self.inspector = Inspector()
        self._split = splitter((self._over, 1), self.inspector)
        self.strip = StatusStrip(context.theme)
        self.status = StatusViewModel(context)
        self.status.setParent(self)
        self.recent = RecentFiles(context.settings, self)
        self.menus = build_menus(self.menuBar(), context.actions)
        self._lay_out()
        for part in (self.menuBar(), self.rail, self.message_bar, self.inspector, self.strip):
            context.theme.dress(part)
        context.actions.attach(self)
        self.leaving = Leaving(context, self, self.come_forward)
        self.leaving.asked.connect(partial(self.message_bar.take_keyboard, TOPIC))
        self.files = FileCommands(context, self.recent, self.leaving, self)
        self.files.leaving.connect(self.stack.flush)
        self.files.busy.connect(LockedPages(self.stack).keep_still)
        self.sample = SampleCommands(context, self.files, self)
        self.exchange = ExchangeCommands(context, self.files, self)
        self.commands = WindowCommands(self, context, pages)
        self.status.changed.connect(self._show_status)
        context.bridge.trouble.connect(context.messages.failure)
        self._restore()
        self.stack.room_changed.connect(self._fit_rail)
        context.theme.follow(self.rail, self._fit_rail)
        context.navigator.go("home")

    def childEvent(self, event: QChildEvent) -> None:
        """Dialogs and menus of the window are dressed as they are first shown, pages as they are put in."""
        super().childEvent(event)
        child = event.child() if event.type() == QEvent.Type.ChildPolished else None
        if isinstance(child, QWidget) and child.isWindow():
            # Qt polishes its file dialog while it makes it: who keeps it now has it freed twice.
            if createdByPython(child):
                self.context.theme.dress(child)
                # Keys of the window's menus do not reach another window; help is wanted in each that is no menu.
                if not isinstance(child, QMenu):
                    child.addAction(self.context.actions.action("help.manual"))
            else:
                QTimer.singleShot(0, self, self._dress_rest)

    def _dress_rest(self) -> None:
        for child in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child.isWindow() and not child.styleSheet():
                self.context.theme.dress(child)

    def _lay_out(self) -> None:
        centre = QWidget()
        vbox((self.stack, 1), parent=self._over, spacing=0)
        vbox((hbox(self.rail, (self._split, 1), spacing=0), 1), self.strip, parent=centre, spacing=0)
        self.setCentralWidget(centre)

    def _show_status(self) -> None:
        status = self.status
        self.strip.show_run(status.run_text, status.left_text, status.spend_text, status.quarter)
        self.strip.show_keys(status.keys_text)
        self.strip.show_saved(status.saved_text)
        self.strip.show_sample(status.synthetic)
        self.strip.show_origin(status.origin)
        self.rail.hide_pages(status.without_use)
        self.rail.set_dot("runs", status.active_run is not None, tr("A round is being asked"))
        self.setWindowTitle(f"{status.title} – GPF Desktop" if status.title else "GPF Desktop")

    def _foot(self) -> QWidget | None:
        page = self.stack.current
        return None if page is None else page.foot()

    def _keyboard_to_page(self) -> None:
        page = self.stack.current
        focus = None if page is None else page.first_focus()
        if focus is not None:
            focus.setFocus()

    def _restore(self) -> None:
        settings = self.context.settings
        self.resize(_SIZE)
        # Taller than its screen, its foot would lie below the edge, and with it every message.
        if self.screen().availableSize().height() < _SIZE.height():
            self.setWindowState(Qt.WindowState.WindowMaximized)
        # As it stood with these very screens, else as it stood last.
        geometry = settings.value(f"window/geometry {_screens()}") or settings.value("window/geometry")
        state = settings.value("window/split")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(state, QByteArray):
            self._split.restoreState(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rail()

    def _fit_rail(self) -> None:
        page = self.stack.current
        self.rail.fit(self.width(), roomy=page is not None and page.roomy)

    def come_forward(self) -> None:
        """Show the window above the others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Every Tab that is pressed in the window ends here."""
        page = self.stack.current
        # With each Tab rather than once a page: cards come and go with the data.
        if page is not None:
            order_tabs(page)
        moved = super().focusNextPrevChild(forward)
        reached = self.focusWidget()
        if moved and reached is not None:
            bring_into_view(reached)
        return moved

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.leaving.free:
            event.ignore()
            self.come_forward()
            # Nothing waits here, which would hold up the window: it is closed again once the round is at rest.
            self.leaving.leave(self.close, closing=True)
            return
        for name in ("window/geometry", f"window/geometry {_screens()}"):
            self.context.settings.setValue(name, self.saveGeometry())
        self.context.settings.setValue("window/split", self._split.saveState())
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._openable(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := self._openable(event):
            self.exchange.open_dropped(paths)

    def _openable(self, event: QDropEvent) -> list[Path]:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        return [path for path in paths if openable(path)]


def _titles() -> dict[Menu, str]:
    return {
        Menu.FILE: tr("&File"),
        Menu.EDIT: tr("&Edit"),
        Menu.VIEW: tr("&View"),
        Menu.RUN: tr("Ro&und"),
        Menu.REVIEW: tr("&Review"),
        Menu.REPORTS: tr("Re&ports"),
        Menu.WINDOW: tr("&Window"),
        Menu.HELP: tr("&Help"),
    }


def build_menus(bar: QMenuBar, registry: ActionRegistry) -> dict[Menu, QMenu]:
    """Fill *bar*; a menu without commands is left out."""
    made: dict[Menu, QMenu] = {}
    for which, title in _titles().items():
        specs = sorted((spec for spec in registry.specs() if spec.menu is which), key=lambda spec: spec.group)
        if specs:
            made[which] = bar.addMenu(title)
            _fill(made[which], specs, registry)
    return made


def _fill(menu: QMenu, specs: list[ActionSpec], registry: ActionRegistry) -> None:
    submenus: dict[str, QMenu] = {}
    for _, group in groupby(specs, key=lambda spec: spec.group):
        if menu.actions():
            menu.addSeparator()
        for spec in group:
            target = menu
            if spec.submenu:
                if spec.submenu not in submenus:
                    submenus[spec.submenu] = menu.addMenu(spec.submenu)
                target = submenus[spec.submenu]
            target.addAction(registry.action(spec.id))


def _screens() -> str:
    """The screens that there are, by name, place and size: a window goes back to where it stood with them."""
    every = [(each.name(), each.geometry().getRect()) for each in QGuiApplication.screens()]
    return blake2b(repr(sorted(every)).encode(), digest_size=8).hexdigest()
