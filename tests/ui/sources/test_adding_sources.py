"""What is pasted, dropped or ticked is looked at, shown and then kept."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.collect.source_health import Health
from gpf_desktop.engine.collect.source_service import SourceService
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.navigation import Place
from gpf_desktop.ui.sources.adding_view_model import Stage
from gpf_desktop.ui.sources.sources_page import SourcesPage
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.ui.sources.steps import NEUTRAL, cells, look, said


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


def test_that_a_source_added_again_is_said_to_be_there_and_the_box_is_free(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], feed: str
) -> None:
    for _ in range(2):
        look(page, qtbot, feed)
        with qtbot.waitSignal(page.adding.kept):
            page.found.add.click()
        assert page.box.toPlainText() == ""
    assert [message.text for message in said(page)] == ["1 source was in the list already."]
    settle()
    assert len(page.model.lines) == 1


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
    page.catalogue_button.click()
    assert page.stack.currentWidget() is page.catalogue
    assert any("Reuters" in title for title in page.catalogue.boxes)
    monkeypatch.setattr(adding_view_model, "news_catalogue", lambda: offered)
    for source in (both, none):
        page.adding.pick(source, True)
    page.catalogue.add.click()
    qtbot.waitUntil(lambda: len(page.model.lines) == 1 and page.adding.stage is Stage.IDLE)
    settle()
    (line,) = page.model.lines
    assert "works and is used" in line.row.note
    assert any("Gone could not be added" in message.text for message in said(window))


def test_that_another_audit_is_not_offered_what_was_found_for_the_first(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, tmp_path: Path
) -> None:
    page.adding.look(feed)
    qtbot.waitUntil(lambda: page.adding.stage is Stage.FOUND)
    page.adding.open_catalogue()
    page.adding.pick(page.adding.catalogue[0].sources[0], True)
    window.files.create(tmp_path / "another.gpf", "gpf-livenews")
    qtbot.waitUntil(lambda: not page.model.lines and page.model.loaded and page.adding.stage is Stage.IDLE)
    settle()
    assert page.stack.currentWidget() is page.empty
    assert (page.adding.picked, page.adding.detection, page.adding.ticked) == (set(), None, set())


def test_that_a_look_under_way_finds_nothing_for_another_audit(
    page: SourcesPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None], feed: str, tmp_path: Path
) -> None:
    page.adding.look(feed)
    window.files.create(tmp_path / "another.gpf", "gpf-livenews")
    qtbot.waitUntil(lambda: page.model.loaded and page.adding.stage is Stage.IDLE)
    settle()
    assert page.adding.stage is Stage.IDLE
    assert page.adding.detection is None


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


def test_that_what_is_typed_or_begun_while_something_else_ends_stays(
    page: SourcesPage, qtbot: QtBot, settle: Callable[[], None], feed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.adding.look(feed)
    assert page.adding._looking is not None
    page.adding._looking.result()
    page.adding.cancel()
    page.adding.open_catalogue()
    settle()
    assert page.adding.stage is Stage.CATALOGUE, "what had been found by then was given up"
    page.adding.cancel()
    look(page, qtbot, feed)
    page.found.add.click()
    page.box.setPlainText("https://another.example/feed")
    settle()
    assert len(page.model.lines) == 1
    assert page.box.toPlainText() == "https://another.example/feed"
    moved: list[Place] = []
    page.context.navigator.moved.connect(moved.append)
    page.list.batch.boxes[Stratum.NEUTRAL].setValue(2)
    page.list.batch.round.click()
    settle()
    articles = moved[-1].state["articles"]
    assert isinstance(articles, tuple)
    assert len(articles) == 3, "as many as were typed last"
    first, second = Future[None](), Future[None]()
    fetches = iter((first, second))
    monkeypatch.setattr(SourceService, "fetch", lambda *_: next(fetches))
    bridge = page.context.bridge
    page.model.fetch_all()
    first.set_result(None)
    page.model.fetch_all()
    qtbot.waitUntil(lambda: bridge._under_way == 1 and not bridge._queue)
    assert page.model.fetching, "it can be stopped still"
    second.set_result(None)
    settle()
