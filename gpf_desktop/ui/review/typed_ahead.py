"""Keys that are typed while the bundle that they are meant for is still on its way."""

from collections import deque

from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gpf_desktop.domain.events import AuditClosed
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.review.review_view_model import ReviewViewModel

_WAITS, _IN_VAIN = "review keys wait", "review keys in vain"
PATIENCE_MS = 500
"""Keys that wait longer than this are told of."""
_HELD = frozenset(
    getattr(Qt.Key, f"Key_{name}") for name in ("Control", "Shift", "Alt", "AltGr", "Meta", "CapsLock", "NumLock")
)
"""Keys that by themselves are typed to nobody."""
_KEYS = frozenset({QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease})


class TypedAhead(QObject):
    """Keeps keys while *model* awaits a bundle, and gives them on in their order, to what has the keyboard by then.

    What a key means is looked up when it is given on: a letter typed after the key of the note is a letter of the note.
    """

    def __init__(self, page: QWidget, model: ReviewViewModel) -> None:
        super().__init__(page)
        self._page, self._model = page, model
        self._kept: deque[QKeyEvent | str] = deque()
        """A text is what an input method made of several keys."""
        self._holds = self._gives = self._begun = False
        self._in_vain = 0
        self._watched: QWidget | None = None
        """What has the keyboard while keys are kept."""
        self._turn = AuditTimer(model.context.bridge, self, 0, self._give_one)
        self._patience = AuditTimer(model.context.bridge, self, PATIENCE_MS, self._say_that_they_wait)
        model.waiting.connect(self.look)
        model.typed_in_vain.connect(self.drop)
        model.listen(lambda _event: self.drop(), AuditClosed)
        model.refused.connect(QApplication.beep)

    @property
    def rests(self) -> bool:
        """No key waits."""
        return not self._kept

    def look(self) -> None:
        """Keep keys while a bundle is awaited, and give on the kept ones once it is there."""
        if self._model.awaits:
            self._turn.stop()
            self._hold(True)
        elif self._kept:
            # A key in each turn: what one key opens has the keyboard before the next one comes.
            self._turn.start()
        elif not self._gives:
            self._end()

    def drop(self) -> None:
        """Drop the kept keys, because the bundle they were meant for does not come."""
        if not self._gives:
            self._in_vain += len(self._kept)
            self._kept.clear()
            self._end()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if not (kind in _KEYS or kind is QEvent.Type.InputMethod) or self._gives or not self._is_ours():
            return False
        if isinstance(event, QKeyEvent) and event.key() in _HELD:
            return False
        if kind is QEvent.Type.ShortcutOverride:
            # Taken here, or it would be looked up as the key of a command at once.
            event.accept()
            self._begun = True
        elif kind is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            # The key that began the wait still goes from widget to parent: it was asked about before.
            begun, self._begun = self._begun, False
            if not begun:
                return False
            # What is held down is one key, as it is everywhere on the page.
            if not event.isAutoRepeat():
                self._keep(_copy(event, kind))
        elif isinstance(event, QInputMethodEvent) and event.commitString():
            self._keep(event.commitString())
        return True

    def _keep(self, typed: QKeyEvent | str) -> None:
        self._kept.append(typed)
        if not self._patience.isActive():
            self._patience.start()

    def _is_ours(self) -> bool:
        """The keyboard is in the window of the page, and nothing lies above it."""
        if not self._page.isVisible() or QApplication.activePopupWidget() or QApplication.activeModalWidget():
            return False
        focus = QApplication.focusWidget()
        return focus is None or focus.window() is self._page.window()

    def _hold(self, holds: bool) -> None:
        application = QApplication.instance()
        if holds is self._holds or not isinstance(application, QApplication):
            return
        self._holds = holds
        # Only while something is waited for, and only on what has the keyboard: a filter of the application is asked
        # about every event of every widget, 5,000 for each set that is opened.
        if holds:
            application.focusChanged.connect(self._watch)
            self._watch(None, QApplication.focusWidget())
        else:
            application.focusChanged.disconnect(self._watch)
            self._let_go()

    def _watch(self, _before: QWidget | None, now: QWidget | None) -> None:
        self._let_go()
        # Without one the window gets what is typed.
        self._watched = now or self._page.window()
        self._watched.installEventFilter(self)

    def _let_go(self) -> None:
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched = None

    def _give_one(self) -> None:
        if self._kept:
            self._gives = True
            try:
                self._give(self._kept.popleft())
            finally:
                self._gives = False
        self.look()

    def _end(self) -> None:
        self._turn.stop()
        self._patience.stop()
        self._hold(False)
        self._model.context.messages.clear(_WAITS)
        if not self._in_vain:
            return
        words = trn(
            "{n} key that you typed ahead was not used: there is no set for it here.",
            "{n} keys that you typed ahead were not used: there is no set for them here.",
            self._in_vain,
        )
        self._in_vain = 0
        self._model.context.messages.warning(words, topic=_IN_VAIN)
        QApplication.beep()

    def _say_that_they_wait(self) -> None:
        words = tr("The set of answers is still being read. What you type waits for it.")
        self._model.context.messages.info(words, topic=_WAITS)

    def _give(self, event: QKeyEvent | str) -> None:
        target = QApplication.focusWidget() or self._page.window()
        if isinstance(event, str):
            made = QInputMethodEvent()
            made.setCommitString(event)
            QCoreApplication.sendEvent(target, made)
            return
        asks = _copy(event, QEvent.Type.ShortcutOverride)
        QCoreApplication.sendEvent(target, asks)
        action = None if asks.isAccepted() else action_of(target, event)
        if action is None:
            QCoreApplication.sendEvent(target, event)
            QCoreApplication.sendEvent(
                QApplication.focusWidget() or self._page.window(), _copy(event, QEvent.Type.KeyRelease)
            )
        elif action.isEnabled():
            action.trigger()
        else:
            self._in_vain += 1


def action_of(widget: QWidget, event: QKeyEvent) -> QAction | None:
    """The command that the key of *event* gives where *widget* has the keyboard, one that can be used now first."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    key = Qt.Key(event.key())
    sequences = [QKeySequence(QKeyCombination(held, key))]
    # The plus of most keyboards is typed with Shift, which is no part of its command's key.
    if held & Qt.KeyboardModifier.ShiftModifier and not event.text().isalpha():
        sequences.append(QKeySequence(QKeyCombination(held & ~Qt.KeyboardModifier.ShiftModifier, key)))
    found: list[QAction] = []
    at: QWidget | None = widget
    while at is not None:
        found += [action for action in at.actions() if any(each in sequences for each in action.shortcuts())]
        at = None if at.isWindow() else at.parentWidget()
    return next((action for action in found if action.isEnabled()), found[0] if found else None)


def _copy(event: QKeyEvent, kind: QEvent.Type) -> QKeyEvent:
    return QKeyEvent(kind, event.key(), event.modifiers(), event.text())
