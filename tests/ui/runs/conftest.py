"""The page Runs with news to ask about."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage


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
