"""The list of rounds while one of them is being asked."""

from collections.abc import Callable
from itertools import count
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import Run, RunState
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.runs_view_model import RunsView
from tests.support.openai_server import OpenAIServer
from tests.ui.runs.steps import add, button, set_up

_ANSWERED = 2
"""Column of the list."""
_FIRST = 40
"""Answers after which the server thinks until it is let go on."""


def test_that_the_list_counts_the_answers_of_a_running_round_without_reading_it_again(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = count(), Event()

    def answer(_: dict[str, Any]) -> str:
        if next(asked) >= _FIRST:
            go_on.wait()
        return "A sentence."

    def shown() -> str:
        return str(page.list.table.model().index(0, _ANSWERED).data())

    with OpenAIServer(gate=True, answer=answer) as server:
        endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
        add(window, endpoint, synthetic=False)
        set_up(page, settle)
        page.setup.model.start()
        qtbot.waitUntil(lambda: page.model.state is RunState.RUNNING)
        button(page, "runs.all").click()
        qtbot.waitUntil(lambda: [run.state for run in page.model.runs] == [RunState.RUNNING])
        assert page.model.view is RunsView.LIST
        assert shown() == "0 of 294"
        rounds = window.context.engine.open_audit.rounds
        reads: list[int] = []
        read = rounds.runs

        def counted() -> list[Run]:
            reads.append(1)
            return read()

        monkeypatch.setattr(rounds, "runs", counted)
        assert server.gate is not None
        try:
            server.gate.open()
            qtbot.waitUntil(lambda: shown() not in ("0 of 294", "294 of 294"))
            assert page.model.state is RunState.RUNNING
            assert reads == []
        finally:
            go_on.set()
        qtbot.waitUntil(lambda: page.model.listed[0].state is RunState.FINISHED)
        qtbot.waitUntil(lambda: shown() == "294 of 294")
        assert reads
