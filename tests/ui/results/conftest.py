"""An audit whose results are shown."""

from pathlib import Path

import pytest

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from tests.support.filled_audit import fill
from tests.ui.results.steps import Settle, opened


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Settle) -> ResultsPage:
    """On an audit of two batches and two calibration models."""
    for _ in range(2):
        fill(
            window.context.engine.open_audit.context.audit,
            items=2,
            repeats=2,
            models_asked=("tailoring-0.6", "faulty"),
            dimensions=("Religion", "Political"),
        )
    made = opened(window, settle)
    # Two tables that tests look at, computed as if the reader had come by.
    made.sections.ask(("model_table", "interaction"))
    settle()
    return made
