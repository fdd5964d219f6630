"""Whatever stands in news, names or notes, the window shows it letter for letter and fetches nothing for it."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QMenu, QWidget

import gpf_desktop.ui
from gpf_desktop.storage.writer import Connection
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.widgets.plain import Text, plain_tip
from tests.support.filled_audit import fill

PICTURE = '<img src="file:///etc/hostname"> & <b>bold</b>'
_OUR_WRAPPER = '<p style="white-space: pre-wrap">'
_ROWS = 20


def test_that_a_tip_is_shown_letter_for_letter() -> None:
    assert plain_tip("a < b, plain") == "a < b, plain"
    assert Text.mightBeRichText(plain_tip("The proxy's sentence, " * 6)), "or Qt would not wrap it"
    said = plain_tip(PICTURE)
    assert said.startswith(_OUR_WRAPPER)
    assert "<img" not in said
    assert "<b>" not in said


def _inert(tip: str) -> bool:
    return not Text.mightBeRichText(tip) or (tip.startswith(_OUR_WRAPPER) and tip.count("<") == 2)


def _live(root: QWidget) -> Iterator[str]:
    """Every word in *root* that Qt would read as markup."""
    for widget in (root, *root.findChildren(QWidget)):
        if not _inert(widget.toolTip()):
            yield f"tip of {type(widget).__name__} {widget.objectName()}: {widget.toolTip()}"
        if isinstance(widget, QLabel) and widget.text() and widget.textFormat() is not Qt.TextFormat.PlainText:
            yield f"label {widget.objectName()}: {widget.text()}"
        if isinstance(widget, QMenu) and widget.toolTipsVisible():
            yield from (f"menu: {each.text()}" for each in widget.actions() if not _inert(each.toolTip()))
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _live_cells(widget)


def _live_cells(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    for row in range(min(_ROWS, model.rowCount())):
        # A list has one column, and no public way to say so.
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
            tip = model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
            if isinstance(tip, str) and not _inert(tip):
                yield f"cell of {view.objectName()}: {tip}"


def test_that_no_widget_reads_words_as_markup(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    filled = context.engine.open_audit.context.audit
    fill(filled, items=1, models_asked=("tailoring-0.6",))

    def deface(connection: Connection) -> None:
        connection.execute("UPDATE item SET title = ?, text = ?", (PICTURE, PICTURE))
        connection.execute("UPDATE source SET title = ?", (PICTURE,))
        connection.execute("UPDATE run SET name = ?", (PICTURE,))

    filled.write(deface).result()
    for spec in page_specs():
        context.navigator.go(spec.id)
        settle()
        assert list(_live(window)) == [], spec.id


@pytest.mark.slow
def test_that_every_tip_goes_through_the_helper() -> None:
    """In the source: a tip is one of our own sentences, or `plain_tip`."""
    unsafe = [
        f"{path.name}:{node.lineno}"
        for path in Path(gpf_desktop.ui.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("setToolTip", "showText")
        and not _ours(node.args[1 if node.func.attr == "showText" else 0])
    ]
    assert unsafe == []


def _ours(said: ast.expr) -> bool:
    match said:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Name(id="plain_tip")):
            return True
        case ast.Call(func=ast.Name(id="tr"), args=[ast.Constant()], keywords=[]):
            return True
        case ast.IfExp(body=body, orelse=otherwise):
            return _ours(body) and _ours(otherwise)
        case ast.BoolOp(values=values):
            return all(map(_ours, values))
        case _:
            return False
