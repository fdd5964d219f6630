"""The page Sources over the real engine and real feeds on loopback."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.articles import Stratum
from gpf_desktop.engine.collect.source_health import Health
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Message
from gpf_desktop.ui.sources.adding_view_model import Stage
from gpf_desktop.ui.sources.sources_page import SourcesPage
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.ui.accessibility import problems_in

NEUTRAL = ("Home team wins the cup final after extra time", "Storm closes coastal ferry for third day")
RELEVANT = ("Immigration court backlog grows as asylum claims rise", "Workers vote on layoffs at car plant")


@pytest.fixture
def page(window: MainWindow, audit: Path, qtbot: QtBot, settle: Callable[[], None]) -> SourcesPage:
    window.context.navigator.go("sources")
    found = window.findChild(SourcesPage, "page.sources")
    assert found is not None
    qtbot.waitUntil(lambda: found.empty.link is not None)
    settle()
    return found


@pytest.fixture
def feed(http_server: LoopbackServer) -> str:
    """The address of a feed with two neutral and two relevant items."""
    http_server.route("/feed.xml", Reply(body=rss([*NEUTRAL, *RELEVANT], title="Example Wire")))
    return http_server.url("/feed.xml")


def look(page: SourcesPage, qtbot: QtBot, typed: str) -> None:
    page.box.setPlainText(typed)
    qtbot.keyClick(page.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.adding.stage is not Stage.LOOKING)


def add(page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], typed: str) -> None:
    """Paste, look, add, as a user does."""
    before = len(page.model.lines)
    look(page, qtbot, typed)
    page.found.add.click()
    qtbot.waitUntil(lambda: len(page.model.lines) > before and page.adding.stage is Stage.IDLE)
    settle()


def cells(page: SourcesPage, row: int) -> list[str]:
    model = page.list.table.model()
    return [str(model.index(row, column).data() or "") for column in range(model.columnCount())]


def said(window: MainWindow) -> tuple[Message, ...]:
    return window.context.messages.messages


def do(window: MainWindow, words: str) -> None:
    """Press the button of the message bar that says *words*."""
    remedy = next(remedy for message in said(window) for remedy in message.remedies if remedy.text == words)
    remedy.do()


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


def test_that_what_was_pasted_is_detected_previewed_and_kept(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    look(page, qtbot, feed)
    assert page.found.isVisible()
    assert page.adding.title == "RSS, Atom or RDF feed: Example Wire"
    assert page.found.items.model().rowCount() == 4
    assert page.model.lines == ()
    page.found.add.click()
    qtbot.waitUntil(lambda: bool(page.model.lines))
    settle()
    assert page.lists.isVisible()
    assert [line.health for line in page.model.lines] == [Health.WORKING]
    qtbot.waitUntil(lambda: cells(page, 0)[1] == NEUTRAL[0])
    assert page.header.subtitle.text() == "1 source, 4 of 4 articles not used yet"


def test_that_cancelling_keeps_nothing(page: SourcesPage, qtbot: QtBot, feed: str) -> None:
    look(page, qtbot, feed)
    page.found.cancel.click()
    assert page.model.lines == ()
    assert page.stack.currentWidget() is page.empty


def test_that_of_a_site_s_sources_those_ticked_are_kept(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], http_server: LoopbackServer, feed: str
) -> None:
    http_server.route("/second.xml", Reply(body=rss(["Library opens on Sundays from spring"], title="Second Post")))
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" href="{path}">' for path in ("/feed.xml", "/second.xml")
    )
    page_reply = Reply(body=f"<html><head>{links}</head></html>", headers={"Content-Type": "text/html"})
    http_server.route("/", page_reply)
    look(page, qtbot, http_server.url("/"))
    assert [candidate.title for candidate in page.adding.candidates] == ["Example Wire", "Second Post"]
    page.adding.tick(0, False)
    assert not page.found.add.isEnabled()
    page.adding.tick(1, True)
    page.adding.show(1)
    assert page.found.items.model().rowCount() == 1
    page.found.add.click()
    qtbot.waitUntil(lambda: bool(page.model.lines))
    assert [line.row.title for line in page.model.lines] == ["Second Post"]


def test_that_what_cannot_be_used_is_said_beside_the_box(
    page: SourcesPage, qtbot: QtBot, http_server: LoopbackServer
) -> None:
    look(page, qtbot, http_server.url("/nothing"))
    assert "HTTP 404" in page.problem.text()
    assert page.box.toPlainText() == http_server.url("/nothing")
    assert page.look.isEnabled()


def test_that_a_look_that_takes_too_long_can_be_given_up(
    page: SourcesPage, qtbot: QtBot, http_server: LoopbackServer
) -> None:
    http_server.route("/slow", Reply(mode=Mode.HANG))
    page.box.setPlainText(http_server.url("/slow"))
    page.look.click()
    http_server.wait_for_requests(1)
    assert not page.look.isEnabled()
    assert page.empty.link is not None
    page.empty.link.click()
    assert page.adding.stage is Stage.IDLE
    assert page.look.isEnabled()


def test_that_a_dropped_file_is_looked_at_at_once(page: SourcesPage, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    file.write_text("headline,description\nBridge repairs start on Monday,Traffic is led round.\n")
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(file))])
    page.box.insertFromMimeData(dropped)
    qtbot.waitUntil(lambda: page.adding.stage is Stage.FOUND)
    assert page.adding.preview is not None
    assert page.adding.preview.items[0].headline == "Bridge repairs start on Monday"


@pytest.mark.parametrize(("name", "taken"), [("export.csv", True), ("other.gpf", False)])
def test_that_the_whole_page_takes_files_but_leaves_audits_to_the_window(
    page: SourcesPage, tmp_path: Path, name: str, taken: bool
) -> None:
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
    # Of its base class: QDragEnterEvent takes whole points before Qt 6.12 only, and others since.
    entering = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        dropped,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entering.ignore()
    page.dragEnterEvent(entering)
    assert entering.isAccepted() is taken


def test_that_news_text_of_several_lines_is_taken(page: SourcesPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    page.box.setPlainText("Council approves new bus lanes\nThe plan cuts journey times.")
    assert page.box.height() > page.file.height()
    page.look.click()
    qtbot.waitUntil(lambda: page.adding.stage is Stage.FOUND)
    page.found.add.click()
    qtbot.waitUntil(lambda: bool(page.model.lines))
    assert [line.health for line in page.model.lines] == [Health.TEXT]
    assert not page.fetch.isEnabled()


def test_that_a_failing_source_says_why_and_is_retried_from_the_message(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], http_server: LoopbackServer
) -> None:
    replies = [Reply(body=rss(NEUTRAL)), Reply(status=503), Reply(body=rss(NEUTRAL))]
    http_server.route("/feed.xml", replies)
    add(page, qtbot, settle, http_server.url("/feed.xml"))
    page.fetch.click()
    assert page.stop.isVisible()
    qtbot.waitUntil(lambda: not page.model.fetching)
    settle()
    assert [line.health for line in page.model.lines] == [Health.FAILING]
    assert "503" in page.sources.table.model().index(0, 5).data()
    do(window, "Retry those")
    qtbot.waitUntil(lambda: [line.health for line in page.model.lines] == [Health.WORKING])
    settle()


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
    page.sources.table.setFocus()
    page.sources.table.selectRow(0)
    settle()
    qtbot.waitUntil(lambda: "twice" in _words(page.details))
    assert "Dropped: 1" in _words(page.details)


def _words(widget: QWidget) -> str:
    from PySide6.QtWidgets import QLabel

    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_that_each_stratum_shows_its_reason_and_is_changed_by_hand_and_back(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    add(page, qtbot, settle, feed)
    qtbot.waitUntil(lambda: cells(page, 3)[2] == "relevant: workers, layoffs")
    assert cells(page, 0)[2] == "neutral"
    page.list.table.setFocus()
    page.list.table.selectRow(0)
    page.list.to_relevant.click()
    qtbot.waitUntil(lambda: cells(page, 0)[2] == "relevant: set by you")
    settle()
    do(window, "Undo")
    qtbot.waitUntil(lambda: cells(page, 0)[2] == "neutral")
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
    page.list.neutral.setValue(2)
    page.list.relevant.setValue(3)
    qtbot.waitUntil(lambda: page.articles.chosen is not None and len(page.articles.chosen.ids) == 4)
    settle()
    assert "1 identity-relevant lacking" in page.list.findChild(QWidget, "articles.choice").text()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: cells(page, 0)[4] == "next")
    moved = []
    window.context.navigator.moved.connect(moved.append)
    page.list.round.click()
    assert moved[-1].page == "runs"
    assert page.articles.chosen is not None
    assert moved[-1].state["articles"] == tuple(page.articles.chosen.ids)
    settle()


def test_that_the_catalogue_says_what_is_known_and_adds_what_is_ticked(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], http_server: LoopbackServer,
    feed: str, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from gpf_desktop.engine.collect.news_catalogue import CatalogueSource, Publisher
    from gpf_desktop.ui.sources import adding_view_model

    both = CatalogueSource(title="Wire", ways=(http_server.url("/refused"), feed))
    none = CatalogueSource(title="Gone", ways=(http_server.url("/refused"),))
    http_server.route("/refused", Reply(status=401))
    offered = (Publisher(name="Example", known="Two ways.", sources=(both, none)),)
    monkeypatch.setattr(adding_view_model, "news_catalogue", lambda: offered)
    page.catalogue_button.click()
    assert page.stack.currentWidget() is page.catalogue
    assert any("Reuters" in title for title in page.catalogue.boxes)
    for source in (both, none):
        page.adding.pick(source, True)
    page.catalogue.add.click()
    qtbot.waitUntil(lambda: len(page.model.lines) == 1 and page.adding.stage is Stage.IDLE)
    settle()
    (line,) = page.model.lines
    assert "works and is used" in line.row.note
    assert any("Gone could not be added" in message.text for message in said(window))


def test_that_a_second_audit_starts_without_the_first_one_s_sources(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, tmp_path: Path
) -> None:
    add(page, qtbot, settle, feed)
    window.files.create(tmp_path / "another.gpf")
    qtbot.waitUntil(lambda: not page.model.lines and page.model.loaded)
    settle()
    assert page.articles.ids == []
    assert page.stack.currentWidget() is page.empty


def test_that_another_audit_is_not_offered_what_was_found_for_the_first(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, tmp_path: Path
) -> None:
    page.adding.look(feed)
    qtbot.waitUntil(lambda: page.adding.stage is Stage.FOUND)
    page.adding.open_catalogue()
    page.adding.pick(page.adding.catalogue[0].sources[0], True)
    window.files.create(tmp_path / "another.gpf")
    qtbot.waitUntil(lambda: not page.model.lines and page.model.loaded and page.adding.stage is Stage.IDLE)
    settle()
    assert page.stack.currentWidget() is page.empty
    assert (page.adding.picked, page.adding.detection, page.adding.ticked) == (set(), None, set())


def test_that_a_look_under_way_finds_nothing_for_another_audit(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, tmp_path: Path
) -> None:
    page.adding.look(feed)
    window.files.create(tmp_path / "another.gpf")
    qtbot.waitUntil(lambda: page.model.loaded and page.adding.stage is Stage.IDLE)
    settle()
    assert page.adding.stage is Stage.IDLE
    assert page.adding.detection is None


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


def test_that_strata_are_those_of_the_domain() -> None:
    from gpf_desktop.ui.sources.wording import HEALTH, STRATA, health_word, stratum_word

    assert set(STRATA) == set(Stratum)
    assert {stratum_word(stratum) for stratum in Stratum} == {"identity-neutral", "identity-relevant"}
    assert set(HEALTH) == set(Health)
    assert all(health_word(health) for health in Health)


def test_that_a_list_of_feeds_is_ticked_whole_and_says_which_offer_nothing(
    page: SourcesPage, qtbot: QtBot, http_server: LoopbackServer, feed: str, tmp_path: Path
) -> None:
    http_server.route("/other.xml", Reply(body=rss(["Bridge opens"], title="Other")))
    addresses = (http_server.url("/gone.xml"), feed, http_server.url("/other.xml"))
    outlines = "".join(f'<outline type="rss" xmlUrl="{address}"/>' for address in addresses)
    listed = tmp_path / "papers.opml"
    listed.write_text(f'<opml version="2.0"><head/><body>{outlines}</body></opml>')
    look(page, qtbot, str(listed))
    assert page.adding.ticked == {0, 1}
    assert page.found.add.text() == "Add 2 sources"
    missed = page.found.missed.model()
    assert page.found.missed.isVisible()
    assert missed.index(0, 0).data() == addresses[0]
    assert "404" in str(missed.index(0, 1).data())
    qtbot.mouseClick(page.found.tick_all, Qt.MouseButton.LeftButton)
    assert page.adding.ticked == set()
    qtbot.mouseClick(page.found.tick_all, Qt.MouseButton.LeftButton)
    assert page.adding.ticked == {0, 1}
