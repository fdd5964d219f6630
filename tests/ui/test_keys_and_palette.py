"""Every action has its key, its menu and its place in the palette, and keys do nothing where text is typed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QKeySequenceEdit, QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.shell.palette import CommandPalette, ranked
from tests.ui.accessibility import problems_in
from tests.ui.test_shell import shown_page


def found_by(palette: CommandPalette) -> list[str]:
    """The ids of the commands in its list, top first."""
    index = palette.found.model().index
    return [index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(palette.found.rowCount())]


def test_that_no_key_starts_two_things(context: Context) -> None:
    assert context.actions.conflicts() == ()


def test_that_every_action_has_words_and_a_place_in_the_palette(context: Context) -> None:
    for spec in context.actions.specs():
        words = spec.text.replace("&", "").removesuffix(" …")
        assert words
        assert spec.id in [found.id for found in ranked(words, context.actions)][:4], spec.id


def test_that_every_menu_of_the_design_is_there(window: MainWindow) -> None:
    titles = [action.text().replace("&", "") for action in window.menuBar().actions()]
    assert titles == ["File", "Edit", "View", "Round", "Review", "Reports", "Window", "Help"]


def test_that_no_letter_of_a_menu_stands_for_two_things(window: MainWindow) -> None:
    for menu in window.menuBar().actions():
        if menu.text() == "Ro&und":
            continue  # It has thirty entries: there a letter goes from one to the next.
        letters = [QKeySequence.mnemonic(action.text()).toString() for action in menu.menu().actions()]
        told = [letter for letter in letters if letter]
        assert sorted(told) == sorted(set(told)), (menu.text(), told)


def test_that_the_palette_starts_what_was_typed(window: MainWindow, qtbot: QtBot, context: Context) -> None:
    palette = window.commands.open_palette()
    qtbot.keyClicks(palette.field, "prtcl")
    assert found_by(palette)[0] == "view.protocol"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert shown_page(window) == "protocol"
    assert not palette.isVisible()


def test_that_the_palette_does_not_start_what_cannot_be_used(window: MainWindow, qtbot: QtBot) -> None:
    palette = window.commands.open_palette()
    assert "file.copy" not in found_by(palette)
    qtbot.keyClicks(palette.field, "save a copy")
    assert found_by(palette)[0] == "file.copy"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_that_the_palette_stays_in_the_window_with_large_text(window: MainWindow, context: Context) -> None:
    context.theme.set_text_scale(200)
    palette = window.commands.open_palette()
    assert window.frameGeometry().contains(palette.frameGeometry())
    palette.close()


def test_that_arrow_keys_choose_in_the_palette(window: MainWindow, qtbot: QtBot) -> None:
    palette = window.commands.open_palette()
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1), (Qt.Key.Key_Up, 0)):
        qtbot.keyClick(palette.field, key)
        assert palette.found.currentRow() == row
    palette.close()


def test_that_a_key_is_changed_and_kept_unless_it_is_taken(window: MainWindow, context: Context) -> None:
    assert context.actions.rebind("file.new", ("Ctrl+K",))[0].key == "Ctrl+K"
    assert context.actions.keys("file.new") == ("Ctrl+N",)
    assert context.actions.rebind("file.new", ("Ctrl+Alt+N",)) == ()
    assert context.actions.action("file.new").shortcut() == QKeySequence("Ctrl+Alt+N")
    assert context.settings.value("keys/file.new") == "Ctrl+Alt+N"
    context.actions.reset_keys()
    assert context.actions.keys("file.new") == ("Ctrl+N",)


def test_that_the_list_of_keys_shows_all_and_finds_some(window: MainWindow, qtbot: QtBot) -> None:
    keys = window.commands.open_keys()
    everything = keys._grid.count()
    keys.search.setText("theme")
    qtbot.keyClick(keys.search, Qt.Key.Key_Return)
    assert 0 < keys._grid.count() < everything
    assert problems_in(keys) == []
    keys.close()


def test_that_the_list_of_keys_begins_with_those_of_the_page(window: MainWindow, context: Context) -> None:
    context.navigator.go("review")
    keys = window.commands.open_keys()
    first = keys._grid.itemAt(0).widget()
    assert isinstance(first, QLabel)
    assert first.text().endswith("Review · only on this page")
    keys.close()


def test_that_the_list_of_keys_follows_where_it_stands(window: MainWindow, context: Context) -> None:
    """Made anew for each command it took minutes, in which nothing was painted, and the keyboard left its field."""
    keys = window.commands.open_keys()
    editors = keys.findChildren(QKeySequenceEdit)
    context.actions.rebind("file.new", ("Ctrl+Alt+N",))
    assert QKeySequence("Ctrl+Alt+N") in [each.keySequence() for each in editors]
    told: list[str] = []
    context.actions.rebound.connect(told.append)
    context.actions.reset_keys()
    assert told == ["file.new"]
    assert keys.findChildren(QKeySequenceEdit) == editors
    assert QKeySequence("Ctrl+N") in [each.keySequence() for each in editors]
    keys.close()


def test_that_single_letters_belong_to_their_page(window: MainWindow, context: Context) -> None:
    pressed: list[str] = []
    context.actions.on("review.flag", lambda: pressed.append("flag"))
    context.navigator.go("review")
    context.actions.set_fact(Fact.BUNDLE_SHOWN, True)
    assert not context.actions.action("review.flag").isEnabled(), "of no audit there is a bundle"
    context.actions.set_fact(Fact.AUDIT_OPEN, True)
    assert context.actions.action("review.flag").isEnabled()
    context.navigator.go("home")
    assert not context.actions.action("review.flag").isEnabled()
    context.navigator.go("review")
    assert context.actions.action("review.flag").isEnabled()
    assert not context.actions.action("review.flag").autoRepeat()
    context.navigator.go("home")
    assert not context.actions.action("review.flag").isEnabled()


def test_that_letters_typed_into_a_field_do_nothing_else(window: MainWindow, context: Context, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QLineEdit

    started: list[str] = []
    context.navigator.go("review")
    for spec in context.actions.specs():
        if spec.page == "review" or spec.id == "help.keys":
            context.actions.on(spec.id, lambda spec=spec: started.append(spec.id))
    context.actions.set_fact(Fact.BUNDLE_SHOWN, True)
    field = QLineEdit()
    window.stack.current.body.addWidget(field)
    field.setFocus()
    typed = "dolxu1234.ntfbvhr?DOLXU"
    qtbot.keyClicks(field, typed)
    assert field.text() == typed
    assert started == []
    field.deleteLater()


def test_that_f6_goes_round_the_panes(window: MainWindow, context: Context, qtbot: QtBot) -> None:
    context.messages.error("Bad key.", Remedy(text="Try again", do=lambda: None))
    window.activateWindow()
    panes = window.commands.panes()
    reached = []
    for _ in panes:
        context.actions.action("view.next_pane").trigger()
        focus = QApplication.focusWidget()
        reached.append(next(pane for pane in panes if pane.isAncestorOf(focus)))
    assert set(reached) == set(panes)


def test_that_every_menu_fits_a_low_window_in_one_column_and_has_every_command_with_its_keys(
    window: MainWindow, context: Context
) -> None:
    for which, menu in window.menus.items():
        inner = [menu, *(each.menu() for each in menu.actions() if each.menu())]
        found = [
            action for each in inner for action in each.actions() if not action.menu() and not action.isSeparator()
        ]
        specs = [spec for spec in context.actions.specs() if spec.menu is which]
        assert {context.actions.action(spec.id) for spec in specs} <= set(found)
        for each in inner:
            if not each.actions():
                continue  # Filled once it is opened.
            assert each.sizeHint().height() < 720 - 2 * window.menuBar().sizeHint().height()
            assert len({each.actionGeometry(action).left() for action in each.actions()}) == 1
    for words, wanted in (
        ("fitting context", "review.context"),
        ("verdict", "review.harmful"),
        ("severity 3", "review.severity3"),
        ("save filter", "review.save_filter"),
    ):
        assert wanted in [spec.id for spec in ranked(words, context.actions)]
    assert context.actions.keys("review.context") == ("O",)
    assert context.actions.keys("review.submit") == ("Ctrl+Return", "Ctrl+Enter")
