"""A window that nobody touches does nothing: a layout that asks for itself again burns a core until it is closed."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Message, MessageKind, Remedy
from tests.support.filled_audit import fill

TURNS = 100
_UNREST = (QEvent.Type.LayoutRequest, QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.UpdateRequest)


class Watch(QObject):
    """Counts what asks for the window to be laid out or painted, and where."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _UNREST:
            self.seen[f"{event.type().name} of {type(watched).__name__} {watched.objectName()!r}"] += 1
        return False


def unrest() -> dict[str, int]:
    """What goes on in a hundred turns, after a hundred to come to rest in."""
    watch, application = Watch(), QCoreApplication.instance()
    assert application is not None
    for _ in range(TURNS):
        QApplication.processEvents()
    application.installEventFilter(watch)
    for _ in range(TURNS):
        QApplication.processEvents()
    application.removeEventFilter(watch)
    # A cursor blinks, a bar of progress moves: now and then, and not in every turn.
    return {what: n for what, n in watch.seen.items() if n > TURNS // 10}


def test_that_a_message_lets_the_window_rest(window: MainWindow, context: Context) -> None:
    texts = ("Saved.", "A table that is long enough to be broken into lines: " + "word " * 60, "x" * 300)
    for text, remedies in product(texts, (0, 3)):
        ways = tuple(Remedy(text=f"Do the {at}. thing about it", do=lambda: None) for at in range(remedies))
        said = Message(text=text, kind=MessageKind.ERROR, remedies=ways, details="More of it.", topic="rest")
        context.messages.say(said)
        for width in (1280, 900):
            window.resize(width, 720)
            assert unrest() == {}, (text, remedies, width)


def test_that_every_page_of_an_audit_comes_to_rest(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    fill(context.engine.open_audit.context.audit, models_asked=("faulty",), dimensions=("Religion",))
    context.messages.warning("Something is to be seen to.")
    for width in (1280, 1000):
        window.resize(width, 720)
        for page in ("home", "sources", "models", "protocol", "runs", "review", "results", "reports"):
            context.navigator.go(page)
            settle()
            assert unrest() == {}, page
        for method in catalogue.methods():
            context.navigator.go("runs", setup=method)
            settle()
            assert unrest() == {}, method
