"""The Runs page over the real engine: set up, watch, pause, resume, stop."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint, Limits, Price, Secret
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.responses import Usage
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.core import catalogue
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.runs.cap_dialog import CapDialog
from gpf_desktop.ui.runs.round_reading import read_round
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.runs_view_model import RunsView
from tests.support.batch_servers import BatchServer
from tests.support.openai_server import OpenAIServer
from tests.support.provider_servers import KEY
from tests.ui.accessibility import problems_in
from tests.ui.runs.steps import add, button, label, paid, set_up


@pytest.mark.parametrize("method", ["gpf-livenews", "contextual-stereoset"])
def test_that_an_empty_page_offers_the_first_round_by_the_method_of_the_audit(
    page: RunsPage, window: MainWindow, tmp_path: Path, settle: Callable[[], None], method: str
) -> None:
    if method != "gpf-livenews":
        window.context.engine.create(tmp_path / "other.gpf", title="Other", method=method)
        settle()
    assert page.model.view is RunsView.NOTHING
    assert page.list.empty.button is not None
    page.list.empty.button.click()
    settle()
    assert page.model.view is RunsView.SETUP
    assert page.setup.model.method is catalogue.method(method)


def test_that_a_round_is_started_watched_and_finished(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    button(page, "setup.start").click()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    assert page.model.view is RunsView.RUN
    figures = {under: figure for figure, under in page.model.figures()}
    assert figures["answers stored"] == "294 of 294"
    assert not window.context.actions.holds(Fact.RUN_ACTIVE)
    qtbot.waitUntil(lambda: button(page, "runs.review").isVisible())
    button(page, "runs.results").click()
    qtbot.waitUntil(lambda: window.stack.current is window.stack.page("results"))


def test_that_a_round_that_was_over_before_shows_its_figures_at_once(
    window: MainWindow, small_audit: Path, settle: Callable[[], None]
) -> None:
    window.context.engine.open(small_audit)
    window.context.navigator.go("runs")
    settle()
    page = window.findChild(RunsPage, "page.runs")
    assert page is not None
    page.model.show_run(page.model.runs[0].id)
    settle()
    progress = page.model.progress
    assert progress is not None
    assert page.detail.table.model().rowCount() == len(progress.models)
    shown = {each.text() for each in page.detail.findChildren(QLabel)}
    assert {figure for figure, _ in page.model.figures()} <= shown


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


def test_that_resume_asks_for_a_key_that_is_gone_and_calls_nobody_without_it(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    keys, messages = window.context.engine.keys, window.context.messages
    with OpenAIServer(key="sk-right-and-long-enough", gate=True) as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        keys.save(keys.name_of(endpoint), Secret("sk-right-and-long-enough"))
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: server.http.received > 0)
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        page.model.pause()
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)
        qtbot.waitUntil(lambda: window.context.actions.action("run.resume").isEnabled())
        keys.forget(keys.name_of(endpoint))
        before = server.http.received
        window.context.actions.action("run.resume").trigger()
        qtbot.waitUntil(lambda: any("There is no key" in message.text for message in messages.messages))
        message = messages.messages[0]
        assert "Enter it on Models, then resume." in message.text
        assert "key_env" not in message.text
        assert server.http.received == before
        mend, resume = message.remedies
        assert (mend.text, resume.text) == ("Mend the model", "Resume")
        mend.do()
        settle()
        there = window.findChild(ModelsPage, "page.models")
        assert there is not None
        assert there.editor.key.hasFocus()
        keys.save(keys.name_of(endpoint), Secret("sk-right-and-long-enough"))
        resume.do()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        assert server.answered == 294


def test_that_what_is_said_of_a_wrong_key_leads_to_the_model(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(key="sk-right") as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        messages = window.context.messages
        qtbot.waitUntil(lambda: any("was not asked further" in message.text for message in messages.messages))
        look, resume = messages.messages[0].remedies
        assert (look.text, resume.text) == ("Look at the model", "Resume")
        look.do()
        settle()
        there = window.findChild(ModelsPage, "page.models")
        assert there is not None
        assert there.editor.key.hasFocus()


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
            limits=Limits(in_flight=4),
            decoding=Decoding(max_tokens=1000),
        )
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.set_cap(0.35)
        page.setup.model.start()
        held = "$0.30 held for 3 answers in flight"
        qtbot.waitUntil(lambda: page.model.progress is not None and held in page.model.figures()[2][1])
        table = page.detail.table.model()
        shown = lambda: [str(table.index(0, at).data()) for at in range(table.columnCount())]  # noqa: E731
        qtbot.waitUntil(lambda: "the cap leaves room for 3 calls at once" in shown())
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)
        qtbot.waitUntil(lambda: bool(window.context.messages.messages))
        message = window.context.messages.messages[0]
        assert "To resume, raise the cap to" in message.text
        assert message.remedies[0].text.startswith("Raise to $")
        assert page.model.run is not None
        page.model.set_cap(page.model.run.id, 0.36)
        assert not window.context.messages.messages, "of a cap that is another now"
        qtbot.waitUntil(lambda: page.model.run is not None and page.model.run.spend_cap == 0.36)
        message.remedies[0].do()
        qtbot.waitUntil(lambda: page.model.run is not None and page.model.run.spend_cap != 0.36)
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        page.model.pause()
        qtbot.waitUntil(lambda: not page.model.active)


def test_that_a_model_says_that_it_waits_for_money_that_is_held_for_another(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(gate=True, models=("one", "other")) as server:
        for name in ("one", "other"):
            endpoint = Endpoint(
                provider="openai-compatible",
                model=name,
                base_url=server.base_url,
                price=Price(prompt=0.0, completion=100.0, entered=date(2026, 11, 1)),
                decoding=Decoding(max_tokens=1000),
            )
            add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.set_cap(0.15)
        page.setup.model.start()
        table = page.detail.table.model()

        def shown() -> set[str]:
            rows, columns = range(table.rowCount()), range(table.columnCount())
            return {str(table.index(row, at).data()) for row in rows for at in columns}

        both = {"the cap leaves room for 1 call at once", "waits: the cap's rest is held for other models"}
        qtbot.waitUntil(lambda: both <= shown())
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSED)


def test_that_every_part_can_be_reached_and_named(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    assert problems_in(page) == []
    page.setup.model.start()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    assert problems_in(page) == []


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
        assert server.jobs[0].cancelled is not None


def test_that_stop_now_stays_where_it_is_while_figures_grow(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    def stop_at(scored: int) -> QPoint:
        assert page.model.progress is not None
        usage = Usage(prompt=1200 * scored, completion=30 * scored)
        page.model.progress = replace(page.model.progress, bundles_scored=scored, usage=usage)
        page.model.touch_now()
        window.grab()
        assert ("1,200 tokens in, 30 out" in label(page, "runs.facts")) is bool(scored)
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
        page.model._opened_run(replace(planned, progress=replace(planned.progress, state=RunState.DRAFT)), RunsView.RUN)
        assert page.model.active, "what was read before the start comes late"
        stop = next(each for each in page.findChildren(QPushButton) if each.text() == "Stop now")
        qtbot.waitUntil(stop.isVisible)
        assert stop_at(0) == stop_at(1)
        place = stop.mapTo(window, stop.rect().topLeft())
        page.model.rounds.stop().result()
        qtbot.waitUntil(lambda: page.model.resumable and not page.model.active)
        settle()
        assert stop.mapTo(window, stop.rect().topLeft()) == place, "the second of two clicks would resume"
        assert not stop.isEnabled()


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
    from gpf_desktop.ui.runs.cap_dialog import CapDialog, LimitFields

    with OpenAIServer(gate=True) as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: server.http.received > 0)
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        HERE.set("rounds.calls_at_once", 4)
        assert LimitFields("", Limits())._at_once.text() == "4, as in Preferences"
        HERE.reset("rounds.calls_at_once")
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
            lambda: page.model.progress is not None and page.model.progress.models[0].limit == 3, timeout=200_000
        )
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)


def test_that_a_round_says_who_answered_where_the_server_tells_another_name(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(says=lambda n: {"model": "some-model" if n <= 100 else "cheap-model"}) as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        qtbot.waitUntil(lambda: bool(page.model.answered_by))
    settle()
    said = label(page, "runs.answeredBy")
    assert said.startswith("Who answered for some-model: Within “")
    assert said.count("Who answered") == 1
    assert "Asked for some-model, but the server says that cheap-model answered." in said


def test_that_nothing_stands_there_where_nobody_else_answered(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    page.setup.model.start()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    settle()
    assert label(page, "runs.answeredBy") == ""
