"""Whose readings they are: who sits at this machine is in sight, and nobody reads under another's name by oversight."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.reviews import Judgement
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.review.team_view import TeamView
from tests.ui.review.two_readers import FITS

Press = Callable[[str], None]
Settle = Callable[[], None]


@pytest.fixture
def team(page: ReviewPage, settle: Settle) -> TeamView:
    page.toggle_team()
    settle()
    return page.centre.team


def speak(page: ReviewPage, settle: Settle) -> None:
    """Who sits here has submitted a set."""
    page.context.engine.open_audit.reviews.submit(page.model.queue.order[0], FITS).result()
    page.model.reread()
    page.centre.team.model.load()
    settle()


def type_name(team: TeamView, name: str) -> None:
    team.name.setFocus()
    team.name.selectAll()
    team.name.insert(name)


def names(team: TeamView) -> list[str]:
    return [pace.reviewer.name for pace in team.people.rows]


def messages(page: ReviewPage) -> list[str]:
    return [message.text for message in page.context.messages.messages]


def test_that_who_reads_is_told_above_the_answers(page: ReviewPage, settle: Settle) -> None:
    service = page.context.engine.open_audit.reviews
    assert service.login in page.bar.more.text()
    page.centre.team.model.newcomer("Ana Marković")
    settle()
    assert "Ana Marković" in page.bar.more.text()
    assert page.bar.more.accessibleName().startswith("You read as Ana Marković.")


def test_that_the_first_name_is_taken_by_enter_and_by_going_back_to_read(
    page: ReviewPage, team: TeamView, press: Press, settle: Settle
) -> None:
    assert team.rename.text() == "This is my name"
    assert team.sit.isHidden()
    type_name(team, "Ana")
    press("Return")
    settle()
    assert names(team) == ["Ana"]
    type_name(team, "Ana Marković")
    team.back.click()
    settle()
    assert page.reading.answers.isVisible()
    assert "Ana Marković" in page.bar.more.text()


def test_that_a_name_which_may_be_another_persons_is_asked_about_before_one_reads_on(
    page: ReviewPage, team: TeamView, press: Press, settle: Settle
) -> None:
    speak(page, settle)
    me = names(team)[0]
    type_name(team, "Ben")
    press("Return")
    settle()
    assert names(team) == [me]
    assert any("somebody else?" in text for text in messages(page))
    team.back.click()
    settle()
    assert team.isVisible()
    team.back.click()
    assert page.reading.answers.isVisible()


def test_that_readings_which_came_under_another_name_go_back_by_undo(
    page: ReviewPage, team: TeamView, qtbot: QtBot, settle: Settle
) -> None:
    speak(page, settle)
    me = names(team)[0]
    type_name(team, "Ben")
    qtbot.mouseClick(team.rename, Qt.MouseButton.LeftButton)
    settle()
    assert names(team) == ["Ben"]
    told = next(each for each in page.context.messages.messages if f"All that {me} said" in each.text)
    told.remedies[0].do()
    settle()
    assert names(team) == [me]


def test_that_who_sits_down_finds_neither_groups_nor_drafts_of_who_sat_there(
    page: ReviewPage, team: TeamView, settle: Settle
) -> None:
    team.coding.model.set_groups("nurse, under 30")
    page.model.draft.type_note("half a thought")
    page.model.draft.flush()
    settle()
    assert team.coding.own.text() == "nurse, under 30"
    team.model.newcomer("Ben")
    settle()
    assert team.coding.own.text() == ""
    team.back.click()
    settle()
    assert page.model.draft.judgement == Judgement()


def test_that_verdicts_by_group_come_and_go_with_the_names(page: ReviewPage, team: TeamView, settle: Settle) -> None:
    speak(page, settle)
    page.bar.blind.click()
    settle()
    assert team.verdicts.rows == ()
    page.bar.blind.click()
    settle()
    assert team.verdicts.rows


def test_that_a_pack_of_an_assignment_that_is_read_goes_home_unasked(
    page: ReviewPage, team: TeamView, settle: Settle
) -> None:
    team.open(blind=True, read_out=True)
    settle()
    team.export.click()
    dialog = team.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.isVisible()
    dialog.reject()


def test_that_a_pack_says_what_was_begun_and_is_not_in_it(
    page: ReviewPage, team: TeamView, settle: Settle, tmp_path: Path
) -> None:
    speak(page, settle)
    team.model.export_pack(tmp_path / "one.gpfreviews")
    settle()
    assert not any("you began" in text for text in messages(page))
    page.model.draft.type_note("half a thought")
    page.model.draft.flush()
    settle()
    team.model.export_pack(tmp_path / "two.gpfreviews")
    settle()
    assert any("One set that you began is not in it" in text for text in messages(page))
