"""What is said of a round that rests while another one is shown."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.run_words import short_names
from gpf_desktop.ui.runs.runs_page import RunsPage
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import small_protocol
from tests.ui.runs.steps import add, set_up


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Callable[[], None]) -> RunsPage:
    window.context.engine.open_audit.sources.take([(SAMPLE, "")], 1)
    window.context.navigator.go("runs")
    found = window.findChild(RunsPage, "page.runs")
    assert found is not None
    settle()
    return found


def test_that_what_is_said_of_a_round_names_it_acts_on_it_and_goes_once_it_is_asked(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(gate=True) as server:
        price = Price(prompt=0.0, completion=100.0, entered=date(2026, 11, 1))
        few = Decoding(max_tokens=1000)
        at = server.base_url
        add(
            window,
            Endpoint(provider="openai-compatible", model="some-model", base_url=at, price=price, decoding=few),
            synthetic=False,
        )
        set_up(page, settle)
        setup = page.setup.model.setup
        assert setup is not None
        rounds, messages = window.context.engine.open_audit.rounds, window.context.messages
        dear = rounds.plan(replace(setup, name="Dear", protocol=small_protocol(), spend_cap=0.15)).result()
        other = rounds.plan(replace(setup, name="Other", protocol=small_protocol(), spend_cap=0.01)).result()
        page.model.start(dear)
        qtbot.waitUntil(lambda: server.http.received > 0)
        page.model.show_run(other)
        qtbot.waitUntil(lambda: page.model.run is not None and page.model.run.id == other)
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: bool(messages.messages))
        settle()
        (message,) = messages.messages
        assert message.text.startswith("“Dear”: The spend cap is reached")
        assert page.model.run is not None
        assert page.model.run.id == other
        (raise_it,) = window.message_bar.remedy_buttons()
        qtbot.mouseClick(raise_it, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(
            lambda: bool(messages.messages) and "cap is reached" not in messages.messages[0].text, timeout=200_000
        )
        settle()
        caps = {run.id: run.spend_cap for run in rounds.runs()}
        assert caps[dear] != 0.15
        assert caps[other] == 0.01
        assert messages.messages[0].text == "“Dear”: The round is finished and scored.", "one raise is enough"
        window.context.engine.open_audit.ledger.delete(dear)
        qtbot.waitUntil(lambda: not messages.messages)


def test_that_models_are_told_apart_in_little_room() -> None:
    assert short_names(["openai/gpt-x", "openrouter/maker/gpt-y", "mine"]) == {
        "openai/gpt-x": "gpt-x",
        "openrouter/maker/gpt-y": "maker/gpt-y",
        "mine": "mine",
    }
    assert short_names(["a/same", "b/same"]) == {"a/same": "a/same", "b/same": "b/same"}
