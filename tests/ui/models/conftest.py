from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from tests.support.openai_server import OpenAIServer
from tests.ui.models.form import KEY


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Callable[[], None]) -> ModelsPage:
    window.context.navigator.go("models")
    found = window.findChild(ModelsPage, "page.models")
    assert found is not None
    settle()
    return found


@pytest.fixture
def locked() -> Iterator[OpenAIServer]:
    """A server that wants a key."""
    with OpenAIServer(models=("small", "large"), key=KEY) as server:
        yield server
