"""What the page says of a reading is what became of it."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.codes import Code, CodeBook
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reading_plans import PlannedReader, ReadingPlan
from gpf_desktop.domain.review_queue import Queue, QueueTab
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.codes.code_chooser import CodeChooser
from gpf_desktop.ui.review.queue_bar import QueueBar
from gpf_desktop.ui.review.queue_empty import EmptyPageExit, why_empty
from gpf_desktop.ui.review.queue_state import QueueState
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.review.review_view_model import ReviewViewModel

Press = Callable[[str], None]
Settle = Callable[[], None]


def test_that_a_set_says_that_it_is_submitted_and_that_a_change_of_it_is_not(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    saved = page.foot_form.saved
    assert saved.text() == "Saved as you type"
    page.queue.setFocus()
    press("O")
    settle()
    assert any("counts once you submit" in message.text for message in page.context.messages.messages)
    press("Ctrl+Return")
    settle()
    assert saved.text() == "Saved as you type"
    page.model.set_tab(QueueTab.DONE)
    settle()
    assert saved.text() == "Submitted"
    page.bar.blind.click()
    settle()
    assert saved.text() == "Submitted"
    page.queue.setFocus()
    press("L")
    settle()
    assert saved.text() == "Not submitted again yet"


def test_that_a_page_that_has_read_nothing_yet_does_not_say_that_there_is_nothing(
    page: ReviewPage, window: MainWindow, settle: Settle
) -> None:
    fresh = ReviewViewModel(window.context)
    assert fresh.service is not None
    assert fresh.empty() is None
    fresh.deleteLater()
    settle()


def queue_of(**held: int) -> QueueState:
    tabs = {QueueTab[name.upper()]: tuple(BundleId(n) for n in range(count)) for name, count in held.items()}
    every = {tab: list(tabs.get(tab, ())) for tab in QueueTab}
    order = [BundleId(n) for n in range(sum(held.values()))]
    return QueueState(Queue(tabs=every, order=order, scored=len(order), reviewers=1, refused=0))


@pytest.mark.parametrize("assigned", [False, True])
def test_that_nobody_is_told_that_all_is_read_while_a_set_is_begun(assigned: bool) -> None:
    begun = why_empty(queue_of(draft=1, done=9), QueueTab.TO_DO, assigned=assigned)
    assert begun.why == "One set of answers is begun and not submitted."
    assert begun.way is EmptyPageExit.DRAFTS
    read = why_empty(queue_of(done=10), QueueTab.TO_DO, assigned=assigned)
    assert "read everything" in read.why


def test_that_an_assignment_goes_home_once_nothing_of_it_is_begun(
    page: ReviewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page.model, "assigned", True)
    for queue, out in ((queue_of(to_do=1), False), (queue_of(draft=1, done=9), False), (queue_of(done=10), True)):
        monkeypatch.setattr(page.model, "queue", queue)
        assert page.model.read_out is out


def test_that_a_set_that_is_begun_is_led_to_from_where_nothing_is_left(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.queue.setFocus()
    press("O")
    page.model.go(1)
    settle()
    page.model.follow(EmptyPageExit.DRAFTS)
    settle()
    assert page.model.tab is QueueTab.DRAFT
    assert page.model.draft.judgement.verdict is Verdict.CONTEXT


def test_that_what_was_read_is_told_in_few_words_where_the_line_is_short(window: MainWindow, qtbot: QtBot) -> None:
    bar = QueueBar(window.context.theme)
    qtbot.addWidget(bar)
    bar.show_queue(QueueState(), QueueTab.TO_DO)
    long, short = "4 read today, 6 to go: about 12 minutes at your pace.", "4 read today, 6 to go"
    bar.show_pile(long, short, folded=True)
    told = []
    for width in range(1600, 200, -20):
        bar.resize(width, 40)
        bar._fit()
        told.append("" if bar._pile.isHidden() else bar._pile.text())
    assert list(dict.fromkeys(told)) == [long, short, ""]
    assert told == sorted(told, key=[long, short, ""].index)


def test_that_the_code_which_enter_would_give_is_defined(window: MainWindow, qtbot: QtBot) -> None:
    book = CodeBook(
        codes=tuple(
            Code(id=name, name=name, definition=definition, examples=())
            for name, definition in (("talks down", "Leaves matters to others."), ("withheld", "Leaves facts out."))
        )
    )
    chooser = CodeChooser(window.context.theme, window, book, (), "some words")
    qtbot.addWidget(chooser)
    assert chooser.definition.text() == "Leaves matters to others."
    chooser.field.setText("with")
    assert chooser.definition.text() == "Leaves facts out."
    chooser.field.setText("new one")
    assert chooser.definition.text() == ""


def test_that_a_plan_for_more_readers_than_there_are_says_so_in_plain_words() -> None:
    with pytest.raises(UserError, match="Each set would need 2 reviewers, and one is named"):
        ReadingPlan(
            readers=(PlannedReader(uuid="1", name="Ana"),), each=2, by_all=10, seed=1, bundles=(BundleId(1),)
        ).check()
