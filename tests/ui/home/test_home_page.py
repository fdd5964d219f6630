"""Home: three ways to begin, the four steps of an own audit, what it holds, what was open lately."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.commands.assign_command import WantedAssignment, assign
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.settings.keys import Kept
from gpf_desktop.storage import endpoints, models, runs
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.home.home_page import HomePage
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.studies.choosing import MethodCard
from tests.support.filled_audit import fill
from tests.support.rounds import small_protocol
from tests.ui.accessibility import problems_in, tab_problems

Settle = Callable[[], None]


@pytest.fixture
def home(window: MainWindow, settle: Settle) -> HomePage:
    page = window.stack.page("home")
    assert isinstance(page, HomePage)
    settle()
    return page


def go_home(context: Context, settle: Settle) -> None:
    context.navigator.go("models")
    context.navigator.go("home")
    settle()


def press(qtbot: QtBot, window: MainWindow, name: str) -> None:
    def shown() -> list[QPushButton]:
        return [each for each in window.findChildren(QPushButton, name) if each.isVisible()]

    qtbot.waitUntil(lambda: len(shown()) == 1)
    qtbot.mouseClick(shown()[0], Qt.MouseButton.LeftButton)


def test_that_the_method_of_the_sample_audit_comes_first(home: HomePage) -> None:
    cards = home.findChildren(MethodCard)
    assert min(cards, key=lambda card: (card.y(), card.x())).objectName() == "method.gpf-livenews"
    assert len(cards) == 4


def test_that_a_first_start_offers_the_sample_and_lists_nothing(home: HomePage) -> None:
    assert home.sample.button.property("primary") is True
    assert not home.holds.isVisible()
    assert home.lead.isVisible()
    assert all(not link.isEnabled() for link in home.steps.links.values())


def test_that_home_can_be_used_without_a_mouse_and_read_aloud(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    assert problems_in(home) == []
    go_home(context, settle)
    assert problems_in(home) == []
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert tab_problems(window) == []


def test_that_each_step_goes_to_its_page(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    for page in ("sources", "models", "protocol", "runs"):
        go_home(context, settle)
        press(qtbot, window, f"home.step.{page}")
        assert window.stack.current is window.stack.page(page)
    assert home.model.lines() == (), "before the first round nothing stands above the steps"


def test_that_a_step_is_done_once_the_audit_holds_what_it_asks_for(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context
) -> None:
    open_audit = context.engine.open_audit
    go_home(context, settle)
    assert [step.done for step in home.model.steps()] == [False, False, False, False]
    open_audit.sources.add_sample().result()
    open_audit.models.add_calibration(["neutral"]).result()
    go_home(context, settle)
    assert [step.done for step in home.model.steps()] == [True, True, False, False]
    assert home.start.button.text() == "Read the protocol"
    context.navigator.go("protocol")
    settle()
    go_home(context, settle)
    assert [step.done for step in home.model.steps()] == [True, True, True, False]
    fill(open_audit.context.audit)
    go_home(context, settle)
    assert all(step.done for step in home.model.steps())
    assert home.start.button.text() == "Set up the next round"


def test_that_a_protocol_read_for_one_audit_is_read_for_the_next(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, tmp_path: Path, qtbot: QtBot
) -> None:
    context.navigator.go("protocol")
    settle()
    window.files.create(tmp_path / "next.gpf", "gpf-livenews")
    qtbot.waitUntil(lambda: window.status.title == "next")
    go_home(context, settle)
    assert next(step for step in home.model.steps() if step.page == "protocol").done


def take_models_away(connection: Connection) -> None:
    for each in models.every(connection):
        models.remove(connection, each.id)


def test_that_the_figures_are_those_of_the_file(home: HomePage, audit: Path, settle: Settle, context: Context) -> None:
    filled = fill(context.engine.open_audit.context.audit)
    go_home(context, settle)
    bundles = context.engine.open_audit.rounds.progress(filled.run_id).bundles_planned
    figures = {under: figure for figure, under in home.model.figures()}
    assert figures["item, 0 not used yet"] == "1"
    assert figures["models, 2 built in"] == "2"
    assert figures["sets scored"] == f"{bundles} of {bundles}"
    assert figures["sets read"] == "0"
    context.engine.open_audit.context.audit.write(take_models_away).result()
    go_home(context, settle)
    assert ("2", "models, 2 built in") in home.model.figures(), "their answers are there"
    assert home.holds.isVisible()
    places = [home._column.indexOf(each) for each in (home.dashboard, home.holds, home.methods)]
    assert places == sorted(places), "what is open comes before what else could be begun"
    reading = [
        part for part in home.findChildren(QPushButton) if part.isVisible() and "Read the answers" in part.text()
    ]
    assert len(reading) == 1


def test_that_synthetic_answers_are_marked_and_an_empty_audit_is_not(
    home: HomePage, audit: Path, settle: Settle, context: Context
) -> None:
    go_home(context, settle)
    assert not home.model.synthetic
    fill(context.engine.open_audit.context.audit)
    go_home(context, settle)
    assert home.model.synthetic


def test_that_a_recent_audit_opens_with_a_click(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    settle()
    qtbot.waitUntil(home.recent.isVisible)
    press(qtbot, window, "home.recent.0")
    assert home.header.title.text() == audit.stem
    assert home.waiting.isVisible(), "while it is opened"
    qtbot.waitUntil(lambda: window.status.audit_open)
    assert context.engine.open_audit.path == audit
    settle()
    home.model.summary = None
    home.model.touch_now()
    assert home.header.title.text() == audit.stem, "of a large audit the figures take seconds"
    assert home.waiting.isVisible()
    assert not home.methods.isVisible()
    assert not home.lead.isVisible()
    home.recent.findChild(QPushButton, "home.open").setFocus()
    home.model.reload()
    settle()
    assert not home.waiting.isVisible()
    assert QApplication.focusWidget() is home.start.button, "not on what alone was there meanwhile"


def test_that_a_recent_audit_that_is_gone_says_so_and_can_be_taken_off(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    shutil.move(audit, audit.with_name("elsewhere.gpf"))
    go_home(context, settle)
    assert home.model.recent[0].missing
    press(qtbot, window, "home.recent.0")
    message = context.messages.messages[0]
    assert "evening.gpf is no longer in" in message.text
    message.remedies[1].do()
    settle()
    assert home.model.recent == ()


def test_that_counts_follow_what_happens_while_home_is_shown(
    home: HomePage, audit: Path, settle: Settle, context: Context, qtbot: QtBot, desktop: Desktop
) -> None:
    go_home(context, settle)
    context.engine.open_audit.models.add_calibration(["neutral"]).result()
    qtbot.waitUntil(lambda: home.model.summary is not None and home.model.summary.counts.models == 1)


def planned_round(context: Context, endpoint: Endpoint | None = None) -> RunId:
    """A small round of a calibration model, or of that at *endpoint*, planned and not begun."""
    open_audit = context.engine.open_audit
    taken, _ = open_audit.sources.take([(SAMPLE, "")], 1)
    adding = open_audit.models.add_all([endpoint]) if endpoint else open_audit.models.add_calibration(["neutral"])
    (model_id,) = adding.result()
    setup = RunSetup(
        method="gpf-livenews",
        name="Evening",
        protocol=small_protocol(),
        model_ids=(model_id,),
        article_ids=taken,
        controls=replace(Controls.none(), paraphrase_share=1.0),
    )
    return open_audit.rounds.plan(setup).result()


def test_that_home_tells_of_a_round_that_a_kill_stopped_and_opens_and_resumes_it(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    run_id = planned_round(context)
    context.engine.open_audit.context.audit.write(lambda c: runs.set_state(c, run_id, RunState.RUNNING)).result()
    left = audit.with_name("killed.gpf")
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(f"{audit}{suffix}", f"{left}{suffix}")
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    window.recent.add(left)
    settle()
    (line,) = home.model.lines()
    assert line.title == "killed"
    assert line.words == "“Evening” was stopped by the end of the program at 0 of 20. What was answered is stored."
    assert problems_in(home) == []
    press(qtbot, window, "home.now.cut_off.0")
    qtbot.waitUntil(lambda: window.status.audit_open)
    rounds = context.engine.open_audit.rounds
    qtbot.waitUntil(lambda: rounds.run(run_id).state is RunState.FINISHED and rounds.active is None)
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    settle()
    assert home.model.lines() == ()
    assert not home.dashboard.isVisible()


def test_that_home_counts_the_money_of_archived_rounds_and_says_where_a_price_is_unknown(
    home: HomePage, audit: Path, settle: Settle, context: Context
) -> None:
    open_audit = context.engine.open_audit
    filled = fill(open_audit.context.audit)
    endpoint = Endpoint(provider="openai-compatible", model="m", base_url="http://127.0.0.1:9/v1")

    def write(connection: Connection) -> None:
        model_id = models.keep(connection, endpoint, synthetic=False)
        columns = "(run_id, model_id, position, role, endpoint, not_supported)"
        ask = f"INSERT INTO run_model {columns} VALUES (?, ?, 9, 'target', ?, '[]')"
        connection.execute(ask, (filled.run_id, model_id, endpoints.as_json(endpoint)))
        runs.set_archived(connection, filled.run_id, archived=True)

    open_audit.context.audit.write(write).result()
    go_home(context, settle)
    words = {line.name: line.words for line in home.model.lines()}
    assert words["spend"] == "price unknown in 1 round"
    planned_round(context)
    go_home(context, settle)
    counted = {line.name: line.words for line in home.model.lines()}
    assert counted["spend"] == "$0.00 in 2 rounds, price unknown in 1 of them"
    assert words["round"] == "Every round is archived."


def test_that_home_of_an_open_audit_says_what_a_crash_stopped_and_resumes_it(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    open_audit = context.engine.open_audit
    run_id = planned_round(context)
    open_audit.context.audit.write(lambda c: runs.set_state(c, run_id, RunState.INTERRUPTED)).result()
    open_audit.ledger.duplicate(run_id)  # a newer one that waits for its start says less
    go_home(context, settle)
    words = {line.name: line.words for line in home.model.lines()}
    assert words["round"] == "“Evening” was stopped by the end of the program at 0 of 20. What was answered is stored."
    assert words["schedule"] == "Nothing is repeated."
    assert words["spend"] == "$0.00 in 2 rounds"
    assert words["sources"] == "1 source, none failing"
    assert home.dashboard.isVisible()
    assert not home.sample.isVisible()
    assert problems_in(home) == []
    press(qtbot, window, "home.now.round")
    qtbot.waitUntil(lambda: open_audit.rounds.run(run_id).state is RunState.FINISHED)
    go_home(context, settle)
    # Paraphrases of the two are no bundles that Review shows at first: beside "4 of 4 sets scored" that is to be told.
    to_read = "2 scored sets of answers nobody has read{plan}; not counted here: 2 sets of controls and other wordings"
    assert {line.name: line.words for line in home.model.lines()}["read"] == to_read.format(plan="")
    first = open_audit.reviews.queue(QueueFilter(), QueueOrder()).order[:1]
    open_audit.reviews.assignments.draw(("Ada", "Ben"), first, each=2, by_all=100, seed=1).result()
    go_home(context, settle)
    with_plan = to_read.format(plan=", 1 of them in the reading plan")
    assert {line.name: line.words for line in home.model.lines()}["read"] == with_plan
    qtbot.waitUntil(lambda: bool(home.model.shows))
    told = open_audit.results.concluding.page(ResultsFilter())
    assert told is not None
    assert {line.name: line.words for line in home.model.lines()}["shown"].endswith(told.headline)


def test_that_a_round_resumed_at_home_without_its_key_leads_to_the_key_and_is_silent_once_it_is_there(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    run_id = planned_round(context, Endpoint(provider="anthropic", model="m"))
    home.model.resume(run_id)
    qtbot.waitUntil(lambda: bool(context.messages.messages))
    (said,) = context.messages.messages
    assert "Enter it on Models, then resume." in said.text
    assert "key_env" not in said.text
    mend, again = said.remedies
    assert (mend.text, again.text) == ("Mend the model", "Resume")
    mend.do()
    settle()
    there = window.stack.page("models")
    assert isinstance(there, ModelsPage)
    there.editing.save_key("sk-long-enough-0123456789")
    qtbot.waitUntil(lambda: there.editing.kept is Kept.SESSION)
    assert context.messages.messages == ()


def test_that_home_begins_with_what_was_open_lately_and_keeps_the_keyboard_as_it_is_opened(
    home: HomePage, window: MainWindow, audit: Path, settle: Settle, context: Context, qtbot: QtBot
) -> None:
    planned_round(context)
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    go_home(context, settle)
    recent = home.findChild(QPushButton, "home.recent.0")
    assert recent is not None
    assert home.recent.y() < home.methods.y()
    window.activateWindow()
    recent.setFocus()
    qtbot.keyClick(recent, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: home.model.under_way)
    settle()
    assert home.recent.y() > home.holds.y()
    focus = window.focusWidget()
    assert isinstance(focus, QPushButton)
    assert focus is home.dashboard.first_button()


def test_that_home_tells_the_reader_of_an_assignment_what_is_left(
    home: HomePage, window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    whole = tmp_path / "whole.gpf"
    audit = AuditFile.create(whole, title="Evening news")
    fill(audit, models_asked=("neutral",), dimensions=("Socioeconomic",))
    audit.close()
    wanted = WantedAssignment(names=("Ada",), each=1, by_all=0, top=2, folder=tmp_path / "out")
    (path,) = assign(whole, wanted).written
    window.files.open(path)
    settle()
    reviews = window.context.engine.open_audit.reviews
    for left, counted in (
        ("2 sets of your assignment are left", ("2", "sets to read")),
        ("1 set of your assignment is left", ("1", "set to read")),
    ):
        assert [(line.name, line.words) for line in home.model.lines()] == [("read", left)]
        assert home.model.figures()[3] == counted
        first = reviews.queue(QueueFilter(), QueueOrder()).order[0]
        reviews.submit(first, Judgement(verdict=Verdict.CONTEXT)).result()
        go_home(window.context, settle)
