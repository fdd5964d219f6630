"""The common set-up of studies: what a method declares is what stands there."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.rounds.plans import load_plan
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.home.home_page import HomePage
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.sources.sources_page import SourcesPage
from gpf_desktop.ui.studies.choosing import ChooseMethod
from gpf_desktop.ui.studies.study_form import DifferenceDialog, StudyForm
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import server_model
from tests.ui.accessibility import problems_in
from tests.ui.runs.steps import add, paid

Settle = Callable[[], None]
SetUp = Callable[[str], StudyForm]


def test_that_relative_bias_says_what_its_study_still_needs(set_up: SetUp, settle: Settle) -> None:
    form = set_up("relative-bias")
    assert not form.begin.isEnabled()
    assert form.model.blocked == "Choose 4 more models: a model under study needs three to be held against."
    form.parts.practise.click()
    settle()
    assert form.begin.isEnabled()
    boxes, target = form.parts.boxes, "relative-bias-calibration/plain-a"
    assert boxes["relative-bias-calibration/judge-0.9"].currentText() == "judge model"
    form.model.give(target, "target")
    settle()
    assert boxes["relative-bias-calibration/evasive-0.9"].currentText() == "compared with"
    said = [each.text() for each in form.findChildren(QLabel)]
    assert "300" in said
    assert "Judgements and vectors" in said
    form.numbers["repeats"].setValue(2)
    settle()
    assert "600" in [each.text() for each in form.findChildren(QLabel)]


def test_that_few_baselines_are_told_before_the_study_starts(set_up: SetUp, settle: Settle) -> None:
    form = set_up("relative-bias")
    remarks = form.takes.findChild(QLabel, "setup.remarks")
    assert remarks is not None
    form.parts.practise.click()
    settle()
    assert "rough" not in remarks.text()
    for letter, told in (("e", "4 models compared"), ("d", "3 models compared")):
        form.model.give(f"relative-bias-calibration/plain-{letter}", "")
        settle()
        assert not form.model.blocked
        assert f"What is too small to matter comes from {told}: of so few it is rough." in remarks.text()
    form.model.give("relative-bias-calibration/plain-c", "")
    settle()
    assert form.model.blocked
    assert "rough" not in remarks.text()


def test_that_a_study_has_a_name_before_one_is_typed(set_up: SetUp, settle: Settle) -> None:
    form = set_up("contextual-stereoset")
    name = form.findChild(QLineEdit, "setup.name")
    assert name is not None
    assert name.hasFocus()
    assert name.text() == "Contextual StereoSet · 1"
    QTest.keyClicks(name, "x")
    form.model.rehearse()
    settle()
    assert name.text() == "Contextual StereoSet · 1x"


def test_that_what_a_round_measured_tells_what_the_next_one_finds(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    form = set_up("contextual-stereoset")
    form.model.rehearse()
    form.model.set_number("most_items", 4)
    settle()
    assert form.model.forecast is not None
    assert form.model.finds.power is not None
    assert "Nothing was measured" in form.model.finds.power.pilot.origin
    form.model.start()
    settle()
    window.context.engine.open_audit.rounds.wait_until_at_rest()
    window.context.engine.open_audit.auto_rescoring.settle().result()
    settle()
    set_up("contextual-stereoset")
    settle()
    assert form.model.finds.power is not None
    assert "was measured on the rounds of this audit" in form.model.finds.power.pilot.origin


def test_that_a_round_that_is_counted_anew_starts_once_it_is_counted(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    form = set_up("contextual-stereoset")
    form.model.rehearse()
    settle()
    form.model.set_number("most_items", 4)
    assert form.model.counting
    form.model.start()
    form.model.set_number("most_items", 5)
    settle()
    assert not window.context.engine.open_audit.rounds.runs(), "another is chosen since"
    form.model.set_number("most_items", 4)
    form.model.start()
    settle()
    assert len(window.context.engine.open_audit.rounds.runs()) == 1


def test_that_a_level_that_is_left_out_is_not_asked(set_up: SetUp, settle: Settle) -> None:
    form = set_up("contextual-stereoset")
    form.model.rehearse()
    settle()
    counted = form.model.forecast
    assert counted is not None
    whole = counted.calls.total
    form.model.leave_out("style", "gossip", out=True)
    settle()
    narrower = form.model.forecast
    assert narrower is not None
    assert 0 < narrower.calls.total < whole
    assert form.model.scope_words() == "2 of 3 styles"
    form.numbers["most_items"].setValue(4)
    settle()
    few = form.model.forecast
    assert few is not None
    assert few.calls.total < narrower.calls.total


def test_that_items_come_from_a_file_and_a_wrong_one_is_refused_in_words(
    set_up: SetUp, window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    form = set_up("saged")
    wrong, benchmark = tmp_path / "wrong.csv", tmp_path / "towns.csv"
    wrong.write_text("concept,keyword,sentence\nriver,river,The river is wide.\n", encoding="utf-8")
    benchmark.write_text(
        "domain,concept,keyword,source_tag,prompt,baseline,root\n"
        "Towns,Aden,Aden,,What of Aden?,It is calm.,one\nTowns,Brno,Brno,,What of Brno?,It is old.,one\n",
        encoding="utf-8",
    )
    form.model.read_file(wrong)
    settle()
    assert form.model.origin == "Velmora"
    assert "no column “prompt”" in window.context.messages.messages[-1].text
    form.model.read_file(benchmark)
    settle()
    assert form.sets.currentText() == "towns.csv"
    assert form.model.facts.startswith("1 sentence, 2 groups of Towns")
    assert "what chance would show" not in form.model.facts
    benchmark.write_text(benchmark.read_text("utf-8").replace(",root\n", ",pair\n"), encoding="utf-8")
    form.model.read_file(benchmark)
    settle()
    assert "so what chance would show will not be known" in form.model.facts


def test_that_the_next_study_begins_with_what_the_last_round_asked(
    set_up: SetUp, window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    benchmark = tmp_path / "towns.csv"
    benchmark.write_text(
        "domain,concept,keyword,source_tag,prompt,baseline,root\n"
        "Towns,Aden,Aden,,What of Aden?,It is calm.,one\nTowns,Brno,Brno,,What of Brno?,It is old.,one\n",
        encoding="utf-8",
    )
    form = set_up("saged")
    assert form.sets.currentText() == "Velmora"
    form.parts.practise.click()
    form.model.read_file(benchmark)
    settle()
    asked = form.model.protocol
    form.model.start()
    settle()
    window.context.engine.open_audit.rounds.wait_until_at_rest()
    set_up("relative-bias")
    form = set_up("saged")
    assert form.model.protocol == asked
    assert form.sets.currentText() == f"{asked.name}, as last asked"
    form.model.choose_set("Velmora")
    settle()
    assert form.sets.currentText() == "Velmora"


def test_that_a_study_is_compared_with_what_a_starter_set_asks(
    set_up: SetUp, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    form = set_up("relative-bias")
    form.model.take_protocol(replace(form.model.protocol, system_prompt="Answer briefly."))
    settle()
    form.compare.click()
    (dialog,) = window.findChildren(DifferenceDialog)
    settle()
    offered = {dialog.other.itemText(at) for at in range(dialog.other.count())}
    assert offered == {"Sugary drinks, version 1", "Cruise ships, version 1"}
    assert dialog.other.currentText() == "Sugary drinks, version 1", "the one that the study was made of"

    def said() -> list[str]:
        return [each.text() for each in dialog.found.findChildren(QLabel) if each.isVisibleTo(dialog.found)]

    # A layout shows what was put into it by an event of its own.
    qtbot.waitUntil(lambda: said() == ["system prompt", "there", "nothing", "in this study", "Answer briefly."])
    assert problems_in(dialog) == []
    dialog.close()


@pytest.mark.parametrize("method", ["relative-bias", "contextual-stereoset", "saged"])
def test_that_the_set_up_can_be_read_aloud_and_is_in_the_methods_words(set_up: SetUp, method: str) -> None:
    form = set_up(method)
    assert problems_in(form) == []
    said = " ".join(each.text() for each in form.findChildren(QLabel) if each.isVisible())
    assert catalogue.method(method).question in said
    assert "article" not in said.lower()
    assert form.findChild(QComboBox, "setup.set").currentText() == catalogue.method(method).default_protocol


def test_that_a_page_that_shows_another_method_has_nothing_left_of_the_first(set_up: SetUp, settle: Settle) -> None:
    for method in ("saged", "relative-bias", "contextual-stereoset"):
        form = set_up(method)
        form.model.rehearse()
        settle()
        assert form.model.facts == catalogue.method(method).protocol_facts(form.model.protocol)
        assert not form.model.blocked


def test_that_an_audit_of_a_method_without_news_hides_the_pages_about_news(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, settle: Settle
) -> None:
    sources = window.rail.findChild(QWidget, "rail.sources")
    window.files.create(tmp_path / "domain.gpf", "relative-bias")
    qtbot.waitUntil(lambda: not sources.isVisible())
    settle()
    window.context.navigator.go("home")
    settle()
    home = window.stack.page("home")
    assert isinstance(home, HomePage)
    assert [step.page for step in home.model.steps()] == ["models", "runs"]
    window.files.create(tmp_path / "news.gpf", "gpf-livenews")
    qtbot.waitUntil(sources.isVisible)
    window.files.create(tmp_path / "tone.gpf", "saged")
    settle()
    assert sources.isVisible(), "its sentences may be of the audit's news"
    window.context.navigator.go("home")
    settle()
    assert "sources" not in [line.name for line in home.model.lines()]
    window.context.engine.open_audit.sources.add_sample().result()
    window.context.navigator.go("sources")
    settle()
    page = window.stack.page("sources")
    assert isinstance(page, SourcesPage)
    assert page.list.table.isVisible()
    assert not page.list.batch.isVisible(), "no round of SAGED takes news as its batch"
    assert not page.articles.proposed_ids
    window.context.navigator.go("home")
    qtbot.waitUntil(lambda: "sources" in [line.name for line in home.model.lines()])
    window.status.methods = ("saged", "a-package-about-news")
    assert window.status.without_use == ()
    window.status.methods = ("saged", "gpf-livenews")
    assert window.status.without_use == ()


def test_that_a_new_audit_asks_first_what_is_to_be_found_out(window: MainWindow, qtbot: QtBot, settle: Settle) -> None:
    window.context.actions.action("file.new").trigger()
    settle()
    dialog = window.findChild(ChooseMethod, "chooseMethod")
    assert dialog is not None
    assert set(dialog.cards.cards) == set(catalogue.methods())
    assert dialog.focusWidget() is next(iter(dialog.cards.cards.values())).start
    asked: list[str] = []
    dialog._chosen = asked.append
    start = dialog.cards.cards["saged"].start
    start.setFocus()
    qtbot.keyClick(start, Qt.Key.Key_Space)
    assert asked == ["saged"]


def test_that_a_large_study_is_asked_through_batch_jobs_unless_the_auditor_says_otherwise(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    add(window, paid("openai"), synthetic=False)
    form = set_up("contextual-stereoset")
    settle()
    form.model.give("openai/m", "target")
    settle()
    assert form.jobs.isVisibleTo(form)
    assert not form.jobs.isChecked()
    form.model.choose_set("Contextual StereoSet, full grid")
    settle()
    assert form.jobs.isChecked()
    counted = form.model.forecast
    assert counted is not None
    assert counted.cost is not None
    cheap = counted.cost.high
    place = form.takes.start.geometry()
    form.jobs.click()
    form.model.touch_now()
    assert form.model.counting
    assert (form.takes.start.text(), form.takes.start.isEnabled()) == ("Counting …", False)
    assert not form.takes.blocked.isVisibleTo(form), "it would push the buttons from under the mouse"
    assert form.takes.start.geometry() == place
    assert not form.jobs.isChecked(), "while what it changes is counted"
    settle()
    assert form.takes.start.isEnabled()
    dear = form.model.forecast
    assert dear is not None
    assert not dear.by_jobs
    assert dear.cost is not None
    assert dear.cost.high == pytest.approx(2 * cheap)


def test_that_no_cap_stands_there_that_was_never_set(set_up: SetUp, window: MainWindow, settle: Settle) -> None:
    add(window, replace(paid("openai-compatible"), price=None), synthetic=False)
    form = set_up("contextual-stereoset")
    settle()
    form.model.give("openai-compatible/m", "target")
    settle()
    assert form.cap.text() == "not set"
    assert not form.model.blocked, "a cap cannot count what nobody knows the price of"
    form.cap.setValue(5.0)
    assert form.model.spend_cap == 5.0
    form.cap.setValue(0.0)
    assert form.model.spend_cap is None


def test_that_how_much_a_study_takes_is_never_cut_off(set_up: SetUp, qtbot: QtBot) -> None:
    form = set_up("contextual-stereoset")
    form.takes.show_takes([("Prompt tokens", "67,000,000 to 110,000,000"), ("Time", "1 s")], "")
    much = next(each for each in form.takes.findChildren(QLabel) if "000" in each.text())
    qtbot.waitUntil(lambda: much.isVisible() and much.width() >= much.sizeHint().width())


def test_that_a_study_saved_as_a_plan_is_set_up_again_from_it(
    set_up: SetUp, window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    saved, again = tmp_path / "grid.toml", tmp_path / "again.toml"
    form = set_up("contextual-stereoset")
    form.model.rehearse()
    form.model.set_number("repeats", 2)
    form.model.set_number("most_items", 3)
    form.model.leave_out("style", "gossip", out=True)
    form.model.set_name("Three items")
    settle()
    form.model.save_plan(saved)
    settle()
    assert load_plan(saved).protocol == "grid.protocol.yaml"
    other = set_up("saged")
    other.model.open_plan(saved)
    settle()
    assert window.context.messages.messages[-1].text == f"Saved the plan as {saved}."
    assert other.model.method is catalogue.method("contextual-stereoset")
    assert (other.numbers["repeats"].value(), other.numbers["most_items"].value()) == (2, 3)
    assert other.begin.isEnabled()
    # What nobody was asked about stays; what the plan itself had beside it goes with it.
    (tmp_path / "again.protocol.yaml").write_text("mine")
    for _ in range(2):
        other.model.save_plan(again)
        settle()
    assert replace(load_plan(again), protocol="") == replace(load_plan(saved), protocol="")
    assert (tmp_path / "again.protocol.yaml").read_text() == "mine"
    assert (tmp_path / "again-2.protocol.yaml").read_text() == (tmp_path / "grid.protocol.yaml").read_text()
    assert len(list(tmp_path.glob("*.protocol.yaml"))) == 3


@pytest.mark.parametrize("method", ["saged", "relative-bias"])
def test_that_what_a_plan_says_of_judges_is_asked_from_the_window_too(
    method: str, set_up: SetUp, settle: Settle, tmp_path: Path
) -> None:
    saved, again = tmp_path / "saved.toml", tmp_path / "again.toml"
    form = set_up(method)
    form.model.rehearse()
    settle()
    form.model.save_plan(saved)
    settle()
    text = saved.read_text(encoding="utf-8")
    assert "judged_again = true" in text
    for controls in (text.replace("judged_again = true", "judged_again = false"), text):
        saved.write_text(controls, encoding="utf-8")
        form.model.open_plan(saved)
        settle()
        form.model.save_plan(again)
        settle()
        assert load_plan(again).controls == load_plan(saved).controls


def test_that_a_plan_of_news_is_set_up_too_and_which_articles_are_asked_about_is_still_chosen(
    set_up: SetUp, window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    news = tmp_path / "news.toml"
    asked = '[controls]\nrepeat_share = 0.5\n[leave_out]\nfamily = ["Impact"]\n[[sources]]\nfile = "sample"\n'
    news.write_text(asked + '[[models]]\nprovider = "calibration"\nmodel = "neutral"\n')
    form = set_up("saged")
    form.model.open_plan(news)
    settle()
    assert form.model.method is catalogue.method("gpf-livenews")
    assert form.model.chosen == {"target": ["calibration/neutral"]}
    assert form.model.scope_words() == "6 of 7 kinds of question"
    assert form.model.setup is not None
    assert form.model.setup.controls == load_plan(news).controls
    assert form.model.blocked == "Choose at least one article."


def test_that_what_was_chosen_by_one_method_stands_when_another_was_looked_at(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    window.context.engine.open_audit.models.add_calibration(["neutral"]).result()
    window.context.engine.open_audit.sources.take([(SAMPLE, "")], 1)
    form = set_up("gpf-livenews")
    form.model.news.take_newest(2)
    form.model.take_model(form.model.models[0], on=True)
    form.model.set_controls(False)
    form.model.set_name("Mine")
    settle()
    before = form.model.setup
    other = set_up("contextual-stereoset")
    other.model.rehearse()
    other.numbers["most_items"].setValue(4)
    settle()
    set_up("gpf-livenews")
    assert form.model.setup == before
    assert not form.model.blocked
    set_up("contextual-stereoset")
    assert form.numbers["most_items"].value() == 4
    assert not form.model.blocked


def test_that_a_study_whose_model_does_not_answer_waits_until_the_auditor_says_otherwise(
    set_up: SetUp, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    with OpenAIServer(key="right-key") as server:
        add(window, server_model(server.base_url), synthetic=False)
        form = set_up("saged")
        settle()
        form.model.give("openai-compatible/some-model", "target")
        form.model.set_cap(1.0)
        settle()
        form.begin.click()
        looking = form.model.preflight
        qtbot.waitUntil(lambda: bool(looking.failing) and not looking.running, timeout=250_000)
        settle()
        assert form.begin.text() == "Look again and start"
        assert form.takes.anyway.isVisible()
        mend = form.findChild(QPushButton, "preflight.mend")
        assert mend is not None
        assert mend.text() == "Mend the model"
        form.model.set_number("repeats", 2)
        assert not looking.lines
        assert not form.takes.anyway.isVisible()


def test_that_a_new_round_begins_with_the_cap_that_is_preferred(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    HERE.set("rounds.spend_cap", 7.5)
    add(window, paid("openai-compatible"), synthetic=False)
    form = set_up("contextual-stereoset")
    settle()
    form.model.give("openai-compatible/m", "target")
    settle()
    assert form.model.spend_cap == 7.5
    assert "Proposed" not in form.model.cap_words()


def test_that_a_cap_that_cannot_stop_a_model_says_so_where_it_is_typed(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    add(window, replace(paid("openai-compatible"), price=None), synthetic=False)
    form = set_up("contextual-stereoset")
    settle()
    form.model.give("openai-compatible/m", "target")
    settle()
    warning = form.findChild(QLabel, "setup.capWarning")
    assert warning is not None
    assert warning.isHidden()
    form.model.set_cap(1.0)
    settle()
    assert warning.text() == "This sum cannot stop openai-compatible/m, whose price is not known."
    assert not warning.isHidden()
