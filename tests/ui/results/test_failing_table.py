"""A table that cannot be made says so in its own place; the page computes no longer than it must."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QTableView

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.findings import Finding
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.results_view_model import ResultsView
from tests.support.filled_audit import fill
from tests.ui.results.steps import Settle, opened


def words_of(page: ResultsPage) -> str:
    said = [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page)]
    for table in page.findChildren(QTableView):
        model = table.model()
        rows, columns = model.rowCount(), model.columnCount()
        said += [str(model.index(row, column).data()) for row in range(rows) for column in range(columns)]
    return "\n".join(said)


@pytest.mark.parametrize("first", [0, 1])
def test_that_failing_tables_say_so_and_the_others_are_shown(
    window: MainWindow,
    audit: Path,
    settle: Settle,
    monkeypatch: pytest.MonkeyPatch,
    expected_log: object,
    first: int,
) -> None:
    """Every second table fails; *first* says whether the first one does or the second."""
    method = catalogue.methods()["gpf-livenews"]
    order = method.results_order
    # Of one model and one batch what needs two is not shown.
    two = {*order.two_batches, *order.two_models, *order.two_vendors}
    made = {name: catalogue.analysis(name) for name in method.analyses if name not in two}
    installed = [(name, analysis) for name, analysis in made.items() if analysis is not None]
    assert len(installed) > 12
    failing, standing = installed[first::2], installed[1 - first :: 2]

    def analyse(*_: object) -> Finding:
        raise KeyError("level")

    for name, analysis in failing:
        expected_log(rf"the table {name} could not be made")  # type: ignore[operator]
        monkeypatch.setattr(type(analysis), "analyse", analyse)
    fill(window.context.engine.open_audit.context.audit, models_asked=("tailoring-0.6",), dimensions=("Political",))
    page = opened(window, settle)
    model = page.model
    page.sections.ask([each for _, each in model.parts()])
    settle()
    assert model.view is ResultsView.RESULTS
    assert not model.asking
    said = words_of(page)
    assert [name for name, _ in failing if f"could not be made: {name} (" not in said] == []
    assert [name for name, _ in standing if f"could not be made: {name} (" in said] == []
    assert "Computing" not in said


def test_that_a_page_that_cannot_be_read_says_why_and_can_be_read_again(
    window: MainWindow, audit: Path, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(window.context.engine.open_audit.context.audit, models_asked=("tailoring-0.6",), dimensions=("Political",))

    def results(*_: object, **__: object) -> None:
        raise StorageError("The disk is full.", "Make room.", fault=StorageFault.FULL)

    with monkeypatch.context() as broken:
        broken.setattr(ResultsService, "results", results)
        window.context.navigator.go("results")
        settle()
        page = window.stack.current
        assert isinstance(page, ResultsPage)
        assert page.model.view is ResultsView.FAILED
        assert "The disk is full." in words_of(page)
    page.empty.button.click()
    settle()
    assert page.model.view is ResultsView.RESULTS
