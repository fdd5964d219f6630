"""The page Models over the real engine and real servers on loopback."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models.price_list import price_of
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.forms import PriceForm
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.models.models_view_model import ModelsView
from gpf_desktop.ui.models.wording import price_date
from gpf_desktop.ui.widgets.badge import Badge
from tests.support.openai_server import OpenAIServer
from tests.ui.accessibility import problems_in
from tests.ui.models.form import KEY, label, row, run_test, start


def test_that_every_provider_has_a_card(page: ModelsPage) -> None:
    assert set(page.cards) == set(catalogue.providers())
    assert not page.table.isVisible()


def test_that_a_model_is_tested_live_and_saved(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "some-model")
    editor = page.editor
    assert not page.next.isVisible()
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
    assert page.next.isVisible(), "the next step, also once its message is gone"


def test_that_models_are_listed_to_pick_from_and_any_other_can_be_typed(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], locked: OpenAIServer
) -> None:
    start(page, locked.base_url, "typed-by-hand")
    page.editor.list.click()
    settle()
    assert "does not take this key" in page.editor.listed.text()
    page.editor.key.setText(KEY)
    page.editor.save_key.click()
    settle()
    page.editor.list.click()
    qtbot.waitUntil(lambda: page.editor.model.count() == 2)
    assert [page.editor.model.itemText(at) for at in range(2)] == ["large", "small"]
    assert page.editor.model.currentText() == "typed-by-hand"
    settle()


def test_that_an_encoder_on_this_machine_is_asked_for_no_address_and_no_key(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.cards["local-encoder"].chosen.emit()
    assert not page.editor.key.isVisible()
    assert not page.editor.address.isVisible()
    assert not page.editor.list.isVisible()
    page.editor.model.setEditText("nowhere at all")
    run_test(page, qtbot, settle)
    assert any("“nowhere at all” is no folder" in step.words for step in page.editing.test.steps)
    page.cards["ollama"].chosen.emit()
    assert page.editor.address.isVisible()


def test_that_a_model_that_fails_can_be_saved_anyway(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "not-there")
    assert run_test(page, qtbot, settle)[-1] is StepState.FAILED
    assert page.editor.save.text() == "Save anyway"
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert row(page, 0)[3].startswith("just now: unknown model")
    page.table.table.selectRow(0)
    page.table.edit.click()
    assert page.editor.save.text() == "Save"
    page.editor.address.setText("http://127.0.0.1:9/v1")
    assert page.editor.save.text() == "Save anyway", "nobody tested that address"


def test_that_a_changed_field_takes_the_passed_test_back(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "some-model")
    run_test(page, qtbot, settle)
    assert "answered" in label(page, "models.step.answer")
    page.editor.model.setEditText("another")
    assert page.editor.save.text() == "Save anyway"
    assert label(page, "models.step.answer") == "", "it was another model that answered"


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
    page.resize(900, page.height())
    settle()
    assert not page.table.table.isColumnHidden(4), "seen where the window is small"


def test_that_what_a_greyed_button_waits_for_is_said(page: ModelsPage, settle: Callable[[], None]) -> None:
    page.model.picked = {"neutral"}
    page.model.add_picked()
    settle()
    for each in (page.table.edit, page.table.test, page.table.remove):
        assert "Select a model" in each.toolTip()
    assert page.table.table.isColumnHidden(4), "every setting is taken"
    start(page, "http://127.0.0.1:9/v1", "")
    settle()
    lacks = "Name the model first, then it can be tested and saved."
    assert label(page, "models.lacks") == lacks
    assert lacks in page.editor.test_button.toolTip()
    assert lacks in page.editor.save.toolTip()
    page.editor.model.setEditText("some-model")
    settle()
    assert (label(page, "models.lacks"), page.editor.test_button.toolTip()) == ("", "")


def test_that_a_model_of_which_nothing_can_be_said_is_named_with_what_to_do(
    page: ModelsPage, settle: Callable[[], None]
) -> None:
    page.model.picked = {"neutral"}
    page.model.add_picked()
    settle()
    assert label(page, "models.failedChecks") == ""
    page.model._show_failed({"calibration/neutral": "Nothing can be said of neutral: a check failed.", "x/y": "?"})
    settle()
    told = label(page, "models.failedChecks")
    assert told.startswith("Nothing can be said of neutral: a check failed. More answers")
    assert "?" not in told


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
    page.cards["saged-calibration"].chosen.emit()
    assert "tone-0.1" not in page.calibration.boxes
    page.calibration.boxes["tilted"].setChecked(True)
    page.calibration.add.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 3)
    settle()
    assert "saged-calibration" in {each.model.endpoint.provider for each in page.model.rows}


def test_that_the_built_in_models_of_the_audits_method_are_offered(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], tmp_path: Path
) -> None:
    command = window.context.actions.action("models.calibration")
    command.trigger()
    assert "tone-0.5" in page.calibration.boxes
    window.files.create(tmp_path / "concepts.gpf", "saged")
    engine = window.context.engine
    qtbot.waitUntil(lambda: engine.current is not None and engine.current.results.methods() == ("saged",))
    settle()
    command.trigger()
    settle()
    assert {"tilted", "tone-0.5"} & set(page.calibration.boxes) == {"tilted"}


def test_that_models_are_tested_from_the_list(page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    page.model.picked = {"neutral"}
    page.model.add_picked()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert row(page, 0)[3] == "needs none"
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


def test_that_a_price_does_not_take_the_passed_test_back(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None], openai_server: OpenAIServer
) -> None:
    start(page, openai_server.base_url, "some-model")
    run_test(page, qtbot, settle)
    page.editor.own.priced.click()
    assert page.editing.draft.price is not None
    assert re.match(r"Free. Per million tokens, entered by you on \d+ \w+ \d{4}\.", label(page, "models.priceNote"))
    assert page.editor.save.text() == "Save"
    page.editor.save.click()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert page.model.rows[0].test_passed


def test_that_the_form_of_the_next_model_begins_at_its_top(page: ModelsPage, settle: Callable[[], None]) -> None:
    start(page, "http://127.0.0.1:9/v1", "small")
    settle()
    bar = page.editor._left.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    page.editing.cancel()
    start(page, "", "")
    settle()
    assert bar.value() == 0


def test_that_cards_of_providers_stand_in_fewer_columns_where_text_is_larger(
    page: ModelsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    window.resize(1440, 900)
    widths = []
    for scale in (100, 150):
        window.context.theme.set_text_scale(scale)
        settle()
        widths.append(page.cards["openai"].width())
    window.context.theme.set_text_scale(100)
    assert widths[1] >= 1.4 * widths[0]


def test_that_a_price_that_is_old_has_a_sign_in_the_list(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    address, today = "http://127.0.0.1:9/v1", datetime.now(UTC).date()
    for name, entered in (("old", today - timedelta(days=92)), ("new", today)):
        price = Price(prompt=1.0, completion=2.0, entered=entered)
        endpoint = Endpoint(provider="openai-compatible", model=name, base_url=address, price=price)
        page.context.engine.open_audit.models.add(endpoint).result()
    qtbot.waitUntil(lambda: len(page.model.rows) == 2)
    settle()
    rows = page.table.table.model()
    signs = [rows.index(at, 5).data(Qt.ItemDataRole.DecorationRole) for at in range(2)]
    assert signs[0] is not None
    assert signs[1] is None
    assert "Older than 90 days" in rows.index(0, 5).data(Qt.ItemDataRole.ToolTipRole)
