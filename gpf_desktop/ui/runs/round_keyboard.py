"""The keyboard stays with the round while buttons come and go."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from shiboken6 import isValid


class RoundKeyboard(QObject):
    """Qt hands the keyboard of a widget that goes to whatever comes next by Tab, be it Stop now or the rail.

    Here *rows* has it instead, what the view is about. Where one of *turns* went, which take each other's place, *rows*
    has it on loan only: until the next of them can be pressed, or the auditor does something there.
    """

    def __init__(self, turns: Sequence[QWidget], others: Sequence[QWidget], rows: Callable[[], QWidget | None]) -> None:
        super().__init__(turns[0].parent())
        self._turns, self._rows = tuple(turns), rows
        self._lent: QWidget | None = None
        self._fell: QWidget | None = None
        """What had the keyboard and lost it because it could not be pressed any more; None once somebody moved it."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._moved)
        for each in (*turns, *others):
            each.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and watched is self._lent:
            self._end_loan()
        elif event.type() is QEvent.Type.FocusOut and isinstance(watched, QWidget) and not _can_be_pressed(watched):
            self._give_to_rows(lent=watched in self._turns)
        return False

    def show_view(self, stack: QStackedWidget, view: QWidget) -> None:
        """Show *view*; where the keyboard was in the one before, it comes along.

        It was there too where it fell off: Start may be barred, as its articles are used, before the round is shown.
        """
        before = stack.currentWidget()
        had = [each for each in (QApplication.focusWidget(), self._fell) if each is not None and isValid(each)]
        along = before is not None and view is not before and any(map(before.isAncestorOf, had))
        stack.setCurrentWidget(view)
        if along:
            self._give_to_rows(lent=True)

    def settle(self) -> None:
        """Give the keyboard that was lent to the first of the buttons that can be pressed."""
        if self._lent is None or not isValid(self._lent):
            return
        turn = next(filter(_can_be_pressed, self._turns), None)
        if not self._lent.hasFocus():
            self._end_loan()
        elif turn is not None:
            self._end_loan()
            turn.setFocus()

    @Slot(QWidget, QWidget)
    def _moved(self, old: QWidget | None, _new: QWidget | None) -> None:
        self._fell = old if old is not None and isValid(old) and not _can_be_pressed(old) else None

    def _give_to_rows(self, *, lent: bool) -> None:
        rows = self._rows()
        if rows is None or not rows.isVisible():
            return
        rows.setFocus()
        if lent:
            self._end_loan()
            self._lent = rows
            rows.installEventFilter(self)

    def _end_loan(self) -> None:
        # The button of an empty page is made anew when the page has something else to say.
        if self._lent is not None and isValid(self._lent):
            self._lent.removeEventFilter(self)
        self._lent = None


def _can_be_pressed(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled()
