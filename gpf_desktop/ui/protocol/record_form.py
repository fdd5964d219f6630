"""One tab of a protocol's form, made from the fields of its dataclasses, as deep as they go.

It is built anew where the draft has other lists, and else filled in place.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gpf_desktop.domain.options import Shown, shown_of
from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.protocol import kinds
from gpf_desktop.ui.protocol.edit_fields import (
    BareField,
    FieldBook,
    line_editor,
    lines_editor,
    name_of,
    row_tools,
    say,
    text_editor,
)
from gpf_desktop.ui.protocol.edit_paths import at
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.kinds import Field, FieldLook
from gpf_desktop.ui.protocol.table_field import TableEditor
from gpf_desktop.ui.protocol.tabs import Tab
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, hbox, row_of, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button, menu_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import Editor, editor_for
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, heading, label, problem_label
from gpf_desktop.ui.widgets.layouts import EqualFlow, clear_layout, scrolling
from gpf_desktop.ui.widgets.plain import plain_entry, plain_tip

Says = Callable[[], str]
"""What an item is called at the time."""


class RecordForm(PlainWidget):
    """The fields of *tab*; a method's own ones come from `OwnForm`."""

    def __init__(self, context: Context, model: EditViewModel, tab: Tab) -> None:
        super().__init__()
        self.context, self.model, self.tab = context, model, tab
        self._built: object = None
        self.book = FieldBook(model, self)
        self._content = QWidget()
        self.column = vbox(parent=self._content, spacing=SPACE_3, margins=(0, 0, SPACE_2, 0))
        self.area = scrolling(self._content)
        vbox(self.area, parent=self)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        draft = self.model.draft
        if draft is None:
            return
        opened = frozenset(path for path in self.model.opened if path[0] in self.tab.names)
        wanted = (self._shape(draft), opened)
        if wanted != self._built:
            self._built = wanted
            scrolled = self.area.verticalScrollBar().value()
            self.book.live = False
            self.book.deleteLater()
            self.book = FieldBook(self.model, self)
            # Shown as a whole: what is added to a visible layout appears, and takes the keyboard, only later.
            self._content.hide()
            clear_layout(self.column)
            self._build()
            self.column.addStretch(1)
            self.book.show_model()
            self._content.show()
            self._content.adjustSize()
            self.area.verticalScrollBar().setValue(scrolled)
        else:
            self.book.show_model()

    def go_to(self, path: Path) -> None:
        """Give the keyboard to the field at *path* and bring it into view."""
        editor = self.book.focus(path)
        if editor is not None:
            self.column.activate()
            self.area.ensureWidgetVisible(editor)

    def labelled(self, path: Path, title: str, editor: Editor, *, help: str = "", typing: bool = True) -> FormField:  # noqa: A002
        """*editor*, bound to *path*, under its label."""
        field = FormField(title, editor.widget, help=help, name=name_of(path))
        self.book.bind(path, editor, field, tr("changing “{field}”", field=title), typing=typing)
        return field

    def says(self, path: Path, otherwise: str) -> Says:
        """A function that gives the present name of the thing at *path*; *otherwise* where it has no name."""
        return lambda: (str(at(self.model.draft, path)).strip() if self.model.has(path) else "") or otherwise

    def of_item(self, path: Path) -> Says:
        """A function that gives the name of the item at *path*, or of the item that *path* lies within."""
        depth = max((n for n, part in enumerate(path) if isinstance(part, int)), default=-1)
        item = path[: depth + 1]
        if not item or not self.model.has(item):
            return str
        head = kinds.head_of(type(at(self.model.draft, item)))
        return self.says((*item, head), tr("item {n}", n=int(item[-1]) + 1)) if head else str

    def _shape(self, draft: Any) -> Any:
        own = self.model.own.names
        names = [each.name for each in kinds.fields_of(type(draft), own)]
        whole = dict(zip(names, kinds.shape(type(draft), draft, own), strict=True))
        return tuple(whole[name] for name in self.tab.names)

    def _build(self) -> None:
        fields = self.tab.fields
        if self.tab.alone:
            self._put(self.column, (fields[0].name,), fields[0], titled=False)
        elif fields[0].look in (FieldLook.RECORD, FieldLook.OPTIONAL):
            holder = PlainWidget()
            flow = EqualFlow(holder, spacing=SPACE_3)
            for each in fields:
                card = Card(each.label, name=name_of((each.name,)))
                self._put(card.body, (each.name,), each, titled=False)
                card.body.addStretch(1)
                flow.addWidget(card)
            self.column.addWidget(holder)
        else:
            card = Card()
            card.body.setSpacing(SPACE_3)
            for each in fields:
                self._put(card.body, (each.name,), each)
            self.column.addWidget(card)

    def _put(self, into: QVBoxLayout, path: Path, its: Field, *, titled: bool = True) -> None:
        """The field *its* at *path*; *titled*: its label stands with it."""
        below = self.model.own.below.get((its.owner, its.name))
        match its.look:
            case FieldLook.OWN:
                into.addWidget(self.model.own.editors[its.owner, its.name](self, path))
            case FieldLook.FIELD:
                into.addWidget(self._field(path, its))
            case FieldLook.LINES:
                lines = lines_editor(its.label, name_of(path))
                into.addWidget(self._named(path, self.labelled(path, its.label, lines, help=_help(its))))
            case FieldLook.TABLE:
                into.addWidget(self._table(path, its, titled=titled))
            case FieldLook.TEXTS:
                self._texts(into, path, its)
            case FieldLook.CARDS:
                self._cards(into, path, its, titled=titled)
            case FieldLook.RECORD | FieldLook.OPTIONAL:
                self._record(into, path, its, titled=titled)
            case FieldLook.AS_TEXT:
                into.addWidget(caption(tr("{field} can be changed in the text beside the form.", field=its.label)))
        if below is not None and its.look is not FieldLook.TEXTS:
            into.addWidget(below(self, path))

    def _field(self, path: Path, its: Field) -> QWidget:
        shown = its.shown
        if kinds.bare(its.kind) is str and not shown.choices:
            name = name_of(path)
            one_line = shown.lines == 1
            editor = line_editor(its.label, name) if one_line else text_editor(its.label, name, least=shown.lines)
        else:
            editor = editor_for(its.kind, shown)
        made = self._named(path, self.labelled(path, its.label, editor, help=_help(its)))
        insert = self._insert(editor.widget, shown, path)
        return column_of(made, hbox(*insert, 1), spacing=SPACE_2) if insert else made

    def _named(self, path: Path, field: FormField) -> FormField:
        """*field*, called to a screen reader by the item that it is part of as well."""
        title, item = field.editor.accessibleName(), self.of_item(path)

        def paint() -> None:
            if called := item():
                field.editor.setAccessibleName(tr("{field} of {item}", field=title, item=called))

        self.book.follow(paint)
        return field

    def _insert(self, text: QWidget, shown: Shown, path: Path) -> list[QWidget]:
        """A button that offers what is filled in into *text*; none where nothing is."""
        if not shown.places:
            return []
        says = tr("Insert what is filled in")
        made = menu_button("{…}", compact=True, name=f"{name_of(path)}.insert", says=says)
        made.setToolTip(plain_tip(says))
        menu = made.menu()

        def offer() -> None:
            menu.clear()
            places = shown.places(self.model.draft) if callable(shown.places) else shown.places
            for place in places:
                menu.addAction(plain_entry(place)).triggered.connect(partial(_insert, text, place))

        menu.aboutToShow.connect(offer)
        return [made]

    def _table(self, path: Path, its: Field, *, titled: bool) -> QWidget:
        made = TableEditor(self.context.theme, its, its.label, name_of(path))
        editor = Editor(widget=made, get=made.value, set=made.set_value, changed=made.changed)
        field = self.labelled(path, its.label, editor, help=_help(its), typing=False)
        if not titled:
            field.hide_label()
        return field

    def _texts(self, into: QVBoxLayout, path: Path, its: Field) -> None:
        shown = shown_of(its.item) or Shown(label="")
        one = tr(its.shown.one) or tr("text")
        into.addWidget(self._head(heading(its.label), self._adder(path, its, kinds.blank(its.item))))
        if its.shown.help:
            into.addWidget(caption(_help(its)))
        into.addWidget(self._problem_of(path))
        below = self.model.own.below.get((its.owner, its.name))
        for number in range(len(at(self.model.draft, path))):
            place = (*path, number)
            called = tr("{item} {n}", item=one, n=number + 1)
            editor = text_editor(tr("{field}: {item}", field=its.label, item=called), name_of(place), least=shown.lines)
            insert = self._insert(editor.widget, shown, place)
            row = self._row(place, partial(str, called), editor, len(at(self.model.draft, path)), insert=insert)
            into.addWidget(row)
            if below is not None:
                into.addWidget(below(self, place))

    def _cards(self, into: QVBoxLayout, path: Path, its: Field, *, titled: bool) -> None:
        kind = kinds.bare(its.item)
        head = kinds.head_of(kind)
        add = self._adder(path, its, kinds.blank(its.item), (head,) if head else ())
        outer = len(path) == 1
        if outer:
            into.addWidget(self._head(caption(_help(its)), add))
        elif titled:
            into.addWidget(heading(its.label))
        into.addWidget(self._problem_of(path))
        for number, item in enumerate(at(self.model.draft, path)):
            made = self._item((*path, number), its, item, head)
            if outer:
                card = Card()
                card.body.addWidget(made)
                made = card
            into.addWidget(made)
        if not outer:
            into.addLayout(hbox(add, 1))

    def _item(self, path: Path, its: Field, item: Any, head: str) -> QWidget:
        one = tr(its.shown.one) or tr("item")
        number = int(path[-1])
        otherwise = tr("{item} {n}", item=one, n=number + 1)
        says = self.says((*path, head), otherwise) if head else partial(str, otherwise)
        inner = [each for each in kinds.fields_of(type(item), self.model.own.names) if each.name != head]
        length = len(at(self.model.draft, path[:-1]))
        if head:
            name = next(each for each in kinds.fields_of(type(item), self.model.own.names) if each.name == head)
            editor = line_editor(tr("{field} of {item}", field=name.label, item=otherwise), name_of((*path, head)))
            row: QWidget = self._row((*path, head), says, editor, length, folds=bool(inner))
        else:
            row = row_of((label(otherwise), 1), *row_tools(self.context.theme, self.book, path, says, length))
        opened = path in self.model.opened or not head
        if not inner or not opened:
            # An item within another one says no more than its name.
            short = [self._short(path)] if len(path) == 2 and inner else []
            return column_of(row, *short, self._problem_inside(path, head), spacing=SPACE_2)
        body = vbox(spacing=SPACE_3, margins=(SPACE_5 + SPACE_2, 0, 0, SPACE_2))
        for each in inner:
            self._put(body, (*path, each.name), each, titled=len(inner) > 1)
        return column_of(row, body, spacing=SPACE_2)

    def _short(self, path: Path) -> QWidget:
        """A caption with the content of an item that is folded away."""
        made = caption()
        made.setContentsMargins(SPACE_5 + SPACE_3, 0, 0, 0)

        def paint() -> None:
            if self.model.has(path):
                made.setText(kinds.summary(at(self.model.draft, path), self.model.own.names))

        self.book.follow(paint)
        return made

    def _record(self, into: QVBoxLayout, path: Path, its: Field, *, titled: bool) -> None:
        value, record = at(self.model.draft, path), kinds.record_in(its.kind)
        if its.look is FieldLook.OPTIONAL:
            tick = QCheckBox(tr(its.shown.none) or its.label)
            tick.setObjectName(name_of(path))
            tick.setChecked(value is not None)
            words = tr("changing “{field}”", field=its.label)
            tick.clicked.connect(
                lambda on: self.model.put(path, kinds.blank(record) if on else None, words, typing=False)
            )
            into.addWidget(tick)
        elif titled:
            into.addWidget(heading(its.label))
        if its.shown.help:
            into.addWidget(caption(_help(its)))
        for each in kinds.fields_of(record, self.model.own.names) if value is not None else ():
            self._put(into, (*path, each.name), each)

    def _row(
        self,
        path: Path,
        says: Says,
        editor: Editor,
        length: int,
        *,
        folds: bool = False,
        insert: Sequence[QWidget] = (),
    ) -> BareField:
        """An item of a list, in *editor*, with what can be done with it."""
        item = path if isinstance(path[-1], int) else path[:-1]
        tools = row_tools(self.context.theme, self.book, item, says, length)
        field = BareField(editor.widget, [self._fold(item, says)] if folds else [], [*insert, *tools])
        self.book.bind(path, editor, field, tr("changing {item}", item=says()))
        return field

    def _fold(self, path: Path, says: Says) -> QWidget:
        shown = path in self.model.opened
        made = icon_button(
            self.context.theme,
            "chevron-down" if shown else "chevron-right",
            "",
            lambda: self.model.set_open(path, path not in self.model.opened),
        )
        made.setObjectName(f"{name_of(path)}.fold")
        sentence = tr("Fold {item} away") if shown else tr("Fold {item} out")
        self.book.follow(lambda: say(made, sentence.format(item=says())))
        return made

    def _problem_of(self, path: Path) -> QWidget:
        """A line that says what is wrong with the list at *path*."""
        made = problem_label(name=f"{name_of(path)}.problem")
        self.book.follow(lambda: made.setText(self.model.problems.of_list(path)))
        return made

    def _problem_inside(self, path: Path, head: str) -> QWidget:
        """A line that says what is wrong with what is folded away."""
        made = problem_label(name=f"{name_of(path)}.inside")
        self.book.follow(lambda: made.setText(self.model.problems.inside(path, (*path, head))))
        return made

    def _head(self, title: QLabel, add: QPushButton) -> QWidget:
        title.setWordWrap(True)
        return row_of((title, 1), add, spacing=SPACE_2)

    def _adder(self, path: Path, its: Field, item: object, field: Path = ()) -> QPushButton:
        words = tr(its.shown.add) or tr("Add")
        made = button(
            words,
            lambda: self.model.add(path, item, tr("“{step}”", step=words), field=field),
            compact=True,
            name=f"{name_of(path)}.add",
        )
        made.setAccessibleName(words if its.shown.add else tr("{add}: {field}", add=words, field=its.label))
        self.context.theme.put_icon(made, "add")
        return made


def _help(its: Field) -> str:
    return tr(its.shown.help) if its.shown.help else ""


def _insert(text: QWidget, place: str, _checked: bool = False) -> None:
    text.setFocus()
    if isinstance(text, QLineEdit):
        text.insert(place)
    elif isinstance(text, QPlainTextEdit):
        text.insertPlainText(place)
