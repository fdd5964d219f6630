"""Buttons, each with a name that a screen reader can say."""

from collections.abc import Callable
from functools import partial

import shiboken6
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QCursor, QIcon, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMenu, QPushButton, QToolButton

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import ICON
from gpf_desktop.ui.widgets.plain import plain_tip

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def pressed_by(event: QKeyEvent) -> bool:
    """Whether *event* is Enter alone, which presses the button that has the keyboard, as Space does."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in _ENTER and not held and not event.isAutoRepeat()


class PushButton(QPushButton):
    """Enter presses it, as Space does; with a menu it shows that."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by(event):
            super().keyPressEvent(event)
        elif self.menu() is not None:
            self.showMenu()
        else:
            self.click()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # A button that is barred while it has the keyboard passes that on first, and whoever takes it may let the
        # button go again: Qt then comes back to the menu and bars that for good.
        if event.type() is QEvent.Type.EnabledChange and self.menu() is not None:
            self.menu().setEnabled(self.isEnabled())


class ToolButton(QToolButton):
    """Enter presses it, as Space does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if pressed_by(event):
            self.click()
        else:
            super().keyPressEvent(event)


def button(
    text: str,
    do: Callable[[], object] | None = None,
    *,
    primary: bool = False,
    danger: bool = False,
    compact: bool = False,
    name: str = "",
) -> QPushButton:
    """A push button; *primary* once per page at most; *name* becomes its object name."""
    made = PushButton(text)
    made.setProperty("primary", primary)
    made.setProperty("danger", danger)
    made.setProperty("compact", compact)
    # In a dialog Qt has Enter in any field press such a button.
    made.setAutoDefault(False)
    made.setObjectName(name)
    if do is not None:
        made.clicked.connect(lambda _checked=False: do())
    return made


def allow(made: QPushButton, why_not: str, tip: str = "") -> None:
    """Let *made* be pressed, with its *tip*, or say in its tool tip *why_not*."""
    made.setEnabled(not why_not)
    made.setToolTip(plain_tip(why_not or tip))


def menu_button(text: str, *, compact: bool = False, name: str = "", says: str = "") -> QPushButton:
    """A push button with a menu, which is empty yet; *says* in place of the text to a screen reader."""
    made = button(text, compact=compact, name=name)
    made.setProperty("menu", True)
    made.setMenu(QMenu(made))
    made.menu().aboutToHide.connect(partial(_see_mouse, made))
    made.setAccessibleName(says)
    return made


def _see_mouse(made: QPushButton) -> None:
    """Qt does not tell a button that the mouse left it for its menu: it would look as if it was under it for good."""
    made.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, made.rect().contains(made.mapFromGlobal(QCursor.pos())))
    made.update()


def link(text: str, do: Callable[[], object] | None = None, *, name: str = "") -> QPushButton:
    """A button that looks like a link, for going elsewhere."""
    made = button(text, do, name=name)
    made.setProperty("link", True)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    return made


def low_link(text: str, do: Callable[[], object] | None = None, *, name: str = "") -> QPushButton:
    """A link as low as the words beside it, where what stands below needs the room."""
    made = link(text, do, name=name)
    for look in ("inline", "go"):
        made.setProperty(look, True)
    return made


def icon_button(theme: Theme, icon: str, says: str, do: Callable[[], object] | None = None) -> QToolButton:
    """A button with an icon only; *says* is its tool tip and its accessible name."""
    made = ToolButton()
    made.setToolTip(plain_tip(says))
    made.setAccessibleName(says)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paint() -> None:
        made.setIcon(theme.icon(icon))
        made.setIconSize(QSize(theme.px(ICON), theme.px(ICON)))

    theme.follow(made, paint)
    if do is not None:
        made.clicked.connect(lambda _checked=False: do())
    return made


def action_button(action: QAction, text: str = "", *, primary: bool = False) -> QPushButton:
    """A push button for a registered action: same enabled state, same effect, its key in the tool tip."""
    made = button(text or action.text().replace("&", ""), action.trigger, primary=primary)

    def follow() -> None:
        # The action outlives the button, and the connection of a plain function does not end with it.
        if not shiboken6.isValid(made):
            return
        made.setEnabled(action.isEnabled())
        made.setToolTip(plain_tip(with_key(action.toolTip(), action)))

    action.changed.connect(follow)
    follow()
    return made


def key_called(keys: QKeySequence) -> str:
    """As keyboards of this system have it."""
    # "Return" is what Qt calls the key that keyboards call Enter.
    return keys.toString(QKeySequence.SequenceFormat.NativeText).replace("Return", tr("Enter"))


def icon_action(theme: Theme, icon: str, action: QAction, says: str) -> QToolButton:
    """A button with an icon only for *action*, which it is called like by *says*; its key in the tool tip."""
    made = icon_button(theme, icon, says, action.trigger)

    def follow() -> None:
        # As of `action_button`.
        if shiboken6.isValid(made):
            made.setEnabled(action.isEnabled())
            made.setToolTip(plain_tip(with_key(says, action)))

    action.changed.connect(follow)
    follow()
    return made


def with_key(words: str, action: QAction) -> str:
    """*words* with the key that *action* has now, as this system writes it."""
    key = key_called(action.shortcut())
    return f"{words} ({key})" if key else words


def ok_and_cancel(dialog: QDialog, accept: Callable[[], object] | None = None, *, words: str = "") -> QDialogButtonBox:
    """The buttons that end *dialog*: OK, called by what one gets in *words*, calls *accept* (None: the dialog's own),
    Cancel leaves all as it was.

    OK is what Enter presses, and looks like it; from a field of several lines Ctrl+Enter does.
    """
    buttons = ending_buttons(dialog, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    main = buttons.button(QDialogButtonBox.StandardButton.Ok)
    if words:
        main.setText(words)
    main.setDefault(True)
    main.setProperty("primary", True)
    press_by_ctrl_enter(dialog, main)
    buttons.accepted.connect(accept or dialog.accept)
    return buttons


def press_by_ctrl_enter(dialog: QDialog, main: QPushButton) -> None:
    """Ctrl+Enter presses *main* wherever in *dialog* the keyboard is; its tip says so."""
    # To Qt the Enter of the number pad is another key than Return.
    for keys in ("Ctrl+Return", "Ctrl+Enter"):
        QShortcut(QKeySequence(keys), dialog, main.click)
    main.setToolTip(plain_tip(key_called(QKeySequence("Ctrl+Return"))))


def ending_buttons(dialog: QDialog, standard: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """The *standard* buttons of *dialog*; Cancel and Close leave it."""
    buttons = QDialogButtonBox(standard)
    for each in buttons.buttons():
        # Some desktops give these pictures of their own, which no other button here has.
        each.setIcon(QIcon())
    buttons.rejected.connect(dialog.reject)
    return buttons
