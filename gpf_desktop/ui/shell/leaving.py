"""Closing of a window, an audit or the program while a round is being asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMainWindow, QMenu, QSystemTrayIcon

from gpf_desktop.domain.events import AuditClosed, RunRested, RunStateChanged
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.rest_words import paused_by
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Message, MessageKind, Remedy
from gpf_desktop.ui.widgets.plain import plain_tip

if TYPE_CHECKING:
    from gpf_desktop.engine.rounds.rounds import Rounds

TOPIC = "leaving"
_ICON = 32


class Leaving(QObject):
    """Asks before a round is left: finish what is in flight, stop now, or go on in the background."""

    asked = Signal()
    """The auditor wants to leave and is to choose how."""

    def __init__(
        self,
        context: Context,
        window: QMainWindow,
        come_forward: Callable[[], None],
        has_tray: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
    ) -> None:
        super().__init__(window)
        self._context, self._window, self._come_forward = context, window, come_forward
        self._has_tray = has_tray
        self.tray: QSystemTrayIcon | None = None
        """There while the window is hidden."""
        context.bridge.subscribe(self, lambda _: context.messages.clear(TOPIC), RunRested, AuditClosed)
        context.bridge.subscribe(self, self._changed, RunStateChanged)

    @property
    def free(self) -> bool:
        """Nothing is being asked that leaving would cut off."""
        audit = self._context.engine.current
        return audit is None or audit.rounds.active is None

    def leave(self, then: Callable[[], object], *, closing: bool = False) -> None:
        """Do *then* at once where nothing is being asked, else when the auditor has said what becomes of the round.

        *closing*: the window is to go, and may go to the background instead.
        """
        audit = self._context.engine.current
        if audit is None or audit.rounds.active is None:
            then()
            return
        rounds = audit.rounds
        remedies = [
            Remedy(text=tr("Finish what is in flight"), do=lambda: self._finish(rounds, then)),
            Remedy(text=tr("Stop now"), do=lambda: self._stop(rounds, then)),
        ]
        if closing:
            words = tr("Keep running in the background") if self._has_tray() else tr("Keep running, minimised")
            remedies.append(Remedy(text=words, do=self.to_background))
        self._ask(
            tr(
                "A round is being asked. Stopped now, answers on their way are lost and may be billed; the round can"
                " be resumed."
            ),
            *remedies,
        )
        self.asked.emit()

    def finish(self, then: Callable[[], object]) -> None:
        """Do *then* once the answers in flight are stored, without a question: the system ends the session."""
        audit = self._context.engine.current
        if audit is None or audit.rounds.active is None:
            then()
        else:
            self._finish(audit.rounds, then, paused_by("SIGTERM"))

    def to_background(self) -> None:
        """Ask on without the window; the icon in the tray brings it back."""
        self._context.messages.clear(TOPIC)
        if not self._has_tray():
            self._window.showMinimized()
            return
        menu = QMenu(self._window)
        menu.addAction(tr("Show GPF Desktop"), self.come_back)
        menu.addAction(tr("Quit"), self._quit)
        self.tray = QSystemTrayIcon(QIcon(self._context.theme.pixmap("runs", "accent", _ICON)), self)
        self.tray.setToolTip(tr("GPF Desktop: a round is being asked"))
        self.tray.setContextMenu(menu)
        self.tray.activated.connect(self._activated)
        self.tray.show()
        self._window.hide()

    def _changed(self, event: RunStateChanged) -> None:
        # A schedule may have begun the next one while the window was hidden.
        if self.tray is not None and event.state.active:
            self.tray.setToolTip(tr("GPF Desktop: a round is being asked"))

    def tell(self, words: str) -> bool:
        """Say at the icon in the tray what became of the round; False where there is none."""
        if self.tray is None:
            return False
        self.tray.setToolTip(plain_tip(f"GPF Desktop: {words}"))
        self.tray.showMessage("GPF Desktop", words)
        return True

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        # A right click opens the menu, over which the window must not come.
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.come_back()

    def come_back(self) -> None:
        """Show the window again."""
        if self.tray is not None:
            self.tray.hide()
            self.tray.deleteLater()
            self.tray = None
        self._come_forward()

    def _quit(self) -> None:
        self.come_back()
        self._window.close()

    def _finish(self, rounds: Rounds, then: Callable[[], object], why: str = "") -> None:
        rounds.pause(why or tr("Paused because its audit was closed."))
        stop = Remedy(text=tr("Stop now"), do=lambda: self._stop(rounds, then))
        self._ask(tr("Waiting for the answers in flight."), stop)
        self._when_at_rest(rounds, then)

    def _ask(self, words: str, *remedies: Remedy) -> None:
        self._context.messages.say(
            Message(text=words, kind=MessageKind.WARNING, remedies=remedies, topic=TOPIC, asks=True)
        )

    def _stop(self, rounds: Rounds, then: Callable[[], object]) -> None:
        rounds.stop(tr("Stopped because its audit was closed."))
        self._when_at_rest(rounds, then)

    def _when_at_rest(self, rounds: Rounds, then: Callable[[], object]) -> None:
        # Under one name: where Stop now follows the wait for what is in flight, *then* is done once all the same.
        self._context.bridge.run(
            rounds.wait_until_at_rest, then=lambda _: then(), owner=self, latest="leaving", anywhere=True
        )
