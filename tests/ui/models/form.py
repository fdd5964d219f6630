"""The form of a model, filled and tested as an auditor would."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.ui.models.models_page import ModelsPage

KEY = "sk-test-0123456789"


def start(page: ModelsPage, address: str, model: str) -> None:
    """Open the form for a server at *address* and type a model's name."""
    qt_card = page.cards["openai-compatible"]
    qt_card.chosen.emit()
    page.editor.address.setText(address)
    page.editor.model.setEditText(model)


def run_test(page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]) -> list[StepState]:
    page.editor.test_button.click()
    qtbot.waitUntil(lambda: not page.editing.running and page.editing.test.over)
    settle()
    return [step.state for step in page.editing.test.steps]


def label(page: ModelsPage, name: str) -> str:
    found = page.findChild(QLabel, name)
    assert found is not None
    return found.text()


def row(page: ModelsPage, at: int) -> list[str]:
    model = page.table.table.model()
    return [str(model.index(at, column).data() or "") for column in range(model.columnCount())]
