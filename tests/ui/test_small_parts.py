"""Wording, finding by letters, layouts, chips, cards, secrets, second starts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.redaction import redact
from gpf_desktop.domain.runs import Spread
from gpf_desktop.domain.text import decimal, unbroken
from gpf_desktop.engine.review.search_service import SearchFound
from gpf_desktop.ui import wording
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.fuzzy import match
from gpf_desktop.ui.page import Header
from gpf_desktop.ui.review.queue_rail import QueueRail
from gpf_desktop.ui.review.search_view_model import found_words
from gpf_desktop.ui.runs.forecast_words import dollars, tokens
from gpf_desktop.ui.shell.single_instance import SingleInstance, bring_forward
from gpf_desktop.ui.theme import Scheme, Theme
from gpf_desktop.ui.theme.tokens import SPACE_4
from gpf_desktop.ui.widgets.badge import Badge, Tone, synthetic_badge
from gpf_desktop.ui.widgets.boxes import column_of
from gpf_desktop.ui.widgets.buttons import PushButton, button, menu_button
from gpf_desktop.ui.widgets.cards import Card, ChoiceCard, EmptyState, StatCard, StatRow
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import EqualFlow, FlowLayout, SpreadLayout, scrolling
from gpf_desktop.ui.widgets.section import CollapsibleSection
from tests.ui.accessibility import problems_in


def test_that_no_line_ends_within_a_number_and_its_interval() -> None:
    line = "tailoring-0.7 0.69 (-0.67 to 0.71); faulty 8.7% (6.9 to 11.0) of 43, S 0.4 [0.3, 0.5] (n 24)"
    said = unbroken(line).split(" ")
    assert [each.replace("\u00a0", " ") for each in said] == [
        *("tailoring-0.7", "0.69 (-0.67 to 0.71);", "faulty", "8.7% (6.9 to 11.0)", "of", "43,"),
        *("S", "0.4 [0.3, 0.5]", "(n 24)"),
    ]


def test_that_a_button_does_not_look_as_if_the_mouse_stayed_on_it_when_its_menu_closes(qtbot: QtBot) -> None:
    made = menu_button("More")
    qtbot.addWidget(made)
    made.show()
    QCursor.setPos(made.mapToGlobal(QPoint(made.width() + 40, made.height() + 40)))
    made.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    made.menu().aboutToHide.emit()
    assert not made.underMouse()


def test_that_no_number_ends_up_without_its_sign_on_a_line_of_its_own() -> None:
    said = unbroken("p < 0.0001, n = 24, −0.3 ≤ .05 and > −1").split(" ")
    assert [each.replace("\u00a0", " ") for each in said] == [
        "p",
        "< 0.0001,",
        "n",
        "= 24,",
        "−0.3",
        "≤ .05",
        "and",
        "> −1",
    ]


def test_that_no_number_that_rounds_to_0_has_a_sign() -> None:
    assert [decimal(each, 2) for each in (-0.004, -0.006, 0.004)] == ["0.00", "−0.01", "0.00"]


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (360, 540, "6 to 9 min"),
        (360, 370, "6 min"),
        (30, 60, "30 to 60 s"),
        (45, 600, "45 s to 10 min"),
        (0, 0.2, "1 s"),
        (3600, 7200, "60 min to 2 h 0 min"),
        (26_431, 951_525, "7 h 21 min to 11 days"),
        (260_000, 432_000, "3 to 5 days"),
    ],
)
def test_that_a_span_of_time_is_said_shortly(low: float, high: float, words: str) -> None:
    assert wording.duration_range(Spread(low=low, high=high)) == words


def test_that_numbers_and_money_are_words() -> None:
    assert wording.count_of(1204, 3528) == "1,204 of 3,528"
    assert wording.percent(1204, 3528) == "34%"
    assert wording.percent(0, 0) == "0%"
    assert wording.cost_of_cap(1.83, 10) == "$1.83 of $10.00"
    assert wording.cost_of_cap(0.0004, None) == "$0.0004"
    assert wording.cost_of_cap(1.83, 10, unpriced=True) == "$1.83 of $10.00 + price unknown"
    assert wording.cost_of_cap(0, 10, unpriced=True) == "price unknown, cap $10.00"
    assert wording.score(None) == "–"
    assert wording.score(0.4821) == "0.482"
    assert wording.money(0.000004) == "under $0.0001"
    assert (wording.money(0.00994), wording.money(0.00998), wording.money(0.01)) == ("$0.0099", "$0.01", "$0.01")
    assert dollars(Spread(low=34.2, high=1373.1)) == "$34.20 to $1,373"
    assert tokens(Spread(low=66.6e6, high=110.9e6)) == "67 to 110 million"
    assert tokens(Spread(low=1.42e6, high=2.35e6)) == "1.4 to 2.4 million"


def test_that_what_a_search_found_is_counted_in_the_user_s_way() -> None:
    found = SearchFound(answers=4250, more=False, news=1, notes=0, waiting=10384, bundles=())
    assert found_words(found) == "In the audit: 4,250 answers, item of 1 set · 10,384 answers not searched yet"
    apart = SearchFound(answers=1, more=False, news=0, notes=0, waiting=0, moved=8748, bundles=())
    assert found_words(apart) == "In the audit: 1 answer · 8,748 moved texts not searched"


def test_that_a_long_queue_is_counted_whole_on_its_rail(context: Context, qtbot: QtBot) -> None:
    rail = QueueRail(context.theme, context.actions)
    qtbot.addWidget(rail)
    rail.show_place(0, 100_080)
    rail.show()
    of = next(each for each in rail.findChildren(QLabel) if each.text() == "/ 100,080")
    assert of.width() >= of.sizeHint().width()
    assert rail.rect().contains(of.geometry())


def test_that_times_past_are_words() -> None:
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    said = [wording.ago(now - timedelta(seconds=s), now) for s in (5, 300, 7200, 90_000, 300_000)]
    assert said == ["just now", "5 min ago", "2 h ago", "yesterday", "3 days ago"]


def test_that_letters_find_words_in_order() -> None:
    assert match("rev", "Review") is not None
    assert match("ouverture", "Überraschende Ouvertüre") is not None
    assert match("xyz", "Review") is None
    assert match("vr", "Review") is None
    assert match("rslts", "Results") is not None
    assert match("compare", "Check the instrument known effect power ladder") is None, "letters here and there"
    best = max(["Retry failed only", "Reports", "Export a report"], key=lambda text: match("report", text) or -1)
    assert best == "Reports"


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer CANARY0123456789",
        "{'x-api-key': 'CANARY0123456789'}",
        "api_key=CANARY0123456789",
        "https://host/v1?key=CANARY0123456789&a=1",
        "https://user:CANARY0123456789@host/feed",
        "sk-" + "CANARY0123456789",
        "AIza" + "CANARY0123456789CANARY",
    ],
)
def test_that_no_secret_is_in_what_is_copied(line: str) -> None:
    assert "CANARY" not in redact(f"request failed: {line}")


def test_that_the_home_folder_is_not_named() -> None:
    assert str(Path.home()) not in redact(f"File {Path.home()}/audits/a.gpf")


def _boxes(layout: FlowLayout | EqualFlow | SpreadLayout, count: int, width: int = 100) -> list[QLabel]:
    boxes = [QLabel() for _ in range(count)]
    for box in boxes:
        box.setFixedSize(width, 20) if isinstance(layout, FlowLayout) else box.setMinimumSize(width, 20)
        layout.addWidget(box)
    return boxes


@pytest.mark.slow
def test_that_flowing_items_wrap_like_words(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    boxes = _boxes(FlowLayout(holder, spacing=10), 5)
    holder.resize(330, 100)
    holder.show()
    assert [box.y() for box in boxes] == [0, 0, 0, 30, 30]
    boxes[0].hide()
    holder.layout().activate()
    assert [box.y() for box in boxes[1:]] == [0, 0, 0, 30]
    assert holder.heightForWidth(110) == 4 * 20 + 3 * 10


def test_that_equal_items_share_the_width_evenly(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    boxes = _boxes(EqualFlow(holder, spacing=12), 5)
    holder.resize(600, 100)
    holder.show()
    assert {box.y() for box in boxes} == {0}
    assert boxes[-1].geometry().right() == 599
    holder.resize(340, 100)
    assert [box.y() > 0 for box in boxes] == [False, False, False, True, True]


def test_that_a_header_goes_below_where_it_does_not_fit(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    left, right = _boxes(SpreadLayout(holder, spacing=8), 2)
    holder.resize(400, 60)
    holder.show()
    assert (left.y(), right.y()) == (0, 0)
    assert right.geometry().right() == 399
    holder.resize(150, 60)
    assert right.y() > left.geometry().bottom()


def test_that_a_header_has_its_buttons_on_two_lines_rather_than_widen_the_window(qtbot: QtBot) -> None:
    header = Header("Rounds")
    qtbot.addWidget(header)
    buttons = [button("Nur Fehlgeschlagene wiederholen") for _ in range(9)]
    for each in buttons:
        header.add_button(each)
    header.resize(900, header.heightForWidth(900))
    header.show()
    assert header.minimumSizeHint().width() < 900
    assert len({each.y() for each in buttons}) > 1
    ends = [each.mapTo(header, each.rect().topRight()).x() for each in buttons]
    assert max(ends) == 899, "they end at the right"
    assert all(header.rect().contains(each.mapTo(header, each.rect().bottomRight())) for each in buttons)


def test_that_a_button_that_stands_apart_leaves_no_gap_where_it_is_hidden(qtbot: QtBot) -> None:
    header, last, stop = Header("Rounds"), button("New study"), button("Stop now")
    header.add_button(last)
    header.add_button(stop, apart=True)
    stop.hide()
    qtbot.addWidget(header)
    header.resize(600, 40)
    with qtbot.waitExposed(header):
        header.show()
    assert last.mapTo(header, QPoint(last.width(), 0)).x() == header.width()
    stop.show()
    qtbot.waitUntil(lambda: stop.mapTo(header, QPoint(stop.width(), 0)).x() == header.width())
    between = stop.mapTo(header, QPoint(0, 0)).x() - last.mapTo(header, QPoint(last.width(), 0)).x()
    assert between > SPACE_4


def test_that_a_chip_says_its_state_in_words_with_an_icon(theme: Theme, qtbot: QtBot) -> None:
    chip = Badge(theme, "running", Tone.SUCCESS, "play")
    qtbot.addWidget(chip)
    assert (chip.text, chip.accessibleName()) == ("running", "running")
    chip.show_state("paused", Tone.WARNING, "pause")
    assert (chip.text, chip.property("badge")) == ("paused", "warning")
    synthetic = synthetic_badge(theme)
    qtbot.addWidget(synthetic)
    assert synthetic.text == "synthetic"
    assert synthetic._icon.pixmap().width() > 0


def test_that_figures_wrap_onto_a_second_line_at_large_text(theme: Theme, qtbot: QtBot) -> None:
    row = StatRow(*(StatCard("1,204 of 3,528", "answers stored") for _ in range(5)))
    qtbot.addWidget(row)
    theme.dress(row)
    row.resize(1050, 100)
    row.show()
    one = row.heightForWidth(1050)
    theme.set_text_scale(200)
    assert row.heightForWidth(1050) > 2 * one


def test_that_an_empty_page_says_why_and_offers_one_button_and_one_link(theme: Theme, qtbot: QtBot) -> None:
    done: list[str] = []
    empty = EmptyState(theme, "runs")
    qtbot.addWidget(empty)
    empty.show()
    empty.explain("Nothing yet.", "Start", lambda: done.append("start"), "Learn more", lambda: done.append("more"))
    qtbot.mouseClick(empty.button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(empty.link, Qt.MouseButton.LeftButton)
    assert done == ["start", "more"]
    empty.explain("Nothing yet.", then=("You start.", "You read."))
    said = [each.text() for each in empty.findChildren(QLabel)]
    assert said[-3:] == ["What comes then", "1. You start.", "2. You read."]
    empty.explain("Nothing matches this filter.", "Clear the filter", lambda: None)
    assert empty.link is None
    assert problems_in(empty) == []


def test_that_a_choice_is_made_by_mouse_and_by_keyboard(theme: Theme, qtbot: QtBot) -> None:
    card = ChoiceCard(theme, "home", "Open the sample audit", "See a scored bundle.")
    qtbot.addWidget(card)
    card.resize(260, 140)
    card.show()
    with qtbot.waitSignal(card.chosen):
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        with qtbot.waitSignal(card.chosen):
            qtbot.keyClick(card, key)
    assert problems_in(card) == []


def test_that_a_section_folds(theme: Theme, qtbot: QtBot) -> None:
    section = CollapsibleSection(theme, "Advanced")
    qtbot.addWidget(section)
    section.show()
    assert not section.content.isVisible()
    with qtbot.waitSignal(section.toggled):
        qtbot.mouseClick(section.head, Qt.MouseButton.LeftButton)
    assert section.content.isVisible()
    theme.set_scheme(Scheme.DARK)
    assert section.is_open


def test_that_a_section_opened_at_the_foot_of_a_page_comes_into_view(theme: Theme, qtbot: QtBot) -> None:
    section, above = CollapsibleSection(theme, "Narrow it"), QLabel()
    above.setFixedHeight(280)
    inside = QLabel()
    inside.setFixedHeight(120)
    section.body.addWidget(inside)
    area = scrolling(column_of(above, section), "area")
    qtbot.addWidget(area)
    area.resize(300, 320)
    area.show()
    qtbot.mouseClick(section.head, Qt.MouseButton.LeftButton)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: 0 < bar.maximum() == bar.value())


def test_that_a_second_start_brings_the_first_window_forward(desktop: Desktop, tmp_path: Path, qtbot: QtBot) -> None:
    # A name whose bytes are no text, as file systems of Linux take it.
    audit = tmp_path / "evening\udcff.gpf"
    assert not bring_forward(audit)
    instance = SingleInstance(desktop.window)
    instance.hold(audit)
    with qtbot.waitSignal(instance.called):
        assert bring_forward(audit)
    assert not bring_forward(tmp_path / "other.gpf")
    instance.release()
    assert not bring_forward(audit)
    assert not bring_forward(None)
    instance.hold(None)
    with qtbot.waitSignal(instance.called):
        assert bring_forward(None)
    instance.release()


def test_that_the_window_goes_back_to_where_it_stood_with_these_screens(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, settings = desktop.window, desktop.window.context.settings
    window.close()
    (own,) = (name for name in settings.allKeys() if name.startswith("window/geometry "))
    there = settings.value(own)
    settings.setValue("window/geometry", QByteArray(b"as it stood with others"))
    restored: list[object] = []
    monkeypatch.setattr(window, "restoreGeometry", restored.append)
    window._restore()  # as the next start does
    settings.remove(own)
    window._restore()
    assert restored == [there, QByteArray(b"as it stood with others")]


@pytest.mark.parametrize("title", ["", "Decoding"])
def test_that_a_card_leaves_nothing_behind(theme: Theme, qtbot: QtBot, title: str) -> None:
    card = Card(title)
    qtbot.addWidget(card)
    card.body.addWidget(QLabel("inside"))
    card.show()
    assert card.title.isVisible() is bool(title)
    assert card.title.window() is card


def test_that_items_of_unlike_height_stand_on_one_middle_line(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(holder)
    low, high = QLabel(), QLabel()
    low.setFixedSize(40, 10)
    high.setFixedSize(40, 30)
    for box in (low, high):
        flow.addWidget(box)
    flow.setGeometry(QRect(0, 0, 200, 100))
    assert (low.y(), high.y()) == (10, 0)


def test_that_a_button_let_go_while_it_passes_the_keyboard_on_lets_its_menu_go_as_well(qtbot: QtBot) -> None:
    window = QWidget()
    row = QHBoxLayout(window)
    more, taker = PushButton("More"), _Taker()
    more.setMenu(QMenu(more))
    taker.taken = partial(more.setEnabled, True)
    row.addWidget(more)
    row.addWidget(taker)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    more.setFocus()
    qtbot.waitUntil(more.hasFocus)
    more.setEnabled(False)
    assert more.isEnabled(), "the keyboard has gone on"
    assert more.menu().isEnabled()


class _Taker(QLineEdit):
    """Calls *taken* when it gets the keyboard."""

    taken: Callable[[], object]

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.taken()


@pytest.mark.parametrize("width", range(1180, 1300, 7))
def test_that_cards_of_one_row_all_have_the_height_of_their_own_width(qtbot: QtBot, width: int) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    words = "Needs four models or more, and questions of a field by theme: its own or a starter set. " * 3
    labels = [label(words, wrap=True) for _ in range(4)]
    for each in labels:
        each.setMinimumWidth(200)
    EqualFlow(holder, *labels, spacing=12)
    holder.resize(width, 400)
    holder.show()
    assert all(each.height() >= each.heightForWidth(each.width()) for each in labels)
    assert len({each.width() for each in labels}) == 1, "one that is narrower might wrap a line more"
