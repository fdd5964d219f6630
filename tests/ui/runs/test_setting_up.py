"""What the set-up of a round says before anything is asked: calls, prices, caps, plans and batch jobs."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.ids import BatchId
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.domain.round_planning import Findable
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.scopes import ARM
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.models import price_list
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.widgets.section import CollapsibleSection
from gpf_desktop.ui.wording import money
from tests.methods.toy import Toy
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import calibration, small_protocol
from tests.ui.runs.steps import add, button, label, paid, set_up
from tests.ui.sources.steps import do


def test_that_a_disabled_start_names_what_is_missing_and_an_only_model_is_not(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    page.model.set_up()
    settle()
    blocked = page.findChild(QLabel, "setup.blocked")
    assert blocked is not None
    assert not button(page, "setup.start").isEnabled()
    assert blocked.text() == "Choose at least one article."
    setup = page.setup.model
    setup.news.take_newest(1)
    add(window, calibration(), synthetic=True)
    setup.reload()
    settle()
    assert blocked.text() == ""
    assert button(page, "setup.start").isEnabled()
    setup.take_model(setup.models[0], on=False)
    setup.reload()
    settle()
    assert blocked.text() == "Choose at least one model.", "what was taken out stays out"


def test_that_articles_of_a_round_are_offered_no_more_and_the_others_keep_the_keyboard(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, calibration(), synthetic=True)
    set_up(page, settle)
    page.setup.model.protocol = small_protocol()
    chosen = set(page.setup.model.news.chosen)
    page.setup.model.start()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    page.model.set_up()
    settle()
    assert not chosen & {article.id for article in page.setup.model.news.articles}
    more = button(page, "setup.moreArticles")
    more.setFocus()
    more.click()
    settle()
    assert not more.isVisible()
    assert page.setup.articles.table.hasFocus()


def test_that_the_summary_counts_the_calls(page: RunsPage, window: MainWindow, settle: Callable[[], None]) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle, articles=2)
    assert page.setup.model.summary()[0] == ("Calls", "588")
    page.setup.model.set_controls(True)
    settle()
    assert page.setup.model.forecast is not None
    assert page.setup.model.forecast.calls.of("identity-free") == 2 * 49


def test_that_the_set_up_speaks_of_controls_and_groups_of_news_as_its_method_does(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    page.model.set_up()
    settle()
    form, model = page.setup, page.setup.model
    told = page.findChild(QLabel, "setup.controlsTell")
    controls = page.findChild(QCheckBox, "setup.controls")
    assert told is not None
    assert controls is not None

    def shown() -> tuple[bool, ...]:
        words = {each.text(): each for each in form.findChildren(QPushButton)}
        picks = any("about these groups" in text and each.isVisibleTo(form) for text, each in words.items())
        return controls.isVisibleTo(form), told.isVisibleTo(form), not form.articles.table.isColumnHidden(1), picks

    assert shown() == (True, True, True, True)
    assert "what the reader adds" in told.text()
    assert "it found 13 of the 43" in form.articles._sorted.text()
    assert form.articles._sorted.isVisibleTo(form)

    # Before Start a person says of any article what news it is, by a key or the menu, and takes it back.
    def kind() -> str:
        return str(form.articles.table.model().index(0, 1).data())

    table, before = form.articles.table, kind()
    table.setFocus()
    table.selectRow(0)
    (wanted,) = (action for action in table.actions() if action.shortcut().toString() == "2")
    QTest.keyClick(table, Qt.Key.Key_2)
    settle()
    assert kind() == "about these groups: set by you" != before
    assert wanted.text() == "Call it “about these groups”"
    assert next(article for article in model.news.articles).stratum_by_auditor
    do(window, "Undo")
    settle()
    assert kind() == before
    model.method, model.protocol = Toy(tmp_path), None
    model.touch_now()
    assert shown() == (False, False, False, False)


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
    cap = page.findChild(QDoubleSpinBox, "setup.cap")
    assert cap is not None
    assert cap.isVisible()
    cap.setValue(0.0)
    assert cap.text() == "not set"
    assert model.blocked == "Set a spend cap: openai-compatible/m costs money."
    cap.setValue(5.0)
    model.news.take_newest(2)
    settle()
    assert (model.spend_cap, model.blocked) == (5.0, "")
    assert "pause before its end" not in label(page, "setup.capWarning")
    cap.setValue(0.01)
    settle()
    assert "pause before its end" in label(page, "setup.capWarning")


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
        page.setup.model.news.take_newest(0)
        settle()
        assert page.setup.model.summary() == [("Calls", "0")], "of no calls there is nothing to say"
        page.setup.model.news.take_newest(1)
        settle()
        assert page.setup.model.spend_cap is None
        page.setup.model.start()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        settle()
    assert page.model.figures()[2][0] == "price unknown"
    assert page.detail.table.model().index(0, 7).data() == "price unknown"
    page.model.show_list()
    settle()
    assert page.list.table.model().index(0, 4).data() == "price unknown"


def test_that_a_price_list_that_is_loaded_meanwhile_prices_the_round(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Kept where no other test finds it.
    monkeypatch.setattr(price_list, "own_file", lambda: tmp_path / "own.yaml")
    endpoint = Endpoint(provider="openai-compatible", model="maker/m", base_url="http://127.0.0.1:9/v1")
    add(window, endpoint, synthetic=False)
    set_up(page, settle)
    assert page.setup.model.spend_cap is None
    file = tmp_path / "prices.yaml"
    file.write_text(
        "version: 1\nas_of: 2026-11-20\nsource: our contract\nvendors:\n"
        "  - {provider: openai-compatible, host: 127.0.0.1, models: {maker/*: {in: 1, out: 2}}}\n"
    )
    window.context.navigator.go("models")
    models = window.findChild(ModelsPage, "page.models")
    assert models is not None
    models.model.load_prices(file)
    settle()
    assert "as of 20 Nov 2026" in window.context.messages.messages[0].text
    assert page.setup.model.spend_cap is not None
    assert ("Cost", "price unknown") not in page.setup.model.summary()


def test_that_what_was_read_of_an_audit_that_is_closed_meanwhile_is_left(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    page.setup.model.reload()
    window.files.close_audit()
    settle()
    assert page.setup.model.news.articles == ()


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
    from gpf_desktop.engine.collect.choosing import ArticleChoice

    ids = window.context.engine.open_audit.sources.preview(ArticleChoice(per_source=3)).ids
    window.context.navigator.go("sources")
    window.context.navigator.go("runs", setup=True, articles=tuple(ids))
    settle()
    assert page.setup.model.setup is not None
    assert set(page.setup.model.setup.article_ids) == set(ids)


def test_that_half_price_jobs_are_offered_with_the_difference_they_make(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    add(window, paid("openai"), synthetic=False)
    add(window, paid("openai-compatible"), synthetic=False)
    set_up(page, settle)
    choice, difference = page.findChild(QCheckBox, "setup.jobs"), page.findChild(QLabel, "setup.jobWords")
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


def test_that_the_set_up_tells_what_the_round_finds_while_it_is_chosen(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle, articles=4)
    model = page.setup.model

    def first() -> Sequence[Findable]:
        return () if model.finds.power is None else model.finds.power.findable[:1]

    model.set_controls(True)
    nothing = "4 articles: nothing can be concluded before 10 articles, the first planned look."
    qtbot.waitUntil(lambda: label(page, "setup.nothing") == nothing)
    told = page.findChild(QLabel, "setup.nothing")
    assert told is not None
    assert page.setup.takes.isAncestorOf(told), "beside Start"
    assert page.setup.finds.isVisibleTo(page)
    model.news.take_newest(10)
    qtbot.waitUntil(lambda: bool(first()) and first()[0].smallest is not None)
    assert not label(page, "setup.nothing")
    assert any("is found in" in each.text() for each in page.setup.finds.findChildren(QLabel))
    assert "one-sided" in label(page, "setup.tested"), "behind a fold"
    wanted = page.findChild(QDoubleSpinBox, "setup.wanted")
    assert wanted is not None
    assert (wanted.value(), wanted.maximum()) == (0.05, 1.0), "the method's own scale"
    settle()
    before = label(page, "setup.origin")
    wanted.setValue(0.01)  # 10 articles do for .05, and for all that is larger
    settle()
    assert label(page, "setup.origin") != before
    whole = first()[0].smallest
    assert model.formula().startswith("10 articles × 294 questions")
    model.leave_out("family", "Impact", out=True)
    assert model.formula().startswith("10 articles × 252 questions"), "42 levels are asked in six families"
    qtbot.waitUntil(lambda: bool(first()) and (first()[0].smallest or 0) > (whole or 1))
    model.set_controls(False)
    qtbot.waitUntil(lambda: bool(first()) and "needs questions that are asked again" in first()[0].why)
    card = page.setup.finds
    assert card.minimumSizeHint().width() <= card.width(), "words are cut off at its edge"
    model.news.take_newest(0)
    qtbot.waitUntil(lambda: not page.setup.finds.isVisibleTo(page))


def test_that_articles_are_narrowed_by_words_and_by_day(page: RunsPage, settle: Callable[[], None]) -> None:
    set_up(page, settle, articles=0)
    news, card = page.setup.model.news, page.setup.articles
    one = news.articles[-1]
    day = one.published.date().isoformat()
    card.search.setText(f"{one.headline.split()[0].upper()} {day}")
    card.search.flush()
    settle()
    assert one in news.fitting
    assert all(each.published.date().isoformat() == day for each in news.fitting)
    assert news.shown == news.fitting[:8]
    news.take_newest(1)
    assert news.ids == (news.fitting[0].id,)
    card.search.setText("no such word")
    card.search.flush()
    settle()
    assert [each.id for each in news.shown] == [*news.ids]
    assert not button(page, "setup.moreArticles").isVisible()
    card.search.clear()
    card.search.flush()
    settle()
    assert len(news.fitting) == len(news.articles)


def test_that_the_tables_of_the_set_up_have_no_scroll_bar_of_their_own(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    set_up(page, settle, articles=2)
    table, more = page.setup.articles.table, button(page, "setup.moreArticles")
    assert table.model().rowCount() == 8
    assert more.text() == f"Show {len(page.setup.model.news.articles) - 8} more"
    more.click()
    settle()
    assert table.model().rowCount() == len(page.setup.model.news.articles) > 8
    assert table.verticalScrollBar().maximum() == 0
    assert not more.isVisible()


def test_that_a_round_is_narrowed_to_a_few_levels_at_once_and_says_so_afterwards(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    model = page.setup.model

    def ticked(name: str) -> QCheckBox:
        found = page.findChild(QCheckBox, f"setup.scope.{name}")
        assert found is not None
        return found

    words = page.setup.findChild(QLabel, "setup.scopeWords")
    assert words is not None
    button(page, "setup.scope.identity.none").click()
    settle()
    assert model.blocked == "Leave out less of the design: nothing is left to ask."
    for level in ("Jewish", "Muslim"):
        ticked(f"identity.{level}").click()
    settle()
    assert words.text() == "2 of 42 readers · 14 calls"
    assert "Asked: 2 of 42 readers." in model.remarks()
    heads = {each.head.text() for each in page.setup.findChildren(CollapsibleSection)}
    assert {"Readers: 2 of 42", "Groups of readers", "How it was asked"} <= heads
    button(page, "setup.scope.identity.all").click()
    settle()
    assert words.text() == "The whole design is asked · 294 calls"
    model.set_controls(True)
    model.leave_out(ARM, MAIN, out=True)
    qtbot.waitUntil(lambda: model.blocked == "Leave out less of the design: only controls are left to ask.")
    model.leave_out(ARM, MAIN, out=False)
    model.set_controls(False)
    qtbot.waitUntil(lambda: not model.blocked)
    button(page, "setup.scope.identity.none").click()
    ticked("identity.Jewish").click()
    ticked("identity.Muslim").click()
    settle()
    button(page, "setup.start").click()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    settle()
    assert " · 2 of 42 readers · started " in label(page, "runs.facts")
    facts = page.findChild(QLabel, "runs.facts")
    assert facts is not None
    assert "Black American" in facts.toolTip()
    assert "Jewish" not in facts.toolTip()


def test_that_what_was_chosen_for_one_audit_is_not_chosen_in_the_next(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    add(window, paid("openai-compatible"), synthetic=False)
    set_up(page, settle)
    model = page.setup.model
    model.leave_out("family", "Impact", out=True)
    model.set_cap(3.0)
    model.set_name("Mine")
    model.news.set_batch(BatchId(1))
    settle()
    window.files.create(tmp_path / "next.gpf", "gpf-livenews")
    # It goes to Sources a moment after its title tells of the audit.
    qtbot.waitUntil(lambda: window.stack.current is not None and window.stack.current.page_id == "sources")
    window.context.navigator.go("runs", setup=True)
    settle()
    chosen = (model.left_out, model.spend_cap, model.cap_chosen, model.name, model.news.batch_id, model.with_controls)
    assert chosen == (set(), None, False, "Round 1", None, True)


def test_that_what_a_round_takes_stays_in_sight_while_its_set_up_is_scrolled(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page.model.set_up()
    settle()
    area = page.findChild(QScrollArea, "setup.scroll")
    assert area is not None
    assert not page.setup.finds.isVisible()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    takes = button(page, "setup.start").parentWidget()
    assert takes is not None
    for finds in (False, True):
        page.setup.finds.setVisible(finds)
        page.setup.finds.setMinimumHeight(area.height())
        settle()
        bar.setValue(bar.maximum())
        qtbot.waitUntil(lambda: takes.mapTo(area, QPoint()).y() >= 0)
    # The next set-up begins where its name and its news stand.
    page.model.show_list()
    page.model.set_up()
    assert bar.value() == 0
