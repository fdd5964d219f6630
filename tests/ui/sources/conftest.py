"""The page Sources on a new audit, and a feed to add."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.sources.sources_page import SourcesPage
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Reply
from tests.ui.sources.steps import NEUTRAL, RELEVANT


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
