"""Keys of models: typed, kept, tested and never shown."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.shell.passphrase import PassphraseDialog
from tests.support.openai_server import OpenAIServer
from tests.ui.models.form import KEY, label, row, run_test, start


def test_that_a_wrong_key_is_said_with_what_to_do_and_the_right_one_is_kept_for_the_session(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setText("sk-wrong")
    assert run_test(page, qtbot, settle) == [StepState.PASSED, StepState.FAILED, StepState.NOT_TRIED]
    assert "whole key" in label(page, "models.remedy")
    assert page.editor.key.text() == ""
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    settle()
    height = page.editor.save.mapTo(window, QPoint()).y()
    assert page.editing.kept is Kept.SESSION
    assert window.strip.findChild(QLabel, "statusKeys").text() == "keys last for this session only"
    assert "this session only" in page.editor.kept.text()
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3
    assert page.editor.save.mapTo(window, QPoint()).y() == height, "not under the mouse of who presses Test"
    page.editor.forget.click()
    qtbot.waitUntil(lambda: page.editing.kept is Kept.NOWHERE)
    settle()


def test_that_a_typed_key_takes_the_place_of_a_variable_that_is_not_set(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    endpoint = Endpoint(
        provider="openai-compatible", model="small", base_url=locked.base_url, key_env="GPF_TEST_NOT_SET"
    )
    page.context.engine.keys.allow(endpoint)
    page.context.engine.open_audit.models.add(endpoint).result()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    page.editing.edit(page.model.rows[0])
    settle()
    assert page.editor.kept.text().startswith("The variable GPF_TEST_NOT_SET that this audit names is not set.")
    page.editor.key.setText(KEY)
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3
    page.editor.save.click()
    settle()
    assert page.model.rows[0].model.endpoint.key_env == ""
    assert page.model.rows[0].key_kept is Kept.SESSION


def test_that_a_key_is_never_shown(page: ModelsPage, settle: Callable[[], None], locked: OpenAIServer) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setText(KEY)
    assert KEY not in page.editor.key.displayText()
    page.editor.save_key.click()
    settle()
    assert all(KEY not in each.text() for each in page.findChildren(QLabel))
    assert page.editor.key.text() == ""


def test_that_an_address_with_a_key_in_it_is_refused_beside_the_button(
    page: ModelsPage, settle: Callable[[], None]
) -> None:
    start(page, "https://models.example/v1?api_key=sk-1", "small")
    page.editor.save.click()
    settle()
    assert "holds a key" in page.editor.problem.text()
    assert page.model.rows == ()


def test_that_a_variable_that_an_audit_names_is_sent_only_once_it_is_confirmed(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    context = page.context
    variable, address = "GPF_TEST_UNCONFIRMED", openai_server.base_url
    endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=address, key_env=variable)
    context.engine.open_audit.models.add(endpoint).result()
    settle()
    assert f"variable {variable}, not confirmed" in row(page, 0)
    (message,) = context.messages.messages
    assert variable in message.text
    assert address in message.text
    message.remedies[0].do()
    qtbot.waitUntil(lambda: context.messages.messages == ())
    settle()
    assert page.model.rows[0].key_kept is not Kept.UNCONFIRMED


def test_that_a_key_typed_in_the_form_is_used_to_list_models(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "")
    qtbot.keyClicks(page.editor.key, KEY)
    qtbot.mouseClick(page.editor.list, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.editor.model.count() == 2)
    settle()
    assert page.editor.key.text() == ""
    assert page.editing.kept is Kept.SESSION


def test_that_a_key_typed_in_the_form_is_saved_with_the_model(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    qtbot.keyClicks(page.editor.key, KEY)
    qtbot.mouseClick(page.editor.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    page.editing.edit(page.model.rows[0])
    settle()
    assert page.editing.kept is Kept.SESSION
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3


def test_that_the_form_of_a_tested_model_tells_of_its_test_until_it_asks_for_something_else(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    run_test(page, qtbot, settle)
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    page.table.table.selectRow(0)
    qtbot.keyClick(page.table.table, Qt.Key.Key_Return)
    settle()
    steps = page.findChild(QLabel, "models.step.reach")
    assert steps is not None
    told = page.findChild(QLabel, "models.lastTest")
    assert told is not None
    assert page.editor.key.hasFocus(), "the test failed of the key"
    assert told.text().startswith("Could not be asked ")
    assert label(page, "models.lastFound").startswith("no key: ")
    assert label(page, "models.remedy") == "Enter a key and test again."
    assert not steps.parentWidget().isVisible()
    page.editor.own.priced.click()
    assert told.isVisible()
    page.editor.model.setEditText("large")
    assert (told.isVisible(), steps.parentWidget().isVisible()) == (False, True)
    page.editor.model.setEditText("small")
    assert told.isVisible()
    page.editor.account.setEditText("second")
    assert not told.isVisible()
    page.editor.save.click()
    qtbot.waitUntil(lambda: page.model.rows[0].model.endpoint.key_account == "second")
    assert page.model.rows[0].tested is None, "another account was not tested"


def test_that_a_message_takes_nothing_from_a_key_that_is_being_typed(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setFocus()
    for at, letter in enumerate(KEY):
        if at % 5 == 0:
            remedy = Remedy(text=f"Mend {at}", do=lambda: None)
            window.context.messages.warning(f"Something is wrong, {at}.", remedy, topic="some")
            settle()
        qtbot.keyClicks(window.focusWidget(), letter)
    assert page.editor.key.text() == KEY


def test_that_a_new_key_takes_back_what_the_test_of_the_last_one_came_to(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setText("sk-wrong")
    assert StepState.FAILED in run_test(page, qtbot, settle)
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    settle()
    assert {step.state for step in page.editing.shown_test.steps} <= {StepState.WAITING}
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    page.editing.edit(page.model.rows[0])
    settle()
    assert page.editing.passed, "its last test is of this key"
    page.editor.key.setText("sk-another")
    page.editor.save_key.click()
    settle()
    assert not page.editing.passed


def test_that_a_key_that_audits_share_is_forgotten_with_a_word_and_a_way_back(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    editor, messages = page.editor, page.context.messages
    start(page, locked.base_url, "small")
    editor.account.setEditText("team")
    editor.key.setText(KEY)
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3
    qtbot.waitUntil(editor.forget.isVisible)
    editor.forget.setFocus()
    qtbot.keyClick(editor.forget, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: page.editing.kept is Kept.NOWHERE)
    settle()
    assert editor.key.hasFocus(), "the button went, and the keyboard was not lost"
    assert not page.editing.passed, "nothing is known without a key"
    (message,) = messages.messages
    assert message.text == f"The key for “team” at {locked.base_url} is forgotten, for all your audits."
    message.remedies[0].do()
    qtbot.waitUntil(lambda: page.editing.kept is Kept.SESSION)
    assert not messages.messages
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3


def test_that_what_was_asked_before_a_key_was_kept_does_not_hide_it(
    page: ModelsPage,
    qtbot: QtBot,
    settle: Callable[[], None],
    locked: OpenAIServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service, asked, kept = page.editing.models.service, threading.Event(), threading.Event()
    where, first = service.key_kept, [True]

    def slow(endpoint: Endpoint) -> Kept:
        found = where(endpoint)
        if first and endpoint.key_account == "team":
            first.clear()
            asked.set()
            assert kept.wait(60)
        return found

    start(page, locked.base_url, "small")
    settle()
    monkeypatch.setattr(service, "key_kept", slow)
    page.editor.account.setEditText("team")
    qtbot.waitUntil(asked.is_set)
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    qtbot.waitUntil(lambda: page.editing.kept is Kept.SESSION)
    kept.set()
    settle()
    assert page.editing.kept is Kept.SESSION
    assert page.editor.forget.isVisible()


def test_that_an_address_says_which_accounts_were_named_there(
    page: ModelsPage, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    page.editor.account.setEditText("team")
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    settle()
    start(page, locked.base_url, "large")
    settle()
    assert page.editor.kept.text() == "No key is kept without an account; named here: team."


def test_that_the_list_is_painted_while_another_audit_is_being_opened(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    engine = page.context.engine
    engine.open_audit.models.add(
        Endpoint(provider="openai-compatible", model="small", base_url=locked.base_url)
    ).result()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    engine.close_audit()
    assert row(page, 0)[2] == "none", "asked for by the paint before the page hears of it"
    settle()


def test_that_keys_are_kept_in_a_file_and_its_passphrase_is_asked_for_over_the_window(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setText(KEY)
    assert page.editor.seal.isVisible()
    page.editor.seal.click()
    dialog = window.findChild(PassphraseDialog)
    dialog.typed.setText("seven77")
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert "8 characters" in " ".join(each.text() for each in dialog.findChildren(QLabel))
    dialog.typed.setText("a long one")
    dialog.repeated.setText("a long one")
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    settle()
    assert page.editing.kept is Kept.STORE, "what stands in the field is kept with it"
    assert page.editor.key.text() == ""
    place = str(page.context.engine.keys.file_path)
    assert any(place in each.text for each in page.context.messages.messages)
    assert page.editor.kept.text() == "The key is kept in your key file, for all your audits."
    assert not page.editor.seal.isVisible()
    assert window.strip.findChild(QLabel, "statusKeys").text() == "key store: your key file"
    # As in the next start: nothing is held in memory.
    keys = page.context.engine.keys
    keys._open_audit.clear()
    keys._file._open = None
    page.editing.unlock()
    for typed in ("wrong one", "a long one"):
        answer(window, qtbot, typed)
    settle()
    assert page.editing.kept is Kept.STORE
    keys._file.path.unlink()


def answer(window: MainWindow, qtbot: QtBot, typed: str) -> None:
    """Type into the box that asks for the passphrase, once it is there, and press Enter."""
    qtbot.waitUntil(lambda: window.findChild(PassphraseDialog) is not None)
    dialog = window.findChild(PassphraseDialog)
    assert not dialog.repeated.isVisible()
    dialog.typed.setText(typed)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(PassphraseDialog) is not dialog)
