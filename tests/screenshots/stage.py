"""The real window on the offscreen platform, with what a scene needs to be set."""

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.settings.language import OPTION_NAME
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.page import Page, ViewModel
from gpf_desktop.ui.theme import Scheme
from tests.support.pseudo_language import PSEUDO, speak_pseudo

_PATIENCE = 30.0
"""Seconds for a page to fill."""
_QUIET = 0.2
"""Seconds without anything under way after which a page counts as filled."""


class Stage:
    """Open until the block is left; everything it writes lies in *folder*."""

    def __init__(self, folder: Path, text_scale: int, language: str = "") -> None:
        """*language* of the words: one that has a catalogue, or “pseudo”; empty: English."""
        self.folder = folder
        if language not in ("", PSEUDO):
            HERE.set(OPTION_NAME, language)
        self._application: QApplication = make_application()
        if language == PSEUDO:
            speak_pseudo(folder / "languages")
        settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.desktop = Desktop(self._application, settings, Engine)
        self.window.show()
        self.desktop.theme.set_text_scale(text_scale)

    @property
    def window(self) -> MainWindow:
        return self.desktop.window

    @property
    def context(self) -> Context:
        return self.window.context

    @property
    def open_audit(self) -> OpenAudit:
        return self.context.engine.open_audit

    def page(self, page_id: str, **state: object) -> Page:
        """Show a page and wait until it is filled."""
        self.context.navigator.go(page_id, **state)
        self.settle()
        page = self.window.stack.current
        assert page is not None
        return page

    def settle(self) -> None:
        """Let the event loop run until nothing has been under way for a while."""
        quiet_since = time.monotonic()
        until = quiet_since + _PATIENCE
        while time.monotonic() < until and time.monotonic() - quiet_since < _QUIET:
            self._application.processEvents()
            if not self.desktop.bridge.idle or self._paints():
                quiet_since = time.monotonic()
            time.sleep(0.005)

    def _paints(self) -> bool:
        return any(model.waits_to_paint for model in self.window.findChildren(ViewModel))

    def play(self, seconds: float) -> None:
        """Let the event loop run for a while, whatever is under way."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._application.processEvents()
            time.sleep(0.005)

    def wait_for(self, what: Callable[[], object]) -> None:
        """Let the event loop run until *what* is true. Raises `TimeoutError`."""
        until = time.monotonic() + _PATIENCE
        while not what():
            if time.monotonic() > until:
                raise TimeoutError("the window did not get there")
            self.play(0.02)

    def dress(self, theme: Scheme) -> None:
        """Give the window its colours."""
        self.desktop.theme.set_scheme(theme)
        self.settle()

    def resize(self, width: int, height: int, *, moving: bool) -> None:
        """Give the window its size; *moving*: something in it never rests."""
        self.window.resize(width, height)
        if moving:
            self.play(0.5)
        else:
            self.settle()

    def save(self, path: Path) -> None:
        self.window.grab().save(str(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.desktop.close()
