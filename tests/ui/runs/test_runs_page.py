"""The Runs page over the real engine: set up, watch, pause, resume, stop."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLabel, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.round_planning import Findable
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.storage import models
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.cap_dialog import CapDialog
from gpf_desktop.ui.runs.round_reading import read_round
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.runs_view_model import View
from gpf_desktop.ui.wording import money
from tests.support.batch_servers import BatchServer
from tests.support.openai_server import OpenAIServer
from tests.support.provider_servers import KEY
from tests.ui.accessibility import problems_in


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Callable[[], None]) -> RunsPage:
    """The page on an audit with the sample news fetched."""
    open_audit = window.context.engine.open_audit
    open_audit.sources.take([(SAMPLE, "")], 1)
    window.context.navigator.go("runs")
    found = window.findChild(RunsPage, "page.runs")
    assert found is not None
    settle()
    return found


def add(window: MainWindow, endpoint: Endpoint, *, synthetic: bool) -> None:
    engine = window.context.engine
    engine.keys.allow(endpoint)
    engine.open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=synthetic)).result()


def set_up(page: RunsPage, settle: Callable[[], None], *, articles: int = 1) -> None:
    """Choose the newest articles and every model, without controls."""
    page.model.set_up()
    page.setup.model.reload()
    settle()
    page.setup.model.set_controls(False)
    page.setup.model.take_newest(articles)
    for model in page.setup.model.models:
        page.setup.model.take_model(model, on=True)
    settle()


def label(page: RunsPage, name: str) -> str:
    found = page.findChild(QLabel, name)
    assert found is not None
    return found.text()


def button(page: RunsPage, name: str) -> QPushButton:
    found = page.findChild(QPushButton, name)
    assert found is not None
    return found


def test_that_an_empty_page_offers_the_first_round(page: RunsPage) -> None:
    assert page.model.view is View.NOTHING
    assert page.list.empty.button is not None
    page.list.empty.button.click()
    assert page.model.view is View.SETUP


def test_that_a_disabled_start_names_what_is_missing(page: RunsPage, settle: Callable[[], None]) -> None:
    page.model.set_up()
    settle()
    blocked = page.findChild(QLabel, "setup.blocked")
    assert blocked is not None
    assert not button(page, "setup.start").isEnabled()
    assert "choose at least one article" in blocked.text()


def test_that_the_summary_counts_the_calls(page: RunsPage, window: MainWindow, settle: Callable[[], None]) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle, articles=2)
    assert page.setup.model.summary()[0] == ("Calls", "588")
    page.setup.model.set_controls(True)
    settle()
    assert page.setup.model.forecast is not None
    assert page.setup.model.forecast.calls.of("identity-free") == 2 * 49


def test_that_a_round_is_started_watched_and_finished(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    button(page, "setup.start").click()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    assert page.model.view is View.RUN
    figures = {under: figure for figure, under in page.model.figures()}
    assert figures["answers stored"] == "294 of 294"
    assert not window.context.actions.holds(Fact.RUN_ACTIVE)
    qtbot.waitUntil(lambda: button(page, "runs.review").isVisible())


def test_that_a_round_is_paused_and_resumed(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(gate=True) as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: server.http.received > 0)
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        assert window.context.actions.action("run.pause").isEnabled()
        window.context.actions.action("run.pause").trigger()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSING)
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)
        qtbot.waitUntil(lambda: window.context.actions.action("run.resume").isEnabled())
        window.context.actions.action("run.resume").trigger()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        assert server.answered == 294


def test_that_a_paid_model_needs_a_cap(page: RunsPage, window: MainWindow, settle: Callable[[], None]) -> None:
    price = Price(prompt=1.0, completion=2.0, entered=date(2026, 11, 1))
    endpoint = Endpoint(provider="openai-compatible", model="m", base_url="http://127.0.0.1:9/v1", price=price)
    add(window, endpoint, synthetic=False)
    set_up(page, settle)
    model = page.setup.model
    assert model.forecast is not None
    assert model.blocked == ""
    assert model.spend_cap == pytest.approx(2 * model.forecast.likely, abs=0.01)
    assert "twice the likely cost" in label(page, "setup.capWords")
    capped = page.findChild(QCheckBox, "setup.capped")
    assert capped is not None
    assert capped.isChecked()
    capped.click()
    assert "set a spend cap" in model.blocked
    capped.click()
    cap = page.findChild(QDoubleSpinBox, "setup.cap")
    assert cap is not None
    cap.setValue(5.0)
    model.take_newest(2)
    settle()
    assert (model.spend_cap, model.blocked) == (5.0, "")


def test_that_a_price_that_nobody_knows_is_never_shown_as_no_cost(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer() as server:
        add(
            window,
            Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url),
            synthetic=False,
        )
        set_up(page, settle)
        assert ("Cost", "price unknown") in page.setup.model.summary()
        assert page.setup.model.spend_cap is None
        page.setup.model.start()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        settle()
    assert page.model.figures()[2][0] == "price unknown"
    assert page.detail.table.model().index(0, 7).data() == "price unknown"
    page.model.show_list()
    settle()
    assert page.list.table.model().index(0, 4).data() == "price unknown"


def test_that_what_is_held_is_shown_and_the_caps_pause_says_what_resume_needs(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(gate=True) as server:
        price = Price(prompt=0.0, completion=100.0, entered=date(2026, 11, 1))
        endpoint = Endpoint(
            provider="openai-compatible",
            model="some-model",
            base_url=server.base_url,
            price=price,
            decoding=Decoding(max_tokens=1000),
        )
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.set_cap(0.35)
        page.setup.model.start()
        held = "$0.30 held for 3 answers in flight"
        qtbot.waitUntil(lambda: page.model.progress is not None and held in page.model.figures()[2][1])
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)
        qtbot.waitUntil(lambda: bool(window.context.messages.messages))
        message = window.context.messages.messages[0]
        assert "To resume, raise the cap to" in message.text
        assert message.remedies[0].text.startswith("Raise to $")
        message.remedies[0].do()
        qtbot.waitUntil(lambda: page.model.run is not None and page.model.run.spend_cap != 0.35)
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        page.model.pause()
        qtbot.waitUntil(lambda: not page.model.active)


def test_that_every_part_can_be_reached_and_named(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    assert problems_in(page) == []
    page.setup.model.start()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    assert problems_in(page) == []


def test_that_a_plan_is_saved_and_can_be_read_again(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    from gpf_desktop.engine.rounds.plans import load_plan

    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    page.setup.model.save_plan(tmp_path / "plan.toml")
    settle()
    plan = load_plan(tmp_path / "plan.toml")
    assert plan.models[0].label == "calibration/neutral"
    assert plan.sources[0].target == SAMPLE


def test_that_a_batch_chosen_on_sources_arrives_ticked(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    from gpf_desktop.engine.collect.choosing import Choice

    ids = window.context.engine.open_audit.sources.preview(Choice(per_source=3)).ids
    window.context.navigator.go("sources")
    window.context.navigator.go("runs", articles=tuple(ids))
    settle()
    assert page.setup.model.setup is not None
    assert set(page.setup.model.setup.article_ids) == set(ids)


def paid(provider: str) -> Endpoint:
    from datetime import date

    from gpf_desktop.domain.models import Price

    price = Price(prompt=2.0, completion=8.0, entered=date(2026, 11, 1))
    return Endpoint(provider=provider, model="m", base_url="http://127.0.0.1:9/v1", price=price)


def test_that_half_price_jobs_are_offered_with_the_difference_they_make(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    add(window, paid("openai"), synthetic=False)
    add(window, paid("openai-compatible"), synthetic=False)
    set_up(page, settle)
    choice, difference = page.findChild(QCheckBox, "setup.jobs"), page.findChild(QLabel, "setup.jobsDifference")
    assert choice is not None
    assert difference is not None
    assert not choice.isHidden()
    forecast = page.setup.model.forecast
    assert forecast is not None
    assert forecast.jobs is not None
    assert forecast.jobs.models == ("openai/m",)
    assert forecast.jobs.ordinary is not None
    assert forecast.jobs.by_jobs is not None
    assert forecast.jobs.by_jobs.high == pytest.approx(forecast.jobs.ordinary.high / 2)
    assert money(forecast.jobs.by_jobs.high) in difference.text()
    assert money(forecast.jobs.ordinary.high) in difference.text()
    assert forecast.cost is not None
    before = forecast.cost.high
    choice.click()
    settle()
    now = page.setup.model.forecast
    assert now is not None
    assert now.cost is not None
    assert now.cost.high == pytest.approx(before * 3 / 4)
    assert now.seconds.high >= 86_400
    assert page.setup.model.setup is not None
    assert page.setup.model.setup.batch_jobs


def test_that_half_price_jobs_are_not_offered_where_no_provider_has_them(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    add(window, paid("openai-compatible"), synthetic=False)
    set_up(page, settle)
    choice = page.findChild(QCheckBox, "setup.jobs")
    assert choice is not None
    assert choice.isHidden()
    page.setup.model.set_batch_jobs(True)
    settle()
    assert page.setup.model.setup is not None
    assert not page.setup.model.setup.batch_jobs


def test_that_a_saved_plan_keeps_the_choice_of_batch_jobs(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    from gpf_desktop.engine.rounds.plans import load_plan

    add(window, paid("anthropic"), synthetic=False)
    set_up(page, settle)
    page.setup.model.set_batch_jobs(True)
    page.setup.model.save_plan(tmp_path / "plan.toml")
    settle()
    assert load_plan(tmp_path / "plan.toml").models[0].batch_jobs


def test_that_a_job_s_progress_is_told_and_it_can_be_cancelled(
    page: RunsPage,
    window: MainWindow,
    settle: Callable[[], None],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GPF_TEST_KEY", KEY)
    with BatchServer("openai") as server:
        add(window, server.endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.set_batch_jobs(True)
        page.setup.model.set_cap(50.0)
        settle()
        page.setup.model.start()
        qtbot.waitUntil(lambda: page.model.has_jobs)
        table = page.detail.table.model()
        shown = lambda: [str(table.index(0, at).data()) for at in range(table.columnCount())]  # noqa: E731
        qtbot.waitUntil(lambda: any("job: 0 of 294" in text for text in shown()))
        dialog = CapDialog(page, page.model)
        cancel = dialog.findChild(QPushButton, "runs.cancelJobs")
        assert cancel is not None
        assert problems_in(dialog) == []
        cancel.click()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)
        dialog.deleteLater()
        assert server.jobs[0].cancelled is not None


def test_that_stop_now_stays_where_it_is_when_the_first_bundle_is_scored(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    def stop_at(scored: int) -> QPoint:
        assert page.model.progress is not None
        page.model.progress = replace(page.model.progress, bundles_scored=scored)
        page.model.touch_now()
        window.grab()
        assert button(page, "runs.review").isEnabled() is bool(scored)
        return stop.mapTo(window, stop.rect().topLeft())

    with OpenAIServer(models=("m",), gate=True) as server:
        add(window, replace(paid("openai-compatible"), base_url=server.base_url), synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: server.http.received > 0)
        qtbot.waitUntil(lambda: page.model.progress is not None and page.model.active)
        assert page.model.run is not None
        planned = read_round(page.model.rounds, page.model.run.id)
        page.model.progress = None
        page.model._opened_run(replace(planned, progress=replace(planned.progress, state=RunState.DRAFT)), View.RUN)
        assert page.model.active, "what was read before the start comes late"
        stop = next(each for each in page.findChildren(QPushButton) if each.text() == "Stop now")
        qtbot.waitUntil(stop.isVisible)
        assert stop_at(0) == stop_at(1)
        page.model.rounds.stop().result()
        qtbot.waitUntil(lambda: not page.model.active)


def test_that_what_holds_calls_back_is_told(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot, openai_server: OpenAIServer
) -> None:
    openai_server.fail(".", status=429, retry_after=60)
    endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=openai_server.base_url)
    add(window, endpoint, synthetic=False)
    set_up(page, settle)
    page.setup.model.start()
    table = page.detail.table.model()
    shown = lambda: [str(table.index(0, at).data()) for at in range(table.columnCount())]  # noqa: E731
    qtbot.waitUntil(lambda: any("429 from the provider: " in text for text in shown()))
    window.context.actions.action("run.pause").trigger()
    qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)


def test_that_limits_are_changed_while_a_round_is_asked(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    from gpf_desktop.ui.runs.cap_dialog import CapDialog

    with OpenAIServer(gate=True) as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: server.http.received > 0)
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        dialog = CapDialog(page, page.model)
        assert problems_in(dialog) == []
        at_once = dialog.findChild(QSpinBox, "limits.atOnce")
        assert at_once is not None
        assert at_once.text() == "automatic"
        at_once.setValue(3)
        dialog.accept()
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(
            lambda: page.model.progress is not None and page.model.progress.models[0].limit == 3, timeout=30_000
        )
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        dialog.deleteLater()


def test_that_the_set_up_tells_what_the_round_finds_while_it_is_chosen(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle, articles=4)
    model = page.setup.model

    def first() -> Sequence[Findable]:
        return () if model.power is None else model.power.findable[:1]

    model.set_controls(True)
    qtbot.waitUntil(lambda: bool(first()) and first()[0].smallest is not None)
    few = first()
    assert page.setup.finds.isVisibleTo(page)
    model.take_newest(8)
    qtbot.waitUntil(lambda: first() != few)
    before = label(page, "setup.origin")
    wanted = page.findChild(QDoubleSpinBox, "setup.wanted")
    assert wanted is not None
    wanted.setValue(0.05)
    qtbot.waitUntil(lambda: label(page, "setup.origin") != before)
    model.set_controls(False)
    qtbot.waitUntil(lambda: "needs repeats" in first()[0].why)
    model.take_newest(0)
    qtbot.waitUntil(lambda: not page.setup.finds.isVisibleTo(page))


def test_that_the_tables_of_the_set_up_have_no_scroll_bar_of_their_own(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    set_up(page, settle, articles=2)
    table, more = page.setup.articles, button(page, "setup.moreArticles")
    assert table.model().rowCount() == 8
    assert more.text() == f"Show {len(page.setup.model.articles) - 8} more"
    more.click()
    settle()
    assert table.model().rowCount() == len(page.setup.model.articles) > 8
    assert table.verticalScrollBar().maximum() == 0
    assert not more.isVisible()
