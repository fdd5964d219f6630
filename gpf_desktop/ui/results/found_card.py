"""The card of what was found: the question, the finding as a headline, and a row for each conclusion on one scale."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.lead import LeadRow
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.conclusions.sureness import how_sure
from gpf_desktop.domain.finding_keys import WHOLE, conclusion_key
from gpf_desktop.domain.findings import Row
from gpf_desktop.domain.text import tr, unbroken
from gpf_desktop.figures.lead import Strip, StripKind, lead_strips, row_strips
from gpf_desktop.figures.lead_key import chip_words
from gpf_desktop.figures.lead_table import figure_table
from gpf_desktop.figures.lead_words import declined_words, finding, undrawn_words, why
from gpf_desktop.figures.planned_looks import HEIGHT, WIDTH, looks_track, track_words
from gpf_desktop.ui.results.conclusion_row import ConclusionRow
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import low_link
from gpf_desktop.ui.widgets.cards import Card, going_on
from gpf_desktop.ui.widgets.columns import finding_columns
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.figure_view import FigureView
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import label, show_words
from gpf_desktop.ui.widgets.layouts import bring_into_view, clear_layout, height_at
from gpf_desktop.ui.widgets.table_models import RowsTableModel

_EDGE = 12
"""Pixels that a figure leaves free at its left: words stand where its names do."""
_NUMBERS = ("value", "by_chance")
_LEAST_WORDS = 220
"""Pixels at 100 % in which the name of a measure stands whole."""
_FRAME = 3
"""Pixels of the headline's frame, and of what its letters begin behind it: words around it keep in line."""
_FREE = 6
"""Pixels at the top of a row in which nothing stands but its rule."""
_LEAST = 320
"""Pixels of a figure that are laid out at least; narrower, its right end is cut."""


