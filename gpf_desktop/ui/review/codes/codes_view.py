"""The code book beside all quotes, in the place of the answers until one goes back to reading."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QMenu

from gpf_desktop.domain.codes import Code
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.study_entries import STUDY
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.storage.quotes import MarkedQuote
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.codes.code_editor import CodeEditor
from gpf_desktop.ui.review.codes.codes_view_model import CodeLine, CodesViewModel
from gpf_desktop.ui.review.codes.memo_dialog import MemoDialog
from gpf_desktop.ui.review.codes.quote_filters import QuoteFilters
from gpf_desktop.ui.review.elided_button import ElidedButton
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, menu_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_entry
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, count_of

_EXPORTED = ("code_book", "quotes")
_BOOK = 7
"""Rows of the book that are seen before it scrolls."""


class CodesView(PlainWidget):
    """Layout and connections; what is shown is decided by `CodesViewModel`."""

    closed = Signal()
    quote_asked = Signal(object)
    """The `MarkedQuote` that is to be shown in its answer."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="codes")
        theme = context.theme
        self._context = context
        self._names: Mapping[str, str] = {}
        self.model = CodesViewModel(context, self)
        self.book = RowsTableModel[CodeLine](theme, _book_columns(), key=lambda line: line.code.id)
        self.book_table = DataTable(theme, self.book, says=tr("Codes"), embedded=True)
        self.book_table.fit_height(_BOOK)
        self.quotes = RowsTableModel[MarkedQuote](theme, self._quote_columns(), key=_place)
        self.quote_table = DataTable(theme, self.quotes, says=tr("Quotes"), embedded=True)
        self.filters = QuoteFilters(self.model)
        self.empty = label("", "secondary", wrap=True, name="codes.empty")
        self.no_codes = label(
            tr("No codes yet. A code is a short name for what passages have in common, with its definition."),
            "secondary",
            wrap=True,
            name="codes.none",
        )
        self.new = button(tr("New code …"), self._new, name="codes.new")
        self.edit = button(tr("Edit …"), self._edit, name="codes.edit")
        self.merge = menu_button(tr("Merge into"), name="codes.merge")
        self.retire = button(tr("Retire"), self._retire, name="codes.retire")
        self.undo = ElidedButton("codes.undo")
        self.undo.clicked.connect(lambda _checked: self._take_back())
        self.retired = named(QCheckBox(tr("Retired codes too")), "codes.retired")
        self.retired.toggled.connect(self.model.set_show_retired)
        self.memo = button(tr("Memo on the study …"), self._memo, name="codes.memo")
        self.export = button(tr("Export …"), lambda: ask_of_names(self, self._export), name="codes.export")
        self.export.setToolTip(tr("Code book and quotes as tables, and as a project for NVivo or QualCoder"))
        self.go = button(tr("Show in its answer"), self._go, name="codes.go")
        self.back = button(tr("Back to reading"), self.closed.emit, primary=True, name="codes.back")
        self.number = caption(name="codes.number")
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        vbox(self._book_card(), (self._quotes_card(), 1), parent=self, spacing=SPACE_3)
        self.model.changed.connect(self.refresh)
        self.book_table.current_changed.connect(lambda _line: self._show_buttons())
        self.book_table.opened.connect(lambda _line: self._edit())
        self.quote_table.current_changed.connect(lambda _quote: self._show_buttons())
        self.quote_table.opened.connect(self.quote_asked)
        self._show_buttons()

    def _book_card(self) -> Card:
        card = Card(tr("Code book"), name="codes.book")
        fill(card.top, self.memo, self.export, self.back)
        fill(
            card.body,
            self.book_table,
            self.no_codes,
            hbox(self.new, self.edit, self.merge, self.retire, self.undo, 1, self.retired, spacing=SPACE_2),
        )
        return card

    def _export(self) -> None:
        """With what stands here ticked: of all that there is to be exported nobody looks for it."""
        from gpf_desktop.ui.exchange.export_dialog import ExportDialog

        ExportDialog(self._context, self.window(), what=_EXPORTED, formats=("csv", "qdpx")).open()

    def _quotes_card(self) -> Card:
        card = Card(tr("Quotes"), name="codes.quotes")
        fill(card.top, self.number, self.go)
        fill(card.body, self.filters, self.empty, (self.quote_table, 1))
        return card

    def _quote_columns(self) -> tuple[TableColumn[MarkedQuote], ...]:
        return (
            TableColumn(
                title=tr("Quote"),
                text=lambda quote: " ".join(quote.words.split()) or tr("(not in this file)"),
                tip=lambda quote: quote.words,
                stretch=True,
                width=220,
            ),
            TableColumn(title=tr("Codes"), text=self._codes, width=150),
            TableColumn(title=tr("Comment"), text=lambda quote: quote.comment, width=120, spare=3),
            TableColumn(title=tr("Verdict"), text=_verdict, width=190),
            TableColumn(title=tr("Tags"), text=lambda quote: ", ".join(quote.tags), spare=4),
            TableColumn(title=tr("Reviewer"), text=_reviewer, spare=2),
            TableColumn(title=tr("Model"), text=self._called, tip=self._whole_name, spare=1),
        )

    def _codes(self, quote: MarkedQuote) -> str:
        return ", ".join(code.name for code in self.model.codes_of(quote))

    def _called(self, quote: MarkedQuote) -> str:
        return tr("hidden") if self.model.blind else self._names.get(quote.model, quote.model)

    def _whole_name(self, quote: MarkedQuote) -> str:
        return "" if self.model.blind else quote.model

    def open(self, *, blind: bool) -> None:
        """Show what holds now."""
        self.model.open(blind=blind)

    def refresh(self) -> None:
        model = self.model
        self._names = short_names(quote.model for quote in model.quotes)
        self.book.set_rows(model.lines())
        found = model.found()
        self.quotes.set_rows(found)
        self.filters.refresh()
        self.number.setText(_number(len(found), model.quotes))
        self.no_codes.setVisible(not self.book.rows)
        self.empty.setText(_why_empty(model))
        self.empty.setVisible(not found)
        self._show_buttons()

    def _code(self) -> Code | None:
        line = self.book_table.current_row()
        return None if line is None else line.code

    def _show_buttons(self) -> None:
        code = self._code()
        self.edit.setEnabled(code is not None)
        self.retire.setEnabled(code is not None)
        self.retire.setText(tr("Put back") if code is not None and code.retired else tr("Retire"))
        others = [each for each in self.model.book.offered if code is not None and each.id != code.id]
        self.merge.setEnabled(bool(others) and code is not None)
        menu = self.merge.menu()
        if isinstance(menu, QMenu):
            menu.clear()
            for each in others:
                menu.addAction(plain_entry(each.name), partial(self._merge, each))
        undoes = self.model.undoes
        self.undo.setEnabled(bool(undoes))
        self.undo.show_words(tr("Undo {what}", what=undoes) if undoes else tr("Undo"))
        self.go.setEnabled(self.quote_table.current_row() is not None)

    def _new(self) -> None:
        def keep(name: str, definition: str, examples: tuple[str, ...]) -> None:
            self.model.create(name, definition, examples, editor.accept)

        editor = CodeEditor(self._context.theme, self, None, keep)
        self.model.refused.connect(editor.refuse)
        editor.open()

    def _edit(self) -> None:
        code = self._code()
        if code is None:
            return

        def keep(name: str, definition: str, examples: tuple[str, ...]) -> None:
            now = Code(
                id=code.id, name=name, definition=definition, examples=examples, retired=code.retired,
                merged_into=code.merged_into,
            )  # fmt: skip
            self.model.change(now, tr("editing a code"), editor.accept)

        editor = CodeEditor(self._context.theme, self, code, keep)
        self.model.refused.connect(editor.refuse)
        editor.open()

    def _merge(self, into: Code) -> None:
        code = self._code()
        if code is not None:
            self.new.setFocus()
            self.model.merge(code, into)

    def _retire(self) -> None:
        code = self._code()
        if code is not None:
            # Its line goes and the button with it: the keys would be left without a place.
            self.new.setFocus()
            self.model.retire(code)

    def _take_back(self) -> None:
        self.new.setFocus()
        self.model.undo()

    def _memo(self) -> None:
        MemoDialog(
            self._context, self, STUDY, tr("About all of it: what you notice across sets."), blind=self.model.blind
        ).open()

    def _go(self) -> None:
        quote = self.quote_table.current_row()
        if quote is not None:
            self.quote_asked.emit(quote)


