"""Every button of a protocol's form that adds, removes, moves or folds, clicked again and again, in any order."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.core.protocols import read_protocol, write_protocol
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.protocol_page import ProtocolPage
from gpf_desktop.ui.protocol.table_field import RowsTable

pytestmark = pytest.mark.slow

METHODS = ("contextual-stereoset", "gpf-livenews", "relative-bias", "saged")
_OF_LISTS = re.compile(r"protocol\..*\.(add|remove|up|down|fold)|protocol\.(un)?tickAll")
_TIMES = 4
_SWEPT = 2
"""Times with a look at the form after each, which takes a hundred times as long as a click."""


@pytest.fixture
def edit(window: MainWindow, audit: Path, qtbot: QtBot, settle: Callable[[], None]) -> Callable[[str], ProtocolPage]:
    def show(method: str) -> ProtocolPage:
        settle()
        window.context.navigator.go("protocol", method=method)
        found = window.findChild(ProtocolPage, "page.protocol")
        assert found is not None
        qtbot.waitUntil(lambda: found.model.method is not None and found.model.method.name == method)
        settle()
        found.edit.click()
        settle()
        return found

    return show


def buttons(page: ProtocolPage) -> list[QAbstractButton]:
    """Those of the tab that is shown, in the order of their names."""
    found = page.form.findChildren(QAbstractButton)
    ours = [each for each in found if _OF_LISTS.fullmatch(each.objectName()) and each.isVisible()]
    return sorted(ours, key=QAbstractButton.objectName)


def swept() -> None:
    """Let what is to be deleted go, as it does between two clicks of a hand."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def consistent(form: EditViewModel, method: str) -> None:
    """What the form holds is a protocol's text, which read again is the same, unless it says what is wrong."""
    draft = form.draft
    if not form.problems:
        assert read_protocol(write_protocol(draft, method), where="form", method=method) == draft


def _again_and_again(page: ProtocolPage) -> None:
    form, tried = page.model.form, set()
    for key in page.form.form.forms:
        form.show_tab(key)
        before = form.draft
        # The last of each kind: of the second of eight groups what the eighth does is done as well.
        kinds = {re.sub(r"\d+", "0", each.objectName()): each.objectName() for each in buttons(page)}
        for name in kinds.values():
            for sweep in (False, True):
                # The very one that was found, whose item may be gone by then; then whichever stands in its place.
                there = page.form.findChild(QAbstractButton, name)
                for _ in range(_SWEPT if sweep else _TIMES):
                    if sweep:
                        swept()
                        there = page.form.findChild(QAbstractButton, name)
                    if there is not None and shiboken6.isValid(there) and there.isVisible():
                        there.click()
                        tried.add(name)
            while form.undo_words:
                form.undo()
            assert form.draft == before, name
            swept()
    assert {name.rpartition(".")[2] for name in tried} >= {"add", "remove", "up", "down"}


def _in_any_order(page: ProtocolPage, method: str) -> None:
    draw, form = random.Random(1), page.model.form
    before = form.draft
    for _ in range(15):
        form.show_tab(draw.choice(list(page.form.form.forms)))
        tables = [each for each in page.form.findChildren(RowsTable) if each.isVisible() and each.rows.rows]
        if tables and draw.random() < 0.4:
            table = draw.choice(tables)
            table.setCurrentIndex(table.rows.index(draw.randrange(len(table.rows.rows)), 0))
        if ours := buttons(page):
            chosen = draw.choice(ours)
            for _ in range(draw.choice([1, 1, 2, 6])):
                if shiboken6.isValid(chosen):
                    chosen.click()
        if draw.random() < 0.5:
            swept()
        if draw.random() < 0.1:
            form.undo()
        consistent(form, method)
    while form.undo_words:
        form.undo()
    assert form.draft == before


def _emptied_and_filled(page: ProtocolPage, method: str) -> None:
    form = page.model.form
    for key in page.form.form.forms:
        form.show_tab(key)
        for verb, rounds in (("remove", 30), ("add", 2), ("up", 1), ("down", 1), ("remove", 10)):
            for _ in range(rounds):
                swept()
                for table in page.form.findChildren(RowsTable):
                    if verb != "add" and table.isVisible() and table.rows.rows:
                        table.setCurrentIndex(table.rows.index(0, 0))
                ours = [each for each in buttons(page) if each.objectName().endswith(f".{verb}") and each.isEnabled()]
                if not ours:
                    break
                for each in ours[-10:]:
                    if shiboken6.isValid(each):
                        each.click()
        consistent(form, method)


@pytest.mark.parametrize("method", METHODS)
def test_that_buttons_of_lists_may_be_clicked_again_and_again_and_in_any_order_and_emptied_lists_filled(
    edit: Callable[[str], ProtocolPage], method: str
) -> None:
    page = edit(method)
    _again_and_again(page)
    _in_any_order(page, method)
    _emptied_and_filled(page, method)
