"""What a screen reader says of itself while the keyboard is elsewhere."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.shell.passphrase import PassphraseDialog

POLITE, AT_ONCE = QAccessible.AnnouncementPoliteness.Polite, QAccessible.AnnouncementPoliteness.Assertive
Said = list[tuple[str, QAccessible.AnnouncementPoliteness]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, window: MainWindow) -> Iterator[Said]:
    """What is given to Qt to be said, in its order; a reader listens."""
    heard: Said = []
    tell = QAccessible.updateAccessibility

    def listen(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            heard.append((event.message(), event.politeness()))
        tell(event)

    monkeypatch.setattr(QAccessible, "updateAccessibility", listen)
    QAccessible.setActive(True)
    yield heard
    QAccessible.setActive(False)


def test_that_messages_are_said_with_their_buttons_and_errors_at_once(window: MainWindow, said: Said) -> None:
    messages = window.context.messages
    messages.success("The round is finished.", Remedy(text="Read it", do=lambda: None))
    messages.success("The round is finished.", Remedy(text="Read it", do=lambda: None))
    messages.error("The server does not answer.")
    messages.info("Nothing new.")
    assert said[0] == ("Done: The round is finished. Button: Read it.", POLITE)
    assert said[-1] == ("Error: The server does not answer.", AT_ONCE), "what waits for its turn is not said"
    messages.dismiss(messages.messages[0])
    assert said[-1][0].endswith("Nothing new.")


def test_that_nothing_is_made_where_nobody_listens(window: MainWindow, said: Said) -> None:
    QAccessible.setActive(False)
    window.context.messages.error("The server does not answer.")
    assert said == []


def test_that_each_quarter_of_a_round_is_said_once(window: MainWindow, said: Said) -> None:
    window.strip.show_run("running, 24%", "2 minutes left", "")
    window.strip.show_run("running, 25%", "1 minute left", "", 1)
    window.strip.show_run("running, 26%", "1 minute left", "", 1)
    assert said == [("running, 25%, 1 minute left", POLITE)]


def test_that_what_is_wrong_in_a_field_is_said_where_it_is_in_sight(
    window: MainWindow, qtbot: QtBot, said: Said
) -> None:
    dialog = PassphraseDialog(window.context.theme, window, lambda _: None, new=True)
    dialog.show()
    dialog.typed.setText("seven77")
    for _ in range(2):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert said == [("Take 8 characters or more.", POLITE)]
    dialog.close()
