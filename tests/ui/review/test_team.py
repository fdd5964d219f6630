"""Several reviewers: progress, agreement, packs, settling disagreements."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.queue_samples import SampleKind, SampleWish
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.engine.review.review_packs import MergedHistory
from gpf_desktop.stats.agreement import Agreement
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.review.team_view_model import agreement_words
from gpf_desktop.ui.widgets.data_table import DataTable
from tests.ui.accessibility import problems_in
from tests.ui.review.two_readers import Settle, two_reviewers


def test_that_before_anybody_has_read_the_reviewers_stand_where_they_stay(
    page: ReviewPage, window: MainWindow, settle: Settle
) -> None:
    window.resize(1280, 720)
    page.toggle_team()
    plan, table = page.centre.team.plan, page.centre.team.findChild(DataTable)
    assert "Shares the sets of answers" in plan.about.text()
    high = table.height()
    settle()
    head = table.horizontalHeader()
    assert table.height() == high
    assert all(head.sectionSize(at) >= head.sectionSizeHint(at) for at in range(head.count()))


def test_that_the_team_sees_progress_agreement_and_whole_histories(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    two_reviewers(page, qtbot)
    page.toggle_team()
    qtbot.waitUntil(lambda: len(page.centre.team.people.rows) == 2)
    assert problems_in(page.centre.team) == []
    assert [pace.done for pace in page.centre.team.people.rows] == [2, 2]
    assert page.centre.team.people.columns[4].text(page.centre.team.people.rows[0]) == "whole, 2 entries, unsigned"
    assert page.centre.team.verdicts.rows
    assert page.centre.team.name.text() == page.model.service.login  # type: ignore[union-attr]
    page.centre.team.back.click()
    assert page.reading.answers.isVisible()


def test_that_reviewers_codes_and_the_sample_that_tests_conclusions_stand_behind_the_dots(
    page: ReviewPage, settle: Settle
) -> None:
    team, codes, sets = page.bar.more.menu().actions()
    team.trigger()
    assert page.centre.team.isVisible()
    codes.trigger()
    assert page.centre.codes.isVisible()
    assert page.centre.codes.no_codes.isVisible()
    sets.trigger()
    settle()
    panel = page.filters.panel
    assert panel.wish == SampleWish(kind=SampleKind.CONCLUSION, size=24, strata=panel.wish.strata)
    assert panel.kinds[SampleKind.CONCLUSION].hasFocus()


def test_that_the_team_is_shown_from_whatever_page_it_is_asked_for(page: ReviewPage, window: MainWindow) -> None:
    team = page.context.actions.action("review.team")
    for _ in range(2):
        window.context.navigator.go("home")
        team.trigger()
        assert page.centre.team.isVisible()
    team.trigger()
    assert page.reading.answers.isVisible()


def test_that_verdicts_by_group_are_hidden_from_a_blind_reader(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    two_reviewers(page, qtbot)
    page.model.set_blind(True)
    page.toggle_team()
    qtbot.waitUntil(lambda: len(page.centre.team.people.rows) == 2)
    assert page.centre.team.verdicts.rows == ()


def test_that_a_name_is_corrected_and_somebody_else_takes_the_seat(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    two_reviewers(page, qtbot)
    page.toggle_team()
    qtbot.waitUntil(lambda: page.centre.team.model.me is not None)
    page.centre.team.model.rename("Ana Marković")
    qtbot.waitUntil(lambda: page.centre.team.people.rows[0].reviewer.name == "Ana Marković")
    page.centre.team.model.newcomer("ben")
    qtbot.waitUntil(lambda: page.centre.team.model.me is not None and page.centre.team.model.me.name == "ben")
    assert len(page.centre.team.people.rows) == 2
    page.centre.team.model.rename("   ")
    assert any("needs a name" in message.text for message in page.context.messages.messages)


def test_that_a_pack_goes_out_and_comes_in_once(page: ReviewPage, qtbot: QtBot, settle: Settle, tmp_path: Path) -> None:
    two_reviewers(page, qtbot)
    page.toggle_team()
    qtbot.waitUntil(lambda: page.centre.team.model.me is not None)
    assert page.centre.team.found.isHidden()
    qtbot.mouseClick(page.centre.team.export, Qt.MouseButton.LeftButton)
    dialog = page.centre.team.findChild(QFileDialog)
    assert dialog is not None
    assert page.centre.team.model.me is not None
    assert [Path(each).name for each in dialog.selectedFiles()] == [
        f"reviews of {page.centre.team.model.me.name}.gpfreviews"
    ]
    dialog.reject()
    pack = tmp_path / "reviews.gpfreviews"
    page.centre.team.model.export_pack(pack)
    qtbot.waitUntil(pack.exists)
    page.centre.team.model.import_pack(pack)
    qtbot.waitUntil(lambda: any("0 new entries, 4 known" in message.text for message in page.context.messages.messages))
    page.centre.team.model.import_pack(tmp_path / "no-such-file")
    qtbot.waitUntil(lambda: any("no file" in message.text for message in page.context.messages.messages))


def test_that_another_audit_shows_no_people_of_the_one_before(
    page: ReviewPage, window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    AuditFile.create(tmp_path / "other.gpf", title="Other").close()
    two_reviewers(page, qtbot)
    page.toggle_team()
    qtbot.waitUntil(lambda: len(page.centre.team.people.rows) == 2)
    window.files.open(tmp_path / "other.gpf")
    qtbot.waitUntil(lambda: not page.centre.shows_other)
    settle()
    page.toggle_team()
    qtbot.waitUntil(lambda: not page.centre.team.people.rows)


def test_that_a_random_sample_narrows_the_queue(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    page.model.set_filter(QueueFilter(arm=None))
    settle()
    everything = len(page.model.queue)
    page.model.filters.draw(SampleWish(kind=SampleKind.RANDOM, size=5))
    qtbot.waitUntil(lambda: len(page.model.queue) == 5)
    assert everything > 5
    assert "sample of 5" in page.filters._only.text()
    service = page.model.service
    assert service is not None
    wish = SampleWish(kind=SampleKind.RANDOM, size=5)
    assert page.model.wanted == service.filters.draw(QueueFilter(arm=None), QueueOrder(), wish)
    assert service.queue(page.model.wanted, QueueOrder()).order


def test_that_agreement_is_never_shown_without_its_n() -> None:
    known = Agreement(value=0.41, low=0.2, high=0.6, units=34, articles=12)
    assert agreement_words(known) == "0.41 (0.20 to 0.60) · 34 sets of 12 items"
    assert "needs ten items" in agreement_words(Agreement(value=0.4, low=None, high=None, units=3, articles=2))
    nothing = agreement_words(Agreement(value=None, low=None, high=None, units=3, articles=2))
    assert nothing.startswith("not measured")
    assert "3 sets" in nothing


def test_that_bundles_judged_on_two_machines_are_told_and_shown(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    two_reviewers(page, qtbot)
    page.toggle_team()
    qtbot.waitUntil(lambda: len(page.centre.team.people.rows) == 2)
    chosen = page.model.queue.ids(QueueTab.DONE)[0]
    page.centre.team.model._imported(
        Path("ben.gpfreview"), (MergedHistory(name="ben", added=2, known=1, joined=True, both=(chosen,)),)
    )
    message = page.context.messages.messages[-1]
    assert "1 set was judged in both" in message.text
    message.remedies[0].do()
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id == chosen)
    assert not page.centre.shows_other
    qtbot.waitUntil(lambda: page.model.queue.ids(QueueTab.DONE) == [chosen] and page.model.tab is QueueTab.DONE)


def test_that_a_printed_seal_is_looked_up_and_an_unknown_one_is_said_to_be_unknown(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    two_reviewers(page, qtbot)
    page.toggle_team()
    qtbot.waitUntil(lambda: len(page.centre.team.people.rows) == 2)
    service = page.model.service
    assert service is not None
    page.centre.team.seal.setText(service.verify()[1].head)
    with qtbot.waitSignal(page.centre.team.model.looked_up):
        page.centre.team.seal.returnPressed.emit()
    assert "entry 2 of 2 of ben" in page.centre.team.found.text()
    page.centre.team.seal.setText("0" * 12)
    with qtbot.waitSignal(page.centre.team.model.looked_up):
        page.centre.team.seal.returnPressed.emit()
    assert page.centre.team.found.text().startswith("No history here has this check code")
    page.centre.team.seal.setText("0")
    with qtbot.waitSignal(page.centre.team.model.looked_up):
        page.centre.team.seal.returnPressed.emit()
    assert "first 12 characters" in page.centre.team.found.text()


def test_that_a_plan_is_drawn_its_assignment_read_blind_and_what_it_says_comes_home(
    page: ReviewPage, qtbot: QtBot, settle: Settle, window: MainWindow, tmp_path: Path
) -> None:
    page.toggle_team()
    plan = page.centre.team.plan
    plan.names.setText("Ada, Ben")
    plan.each.setValue(1)
    qtbot.mouseClick(plan.draw, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(plan.readers.rows) == 2)
    ada, ben = plan.readers.rows
    assert problems_in(page.centre.team) == []
    assert abs(len(ada.assigned) - len(ben.assigned)) <= 1
    assert not plan.read.isEnabled(), "whose share is not chosen"
    assert "Select whose share" in plan.read.toolTip()
    plan.table.selectRow(1)
    qtbot.mouseClick(plan.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: set(page.model.queue.order) == set(ben.assigned))
    assert "Ben" in page.model.filters.origin
    plan.model.write("", tmp_path / "out")
    qtbot.waitUntil((tmp_path / "out" / "filled for Ben.gpf").exists)
    settle()

    window.files.open(tmp_path / "out" / "filled for Ada.gpf")
    qtbot.waitUntil(lambda: "Ada" in window.status.title)
    window.context.navigator.go("review")
    there = window.stack.current
    assert isinstance(there, ReviewPage)
    qtbot.waitUntil(lambda: there.model.reader.reading is not None)
    assert len(there.model.queue) == len(ada.assigned)
    assert not there.bar.sort.isVisible()
    qtbot.mouseClick(there.bar.blind, Qt.MouseButton.LeftButton)
    settle()
    assert there.model.blind
    assert there.bar.blind.isChecked()
    said: list[str] = []
    messages = there.context.messages
    messages.changed.connect(lambda: said.extend(each.text for each in messages.messages))
    there.queue.setFocus()
    qtbot.keyClicks(there.queue, "x")
    qtbot.keyClick(there.queue, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: there.model.queue.count(QueueTab.DONE) == 1)
    assert any("Test fault" in words for words in said)
    assert not any("press R" in words for words in said)
    there.reading.toggle_panel("guideline")
    settle()
    assert there.reading.panels.guideline.practise.isVisible()
    assert there.reading.panels.guideline.make.isHidden()
    assert not any(each.isVisible() and each.text() == "Edit" for each in there.form.findChildren(QAbstractButton))
    there.toggle_team()
    qtbot.waitUntil(lambda: "assigned to Ada" in there.centre.team.plan.about.text())
    assert there.centre.team.plan.draw.isHidden()
    there.centre.team.back.click()
    for _ in range(there.model.queue.count(QueueTab.TO_DO)):
        there.queue.setFocus()
        qtbot.keyClicks(there.queue, "o")
        qtbot.keyClick(there.queue, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        settle()
    qtbot.waitUntil(there.empty.isVisible)
    assert any("review pack brings your readings home" in each.text() for each in there.empty.findChildren(QLabel))
    to_pack = next(each for each in there.empty.findChildren(QAbstractButton) if each.isVisible())
    qtbot.mouseClick(to_pack, Qt.MouseButton.LeftButton)
    assert there.centre.team.isVisible()
    qtbot.waitUntil(there.centre.team.export.hasFocus)
