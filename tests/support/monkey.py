"""Someone who clicks, types and goes everywhere in the real window, by a seed and a number of steps."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from gpf_desktop.ui.main_window import MainWindow

PAGES = ("home", "sources", "models", "protocol", "runs", "review", "results", "reports")
_KEYS = (
    *"DOLXU1234NTFBVHRMCEKIGWPAYJSZ",
    *(
        "Left",
        "Right",
        "Up",
        "Down",
        "Return",
        "Escape",
        "Tab",
        "Space",
        "Home",
        "End",
        "PageDown",
        "F6",
        "F8",
        "Delete",
    ),
)
_WITH_CTRL = (*"12345678ZYFKJ", "Return", "Home", "End")
_WORDS = ("council", "7", "", "ق", "a, b", "😀", "x" * 300, "-1", "Muslim")
_LEFT_ALONE = frozenset({"file.quit"})
"""Commands that end the walk."""


@dataclass(slots=True)
class Monkey:
    """Walks through *window*; audits are opened from *audits*, closed, and opened again while others still open."""

    window: MainWindow
    audits: Sequence[Path]
    seed: int
    did: list[str] = field(default_factory=list)
    """What it did, to be read where something went wrong."""

    def walk(self, steps: int, look: Callable[[], object] = lambda: None) -> None:
        """Do *steps* things; let what came of each be delivered, with a *look* then, before some of the next ones."""
        chance = random.Random(self.seed)
        for scheme in ("http", "https", "file"):
            QDesktopServices.setUrlHandler(scheme, self.window, "raise")  # type: ignore[arg-type]  # it takes no bytes
        try:
            for _ in range(steps):
                self._step(chance)
                if chance.random() < 0.6:
                    self._settle()
                    look()
                else:
                    QCoreApplication.processEvents()
        finally:
            for scheme in ("http", "https", "file"):
                QDesktopServices.unsetUrlHandler(scheme)
        self._close_all()
        self._settle()

    def _step(self, chance: random.Random) -> None:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            if isinstance(popup, QMenu) and chance.random() < 0.7:
                self._choose(popup, chance)
            popup.close()
            return
        dialog = self._dialog()
        if isinstance(dialog, QFileDialog) or (dialog is not None and chance.random() < 0.15):
            # What stands on the disk is not for the monkey.
            self._do("reject", dialog)
            dialog.reject()
            return
        ways = [self._click] * 6 + [self._key] * 4 + [self._type] * 2 + [self._pick] * 2 + [self._menu] * 2
        if dialog is None:
            ways += [self._action] * 4 + [self._page] * 3 + [self._audit] * 2
        chance.choice(ways)(chance)

    def _dialog(self) -> QDialog | None:
        found = [each for each in self.window.findChildren(QDialog) if each.isVisible()]
        return found[-1] if found else None

    def _parts(self, *kinds: type[QWidget]) -> list[QWidget]:
        root: QWidget = self._dialog() or self.window
        return [
            each
            for kind in kinds
            for each in root.findChildren(kind)
            if each.isVisible() and each.isEnabled() and each.window() is root.window()
            if not each.visibleRegion().isEmpty()
        ]

    def _click(self, chance: random.Random) -> None:
        parts = self._parts(QAbstractButton, QTabBar, QAbstractItemView)
        if not parts:
            return
        part = chance.choice(parts)
        if isinstance(part, QPushButton | QToolButton) and part.menu() is not None:
            self._do("menu of", part)
            part.menu().aboutToShow.emit()
            self._choose(part.menu(), chance)
            return
        times = chance.choice((1, 1, 1, 2, 6))
        self._do(f"click {times} times", part)
        target, at = part, part.rect().center()
        if isinstance(part, QAbstractItemView):
            target = part.viewport()
            model = part.model()
            if not model or not model.rowCount():
                return
            index = model.index(chance.randrange(min(model.rowCount(), 50)), 0)
            at = part.visualRect(index).center()
            if not target.rect().contains(at):
                return
        for _ in range(times):
            # What a click opens, or takes away, has the next one no more.
            if not isValid(target) or not target.isVisible() or self._dialog() not in (None, target.window()):
                return
            QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=at)

    def _key(self, chance: random.Random) -> None:
        target = QApplication.focusWidget() or self.window
        key, held = chance.choice(_KEYS), Qt.KeyboardModifier.NoModifier
        if chance.random() < 0.3:
            key, held = chance.choice(_WITH_CTRL), Qt.KeyboardModifier.ControlModifier
        self._do(f"key {held.name} {key}", target)
        QTest.keyClick(target, getattr(Qt.Key, f"Key_{key}"), held)

    def _type(self, chance: random.Random) -> None:
        parts = [each for each in self._parts(QLineEdit, QPlainTextEdit) if not each.property("readOnly")]
        if parts:
            part = chance.choice(parts)
            words = chance.choice(_WORDS)
            self._do(f"type {words[:12]!r}", part)
            part.setFocus()
            part.selectAll()  # type: ignore[attr-defined]
            if words.isascii():
                QTest.keyClicks(part, words)
            else:
                # Qt's test library knows no key for them.
                part.insert(words) if isinstance(part, QLineEdit) else part.insertPlainText(words)  # type: ignore[attr-defined]

    def _pick(self, chance: random.Random) -> None:
        parts = self._parts(QComboBox, QAbstractSpinBox)
        if not parts:
            return
        part = chance.choice(parts)
        self._do("pick in", part)
        if isinstance(part, QComboBox) and part.count():
            at = chance.randrange(part.count())
            part.setCurrentIndex(at)
            part.activated.emit(at)
        elif isinstance(part, QAbstractSpinBox):
            part.stepBy(chance.choice((-1, 1, 10)))

    def _menu(self, chance: random.Random) -> None:
        menus = [action.menu() for action in self.window.menuBar().actions() if isinstance(action.menu(), QMenu)]
        menu = chance.choice(menus)
        assert isinstance(menu, QMenu)
        self._choose(menu, chance)

    def _choose(self, menu: QMenu, chance: random.Random) -> None:
        actions = [each for each in menu.actions() if each.isEnabled() and not each.isSeparator()]
        if not actions:
            return
        action = chance.choice(actions)
        inner = action.menu()
        if isinstance(inner, QMenu):
            inner.aboutToShow.emit()
            self._choose(inner, chance)
        else:
            self._trigger(action)

    def _action(self, chance: random.Random) -> None:
        registry = self.window.context.actions
        ready = [spec.id for spec in registry.specs() if registry.action(spec.id).isEnabled()]
        self._trigger(registry.action(chance.choice(ready)))

    def _trigger(self, action: QAction) -> None:
        if action.objectName().removeprefix("action.") not in _LEFT_ALONE:
            self.did.append(f"command {action.objectName()} {action.text()}")
            action.trigger()

    def _page(self, chance: random.Random) -> None:
        page = chance.choice(PAGES)
        self.did.append(f"page {page}")
        self.window.context.navigator.go(page)

    def _audit(self, chance: random.Random) -> None:
        if chance.random() < 0.3:
            self.did.append("close the audit")
            self.window.files.close_audit()
        else:
            path = chance.choice(self.audits)
            self.did.append(f"open {path.name}")
            self.window.files.open(path)

    def _close_all(self) -> None:
        while (dialog := self._dialog()) is not None:
            dialog.reject()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            if isValid(dialog) and dialog.isVisible():
                dialog.close()
                break

    def _settle(self) -> None:
        """Until all that was asked for has been delivered, or a round goes on."""
        bridge = self.window.context.bridge
        for _ in range(400):
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            if bridge.idle:
                return
            # Not Qt's wait, which would keep the engine's threads from running.
            sleep(0.005)

    def _do(self, what: str, part: QWidget) -> None:
        name = part.objectName() or part.accessibleName() or getattr(part, "text", str)()
        self.did.append(f"{what} {type(part).__name__} {name!r}")
