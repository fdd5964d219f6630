"""The passphrase of the file that keys are sealed in: chosen once, and asked for once in each start."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import isValid

from gpf_desktop.domain.text import tr
from gpf_desktop.settings.key_file import SHORTEST
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import fill, vbox
from gpf_desktop.ui.widgets.buttons import ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import label

_WIDTH = 440


class PassphraseDialog(TitledDialog):
    """Asks for the passphrase; *new*: for one to be chosen, twice. *keep* gets it once it is typed."""

    def __init__(
        self, theme: Theme, parent: QWidget, keep: Callable[[str], object], *, new: bool = False, again: bool = False
    ) -> None:
        super().__init__(parent, tr("A file for your keys") if new else tr("Your keys"), "passphrase")
        self._keep, self._new = keep, new
        self.typed, self.repeated = _secret(), _secret()
        self._field = FormField(tr("Passphrase"), self.typed, name="passphrase.typed")
        second = FormField(tr("Once more"), self.repeated, name="passphrase.repeated")
        second.setVisible(new)
        about = (
            tr(
                "This computer has no key store. Your keys can be kept in a file, encrypted with a passphrase of yours."
                " You type it once in each start."
            )
            if new
            else tr("Your keys are in an encrypted file. Without its passphrase you can go on, and type keys again.")
        )
        warning = tr("Nobody can open the file without it.") if new else ""
        fill(
            vbox(parent=self, spacing=SPACE_2, margins=None),
            label(about, wrap=True),
            self._field,
            second,
            label(warning, "secondary", wrap=True),
            1,
            ok_and_cancel(self, self._accept),
        )
        if again:
            self._field.set_problem(tr("That is not the passphrase."))
        self.resize(theme.px(_WIDTH), self.sizeHint().height())
        self.typed.setFocus()

    def _accept(self) -> None:
        passphrase = self.typed.text()
        if self._new and len(passphrase) < SHORTEST:
            self._field.set_problem(tr("Take {n} characters or more.", n=str(SHORTEST)))
        elif self._new and passphrase != self.repeated.text():
            self._field.set_problem(tr("The two are not the same."))
        elif passphrase:
            self._keep(passphrase)
            self.accept()
            return
        self.typed.setFocus()


class PassphrasePrompt(QObject):
    """Asks over the window, for whatever thread wants a key and waits for it."""

    _asked = Signal(object, bool)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._waiting: set[Future[str]] = set()
        self._asked.connect(self._show)

    def ask(self, again: bool) -> str:
        """Ask for the passphrase; empty where the dialog is left, or on the window's own thread, which could not
        show it.
        """
        if QThread.isMainThread() or not isValid(self):
            return ""
        answer: Future[str] = Future()
        self._waiting.add(answer)
        self._asked.emit(answer, again)
        return answer.result()

    def give_up(self) -> None:
        """The window closes: nobody types any more."""
        for each in tuple(self._waiting):
            self._answered(each, "")

    def _show(self, answer: "Future[str]", again: bool) -> None:
        over = QApplication.activeModalWidget() or self._window
        dialog = PassphraseDialog(self._theme, over, partial(self._answered, answer), again=again)
        dialog.finished.connect(lambda _: self._answered(answer, ""))
        dialog.open()

    def _answered(self, answer: "Future[str]", typed: str) -> None:
        self._waiting.discard(answer)
        if not answer.done():
            answer.set_result(typed)


def _secret() -> QLineEdit:
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    return field
