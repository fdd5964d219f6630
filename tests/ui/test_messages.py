"""Messages above or below a page: whole, the gravest first, with what can be done."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import AuditClosed
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import FILE_TOPIC, Message, Remedy


def test_that_a_message_offers_its_remedy_and_can_be_dismissed(
    window: MainWindow, context: Context, qtbot: QtBot
) -> None:
    done: list[str] = []
    context.messages.error("The disk is full.", Remedy(text="Try again", do=lambda: done.append("again")))
    bar = window.message_bar
    assert bar.isVisible()
    (again,) = bar.remedy_buttons()
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    assert done == ["again"]
    qtbot.mouseClick(bar.findChild(QToolButton, "dismissMessage"), Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


@pytest.mark.parametrize("scale", [100, 150])
def test_that_no_answer_to_a_question_is_cut(window: MainWindow, context: Context, scale: int) -> None:
    bar = window.message_bar

    def whole(each: QPushButton) -> bool:
        return bar.rect().contains(each.geometry()) and each.width() >= each.sizeHint().width()

    context.theme.set_text_scale(scale)
    names = ("Finish what is in flight", "Stop now", "Keep running in the background")
    remedies = [Remedy(text=each, do=lambda: None) for each in names]
    sentence = "A round is being asked. Stopped now, answers on their way are lost."
    for _asked_again in range(2):
        context.messages.warning(sentence, *remedies, topic="leaving")
        # The layout has its turn.
        QApplication.processEvents()
        assert all(map(whole, bar.remedy_buttons()))
        assert len(bar.remedy_buttons()) == 3
        context.messages.clear("leaving")


def test_that_a_seal_in_a_message_is_seen_to_its_last_letter(window: MainWindow, context: Context) -> None:
    window.resize(1280, 720)
    seal = "2a8e6b763c6a43af68b8b28a1355b1d2647f5bcd990138002477c8c999d82b66"
    copy = Remedy(text="Copy the check code", do=lambda: None)
    context.messages.success(f"The shared file is in a.zip. Keep its check code elsewhere: {seal}", copy)
    QApplication.processEvents()
    text = window.message_bar.findChild(QLabel, "messageText")
    assert text.contentsRect().width() >= text.fontMetrics().horizontalAdvance(seal)


def test_that_the_gravest_message_is_shown_first_and_topics_replace(window: MainWindow, context: Context) -> None:
    messages = context.messages
    messages.error("Bad key.", topic="model")
    messages.warning("Network folder.")
    messages.info("Copied.")
    messages.info("Saved.")
    assert [message.text for message in messages.messages] == ["Bad key.", "Network folder.", "Saved."]
    messages.error("No credit.", topic="model")
    assert window.message_bar.message == Message(text="No credit.", kind=messages.messages[0].kind, topic="model")
    messages.clear("model")
    assert window.message_bar.message.text == "Network folder."


def test_that_details_are_folded_and_copied_without_secrets(window: MainWindow, context: Context, qtbot: QtBot) -> None:
    secret = "sk-" + "canary0123456789"
    context.messages.bug(RuntimeError(f"request failed: Authorization: Bearer {secret}"))
    message = window.message_bar.message
    assert "RuntimeError" in message.details
    assert secret not in message.details
    assert not window.message_bar._details.isVisible()
    qtbot.mouseClick(window.message_bar._show_details, Qt.MouseButton.LeftButton)
    assert window.message_bar._details.isVisible()
    qtbot.mouseClick(window.message_bar._copy, Qt.MouseButton.LeftButton)
    assert "RuntimeError" in QGuiApplication.clipboard().text()
    assert secret not in QGuiApplication.clipboard().text()


def test_that_a_remedy_pressed_while_its_audit_is_being_closed_is_not_done_to_the_next(
    context: Context, window: MainWindow, audit: Path, qtbot: QtBot
) -> None:
    done: list[str] = []
    for topic in ("sources", FILE_TOPIC):
        context.bridge.leave()
        context.messages.error("It failed.", Remedy(text="Retry", do=partial(done.append, topic)), topic=topic)
        qtbot.mouseClick(window.message_bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    assert done == [FILE_TOPIC]
    # It stays open after all.
    context.bridge.stay()
    qtbot.waitUntil(lambda: done == [FILE_TOPIC, "sources"])
    context.bridge.leave()
    context.messages.error("It failed.", Remedy(text="Retry", do=partial(done.append, "gone")), topic="sources")
    qtbot.mouseClick(window.message_bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    context.bridge.announce(AuditClosed(path=audit))
    qtbot.waitUntil(lambda: context.bridge.idle)
    assert done == [FILE_TOPIC, "sources"]
