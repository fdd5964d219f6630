"""What was done with names in sight tells nothing once they are hidden, nor in the next bundle or another audit."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.reading_content import CONSENSUS, AnswerOrder, Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.review.conftest import open_review

Settle = Callable[[], None]
Way = Callable[[ReviewPage, str], object]


def card_of(page: ReviewPage, level: str) -> QWidget:
    return next(card for card in page.reading.answers.cards() if card.content and level in card.content.levels)


def pin(page: ReviewPage, level: str) -> None:
    card_of(page, level).pin_asked.emit(level)  # type: ignore[attr-defined]


def baseline(page: ReviewPage, level: str) -> None:
    page.model.reader.set_layout(Layout.BASELINE)
    page.model.reader.set_baseline(level)


def pair(page: ReviewPage, level: str) -> None:
    keys = list(page.model.reader.reading.letters)  # type: ignore[union-attr]
    page.model.reader.compare(level, keys[(keys.index(level) + 1) % len(keys)])


def read(page: ReviewPage, level: str) -> None:
    page.reading.read_answer(level)


def prompt(page: ReviewPage, level: str) -> None:
    page.reading.toggle_panel("prompt")
    page.reading.panels.prompt.choose(level)


def why(page: ReviewPage, level: str) -> None:
    page.reading.toggle_panel("why")
    table = page.reading.panels.findChild(QAbstractItemView, "review.why.answers")
    table.setCurrentIndex(table.model().index(list(page.model.reader.reading.letters).index(level), 0))  # type: ignore[union-attr]


def select(page: ReviewPage, level: str) -> None:
    card_of(page, level).text.choose(5, 25)  # type: ignore[attr-defined]


def scroll(page: ReviewPage, level: str) -> None:
    page.reading.set_alone(True)
    bar = card_of(page, level).text.verticalScrollBar()  # type: ignore[attr-defined]
    bar.setValue(bar.maximum())


def stack(page: ReviewPage, level: str) -> None:
    page.model.reader.set_layout(Layout.STACK)
    QApplication.processEvents()
    page.reading.read_answer(level)


def sentence(page: ReviewPage, level: str) -> None:
    page.model.reader.set_layout(Layout.GRID)
    page.reading.answers.grid.show_column(level)


def letter(page: ReviewPage, level: str) -> None:
    page.queue.setFocus()
    page.context.actions.start("review.affected")


def drill_down(page: ReviewPage, level: str) -> None:
    bundle = page.model.bundle
    assert bundle is not None
    cells = tuple(each.cell_id for each in bundle.answers if each.level == level)
    page.arrive({"filter": BundleFilter(answers=cells), "origin": f"from Refusals: {level}", "bundle": bundle.id})


WAYS = (pin, baseline, pair, read, prompt, why, select, scroll, stack, sentence, letter)


def seen(page: ReviewPage) -> list[str]:
    """All that can be seen, heard or reached by keyboard on the page, and what copying would take along."""
    found: list[str] = [page.window().windowTitle()]
    focus = QApplication.focusWidget()
    for widget in page.window().findChildren(QWidget):
        if not widget.isVisible():
            continue
        at = widget.mapTo(page.window(), QPoint(0, 0))
        said = [type(widget).__name__, widget.objectName(), f"{at.x()},{at.y()} {widget.width()}x{widget.height()}"]
        said += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), str(widget is focus)]
        if isinstance(widget, QAbstractButton):
            said += [widget.text(), str(widget.isChecked()), str(widget.isEnabled())]
        elif isinstance(widget, QLabel | QLineEdit):
            said += [widget.text()]
        elif isinstance(widget, QComboBox):
            said += [widget.currentText(), *map(widget.itemText, range(widget.count()))]
        elif isinstance(widget, QTextEdit):
            said += [widget.toPlainText(), widget.textCursor().selectedText(), str(widget.textCursor().position())]
        if isinstance(widget, QAbstractItemView) and widget is not page.queue:
            current = widget.currentIndex()
            said += [f"current {current.row()},{current.column()}"]
            said += [f"chosen {each.row()}" for each in widget.selectionModel().selectedIndexes()]
        if isinstance(widget, QAbstractScrollArea):
            said += [f"scrolled {widget.verticalScrollBar().value()},{widget.horizontalScrollBar().value()}"]
        found.append(" | ".join(said))
    found += [action.text() for action in page.window().actions()]
    found += [message.text for message in page.context.messages.messages]
    options = page.model.reader.options
    return [*found, repr((options.baseline, options.pair, options.order, options.answers, page.reading.answers.pinned))]


_PLACE = re.compile(r"(-?\d+),(-?\d+) (\d+)x(\d+)")
_ROUNDED = 2
"""Pixels by which layouts that were shared out anew may differ."""


def at_rest(page: ReviewPage, settle: Settle) -> list[str]:
    """What is `seen` once nothing moves any more: columns find their widths in several turns."""
    lately: list[list[str]] = []
    while len(lately) < 4 or any(each != lately[-1] for each in lately[-4:]):
        settle()
        QTest.qWait(10)
        lately.append(seen(page))
    return lately[-1]


def same(one: str, other: str) -> bool:
    """Whether both say the same of a widget, at the same place but for rounding."""
    if _PLACE.sub("", one) != _PLACE.sub("", other):
        return False
    places = ([int(each) for found in _PLACE.findall(said) for each in found] for said in (one, other))
    return all(abs(a - b) <= _ROUNDED for a, b in zip(*places, strict=True))


def levels(page: ReviewPage) -> tuple[str, str]:
    """Two whose answers are not alike."""
    assert page.model.reader.reading is not None
    cards = [card for card in page.reading.answers.cards() if card.content and not card.content.missing]
    first, *_, last = [card.content.levels[0] for card in cards if card.content and len(card.content.levels) == 1]
    return first, last


def plain(page: ReviewPage, settle: Settle) -> None:
    """As it was before anything was chosen."""
    page.reading.set_alone(False)
    page.model.reader.set_layout(Layout.COLUMNS)
    if page.reading.panels.shown:
        page.reading.toggle_panel(page.reading.panels.shown)
    page.queue.setFocus()
    settle()
    QApplication.processEvents()


def test_that_hiding_names_leaves_no_trace_of_what_was_chosen_by_them(page: ReviewPage, settle: Settle) -> None:
    for way in WAYS:
        after = []
        for level in levels(page):
            plain(page, settle)
            way(page, level)
            settle()
            page.model.set_blind(True)
            after.append(at_rest(page, settle))
            page.model.set_blind(False)
            settle()
        assert [pair for pair in zip(*after, strict=False) if not same(*pair)] == [], way


def test_that_a_blind_readers_choices_do_not_join_answers_of_two_bundles(page: ReviewPage, settle: Settle) -> None:
    chosen = levels(page)
    first, second = page.model.queue.ids(page.model.tab)[:2]
    page.model.set_blind(True)
    settle()
    for way in WAYS:
        after = []
        for level in chosen:
            page.model.open(first)
            plain(page, settle)
            way(page, level)
            settle()
            page.model.open(second)
            after.append(at_rest(page, settle))
        assert [pair for pair in zip(*after, strict=False) if not same(*pair)] == [], way


def test_that_answers_picked_by_name_are_not_all_that_a_blind_reader_sees(page: ReviewPage, settle: Settle) -> None:
    level = levels(page)[0]
    drill_down(page, level)
    settle()
    assert len(page.reading.answers.cards()) == 1
    page.model.set_blind(True)
    settle()
    assert len(page.reading.answers.cards()) > 2
    assert not any(level in line for line in seen(page))
    drill_down(page, level)
    settle()
    assert len(page.reading.answers.cards()) > 2
    assert not any(level in line for line in seen(page))


def test_that_a_model_chosen_elsewhere_is_not_what_a_blind_reader_reads(page: ReviewPage, settle: Settle) -> None:
    every = page.model.queue.ids(page.model.tab)
    one = QueueFilter.of(BundleFilter(model="calibration/faulty"))
    page.arrive({"filter": one, "origin": "from Refusals: calibration/faulty"})
    settle()
    numbered = replace(one, bundle_ids=tuple(page.model.queue.ids(page.model.tab)))
    # As Results counts what is behind a number, of one model, and of a conclusion or a vendor.
    for chosen in (one, numbered, replace(numbered, model=None)):
        page.arrive({"filter": chosen, "origin": "from Refusals: calibration/faulty", "named": True})
        settle()
        narrowed = len(page.model.queue)
        page.model.set_blind(True)
        settle()
        assert len(page.model.queue) == len(every) > narrowed, chosen
        assert [line for line in seen(page) if "calibration/" in line] == []
        page.arrive({"filter": chosen, "origin": "from Refusals: calibration/faulty", "named": True})
        settle()
        assert len(page.model.queue) == len(every), chosen
        page.model.set_blind(False)
        settle()


def test_that_nothing_chosen_by_identity_goes_on_into_another_audit(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, settle: Settle, filled_once: Path, tmp_path: Path
) -> None:
    gone: list[bool] = []
    window.context.bridge.subscribe(window, lambda _: gone.append(page.reading.top.isHidden()), AuditOpened)
    for way in (pin, baseline, pair, letter):
        way(page, levels(page)[1])
        page.model.reader.set_options(page.model.reader.options)
        page.model.reader.next_order()
        page.reading.open_find().setText("council")  # type: ignore[attr-defined]
        settle()
        gone.clear()
        other = shutil.copy(filled_once, tmp_path / f"{way.__name__}.gpf")
        with qtbot.waitSignal(
            window.context.bridge.announced, check_params_cb=lambda event: isinstance(event, AuditClosed)
        ):
            window.files.open(other)
        open_review(window, qtbot, other)
        assert gone == [True], "nor does the question of the one that was left stand over it"
        assert page.reading.top.isVisible()
        assert page.reading.answers.pinned == (), way.__name__
        options = page.model.reader.options
        assert (options.baseline, options.pair, options.order) == (CONSENSUS, (), AnswerOrder.PLANNED), way.__name__
        assert page.reading.finding.field.text() == ""
        assert not page.commands._letters._listening
