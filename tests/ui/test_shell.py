"""The window around the pages: rail, keys, palette, messages, history, what is remembered."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import current_thread, main_thread
from types import ModuleType, SimpleNamespace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop import app
from gpf_desktop.app import Desktop, display_problem
from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.models import price_list
from gpf_desktop.ui import qt_classes
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.shell.pages import PageSpec, page_specs
from gpf_desktop.ui.theme import Scheme
from tests.ui.accessibility import problems_in, tab_problems

PAGES = ["home", "sources", "models", "protocol", "runs", "review", "results", "reports"]


def shown_page(window: MainWindow) -> str:
    page = window.stack.current
    assert page is not None
    return page.page_id


def test_that_the_rail_and_its_key_show_the_page(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    other = window.rail.findChild(type(window.rail._buttons["home"]), "rail.home")
    for number, page in enumerate(PAGES, start=1):
        qtbot.keyClick(window, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        assert shown_page(window) == page
        qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
        assert shown_page(window) == "home"
        qtbot.mouseClick(window.rail._buttons[page], Qt.MouseButton.LeftButton)
        assert shown_page(window) == page
        assert window.rail._buttons[page].isChecked()


def test_that_pages_are_built_when_first_shown_and_then_kept(window: MainWindow, context: Context) -> None:
    assert window.stack.count() == 1
    context.navigator.go("models")
    first = window.stack.current
    context.navigator.go("home")
    context.navigator.go("models")
    assert window.stack.current is first
    assert window.stack.count() == 2


def test_that_the_wheel_over_a_box_of_a_page_changes_nothing(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    context.engine.open_audit.sources.add_sample().result()
    context.navigator.go("sources")
    settle()
    page = window.stack.current
    assert page is not None
    boxes = [box for box in page.findChildren(QComboBox) if box.isVisible() and box.count() > 1]
    assert boxes
    for box in boxes:
        box.setCurrentIndex(0)
        middle = QPointF(box.mapTo(window, box.rect().center()))
        QTest.wheelEvent(window.windowHandle(), middle, QPoint(0, -120))
        assert box.currentIndex() == 0
        assert not box.hasFocus()


def test_that_pages_are_made_ready_while_nobody_waits(
    desktop: Desktop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another thread, so only once that thread makes none of Qt's classes beside the window's."""
    stack, load = desktop.window.stack, PageSpec.load
    monkeypatch.setattr(qt_classes, "_LEFT", qt_classes._each())
    all_made: list[bool] = []

    def loaded(page: PageSpec) -> ModuleType:
        if current_thread() is not main_thread():
            all_made.append(next(qt_classes._LEFT, "none is left") == "none is left")
        return load(page)

    monkeypatch.setattr(PageSpec, "load", loaded)
    desktop.window.context.navigator.go("sources")
    shown = stack.current
    desktop.ahead.begin()
    qtbot.waitUntil(lambda: desktop.ahead.done)
    built = [stack.widget(at) for at in range(stack.count())]
    names = [page.page_id for page in built if isinstance(page, Page)]
    assert sorted(names) == ["home", "models", "protocol", "review", "runs", "sources"]
    assert stack.current is shown
    assert all_made
    assert all(all_made)


def test_that_a_page_that_is_made_in_parts_is_whole_when_it_is_asked_for(window: MainWindow, context: Context) -> None:
    """All of Review at once would hold up the window."""
    assert not window.stack.build("review")
    context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    assert page.isAncestorOf(page.reading)
    assert window.stack.build("review")


def test_that_models_reads_the_price_list_before_it_is_built(window: MainWindow) -> None:
    (spec,) = (page for page in page_specs() if page.id == "models")
    price_list._read.cache_clear()
    spec.make_ready()
    read = price_list._read.cache_info().misses
    window.stack.page("models")
    assert price_list._read.cache_info().misses == read


