"""Before a round starts: every model, the disk, the clock and the sources are looked at."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.rounds import preflight
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.settings.keys import Kept
from gpf_desktop.storage import models
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.models.models_view_model import ModelsView
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.runs_view_model import RunsView
from tests.support.http_server import Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import scene, server_model, small_protocol
from tests.ui.accessibility import problems_in

_TIME = 200_000


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Callable[[], None]) -> RunsPage:
    window.context.engine.open_audit.sources.take([(SAMPLE, "")], 1)
    window.context.navigator.go("runs")
    found = window.findChild(RunsPage, "page.runs")
    assert found is not None
    found.model.set_up()
    settle()
    return found


def choose(page: RunsPage, settle: Callable[[], None]) -> None:
    setup = page.setup.model
    setup.protocol = small_protocol()
    setup.set_controls(False)
    setup.news.take_newest(1)
    for model in setup.models:
        setup.take_model(model, on=True)
    settle()


def test_that_a_model_that_does_not_answer_is_named_with_the_button_that_mends_it(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    engine = window.context.engine
    with OpenAIServer(key="right-key") as server:
        endpoint = server_model(server.base_url)
        engine.open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=False)).result()
        page.setup.model.reload()
        settle()
        choose(page, settle)
        start = page.findChild(QPushButton, "setup.start")
        assert start is not None
        start.click()
        looking = page.setup.model.preflight
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=_TIME)
        settle()
        assert page.model.view is RunsView.SETUP
        assert start.text() == "Look again and start"
        assert [line.title for line in looking.failing] == ["openai-compatible/some-model"]
        assert {line.title for line in looking.lines} >= {"Disk", "Sources"}
        assert not problems_in(page)
        words = page.setup.findChild(QLabel, "preflight.words")
        assert words is not None
        assert words.text() == "1 thing is not ready:"
        mend = page.setup.findChild(QPushButton, "preflight.mend")
        assert mend is not None
        mend.click()
        there = window.findChild(ModelsPage, "page.models")
        qtbot.waitUntil(lambda: window.findChild(ModelsPage, "page.models") is not None, timeout=_TIME)
        settle()
        there = window.findChild(ModelsPage, "page.models")
        assert there is not None
        assert there.model.place is ModelsView.EDITOR
        assert there.editor.key.hasFocus(), "the key is what is wrong"
        engine.keys.save(engine.keys.name_of(endpoint), Secret("right-key"))
        there.editing.save()
        qtbot.waitUntil(lambda: bool(looking.lines) and not looking.failing and not looking.running, timeout=_TIME)
        assert page.model.view is RunsView.SETUP, "what was mended elsewhere starts nothing"
        window.context.navigator.go("runs")
        settle()
        start.click()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED, timeout=_TIME)
        assert server.answered >= 10


@pytest.mark.parametrize("scale", [100, 125, 150])
def test_that_in_a_low_window_what_is_not_ready_and_the_start_are_in_sight(
    page: RunsPage, window: MainWindow, context: Context, settle: Callable[[], None], qtbot: QtBot, scale: int
) -> None:
    context.theme.set_text_scale(scale)
    with OpenAIServer(key="right-key") as server:
        endpoint = server_model(server.base_url)
        context.engine.open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=False)).result()
        page.setup.model.reload()
        settle()
        choose(page, settle)
        looking = page.setup.model.preflight
        page.setup.model.begin()
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=_TIME)
        settle()
        assert (window.width(), window.height()) == (1280, 720)
        area = page.findChild(QScrollArea, "setup.scroll")
        assert area is not None
        buttons = [page.setup.findChild(QPushButton, name) for name in ("setup.start", "preflight.mend")]
        feet = lambda: [each.mapTo(area, each.rect().bottomLeft()).y() for each in buttons if each]  # noqa: E731
        qtbot.waitUntil(lambda: 0 < feet()[0] < feet()[1] <= area.viewport().height())


def test_that_a_trial_of_one_article_is_looked_at_first_and_stays_one_when_started_anyway(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(key="right-key") as server:
        endpoint = server_model(server.base_url)
        audit = window.context.engine.open_audit.context.audit
        audit.write(lambda c: models.keep(c, endpoint, synthetic=False)).result()
        page.setup.model.reload()
        settle()
        choose(page, settle)
        page.setup.model.news.take_newest(2)
        settle()
        attempt, anyway = (page.findChild(QPushButton, f"setup.{name}") for name in ("try", "anyway"))
        assert attempt is not None
        assert anyway is not None
        attempt.click()
        looking = page.setup.model.preflight
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=_TIME)
        settle()
        assert page.model.view is RunsView.SETUP
        anyway.click()
        qtbot.waitUntil(lambda: page.model.run is not None and not page.model.active, timeout=_TIME)
        assert page.model.run is not None
        assert page.model.run.articles == 1
        settle()


def test_that_a_line_about_a_key_goes_when_the_key_is_kept_in_the_form(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    open_audit = window.context.engine.open_audit
    with OpenAIServer(key=(key := "sk-right-0123456789")) as server:
        endpoint = server_model(server.base_url)
        open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=False)).result()
        page.setup.model.reload()
        settle()
        choose(page, settle)
        page.setup.model.begin()
        looking = page.setup.model.preflight
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=_TIME)
        settle()
        mend = page.setup.findChild(QPushButton, "preflight.mend")
        assert mend is not None
        mend.click()
        settle()
        there = window.findChild(ModelsPage, "page.models")
        assert there is not None
        qtbot.keyClicks(there.editor.key, key)
        qtbot.mouseClick(there.editor.save_key, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(looking.lines) and not looking.failing and not looking.running, timeout=_TIME)
        settle()
        assert there.model.rows[0].key_kept is Kept.SESSION, "the list knows it too"


def test_that_a_model_mended_by_another_address_stays_chosen_and_one_taken_away_is_not_asked_for(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    open_audit = window.context.engine.open_audit
    with OpenAIServer() as server:
        wrong = replace(server_model(server.base_url), base_url=server.base_url.removesuffix("/v1"))
        model_id = open_audit.context.audit.write(lambda c: models.keep(c, wrong, synthetic=False)).result()
        page.setup.model.reload()
        settle()
        choose(page, settle)
        setup, looking = page.setup.model, page.setup.model.preflight
        setup.begin()
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=_TIME)
        open_audit.models.edit(model_id, replace(wrong, base_url=server.base_url)).result()
        qtbot.waitUntil(lambda: bool(looking.lines) and not looking.failing and not looking.running, timeout=_TIME)
        settle()
        (now,) = setup.setup.model_ids
        assert now != model_id
        open_audit.models.edit(now, wrong).result()
        settle()
        setup.begin()
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=_TIME)
        open_audit.models.remove(setup.setup.model_ids).result()
        settle()
        qtbot.waitUntil(lambda: not looking.running)
        assert (setup.chosen, looking.lines) == ({}, ())


def test_that_a_clock_that_is_wrong_and_a_full_disk_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = format_datetime(datetime.now(UTC) + timedelta(minutes=30), usegmt=True)
    with OpenAIServer() as server, scene(tmp_path) as stage:
        stage.plan([server_model(server.base_url)], protocol=small_protocol())
        look = stage.open_audit.preflight.look
        setup = RunSetup(method="gpf-livenews", name="Round", protocol=small_protocol(), model_ids=(ModelId(1),))
        assert all(line.state is StepState.PASSED for line in look(setup, 10).result())
        server.fail("ready", reply=Reply.of_json({"error": {"message": "no"}}, status=500, headers={"Date": late}))
        monkeypatch.setattr(preflight, "SPARE", 10**18)
        told = {line.title: line for line in look(setup, 10).result()}
        assert {line.state for line in told.values()} == {StepState.FAILED}
        assert "needed at most" in told["Disk"].words
        assert "30 min behind the servers'" in told["Clock"].words
