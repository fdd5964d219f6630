"""Every part of a protocol, to be read: made from its dataclasses, where its method brings no cards of its own."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.protocol import kinds
from gpf_desktop.ui.protocol.kinds import NOTHING, Field, FieldLook
from gpf_desktop.ui.protocol.tabs import Tab, tabs_of
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import caption, heading, label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow, rule
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import NO_VALUE

_LISTED: Final = 2
"""Columns of a table up to which its rows are told one below the other."""
_WIDTH: Final = 130
_SEEN: Final = 12
"""Rows of a table that are seen without scrolling."""
_MOST: Final = 40
"""Items of a list that are drawn; an imported benchmark has thousands."""


def parts_of(theme: Theme, protocol: Any) -> Sequence[Callable[[], QWidget]]:
    """Makers of the cards of *protocol*, top to bottom: to make all of them at once would hold up the window."""
    return [partial(_part, theme, protocol, each) for each in tabs_of(type(protocol), NOTHING)]


def _part(theme: Theme, protocol: Any, tab: Tab) -> QWidget:
    if tab.fields[0].look in (FieldLook.RECORD, FieldLook.OPTIONAL):
        holder = PlainWidget()
        flow = EqualFlow(holder, spacing=SPACE_3)
        for each in tab.fields:
            card = Card(each.label)
            _put(card.body, each, getattr(protocol, each.name), titled=False)
            card.body.addStretch(1)
            flow.addWidget(card)
        return holder
    card = Card(tab.title)
    if tab.fields[0].look is FieldLook.TABLE and len(kinds.columns_of(tab.fields[0].kind)) > _LISTED:
        card.body.addWidget(_table(theme, tab.fields[0], getattr(protocol, tab.fields[0].name)))
        return card
    for each in tab.fields:
        _put(card.body, each, getattr(protocol, each.name), titled=not tab.alone)
    return card


def _table(theme: Theme, its: Field, value: Any) -> DataTable:
    titles = kinds.columns_of(its.kind)
    columns: tuple[TableColumn[Any], ...] = tuple(
        TableColumn(
            title=title,
            text=lambda row, at=at: row[at] or NO_VALUE,  # type: ignore[misc]
            tip=lambda row, at=at: row[at],  # type: ignore[misc]
            width=_WIDTH,
        )
        for at, title in enumerate(titles)
    )
    model = RowsTableModel(theme, columns, key=id)
    table = DataTable(theme, model, says=its.label, name=f"protocol.read.{its.name}", embedded=True)
    model.set_rows(kinds.rows_of(value))
    table.fit_height(_SEEN)
    return table


def _put(into: QVBoxLayout, its: Field, value: Any, *, titled: bool = True) -> None:
    match its.look:
        case FieldLook.RECORD | FieldLook.OPTIONAL if value is not None:
            if titled:
                into.addWidget(heading(its.label))
            for each in kinds.fields_of(type(value), NOTHING):
                _put(into, each, getattr(value, each.name))
        case FieldLook.CARDS:
            if titled:
                into.addWidget(heading(its.label))
            for at, item in enumerate(value[:_MOST]):
                _put_item(into, its, item, at)
            _rest(into, len(value))
        case FieldLook.TABLE:
            for row in kinds.rows_of(value)[:_MOST]:
                into.addWidget(_named(str(row[0]) or NO_VALUE, " · ".join(map(_words, row[1:]))))
            _rest(into, len(value))
        case FieldLook.TEXTS | FieldLook.LINES:
            listed = "\n".join(value[:_MOST]) if its.look is FieldLook.TEXTS else " · ".join(value)
            into.addWidget(_named(its.label, listed or tr("none")))
        case _:
            into.addWidget(_named(its.label if titled else "", _words(value)))


def _put_item(into: QVBoxLayout, its: Field, item: Any, at: int) -> None:
    head = kinds.head_of(type(item))
    if at:
        into.addWidget(rule())
    called = str(getattr(item, head, "")) or tr("{item} {n}", item=tr(its.shown.one) or tr("item"), n=at + 1)
    into.addWidget(heading(called))
    inner = [each for each in kinds.fields_of(type(item), NOTHING) if each.name != head]
    for each in inner:
        value = getattr(item, each.name)
        if each.look is FieldLook.TABLE:
            rows = [" = ".join(dict.fromkeys(map(_words, row[:2]))) for row in kinds.rows_of(value)]
            into.addWidget(_named(each.label, " · ".join(rows[:_MOST])))
            _rest(into, len(rows))
        else:
            _put(into, each, value)


def _words(value: Any) -> str:
    match value:
        case None:
            return tr("not set")
        case bool():
            return tr("yes") if value else tr("no")
        case Enum():
            return str(getattr(value, "words", None) or tr(str(value.value)))
        case float():
            return QLocale().toString(value, "g", 6)
        case tuple():
            return trn("{n} entry", "{n} entries", len(value)) if value else tr("none")
    return str(value) or NO_VALUE


def _rest(into: QVBoxLayout, length: int) -> None:
    if length > _MOST:
        into.addWidget(secondary(tr("and {n} more", n=length - _MOST)))


def _named(name: str, value: str) -> QWidget:
    text = _selectable(value)
    return column_of(caption(name), text, spacing=0) if name else text


def _selectable(text: str) -> QLabel:
    made = label(text, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
