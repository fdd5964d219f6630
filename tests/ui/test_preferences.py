"""The page of preferences: what is changed there holds at once, everywhere, and can be taken back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.extras import Extra
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.engine.collect.contacted_hosts import contacted
from gpf_desktop.settings.preferences import HERE, declared
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.preferences.extras_section import ExtraRow
from gpf_desktop.ui.preferences.preferences_dialog import PreferencesDialog
from gpf_desktop.ui.theme import Scheme
from tests.ui.accessibility import problems_in


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> Iterator[PreferencesDialog]:
    window.context.actions.action("edit.preferences").trigger()
    made = window.findChild(PreferencesDialog)
    assert made is not None
    yield made
    if shiboken6.isValid(made):
        made.close()


def box(dialog: PreferencesDialog, name: str, kind: type) -> object:
    editor = dialog.fields[name].field.editor
    return editor if isinstance(editor, kind) else editor.findChild(kind)


def test_that_every_option_has_a_named_field(dialog: PreferencesDialog) -> None:
    assert list(dialog.fields) == list(declared())
    assert problems_in(dialog) == []


def test_that_a_theme_chosen_here_holds_at_once_and_one_of_the_menu_is_shown_here(
    dialog: PreferencesDialog, context: Context, qtbot: QtBot
) -> None:
    themes = box(dialog, "look.theme", QComboBox)
    assert isinstance(themes, QComboBox)
    themes.setCurrentIndex(2)
    assert context.theme.scheme is Scheme.DARK
    qtbot.waitUntil(lambda: context.theme.settled)
    context.actions.action("theme.light").trigger()
    qtbot.waitUntil(lambda: HERE.get("look.theme") == "light")
    assert themes.currentText() == "Light"


def test_that_changes_are_taken_back_one_by_one_and_all_defaults_at_once(dialog: PreferencesDialog) -> None:
    cap = dialog.fields["rounds.spend_cap"].field.editor
    tick, number = cap.findChild(QCheckBox), cap.findChild(QDoubleSpinBox)
    assert not dialog.undo.isEnabled()
    tick.click()
    assert HERE.get("rounds.spend_cap") == 10.0
    number.setValue(7.5)
    assert HERE.get("rounds.spend_cap") == 7.5
    dialog.take_back()
    assert HERE.get("rounds.spend_cap") == 10.0
    assert tick.isChecked()
    dialog.take_back()
    assert HERE.get("rounds.spend_cap") is None
    assert not tick.isChecked()
    HERE.set("look.text_size", 125)
    dialog.all_defaults.click()
    assert HERE.chosen() == {}
    dialog.undo.click()
    assert HERE.chosen() == {"look.text_size": 125}
    dialog.fields["look.text_size"].default.click()
    assert HERE.chosen() == {}


def test_that_a_value_that_does_not_do_is_said_in_its_field_and_changes_nothing(
    dialog: PreferencesDialog, qtbot: QtBot
) -> None:
    proxy = box(dialog, "network.proxy", QLineEdit)
    assert isinstance(proxy, QLineEdit)
    qtbot.keyClicks(proxy, "http://me:secret@proxy.example:8080")
    qtbot.keyClick(proxy, Qt.Key.Key_Return)
    assert "password is not kept" in dialog.fields["network.proxy"].field.problem
    assert HERE.get("network.proxy") == ""
    proxy.clear()
    qtbot.keyClicks(proxy, "http://proxy.example:8080")
    qtbot.keyClick(proxy, Qt.Key.Key_Return)
    assert dialog.fields["network.proxy"].field.problem == ""
    assert HERE.get("network.proxy") == "http://proxy.example:8080"
    assert dialog.isVisible()


def test_that_a_number_is_kept_when_it_is_typed_whole(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    size = box(dialog, "look.text_size", QSpinBox)
    assert isinstance(size, QSpinBox)
    size.selectAll()
    qtbot.keyClicks(size, "15")
    assert HERE.get("look.text_size") == 100
    qtbot.keyClicks(size, "0")
    qtbot.keyClick(size, Qt.Key.Key_Return)
    assert HERE.get("look.text_size") == 150


def test_that_tab_goes_through_every_field_and_escape_closes(
    dialog: PreferencesDialog, window: MainWindow, qtbot: QtBot
) -> None:
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.search.setFocus()
    met: list[str] = []
    for _ in range(200):
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        holder = dialog.focusWidget()
        assert holder.isVisible()
        if holder is dialog.search:
            break
        met += [name for name, field in dialog.fields.items() if field.isAncestorOf(holder) and name not in met]
    assert met == list(declared())
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_that_what_is_sought_is_shown_and_nothing_else(dialog: PreferencesDialog) -> None:
    dialog.search.setText("PEM certificates")
    dialog.search.flush()
    assert [name for name, field in dialog.fields.items() if field.isVisible()] == ["network.certificates"]
    dialog.search.setText("")
    dialog.search.flush()
    assert all(field.isVisible() for field in dialog.fields.values())


def test_that_one_file_takes_settings_and_keys_to_another_window_and_no_key_of_a_provider(
    dialog: PreferencesDialog, context: Context, tmp_path: Path
) -> None:
    HERE.set("rounds.calls_at_once", 3)
    opening, making = (context.actions.keys(each) for each in ("file.open", "file.new"))
    context.actions.rebind("file.open", ())
    context.actions.rebind("file.new", opening)
    context.actions.rebind("file.open", making)
    dialog.export_to(tmp_path / "mine.json")
    HERE.forget()
    context.actions.reset_keys()
    dialog.import_from(tmp_path / "mine.json")
    assert HERE.get("rounds.calls_at_once") == 3
    assert context.actions.keys("file.open") == making
    assert context.actions.keys("file.new") == opening
    assert context.actions.conflicts() == ()
    assert "Imported" in dialog.said.text()
    (tmp_path / "other.json").write_text("{}")
    dialog.import_from(tmp_path / "other.json")
    assert "no file of settings" in dialog.said.text()
    assert HERE.get("rounds.calls_at_once") == 3


def test_that_every_host_of_the_audit_is_told_with_why(monkeypatch: pytest.MonkeyPatch) -> None:
    models = [
        Endpoint(provider="openai", model="small-one"),
        Endpoint(provider="openai-compatible", model="own", base_url="http://127.0.0.1:8080/v1"),
        Endpoint(provider="calibration", model="neutral"),
    ]
    told = {each.host: each.why for each in contacted(models, ["https://news.example/rss.xml", "news.xml"])}
    assert told.keys() == {
        "api.openai.com",
        "127.0.0.1",
        "news.example",
        "huggingface.co",
        "*.wikipedia.org",
        "the index of pip",
    }
    assert "small-one" in told["api.openai.com"]
    assert "This computer" in told["127.0.0.1"]
    monkeypatch.setenv("HTTPS_PROXY", "http://ana:secret@proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "news.example")
    through = {each.host: each.why for each in contacted(models, ["https://news.example/rss.xml"])}
    assert through.keys() - told.keys() == {"proxy.example:3128"}
    assert "api.openai.com, huggingface.co, *.wikipedia.org" in through["proxy.example:3128"]


def test_that_a_library_that_is_missing_is_added_by_a_button(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    extra = Extra(
        name="trams", title="Trams", purpose="Counts trams.", requirements=("gpf-desktop-test-trams",), megabytes=1
    )
    row = ExtraRow(window.context, extra)
    qtbot.addWidget(row)
    row.show()
    assert (row.add.isVisible(), row.stop.isVisible()) == (True, False)
    assert row.add.accessibleName() == "Add: Trams"
    row.add_from(tmp_path)  # a folder without its files
    told = window.context.messages
    qtbot.waitUntil(lambda: any("could not be added" in each.text for each in told.messages))
    qtbot.waitUntil(row.add.isVisible)


def test_that_libraries_that_are_here_offer_nothing(dialog: PreferencesDialog) -> None:
    row = dialog.extras.rows["parquet"]
    assert row.state.text() == "It is here."
    assert not row.add.isVisibleTo(row)
    dialog.search.setText("parquet")
    dialog.search.sought.emit("parquet")
    assert dialog.extras.isVisibleTo(dialog)
    dialog.search.sought.emit("proxy")
    assert not dialog.extras.isVisibleTo(dialog)
    none = dialog.findChild(QLabel, "preferences.none")
    assert none is not None
    assert not none.isVisibleTo(dialog)
    dialog.search.sought.emit("zebra")
    assert none.isVisibleTo(dialog)
