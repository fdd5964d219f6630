"""Pages stay within a small window, also with text of twice the size."""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLabel,
    QLayout,
    QScrollArea,
    QStackedLayout,
    QWidget,
)

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.models.models_view_model import ModelsView
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.side_by_side import SideBySide
from tests.support.filled_audit import fill


def test_that_sources_models_and_protocol_fit_a_window_of_1280_by_720(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    open_audit = context.engine.open_audit
    open_audit.sources.add_sample().result()
    open_audit.models.add_calibration(["neutral"]).result()
    for scale in (100, 150, 200):
        context.theme.set_text_scale(scale)
        for page in ("sources", "models", "protocol"):
            context.navigator.go(page)
            settle()
            assert window.minimumSizeHint().width() <= 1280, page
            assert window.minimumSizeHint().height() <= 720, page
        models = window.findChild(ModelsPage, "page.models")
        assert models is not None
        context.navigator.go("models")
        models.editing.start(models.model.providers[0])
        settle()
        assert models.model.place is ModelsView.EDITOR
        assert window.minimumSizeHint().width() <= 1280
        assert {part.stacked for part in models.findChildren(SideBySide)} == {scale > 100}


def test_that_pages_made_ahead_do_not_widen_the_window(window: MainWindow, context: Context, audit: Path) -> None:
    context.theme.set_text_scale(150)
    context.navigator.go("home")
    alone = window.minimumSizeHint()
    window.stack.page("review").setMinimumWidth(3000)
    assert window.stack.minimumSizeHint().width() <= alone.width()


ANSWERS_BESIDE_EACH_OTHER = "review.columns"
"""Goes as far to the right as a bundle has answers, with the baseline pinned."""

TABLES_OF_A_REPORT = "preview"
"""Lines of text break at its edge; a table of a report is as wide as its numbers are, which are never broken."""


def cut_off(page: QWidget) -> Iterator[str]:
    """Scrolling parts of *page* that are wider inside than there is room for."""
    for area in page.findChildren(QScrollArea):
        content = area.widget()
        free = area.objectName() == ANSWERS_BESIDE_EACH_OTHER
        if (
            content is not None
            and area.isVisible()
            and not free
            and content.minimumSizeHint().width() > area.viewport().width()
        ):
            yield f"{area.objectName()}: {content.minimumSizeHint().width()} in {area.viewport().width()}"


def scrolled_sideways(page: QWidget) -> Iterator[str]:
    """Parts of *page* that can only be read whole by scrolling sideways."""
    for area in page.findChildren(QAbstractScrollArea):
        shown = area.isVisible() and area.objectName() not in (ANSWERS_BESIDE_EACH_OTHER, TABLES_OF_A_REPORT)
        off = area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if shown and not off and area.horizontalScrollBar().maximum() > 0:
            yield f"{area.objectName()} by {area.horizontalScrollBar().maximum()}"


def test_that_tables_of_sources_and_rounds_fit_beside_the_inspector_with_large_text(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    open_audit = context.engine.open_audit
    fill(open_audit.context.audit, items=1, repeats=2, models_asked=("tailoring-0.6", "faulty"))
    open_audit.sources.add_sample().result()
    context.theme.set_text_scale(150)
    window.inspector.set_wanted(True)
    places: tuple[tuple[str, dict[str, object]], ...] = (("sources", {}), ("runs", {"run": 1}))
    for page, state in places:
        context.navigator.go(page, **state)
        settle()
        shown = window.stack.current
        assert shown is not None
        assert list(scrolled_sideways(shown)) == [], page


@pytest.mark.parametrize("scale", [100, 200])
def test_that_no_page_of_a_filled_audit_is_cut_off_at_1280_by_720(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None], scale: int
) -> None:
    for _ in range(2):
        fill(
            context.engine.open_audit.context.audit,
            items=2,
            repeats=2,
            models_asked=("tailoring-0.6", "faulty"),
        )
    context.theme.set_text_scale(scale)
    window.inspector.set_wanted(scale == 100)
    settle()
    found: list[str] = []
    # Last, because a window keeps the least size of the pages that were shown.
    for spec in sorted(page_specs(), key=lambda spec: spec.id == "review"):
        context.navigator.go(spec.id)
        settle()
        page = window.stack.current
        assert page is not None
        needed = window.minimumSizeHint()
        if needed.width() > 1280 or needed.height() > 720:
            found.append(f"{spec.id} needs {needed.width()} by {needed.height()}")
        found += [f"{spec.id} {words}" for words in cut_off(page)]
        if scale <= 150:
            found += [f"{spec.id} {words}" for words in scrolled_sideways(page)]
    if scale == 200:
        found += in_dialogs(window, settle)
    assert not found


def in_dialogs(window: MainWindow, settle: Callable[[], None]) -> list[str]:
    """What has no room in a dialog, of those that commands open, on the screen that there is: 800 by 800 here."""
    found: list[str] = []
    opened: set[str] = set()
    for spec in window.context.actions.specs():
        action = window.context.actions.action(spec.id)
        if not action.isEnabled() or "…" not in action.text():
            continue
        action.trigger()
        settle()
        # Widths of one turn ask for heights in the next.
        for _ in range(4):
            QApplication.processEvents()
        for dialog in [each for each in window.findChildren(TitledDialog) if each.isVisible()]:
            opened.add(dialog.objectName())
            room = dialog.screen().availableSize()
            if dialog.width() > room.width() or dialog.height() > room.height():
                found.append(f"{dialog.objectName()} is {dialog.width()} by {dialog.height()}")
            found += [f"{dialog.objectName()} cuts “{words}”" for words in cut_words(dialog)]
        for each in QApplication.topLevelWidgets():
            if isinstance(each, QDialog) and each.isVisible():
                each.reject()
        settle()
    assert {"exportData", "artifact", "preferences", "chooseMethod"} <= opened
    return found


def cut_words(dialog: QDialog) -> Iterator[str]:
    """Words with fewer lines than they take in their width."""
    for label in dialog.findChildren(QLabel):
        if label.isVisible() and label.wordWrap() and label.height() < label.heightForWidth(label.width()) - 2:
            yield label.text()


def test_that_the_window_keeps_its_size_from_the_list_of_rounds_to_one(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    open_audit = context.engine.open_audit
    fill(open_audit.context.audit, items=2, repeats=2, models_asked=("tailoring-0.6", "faulty"))
    context.theme.set_text_scale(150)
    window.inspector.set_wanted(False)
    window.resize(1280, 720)
    context.navigator.go("runs")
    settle()
    context.navigator.go("runs", run=open_audit.rounds.runs()[0].id)
    settle()
    assert window.width() == 1280


def overlapping(part: QWidget) -> Iterator[str]:
    """Widgets that stand in one layout and on top of each other."""
    for holder in (part, *part.findChildren(QWidget)):
        layout = holder.layout()
        if layout is None or isinstance(layout, QStackedLayout) or not holder.isVisible():
            continue
        inner = [each for each in layout.children() if isinstance(each, QLayout) and not each.isEmpty()]
        direct = holder.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        shown = [*inner, *(each for each in direct if layout.indexOf(each) >= 0 and not each.isHidden())]
        for one, other in combinations(shown, 2):
            both = one.geometry().intersected(other.geometry())
            if both.width() > 1 and both.height() > 1:
                yield f"{holder.objectName()}: {one.geometry()} and {other.geometry()}"


def test_that_nothing_on_sources_lies_on_something_else(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    fill(context.engine.open_audit.context.audit, items=3, models_asked=("tailoring-0.6",))
    for scale in (100, 125, 150):
        context.theme.set_text_scale(scale)
        window.inspector.set_wanted(True)
        context.navigator.go("sources")
        settle()
        QApplication.processEvents()
        shown = window.stack.current
        assert shown is not None
        assert list(overlapping(shown)) == []
