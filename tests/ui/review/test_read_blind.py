"""That a report knows of each reading whether names were hidden, whatever else its reader wrote."""

from collections.abc import Callable

from gpf_desktop.storage import submissions
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]
Settle = Callable[[], None]


def blind_readings(page: ReviewPage) -> int:
    return len(page.model.context.engine.open_audit.context.audit.read(submissions.read_blind))


def judge(page: ReviewPage, press: Press, settle: Settle) -> None:
    page.queue.setFocus()
    press("O")
    settle()
    press("Ctrl+Return")
    settle()


def test_that_a_verdict_without_a_word_is_known_to_be_given_blind(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    judge(page, press, settle)
    assert blind_readings(page) == 0
    page.bar.blind.click()
    settle()
    judge(page, press, settle)
    assert blind_readings(page) == 1


def test_that_a_verdict_chosen_blind_and_submitted_with_names_in_sight_is_none(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.bar.blind.click()
    settle()
    page.queue.setFocus()
    press("O")
    settle()
    page.bar.blind.click()
    settle()
    press("Ctrl+Return")
    settle()
    assert blind_readings(page) == 0


def test_that_a_verdict_chosen_by_name_and_submitted_blind_is_one(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.queue.setFocus()
    press("O")
    settle()
    page.bar.blind.click()
    settle()
    page.queue.setFocus()
    press("Ctrl+Return")
    settle()
    assert blind_readings(page) == 1


def test_that_choices_judged_blind_are_known_as_well(choices: ReviewPage, press: Press, settle: Settle) -> None:
    choices.bar.blind.click()
    settle()
    judge(choices, press, settle)
    assert blind_readings(choices) == 1
