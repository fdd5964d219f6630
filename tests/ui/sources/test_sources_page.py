"""The page Sources over the real engine and real feeds on loopback."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.collect.source_health import Health
from gpf_desktop.engine.core import catalogue
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.sources.paste_box import PasteBox
from gpf_desktop.ui.sources.sources_page import SourcesPage
from gpf_desktop.ui.sources.wording import HEALTH, health_word
from tests.methods.toy import Toy
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.ui.accessibility import problems_in
from tests.ui.sources.steps import NEUTRAL, add, cells, do, look


def test_that_an_empty_page_offers_the_catalogue_and_the_sample(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    assert page.stack.currentWidget() is page.empty
    assert page.empty.link is not None
    page.empty.link.click()
    qtbot.waitUntil(lambda: bool(page.model.lines))
    settle()
    (line,) = page.model.lines
    assert line.row.synthetic
    assert page.lists.isVisible()


def test_that_without_an_audit_the_page_says_so(window: MainWindow, settle: Callable[[], None]) -> None:
    window.context.navigator.go("sources")
    settle()
    page = window.findChild(SourcesPage, "page.sources")
    assert page is not None
    assert "audit" in page.empty.sentence.text()
    assert not page.look.isEnabled()
    assert not page.fetch.isEnabled()


def test_that_one_types_at_once_where_a_new_audit_begins(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    go = window.context.navigator.go
    go("sources")
    go("home")
    window.files.create(tmp_path / "new.gpf", "gpf-livenews")
    box = window.findChild(PasteBox)
    assert box is not None
    qtbot.waitUntil(lambda: window.focusWidget() is box)


def test_that_a_failing_source_says_why_and_is_retried_from_the_message(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], http_server: LoopbackServer
) -> None:
    replies = [Reply(body=rss(NEUTRAL)), Reply(status=503), Reply(body=rss(NEUTRAL))]
    http_server.route("/feed.xml", replies)
    add(page, qtbot, settle, http_server.url("/feed.xml"))
    page.fetch.click()
    qtbot.waitUntil(lambda: [line.health for line in page.model.lines] == [Health.FAILING])
    settle()
    assert "503" in page.sources.table.model().index(0, 5).data()
    do(window, "Retry those")
    qtbot.waitUntil(lambda: [line.health for line in page.model.lines] == [Health.WORKING])
    settle()


@pytest.mark.parametrize("scale", [100, 150])
def test_that_a_message_stands_above_what_is_at_the_foot_to_be_pressed(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, scale: int
) -> None:
    def covers(foot: QWidget) -> bool:
        there = QRect(foot.mapTo(window, QPoint()), foot.size())
        bar = window.message_bar
        return QRect(bar.mapTo(window, QPoint()), bar.size()).intersects(there)

    window.context.theme.set_text_scale(scale)
    add(page, qtbot, settle, feed)
    window.context.messages.error("The proxy that this computer names does not answer; the site was not reached. " * 2)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert not covers(page.list.batch)
    page.catalogue_button.click()
    qtbot.waitUntil(lambda: page.catalogue.isVisible() and not covers(page.catalogue.foot))
    page.catalogue.close_button.setFocus()
    page.catalogue.close_button.click()
    qtbot.waitUntil(lambda: page.list.isVisible() and not covers(page.list.batch))
    assert page.box.hasFocus(), "not the number of articles of the next batch"


def test_that_stopping_a_fetch_gives_the_page_back(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], http_server: LoopbackServer
) -> None:
    http_server.route("/slow", [Reply(body=rss(NEUTRAL)), Reply(mode=Mode.HANG)])
    add(page, qtbot, settle, http_server.url("/slow"))
    page.fetch.click()
    http_server.wait_for_requests(2)
    page.stop.click()
    qtbot.waitUntil(page.fetch.isEnabled)
    assert page.fetch.isVisible()
    settle()


def test_that_a_removed_source_comes_back_with_undo(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    add(page, qtbot, settle, feed)
    page.sources.table.selectRow(0)
    page.sources.remove.click()
    qtbot.waitUntil(lambda: not page.model.lines)
    settle()
    assert page.articles.ids == []
    do(window, "Undo")
    qtbot.waitUntil(lambda: len(page.model.lines) == 1 and len(page.articles.ids) == 4)
    settle()


def test_that_what_was_dropped_is_told_with_its_reason(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], http_server: LoopbackServer
) -> None:
    twice = rss([NEUTRAL[0], NEUTRAL[0]])
    http_server.route("/feed.xml", Reply(body=twice))
    add(page, qtbot, settle, http_server.url("/feed.xml"))
    assert not page.details.isVisible(), "with nothing to say it takes no room from the headlines"
    page.sources.table.setFocus()
    page.sources.table.selectRow(0)
    settle()
    qtbot.waitUntil(lambda: "twice" in _words(page.details))
    assert page.details.isVisible()
    assert "Dropped: 1" in _words(page.details)


def _words(widget: QWidget) -> str:
    from PySide6.QtWidgets import QLabel

    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_that_each_stratum_shows_its_reason_and_is_changed_by_hand_and_back(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    add(page, qtbot, settle, feed)
    qtbot.waitUntil(lambda: cells(page, 3)[2] == "about these groups: workers, layoffs")
    assert cells(page, 0)[2] == "about none"
    page.list.table.setFocus()
    page.list.table.selectRow(0)
    page.list.batch.setters[Stratum.RELEVANT].click()
    qtbot.waitUntil(lambda: cells(page, 0)[2] == "about these groups: set by you")
    settle()
    do(window, "Undo")
    qtbot.waitUntil(lambda: cells(page, 0)[2] == "about none")
    settle()


def test_that_the_list_is_narrowed_and_says_when_nothing_matches(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    add(page, qtbot, settle, feed)
    page.list.stratum.setCurrentIndex(2)
    qtbot.waitUntil(lambda: len(page.articles.ids) == 2)
    page.list.search.setText("no such word")
    qtbot.keyClick(page.list.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(page.articles.ids) == 0 and page.list.empty.isVisible())
    assert "filter" in page.list.empty.sentence.text()
    assert page.list.empty.button is not None
    page.list.empty.button.click()
    qtbot.waitUntil(lambda: len(page.articles.ids) == 4)
    settle()
    assert page.list.stratum.currentIndex() == 0


def test_that_the_next_batch_is_previewed_and_handed_to_runs(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    add(page, qtbot, settle, feed)
    page.list.batch.boxes[Stratum.NEUTRAL].setValue(2)
    page.list.batch.boxes[Stratum.RELEVANT].setValue(3)
    qtbot.waitUntil(lambda: page.articles.chosen is not None and len(page.articles.chosen.ids) == 4)
    settle()
    assert "1 about these groups lacking" in page.list.findChild(QWidget, "articles.choice").text()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: cells(page, 0)[4] == "proposed")
    moved = []
    window.context.navigator.moved.connect(moved.append)
    page.list.batch.round.click()
    assert moved[-1].page == "runs"
    assert page.articles.chosen is not None
    assert moved[-1].state["articles"] == tuple(page.articles.chosen.ids)
    settle()
    window.context.navigator.go("sources")
    qtbot.waitUntil(lambda: cells(page, 0)[4] == "next")


def test_that_a_second_audit_starts_without_the_first_one_s_sources(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, tmp_path: Path
) -> None:
    add(page, qtbot, settle, feed)
    window.files.create(tmp_path / "another.gpf", "gpf-livenews")
    qtbot.waitUntil(lambda: not page.model.lines and page.model.loaded)
    settle()
    assert page.articles.ids == []
    assert page.stack.currentWidget() is page.empty


def test_that_every_part_has_a_name_and_every_cell_says_something(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    assert problems_in(page) == []
    add(page, qtbot, settle, feed)
    page.list.table.selectRow(1)
    settle()
    assert problems_in(page) == []
    assert problems_in(page.details) == []
    look(page, qtbot, feed)
    assert problems_in(page) == []


def test_that_a_method_that_sorts_no_news_is_asked_of_none(
    page: SourcesPage,
    window: MainWindow,
    qtbot: QtBot,
    settle: Callable[[], None],
    feed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(catalogue.methods(), Toy.name, Toy(tmp_path))
    assert [*page.list.batch.setters] == [*Stratum]
    window.files.create(tmp_path / "toy.gpf", Toy.name)
    qtbot.waitUntil(lambda: not page.articles.strata)
    settle()
    add(page, qtbot, settle, feed)
    assert page.list.table.isColumnHidden(2)
    assert not page.list.stratum.isVisible()
    assert not page.list.batch.setters
    (box,) = page.list.batch.boxes.values()
    box.setValue(3)
    qtbot.waitUntil(lambda: page.articles.chosen is not None and len(page.articles.chosen.ids) == 3)
    assert {article.stratum for article in page.articles.chosen.articles} == {""}
    settle()
    assert "Proposed: 3 articles, newest first" in _words(page.list)
    page.list.table.selectRow(0)
    settle()
    assert "about these groups" not in _words(page)
    assert "Kind of news" not in _words(page.details)
    assert problems_in(page) == []


def test_that_the_first_audit_of_such_a_method_has_no_strata_either(
    window: MainWindow,
    qtbot: QtBot,
    settle: Callable[[], None],
    feed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(catalogue.methods(), Toy.name, Toy(tmp_path))
    window.files.create(tmp_path / "toy.gpf", Toy.name)
    qtbot.waitUntil(lambda: window.context.engine.has_open_audit)
    window.context.navigator.go("sources")
    page = window.findChild(SourcesPage, "page.sources")
    assert page is not None
    qtbot.waitUntil(lambda: page.empty.link is not None)
    add(page, qtbot, settle, feed)
    assert page.list.table.isVisible()
    assert page.list.table.isColumnHidden(2)
    assert not page.list.stratum.isVisible()


def test_that_every_state_of_a_source_has_a_word() -> None:
    assert set(HEALTH) == set(Health)
    assert all(health_word(health) for health in Health)


@pytest.mark.parametrize("scale", [100, 125, 150])
def test_that_the_state_of_a_source_is_whole_with_large_text_too(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], scale: int
) -> None:
    window.resize(1280, 720)
    window.context.theme.set_text_scale(scale)
    assert page.empty.link is not None
    page.empty.link.click()
    qtbot.waitUntil(lambda: bool(page.model.lines))
    settle()
    table = page.sources.table
    qtbot.waitUntil(lambda: table.columnWidth(0) >= table.sizeHintForColumn(0))
    assert table.viewport().height() < 2 * table.rowHeight(0), "no room for rows that are not there"
    window.context.theme.set_text_scale(100)
