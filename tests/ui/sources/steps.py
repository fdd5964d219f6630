"""What an auditor does on the page Sources, for its tests."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Message
from gpf_desktop.ui.sources.adding_view_model import Stage
from gpf_desktop.ui.sources.sources_page import SourcesPage

NEUTRAL = ("Home team wins the cup final after extra time", "Storm closes coastal ferry for third day")


RELEVANT = ("Immigration court backlog grows as asylum claims rise", "Workers vote on layoffs at car plant")


def look(page: SourcesPage, qtbot: QtBot, typed: str) -> None:
    page.box.setPlainText(typed)
    qtbot.keyClick(page.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.adding.stage is not Stage.LOOKING)


def add(page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], typed: str) -> None:
    """Paste, look, add, as a user does."""
    before = len(page.model.lines)
    look(page, qtbot, typed)
    page.found.add.click()
    qtbot.waitUntil(lambda: len(page.model.lines) > before and page.adding.stage is Stage.IDLE)
    settle()


def cells(page: SourcesPage, row: int) -> list[str]:
    model = page.list.table.model()
    return [str(model.index(row, column).data() or "") for column in range(model.columnCount())]


def said(window: MainWindow) -> tuple[Message, ...]:
    return window.context.messages.messages


def do(window: MainWindow, words: str) -> None:
    """Press the button of the message bar that says *words*."""
    remedy = next(remedy for message in said(window) for remedy in message.remedies if remedy.text == words)
    remedy.do()