def test_that_back_and_forward_return_to_where_one_was(
    window: MainWindow, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived: list[tuple[str, dict[str, object]]] = []
    for page in ("sources", "reports"):
        kind = type(window.stack.page(page))
        monkeypatch.setattr(kind, "arrive", lambda self, state: arrived.append((self.page_id, dict(state))))
        monkeypatch.setattr(kind, "state", lambda self: {"seen": self.page_id})
    context.actions.action("view.sources").trigger()
    context.navigator.go("reports", section="all")
    assert arrived[-1] == ("reports", {"section": "all"})
    context.actions.action("view.back").trigger()
    assert shown_page(window) == "sources"
    context.actions.action("view.forward").trigger()
    assert arrived[-1] == ("reports", {"seen": "reports"})
    assert not context.actions.action("view.forward").isEnabled()


def test_that_an_action_waits_for_its_fact(context: Context, audit: Path) -> None:
    copy = context.actions.action("file.copy")
    assert copy.isEnabled()
    context.actions.set_fact(Fact.AUDIT_OPEN, False)
    assert not copy.isEnabled()


def test_that_a_command_given_elsewhere_shows_the_page_that_handles_it(
    window: MainWindow, context: Context, audit: Path
) -> None:
    context.navigator.go("home")
    context.actions.action("run.new").trigger()
    assert shown_page(window) == "runs"


def test_that_a_command_whose_work_is_seen_on_its_page_alone_shows_it_each_time(
    context: Context, audit: Path, window: MainWindow, settle: Callable[[], None]
) -> None:
    for page in PAGES:
        context.navigator.go(page)
    for spec in context.actions.specs():
        if spec.at_home and context.actions.action(spec.id).isEnabled():
            context.navigator.go("home")
            context.actions.action(spec.id).trigger()
            settle()
            assert shown_page(window) == spec.home, spec.id
            while (popup := QApplication.activePopupWidget()) is not None:
                popup.close()


def test_that_a_user_error_is_said_in_its_own_words(context: Context) -> None:
    context.messages.failure(UserError("The feed is not XML.", "Check the address."))
    assert context.messages.messages[0].text == "The feed is not XML. Check the address."
    assert context.messages.messages[0].details == ""


def test_that_a_new_audit_opens_is_remembered_and_closes(
    window: MainWindow, context: Context, audit: Path, qtbot: QtBot
) -> None:
    assert window.windowTitle() == "evening – GPF Desktop"
    assert window.recent.paths() == (audit,)
    assert context.actions.holds(Fact.AUDIT_OPEN)
    qtbot.waitUntil(lambda: shown_page(window) == "sources")
    context.actions.action("file.close").trigger()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    qtbot.waitUntil(lambda: shown_page(window) == "home")
    assert window.windowTitle() == "GPF Desktop"


def test_that_open_recent_lists_files_by_their_names_and_nothing_else(
    window: MainWindow, tmp_path: Path, settle: Callable[[], None]
) -> None:
    settle()
    (menu,) = (each for each in window.findChildren(QMenu) if each.title() == "Open &recent")
    assert menu.actions() == [], "not even what every dialog of the window is given"
    (tmp_path / "R&D.gpf").touch()
    window.recent.add(tmp_path / "R&D.gpf")
    settle()
    assert [each.text() for each in menu.actions()] == ["R&&D", "", "&Forget these"]


def test_that_a_file_that_is_no_audit_is_said_in_the_message_bar(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    bad = tmp_path / "letter.gpf"
    bad.write_text("Dear Sir or Madam")
    window.files.open(bad)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "letter.gpf" in window.message_bar.message.text
    assert [button.text() for button in window.message_bar.remedy_buttons()] == [
        "Daily copies …",
        "Open another file …",
    ]


def test_that_a_locked_file_can_be_tried_again(window: MainWindow, tmp_path: Path) -> None:
    error = StorageError("The audit is open elsewhere.", "Close it there.", fault=StorageFault.LOCKED)
    window.files._failed(tmp_path / "a.gpf", error)
    assert [button.text() for button in window.message_bar.remedy_buttons()] == ["Try again", "Open another file …"]


def drop_of(path: Path) -> QDropEvent:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(QPoint(5, 5)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    # Qt keeps no hold of it.
    event.held = data  # type: ignore[attr-defined]
    return event


def test_that_a_dropped_audit_is_opened(window: MainWindow, audit: Path, qtbot: QtBot) -> None:
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    window.dropEvent(drop_of(audit))
    qtbot.waitUntil(lambda: window.status.audit_open)


@pytest.mark.parametrize(
    ("name", "dialog"),
    [("bought.CSV", "import"), ("a.zip", "openArtifact"), ("packed.zip", "import"), ("photograph.png", None)],
)
def test_that_an_artifact_or_a_table_that_is_dropped_becomes_an_audit(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str, dialog: str | None
) -> None:
    table = "model,headline,identity,response\nx,News,Hindu,Words\n"
    if name == "packed.zip":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("bought.csv", table)
    else:
        (tmp_path / name).write_text(table)
    window.dropEvent(drop_of(tmp_path / name))
    if dialog is None:
        assert not window.findChildren(QDialog)
    else:
        qtbot.waitUntil(lambda: window.findChild(QDialog, dialog) is not None)


def test_that_what_is_asked_for_while_an_audit_closes_follows(window: MainWindow, audit: Path, qtbot: QtBot) -> None:
    other = audit.with_name("other.gpf")
    window.files.close_audit()
    window.files.create(other, "gpf-livenews")
    qtbot.waitUntil(lambda: (held := window.context.engine.current) is not None and held.path == other)
    window.files.close_audit()
    window.files.open(other)
    qtbot.waitUntil(lambda: window.recent.paths()[:1] == (other,) and window.context.bridge.idle)
    assert window.status.audit_open


@pytest.mark.slow
def test_that_the_window_comes_back_as_it_was(settings: QSettings, qtbot: QtBot) -> None:
    first = Desktop(app.make_application(), settings, Engine)
    first.window.show()
    first.window.resize(780, 640)
    first.theme.set_scheme(Scheme.DARK)
    first.close()
    second = Desktop(app.make_application(), settings, Engine)
    second.window.show()
    assert (second.window.width(), second.window.height()) == (780, 640)
    assert second.theme.scheme is Scheme.DARK
    second.close()


@pytest.mark.parametrize(("height", "maximized"), [(700, True), (1040, False)])
def test_that_a_first_window_is_no_taller_than_its_screen(
    settings: QSettings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, height: int, maximized: bool
) -> None:
    monkeypatch.setattr(MainWindow, "screen", lambda _: SimpleNamespace(availableSize=lambda: QSize(1280, height)))
    first = Desktop(app.make_application(), settings, Engine)
    assert first.window.isMaximized() is maximized
    first.close()


def test_that_the_window_has_an_icon_of_its_own(window: MainWindow) -> None:
    icon = window.windowIcon()
    for size in (16, 32, 256):
        picture = icon.pixmap(QSize(size, size), 1.0).toImage()
        colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
        assert picture.width() == size
        assert len(colours) > 2


def test_that_everything_focusable_has_a_name(window: MainWindow, context: Context) -> None:
    context.messages.error("Bad key.", Remedy(text="Try again", do=lambda: None), details="401")
    for page in page_specs():
        context.navigator.go(page.id)
    assert problems_in(window) == []


def test_that_tab_reaches_everything_and_comes_back(window: MainWindow, context: Context) -> None:
    context.messages.error("Bad key.", Remedy(text="Try again", do=lambda: None), details="401")
    for page in PAGES:
        context.navigator.go(page)
        window.activateWindow()
        assert tab_problems(window) == [], page


@pytest.mark.parametrize("scale", [100, 150, 200])
def test_that_the_shell_fits_into_a_small_window(
    window: MainWindow, context: Context, settle: Callable[[], None], scale: int
) -> None:
    context.theme.set_text_scale(scale)
    window.strip.show_run("running, 34%", "6 to 9 min left", "$1.83 of $10.00")
    window.strip.show_keys("Keys: Secret Service")
    window.strip.show_saved("All changes saved")
    window.resize(1280, 720)
    assert window.minimumSizeHint().width() <= 1280
    assert window.minimumSizeHint().height() <= 720


def test_that_a_bug_in_a_slot_surfaces_once(desktop: Desktop, window: MainWindow, expected_log, qtbot: QtBot) -> None:
    expected_log("a bug of ours")

    def fail() -> None:
        raise RuntimeError("a bug of ours")

    for _ in range(3):
        try:
            fail()
        except RuntimeError as error:
            desktop._catcher.catch(error)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert len(window.context.messages.messages) == 1
    assert "a bug of ours" in window.message_bar.message.details


def test_that_without_a_display_one_sentence_says_what_to_do() -> None:
    assert display_problem({"DISPLAY": ":0"}, "linux") == ""
    assert display_problem({"QT_QPA_PLATFORM": "offscreen"}, "linux") == ""
    assert display_problem({}, "darwin") == ""
    assert "--no-window" in display_problem({}, "linux")


def test_that_about_opens_without_holding_up_the_window(window: MainWindow, context: Context, qtbot: QtBot) -> None:
    context.actions.action("help.about").trigger()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    assert problems_in(dialog) == []
    qtbot.mouseClick(dialog.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert QApplication.activeModalWidget() is None
