"""Composition root of the window: the one place that builds its parts and joins them."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QSettings, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from gpf_desktop import __version__
from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.hidden_names import hide_names_while
from gpf_desktop.domain.program import in_safe_mode
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.language import speak
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.bridge import Bridge
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import keep_audits_closed
from gpf_desktop.ui.gc_tuning import GcTuning
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import MessageCentre
from gpf_desktop.ui.navigation import Navigator
from gpf_desktop.ui.qt_classes import ON_ANY_THREAD
from gpf_desktop.ui.round_notices import RoundNotices
from gpf_desktop.ui.shell.action_table import shell_actions
from gpf_desktop.ui.shell.daily_copying import DailyCopying
from gpf_desktop.ui.shell.interrupts import Interrupts
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.shell.pages_ahead import PagesAhead
from gpf_desktop.ui.shell.passphrase import PassphrasePrompt
from gpf_desktop.ui.shell.single_instance import SingleInstance, bring_forward
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.icons import window_icon
from gpf_desktop.ui.theme.look_preferences import KeptLook, hand_over_look
from gpf_desktop.ui.unexpected_errors import BugCatcher
from gpf_desktop.ui.widgets.figure_plot import prepare_plots
from gpf_desktop.ui.widgets.wheel_guard import WheelGuard

if TYPE_CHECKING:
    from gpf_desktop.engine.core.context import Emit
    from gpf_desktop.engine.engine import Engine

EXIT_COULD_NOT_RUN = 3


def main(audit: Path | None) -> int:
    """Show the window, with *audit* open where one is named; returns the process's exit code.

    Where none is named and there is a window already, that one comes forward.
    """
    return _show(
        lambda window: window.exchange.open(audit) if audit is not None else None,
        lambda: (audit is not None or not in_safe_mode()) and bring_forward(audit),
    )


def demo(audit: Path | None) -> int:
    """Show the window with a copy of the sample audit, kept at *audit* or where Home keeps it."""
    from gpf_desktop.engine.commands.sample import default_place

    place = audit or default_place()
    if bring_forward(place):
        return 0
    return _show(lambda window: window.sample.open_copy(place))


def _show(start: Callable[[MainWindow], object], is_there: Callable[[], bool] = lambda: False) -> int:
    """Make the window, unless one that *is_there* came forward, and *start* with it."""
    from gpf_desktop.engine.engine import Engine

    multiprocessing.freeze_support()
    missing = display_problem(os.environ, sys.platform)
    if missing:
        print(missing, file=sys.stderr)
        return EXIT_COULD_NOT_RUN
    application = make_application()
    if is_there():
        return 0
    settings, unsettled = _settings()
    desktop = Desktop(application, settings, partial(Engine, beside_window=True))
    instance = SingleInstance(desktop.window)
    instance.called.connect(desktop.window.come_forward)
    instance.hold(None)
    desktop.window.show()
    if unsettled is not None:
        desktop.window.context.messages.info(
            tr(
                "Safe mode: without installed plug-ins, with the window, its keys and its lists as they come. What was"
                " set is there again at the next start."
            )
        )
    QTimer.singleShot(0, desktop.window, lambda: start(desktop.window))
    QTimer.singleShot(0, desktop.window, desktop.ahead.begin)
    interrupts = Interrupts(application, desktop.bridge, desktop.window.leaving.finish)
    code = application.exec()
    interrupts.remove()
    desktop.close()
    if unsettled is not None:
        unsettled.cleanup()
    return code


def _settings() -> tuple[QSettings, TemporaryDirectory[str] | None]:
    """The settings that the window remembers; in safe mode none, in a folder that goes with it."""
    if not in_safe_mode():
        return QSettings(), None
    folder = TemporaryDirectory(prefix="gpf-")
    return QSettings(f"{folder.name}/safe.ini", QSettings.Format.IniFormat), folder


def display_problem(environment: Mapping[str, str], platform: str) -> str:
    """Why no window can be shown here, in one sentence; empty where one can."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM"):
        return ""
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        return ""
    return tr(
        "GPF Desktop cannot show its window because this session has no display (DISPLAY is not set); "
        "use the commands run, score and report, or demo with --no-window."
    )


def make_application() -> QApplication:
    """The one QApplication, named so that settings have their place, in the user's language."""
    existing = QApplication.instance()
    keep_audits_closed()
    application = existing if isinstance(existing, QApplication) else QApplication(["gpf-desktop"])
    application.setOrganizationName("GPF Desktop")
    application.setApplicationName("GPF Desktop")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("gpf-desktop")
    application.setWindowIcon(window_icon())
    languages = [name.replace("-", "_") for name in QLocale().uiLanguages()]
    spoken = QLocale(speak(languages))
    if QLocale().language() is not spoken.language():
        # Digits, dates and direction are those of the words that are shown: a mirrored window of English words reads
        # badly, and a bare server's locale groups no digits and writes dates for machines.
        QLocale.setDefault(QLocale(spoken.language(), QLocale().territory()))
    application.setLayoutDirection(QLocale().textDirection())
    translator = QTranslator(application)
    if translator.load(QLocale(), "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
    return application


class Desktop:
    """Engine, bridge, theme, actions and window, joined; `close` ends every thread and process behind them."""

    def __init__(self, application: QApplication, settings: QSettings, make_engine: Callable[[Emit], Engine]) -> None:
        self.bridge = Bridge()
        GcTuning(self.bridge)
        hand_over_look(settings, HERE)
        self.theme = Theme(application, settings)
        KeptLook(self.theme, HERE)
        self.engine = make_engine(self.bridge.announce)
        pages = page_specs()
        context = Context(
            engine=self.engine,
            bridge=self.bridge,
            actions=ActionRegistry(shell_actions(pages), self.theme, settings, self.bridge),
            messages=MessageCentre(self.bridge),
            navigator=Navigator(self.bridge),
            theme=self.theme,
            settings=settings,
        )
        WheelGuard(application, self.bridge)
        self._catcher = BugCatcher(self.bridge.report)
        self._catcher.install()
        # The engine's loop runs on a thread of its own already, and asyncio lets no other one change it.
        self.engine.loop.loop.call_soon_threadsafe(self.engine.loop.loop.set_exception_handler, self._catcher.from_loop)
        if not ON_ANY_THREAD:
            # A quarter of a second: nobody waits for an answer of the window before it is shown.
            prepare_plots()
        self.window = MainWindow(context, pages)
        hide_names_while(self._names_hidden)
        self._prompt = PassphrasePrompt(self.theme, self.window)
        self.engine.keys.ask_passphrase_with(self._prompt.ask)
        self.ahead = PagesAhead(self.window.stack, self.bridge, pages)
        RoundNotices(context, self.window)
        DailyCopying(self.window)
        instance = SingleInstance(self.window)
        instance.called.connect(self.window.come_forward)
        self.bridge.subscribe(instance, lambda event: instance.hold(event.path), AuditOpened)
        self.bridge.subscribe(instance, lambda _: instance.release(), AuditClosed)

    def _names_hidden(self) -> bool:
        audit = self.engine.current
        return audit is not None and audit.reviews.hides_names

    def close(self) -> None:
        """Safe after the window was closed; waits for what is being saved."""
        self._prompt.give_up()
        self.engine.close()
        self.bridge.close()
        self._catcher.remove()
        hide_names_while()
        self.window.close()
        self.window.deleteLater()
        self.bridge.deleteLater()
        self.theme.release()
