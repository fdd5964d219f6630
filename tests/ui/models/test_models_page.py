"""The page Models over the real engine and real servers on loopback."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models.price_list import price_of
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.models.forms import PriceForm
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.models.models_view_model import ModelsView
from gpf_desktop.ui.models.wording import price_date
from gpf_desktop.ui.widgets.badge import Badge
from tests.support.openai_server import OpenAIServer
from tests.ui.accessibility import problems_in

KEY = "sk-test-0123456789"


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Callable[[], None]) -> ModelsPage:
    window.context.navigator.go("models")
    found = window.findChild(ModelsPage, "page.models")
    assert found is not None
    settle()
    return found


@pytest.fixture
def locked() -> Iterator[OpenAIServer]:
    """A server that wants a key."""
    with OpenAIServer(models=("small", "large"), key=KEY) as server:
        yield server


def start(page: ModelsPage, address: str, model: str) -> None:
    """Open the form for a server at *address* and type a model's name."""
    qt_card = page.cards["openai-compatible"]
    qt_card.chosen.emit()
    page.editor.address.setText(address)
    page.editor.model.setEditText(model)


def run_test(page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]) -> list[StepState]:
    page.editor.test_button.click()
    qtbot.waitUntil(lambda: not page.editing.running and page.editing.test.over)
    settle()
    return [step.state for step in page.editing.test.steps]


def label(page: ModelsPage, name: str) -> str:
    found = page.findChild(QLabel, name)
    assert found is not None
    return found.text()


def row(page: ModelsPage, at: int) -> list[str]:
    model = page.table.table.model()
    return [str(model.index(at, column).data() or "") for column in range(model.columnCount())]


def test_that_every_provider_has_a_card(page: ModelsPage) -> None:
    assert set(page.cards) == set(catalogue.providers())
    assert not page.table.isVisible()