class FoundCard(Card):
    """The first thing on the page. A figure is laid out anew at each width; its rows keep what is unfolded."""

    read = Signal(int)
    """The answers behind conclusion number … are wanted."""
    lacking = Signal()
    unknown = Signal()
    """Those are to be read that were declined by words that nobody knows."""
    """The sets in which answers are missing are wanted."""
    tables = Signal(str)
    """The table of this name is wanted."""
    resized = Signal()
    """It is as high as it will be, or its lines stand elsewhere."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="card.found")
        self._theme = theme
        self._told: ToldPage | None = None
        self._replies: Mapping[str, str] = {}
        self._told_first = True
        """Whether the first row was unfolded by the card itself."""
        self._table: DataTable | None = None
        self._dense = False
        self._roomy = 0
        """Height of the figure where its rows are not dense and none says why."""
        self.question = label("", "secondary", wrap=True, name="found.question")
        self.headline = label("", "headline", wrap=True, name="found.headline")
        self.headline.setAccessibleName(tr("What was found"))
        self.headline.setIndent(0)
        self.headline.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.second = label("", "lead", wrap=True, name="found.second")
        self.sure = label("", wrap=True, name="found.sure")
        self.track = FigureView(theme, name="found.track")
        self.going_on = going_on(tr("Computing what stands out …"))
        self.lines = vbox(spacing=SPACE_2)
        self._head = FigureView(theme, name="found.scales")
        self._key = FigureView(theme, name="found.key")
        self._rows = vbox(spacing=0)
        self.figure = PlainWidget(name="found.figure")
        # The key stands first: under many rows it would lie under the edge of the window.
        vbox(self._key, self._head, self._rows, parent=self.figure, spacing=0)
        self.refusals, self.lacks, self.declined = (
            label("", wrap=True, name=f"found.{name}") for name in ("refusals", "lacks", "declined")
        )
        self.to_undrawn = low_link(tr("All comparisons as a table"), self.toggle_table, name="found.all")
        self.to_lacking = low_link(tr("Read these sets"), self.lacking.emit, name="found.lacking")
        self.to_declined = low_link(tr("Read what they say"), self.unknown.emit, name="found.unknown")
        self.to_table = low_link(tr("Show as a table"), self.toggle_table, name="found.table")
        self.rows: list[ConclusionRow] = []
        self.replied = label("", wrap=True, name="found.replied")
        # Under the figure the way to its table would lie beyond the edge of a low window.
        first = hbox((self.question, 1), self.to_table, spacing=SPACE_3)
        titles = (first, self.headline, self.second, self.sure, self.replied)
        words = vbox(*titles, spacing=SPACE_1, margins=(_EDGE - _FRAME, 0, 0, 0))
        for each in (self.question, self.second, self.sure, self.replied):
            each.setContentsMargins(_FRAME, 0, 0, 0)
        self.body.setSpacing(SPACE_1)
        self.body.addLayout(hbox((words, 1), (self.track, 0, Qt.AlignmentFlag.AlignTop), spacing=SPACE_3))
        self.body.addLayout(self.lines)
        self.body.addWidget(self.going_on)
        self.body.addWidget(self.figure)
        # Where the page ends below the rows its shade lies here, and on none of them.
        self.body.addSpacing(SPACE_2)
        for said, way in (
            (self.refusals, self.to_undrawn),
            (self.lacks, self.to_lacking),
            (self.declined, self.to_declined),
        ):
            self.body.addLayout(hbox((said, 1), way, spacing=SPACE_3, margins=(_EDGE, 0, 0, 0)))
        self.show_lacking("")
        self.show_declined("")
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._lay_out)
        theme.on_change(self, self._soon.start)

    @property
    def told(self) -> ToldPage | None:
        return self._told

    def show_told(self, told: ToldPage, replies: Mapping[str, str], *, marked: bool) -> None:
        """*replies*: by the key of a finding; *marked*: the page says already that everything on it is synthetic."""
        self._start_anew()
        self._told, self._replies = told, replies
        title, second = finding(told, of_all=False)
        before = "" if marked else told.synthetic
        show_words(self.question, told.page.question)
        self.headline.setText(unbroken(title))
        self.headline.setAccessibleName(" ".join(filter(None, (f"{title}.", second))))
        show_words(self.second, unbroken(" ".join(filter(None, (before, second)))))
        sure = how_sure(told)
        show_words(self.sure, unbroken(tr("How sure: {said}", said=sure) if sure else ""))
        standing = told.told[0].conclusion.standing
        track = looks_track(standing)
        self.track.setVisible(bool(track))
        self.track.show_shapes(track, HEIGHT, track_words(standing), width=WIDTH)
        # Where a whole model is not settled the lines above say what that means.
        meant = (
            "" if any(each.conclusion.said is ConclusionOutcome.NOT_SHOWN for each in told.told) else chip_words(told)
        )
        under = (declined_words(told), meant, undrawn_words(told))
        show_words(self.refusals, unbroken(" ".join(filter(None, under))))
        show_words(self.replied, unbroken(replies.get(WHOLE, "")))
        self._make_rows()
        self._lay_out()
        for at, row in enumerate(self.rows):
            if not at or row.replied:
                row.unfold()

    def show_lines(self, lines: tuple[str, ...], *, computing: bool) -> None:
        """Sentences of a method that concludes nothing, or what is said while it is computed."""
        self._start_anew()
        for hidden in (self.question, self.second, self.sure, self.replied, self.track, self.refusals):
            hidden.hide()
        nothing = tr("Nothing is settled: a difference was neither shown nor ruled out. The numbers follow.")
        first, *others = lines or (nothing,)
        self.headline.setText(unbroken(first))
        self.headline.setAccessibleName(first)
        for line in others:
            self.lines.addWidget(label(unbroken(line), "lead", wrap=True))
        self.going_on.setVisible(computing)

    def show_lacking(self, words: str) -> None:
        """How many sets lack an answer, and why; empty: none."""
        show_words(self.lacks, unbroken(words))
        self.to_lacking.setVisible(bool(words))
        self.to_lacking.setAccessibleName(tr("Read the sets that lack an answer"))

    def show_declined(self, words: str) -> None:
        """How many count as declined by words that this program does not know; empty: none do."""
        show_words(self.declined, unbroken(words))
        self.to_declined.setVisible(bool(words))
        self.to_declined.setAccessibleName(tr("Read the answers declined by words that this program does not know"))

    def tell_first(self, room: int) -> None:
        """Let the first row say why where all rows have *room* with that; not once somebody has folded or unfolded it,
        nor where a reply stands there, nor where the figure is shown as a table."""
        if not self.rows or self.rows[0].replied or self.rows[0].unfolded is not self._told_first:
            return
        if self.figure.isHidden():
            return
        first = self.rows[0]
        more = first.told_height
        # The counts below come before it.
        below = (each for each in (self.figure, self.refusals, self.lacks, self.declined) if not each.isHidden())
        end = max(each.geometry().bottom() for each in below) - (more if first.unfolded else 0)
        wanted = end + more <= room
        if wanted is not first.unfolded:
            self._told_first = wanted
            first.unfold(on=wanted)

    def toggle_table(self) -> None:
        """The figure as a table, and back."""
        if self._told is None:
            return
        if self._table is None:
            self._table = self._made_table(self._told)
            self.body.insertWidget(self.body.indexOf(self.figure) + 1, self._table)
            self._table.hide()
        showing = self._table.isHidden()
        self._table.setVisible(showing)
        self.figure.setVisible(not showing)
        self.to_undrawn.setVisible(bool(self._told.lead.undrawn) and not showing)
        self.to_table.setText(tr("Show the figure") if showing else tr("Show as a table"))
        if showing:
            self._table.setFocus()
        elif self.rows:
            self.rows[0].setFocus()

    def _made_table(self, told: ToldPage) -> DataTable:
        found = figure_table(told)
        # Of one model every row would name it, and say what its headline says.
        left_out = ("model", "outcome") if len(told.told) == 1 else ()
        columns = [
            (each, made)
            for each, made in zip(found.columns, finding_columns(found), strict=True)
            if each.key not in left_out
        ]
        # Numbers and their ranges stand whole; what others measured stands in short, and its tool tip has it.
        shown = [
            replace(made, stretch=True, text=partial(_in_short, made.text), tip=made.text)
            if each.key == "beside"
            else replace(made, stretch=False, width=0, numeric=made.numeric or each.key.startswith(_NUMBERS))
            for each, made in columns
        ]
        model = RowsTableModel(self._theme, shown, key=id)
        model.set_rows(found.rows)
        table = DataTable(
            self._theme,
            model,
            says=found.title,
            name="found.as_table",
            embedded=True,
            least_words=_LEAST_WORDS,
            even=True,
        )
        table.fit_height(len(found.rows))
        back = QShortcut(QKeySequence(Qt.Key.Key_F2), table, self.toggle_table)
        back.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return table

    def _start_anew(self) -> None:
        self._told = None
        self._told_first = True
        clear_layout(self.lines)
        clear_layout(self._rows)
        self.rows = []
        if self._table is not None:
            self._table.hide()
            self._table.deleteLater()
            self._table = None
        self.going_on.hide()
        self.figure.hide()
        self.to_undrawn.hide()
        self.to_table.hide()
        self.to_table.setText(tr("Show as a table"))

    def _make_rows(self) -> None:
        for at, strip in enumerate(row_strips(self._at_hand)):
            row = ConclusionRow(self._theme, at, name=f"found.row.{at}")
            row.read.connect(partial(self.read.emit, strip.conclusion))
            row.tables.connect(partial(self._go_to_tables, strip.conclusion))
            row.moved.connect(partial(self._move, at))
            row.ended.connect(lambda end: self._focus(len(self.rows) - 1 if end else 0))
            row.copied.connect(partial(self._copy, row))
            row.as_table.connect(self.toggle_table)
            self.rows.append(row)
            self._rows.addWidget(row)
        self.figure.setVisible(bool(self.rows))
        self.to_table.setVisible(bool(self.rows))
        self.to_undrawn.setVisible(bool(self._at_hand.lead.undrawn))

    @property
    def _at_hand(self) -> ToldPage:
        assert self._told is not None
        return self._told

    @property
    def rows_end(self) -> int:
        """The lower end of the last row, in pixels, however much higher the card may be."""
        return self.figure.geometry().top() + height_at(self.figure, self.figure.width())

    def whole_lines(self) -> Iterator[tuple[QWidget, int, int]]:
        """What no edge should cut: a widget, and where on it a line begins and ends."""
        # A row begins with a little free room, in which the shade of the edge may lie.
        for row in self.rows:
            yield row, min(_FREE, row.height()), row.height()
        for each in (self.refusals, self.lacks, self.declined):
            yield each, 0, each.height()
        if self._table is not None:
            line, head = self._table.verticalHeader().defaultSectionSize(), self._table.horizontalHeader().height()
            for top in range(head, self._table.height() - line + 1, line):
                yield self._table, top, top + line

    def fit(self, room: int) -> None:
        """Rows as low as they may be where else not all of them, and the counts below, have *room*, which begins where
        the card does."""
        below = (each for each in (self.refusals, self.lacks, self.declined) if not each.isHidden())
        end = self.figure.geometry().top() + self._roomy + SPACE_1 + SPACE_2
        end += sum(height_at(each, each.width()) + SPACE_1 for each in below)
        dense = bool(self.rows) and end > room
        if dense is not self._dense:
            self._dense = dense
            self._lay_out()

    def _row_strips(self, strips: list[Strip]) -> list[Strip]:
        return [each for each in strips if each.kind in (StripKind.MODEL, StripKind.ROW)]

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        # Lines may have moved within it and its size stayed: where an edge cuts none is another place then.
        if event.type() is QEvent.Type.LayoutRequest:
            self.resized.emit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()
        self.resized.emit()

    def _lay_out(self) -> None:
        if self._told is None or not self.rows:
            return
        margins = self.body.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        strips = lead_strips(self._told, max(_LEAST, room / self._head.scale))
        self._roomy = round(sum(each.height for each in strips) * self._head.scale)
        if self._dense:
            strips = lead_strips(self._told, max(_LEAST, room / self._head.scale), dense=True)
        head, *_, key = strips
        self._head.show_shapes(head.shapes, head.height)
        self._key.show_shapes(key.shapes, key.height)
        shown = self._row_strips(strips)
        replies = dict(self._replies)
        for row, strip in zip(self.rows, shown, strict=True):
            one = self._told.told[strip.conclusion]
            place = tr("Row {n} of {of}.", n=row.at + 1, of=len(shown))
            # Of a conclusion of several rows, under its first.
            row.show_reply(replies.pop(conclusion_key(one.conclusion), ""))
            row.show_strip(
                strip,
                why(self._told, strip.conclusion, self._row_of(strip)),
                f"{strip.says} {place}",
                leads=bool(one.conclusion.rows),
            )

    def _row_of(self, strip: Strip) -> LeadRow | None:
        return None if strip.row < 0 else self._at_hand.lead.rows[strip.row]

    def _go_to_tables(self, at: int) -> None:
        rows = self._at_hand.told[at].conclusion.rows
        if rows:
            self.tables.emit(rows[0].partition("/")[0])

    def _move(self, at: int, by: int) -> None:
        self._focus(max(0, min(len(self.rows) - 1, at + by)))

    def _focus(self, at: int) -> None:
        self.rows[at].setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_view(self.rows[at])

    def _copy(self, row: ConclusionRow, numbers: bool) -> None:
        told, strip = self._at_hand, row.strip
        assert strip is not None
        one = told.told[strip.conclusion]
        said = (strip.says,) if numbers else (one.sentence, *one.further)
        words = "\n".join((" ".join(said), *told.footnote))
        ask_of_names(self, lambda: QGuiApplication.clipboard().setText(words))


def _in_short(whole: Callable[[Row], str], row: Row) -> str:
    return str(row.values.get("beside_in_short") or "") or whole(row)