def _book_columns() -> tuple[TableColumn[CodeLine], ...]:
    return (
        TableColumn(
            title=tr("Code"),
            text=lambda line: tr("{code} (retired)", code=line.code.name) if line.code.retired else line.code.name,
            width=160,
        ),
        TableColumn(
            title=tr("Definition"),
            text=lambda line: " ".join(line.code.definition.split()),
            tip=lambda line: "\n".join((line.code.definition, *line.code.examples)),
            stretch=True,
        ),
        TableColumn(
            title=tr("Quotes"), text=lambda line: count(line.passages), sort=lambda line: line.passages, numeric=True
        ),
        TableColumn(
            title=tr("Sets"),
            text=lambda line: count(line.sets),
            sort=lambda line: line.sets,
            numeric=True,
            help=tr("Sets of answers with such a quote."),
        ),
        TableColumn(
            title=tr("Reviewers"), text=lambda line: count(line.people), sort=lambda line: line.people, numeric=True
        ),
    )


def _verdict(quote: MarkedQuote) -> str:
    said = tr("none yet") if quote.verdict is None else judged(Verdict(quote.verdict), quote.severity)
    return tr("{verdict} (draft)", verdict=said) if quote.draft else said


def _reviewer(quote: MarkedQuote) -> str:
    return quote.reviewer


def _place(quote: MarkedQuote) -> tuple[int, int, int, int]:
    return quote.cell_id, quote.start, quote.end, int(quote.reviewer_id)


def _number(found: int, quotes: Sequence[MarkedQuote]) -> str:
    every = len(quotes)
    if not every:
        return ""
    some = found < every
    words = tr("{n} quotes", n=count_of(found, every)) if some else trn("{n} quote", "{n} quotes", every)
    drafts = sum(quote.draft for quote in quotes)
    if not drafts:
        return words
    left_out = trn("{n} of a draft, which no export has", "{n} of drafts, which no export has", drafts)
    return f"{words} · {left_out}"


def _why_empty(model: CodesViewModel) -> str:
    if model.quotes:
        return tr("No quote matches this filter.")
    if model.blind:
        return tr("You have marked no words yet. Quotes of others are not shown while names are hidden.")
    return tr("Nobody has marked words of an answer yet. Select some while you read, and code them.")