def test_that_a_model_is_tested_live_and_saved(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "some-model")
    editor = page.editor
    assert editor.save.text() == "Save anyway"
    editor.test_button.setFocus()
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3
    assert "answered" in label(page, "models.step.answer")
    assert editor.save.text() == "Save"
    assert editor.save.hasFocus(), "the button rested meanwhile, and the keyboard was not lost"
    qtbot.keyClick(editor.save, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert page.stack.currentWidget() is page.overview
    assert row(page, 0)[0] == "some-model"
    assert "answered" in row(page, 0)[3]


def test_that_a_wrong_key_is_said_with_what_to_do_and_the_right_one_is_kept_for_the_session(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setText("sk-wrong")
    assert run_test(page, qtbot, settle) == [StepState.PASSED, StepState.FAILED, StepState.NOT_TRIED]
    assert "whole key" in label(page, "models.remedy")
    assert page.editor.key.text() == ""
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    settle()
    assert page.editing.kept is Kept.SESSION
    assert "this session only" in page.editor.kept.text()
    assert run_test(page, qtbot, settle) == [StepState.PASSED] * 3
    page.editor.forget.click()
    qtbot.waitUntil(lambda: page.editing.kept is Kept.NOWHERE)
    settle()


def test_that_a_key_is_never_shown(page: ModelsPage, settle: Callable[[], None], locked: OpenAIServer) -> None:
    start(page, locked.base_url, "small")
    page.editor.key.setText(KEY)
    assert KEY not in page.editor.key.displayText()
    page.editor.save_key.click()
    settle()
    assert all(KEY not in each.text() for each in page.findChildren(QLabel))
    assert page.editor.key.text() == ""


def test_that_models_are_listed_to_pick_from_and_any_other_can_be_typed(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "typed-by-hand")
    page.editor.list.click()
    settle()
    assert "refuses" in page.editor.listed.text()
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    settle()
    page.editor.list.click()
    qtbot.waitUntil(lambda: page.editor.model.count() == 2)
    assert [page.editor.model.itemText(at) for at in range(2)] == ["large", "small"]
    assert page.editor.model.currentText() == "typed-by-hand"
    settle()


def test_that_a_model_that_fails_can_be_saved_anyway(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "not-there")
    assert run_test(page, qtbot, settle)[-1] is StepState.FAILED
    assert page.editor.save.text() == "Save anyway"
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert row(page, 0)[3].startswith("unknown model")


def test_that_a_changed_field_takes_the_passed_test_back(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "some-model")
    run_test(page, qtbot, settle)
    assert "answered" in label(page, "models.step.answer")
    page.editor.model.setEditText("another")
    assert page.editor.save.text() == "Save anyway"
    assert label(page, "models.step.answer") == "", "it was another model that answered"


def test_that_an_address_with_a_key_in_it_is_refused_beside_the_button(
    page: ModelsPage, settle: Callable[[], None]
) -> None:
    start(page, "https://models.example/v1?api_key=sk-1", "small")
    page.editor.save.click()
    settle()
    assert "holds a key" in page.editor.problem.text()
    assert page.model.rows == ()


def test_that_price_decoding_and_limits_are_kept_with_the_model(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    start(page, "http://127.0.0.1:9/v1", "small")
    own = page.editor.own
    own.priced.setChecked(True)
    own.price.fields["prompt"].editor.setValue(1.5)  # type: ignore[attr-defined]
    own.price.fields["completion"].editor.setValue(6)  # type: ignore[attr-defined]
    own.own_decoding.setChecked(True)
    own.limits.fields["timeout"].editor.setValue(30)  # type: ignore[attr-defined]
    own.limits.fields["patience"].editor.setValue(90)  # type: ignore[attr-defined]
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    endpoint = page.model.rows[0].model.endpoint
    assert endpoint.price is not None
    assert (endpoint.price.prompt, endpoint.price.completion) == (1.5, 6.0)
    assert endpoint.decoding == page.model.decoding
    assert (endpoint.limits.timeout, endpoint.limits.patience) == (30, 90)
    assert row(page, 0)[5] == "$1.50 in, $6.00 out"
    page.editing.edit(page.model.rows[0])
    assert own.priced.isChecked()
    assert (page.editing.draft.price, page.editing.draft.limits) == (endpoint.price, endpoint.limits)
    settle()


def test_that_an_unchanged_price_keeps_the_day_it_was_entered() -> None:
    before = Price(prompt=1.0, completion=2.0, entered=date(2026, 1, 2))
    assert PriceForm(prompt=1.0, completion=2.0).price(before) is before
    assert PriceForm(prompt=1.0, completion=3.0).price(before).entered > before.entered
    cheaper = PriceForm(prompt=1.0, completion=2.0, cached=0.1).price(before)
    assert (cheaper.cached, cheaper.entered > before.entered) == (0.1, True)


def test_that_the_prices_of_cache_and_batch_jobs_stand_beside_the_ordinary_one() -> None:
    listed = price_of(Endpoint(provider="openai", model="gpt-4o"), date(2026, 11, 22))
    words = price_date(listed)
    assert "cache: $1.25." in words
    assert "batch jobs: $1.25 in, $5.00 out." in words


def test_that_a_refused_parameter_is_shown(page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    with OpenAIServer(not_supported=("temperature",)) as server:
        start(page, server.base_url, "some-model")
        run_test(page, qtbot, settle)
        assert "temperature" in label(page, "models.refused")
        page.editor.save.click()
        qtbot.waitUntil(lambda: len(page.model.rows) == 1)
        settle()
    assert row(page, 0)[4] == "temperature"


def test_that_a_rate_limit_counts_down_before_the_next_test(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    openai_server.fail(".", status=429, code="rate_limit_exceeded", retry_after=2)
    start(page, openai_server.base_url, "some-model")
    run_test(page, qtbot, settle)
    assert not page.editor.test_button.isEnabled()
    assert page.editor.test_button.text().startswith("Test again in ")
    qtbot.waitUntil(page.editor.test_button.isEnabled)
    assert page.editor.test_button.text() == "Test"
    settle()


def test_that_calibration_models_are_added_with_a_click_and_called_synthetic(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.cards["calibration"].chosen.emit()
    assert page.stack.currentWidget() is page.calibration
    assert any(badge.text == "synthetic" for badge in page.calibration.findChildren(Badge))
    for name in ("neutral", "tone-0.5"):
        page.calibration.boxes[name].setChecked(True)
    page.calibration.add.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 2)
    settle()
    assert page.header.subtitle.text() == "2 models, 2 of them synthetic"
    assert [row(page, at)[1] for at in range(2)] == ["synthetic, built in"] * 2
    assert "neutral" not in page.calibration.boxes


def test_that_models_are_tested_from_the_list(page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    page.model.picked = {"neutral"}
    page.model.add_picked()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert row(page, 0)[3] == "never tested"
    page.table.table.selectRow(0)
    page.table.test.click()
    qtbot.waitUntil(lambda: "answered" in row(page, 0)[3])
    settle()


def test_that_a_removed_model_comes_back_with_undo(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.model.picked = {"neutral"}
    page.model.add_picked()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    page.table.table.selectRow(0)
    page.table.remove.click()
    qtbot.waitUntil(lambda: not page.model.rows)
    settle()
    (message,) = window.context.messages.messages
    message.remedies[0].do()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()


def test_that_cancelling_gives_up_a_test_and_keeps_nothing(
    page: ModelsPage, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    openai_server.latency = 30.0
    start(page, openai_server.base_url, "some-model")
    page.editor.test_button.click()
    openai_server.http.wait_for_requests(1)
    assert page.editing.running
    page.editor.cancel.click()
    settle()
    assert page.model.place is ModelsView.OVERVIEW
    assert page.model.rows == ()


def test_that_without_an_audit_the_page_says_so(window: MainWindow, settle: Callable[[], None]) -> None:
    window.context.navigator.go("models")
    settle()
    page = window.findChild(ModelsPage, "page.models")
    assert page is not None
    assert page.stack.currentWidget() is page.empty


def test_that_every_part_has_a_name_and_every_cell_says_something(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.model.picked = {"neutral"}
    page.model.add_picked()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert problems_in(page) == []
    for provider in page.model.providers:
        page.editing.start(provider)
        settle()
        assert problems_in(page) == []
    page.model.go(ModelsView.CALIBRATION)
    assert problems_in(page) == []


def test_that_a_card_is_pressed_by_key(page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    qtbot.keyClick(page.cards["ollama"], Qt.Key.Key_Space)
    assert page.editing.provider.name == "ollama"
    assert page.stack.currentWidget() is page.editor
    settle()


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


def test_that_a_price_does_not_take_the_passed_test_back(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "some-model")
    run_test(page, qtbot, settle)
    page.editor.own.priced.click()
    assert page.editing.draft.price is not None
    assert page.editor.save.text() == "Save"
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert page.model.rows[0].test_passed


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
    assert told.text().startswith("Failed ")
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
