"""What an auditor does on the page Runs, for its tests."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QPushButton

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.storage import models
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage


def add(window: MainWindow, endpoint: Endpoint, *, synthetic: bool) -> None:
    engine = window.context.engine
    engine.keys.allow(endpoint)
    engine.open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=synthetic)).result()


def set_up(page: RunsPage, settle: Callable[[], None], *, articles: int = 1) -> None:
    """Choose the newest articles and every model, without controls."""
    page.model.set_up()
    page.setup.model.reload()
    settle()
    page.setup.model.set_controls(False)
    page.setup.model.news.take_newest(articles)
    for model in page.setup.model.models:
        page.setup.model.take_model(model, on=True)
    settle()


def label(page: RunsPage, name: str) -> str:
    found = page.findChild(QLabel, name)
    assert found is not None
    return found.text()


def button(page: RunsPage, name: str) -> QPushButton:
    found = page.findChild(QPushButton, name)
    assert found is not None
    return found


def paid(provider: str) -> Endpoint:
    from datetime import date

    from gpf_desktop.domain.models import Price

    price = Price(prompt=2.0, completion=8.0, entered=date(2026, 11, 1))
    return Endpoint(provider=provider, model="m", base_url="http://127.0.0.1:9/v1", price=price)
