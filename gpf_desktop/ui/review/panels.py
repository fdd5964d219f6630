"""Panels that open under the answers: why this score, the prompt as sent, repeats, and the history."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from gpf_desktop.domain.reviews import ReviewEntry
from gpf_desktop.domain.text import in_quotes, signed, tr, trn
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.engine.review.review_reading import ReadBundle, sent_prompt
from gpf_desktop.storage.letters import LETTERS
from gpf_desktop.storage.responses import Answer
from gpf_desktop.ui.review.explaining import AnswerLine, TermLine
from gpf_desktop.ui.review.letter_box import LetterBox
from gpf_desktop.ui.review.reading_content import CONTROL, Reading, heading_of
from gpf_desktop.ui.review.wording import action_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import caption, label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.span_text import SpanTextView
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import decimal, moment, percent

_ROW = 26
_ANSWERS_SEEN, _TERMS_SEEN = 12, 8


class WhyPanel(PlainWidget):
    """Shares of the score by answer and by term; each adds up to the score."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sum = caption("", name="review.why.sum")
        self.answers = RowsTableModel[AnswerLine](
            theme,
            (
                TableColumn(title=tr("Answer"), text=lambda line: line.name, stretch=True, width=64),
                TableColumn(
                    title=tr("Share"), text=lambda line: percent(line.share, 1), numeric=True,
                    sort=lambda line: line.share, help=_share_help(),
                    width=84,
                ),
                TableColumn(
                    title=tr("Without it"), numeric=True, sort=lambda line: line.without,
                    text=lambda line: tr("too few") if line.without is None else decimal(line.without, 2), width=92,
                    help=tr("How far apart the others lie, in words, without this answer."),
                ),
                TableColumn(
                    title=tr("Tone"), text=lambda line: signed(line.compound, 2), numeric=True,
                    sort=lambda line: line.compound, help=tr("VADER compound, −1 to +1."), width=58,
                ),
            ),
            key=lambda line: line.level,
        )  # fmt: skip
        self.terms = RowsTableModel[TermLine](
            theme,
            (
                TableColumn(title=tr("Term"), text=lambda line: line.term, stretch=True),
                TableColumn(
                    title=tr("Share"), text=lambda line: percent(line.share, 1, 1), numeric=True,
                    sort=lambda line: line.share, width=88,
                ),
                TableColumn(
                    title=tr("Most in"), text=lambda line: line.most, width=76,
                    help=tr("The answers in which the term weighs most."),
                ),
            ),
            key=lambda line: line.term,
        )  # fmt: skip
        answers = DataTable(theme, self.answers, says=tr("Shares of the score by answer"), row_height=_ROW)
        answers.setObjectName("review.why.answers")
        terms = DataTable(theme, self.terms, says=tr("Shares of the score by term"), row_height=_ROW)
        terms.setObjectName("review.why.terms")
        self._tables = {answers: _ANSWERS_SEEN, terms: _TERMS_SEEN}
        """With the rows that are to be seen of each where the height is theirs to choose."""
        self._column = vbox(parent=self, spacing=SPACE_2)
        for table in self._tables:
            table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self._column.addWidget(table)
        self._column.addWidget(self._sum)

    def show_lines(self, summary: str, answers: Sequence[AnswerLine], terms: Sequence[TermLine]) -> None:
        self._sum.setText(summary)
        self.answers.set_rows(answers)
        self.terms.set_rows(terms)
        for table, rows in self._tables.items():
            # Of what is hidden from a blind reader not even the head of a table.
            table.setVisible(table.model().rowCount() > 0)
            self._column.setStretchFactor(table, table.height_of(rows))
        self._cut_no_row()
        self.updateGeometry()

    def needed(self, width: int) -> int:
        """Pixels of height in which every answer and the heaviest terms can be read at *width*."""
        shown = {table: rows for table, rows in self._tables.items() if not table.isHidden()}
        return sum(table.height_of(rows) + SPACE_2 for table, rows in shown.items()) + self._sum.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut_no_row()

    def _cut_no_row(self) -> None:
        """Shorten each table to whole rows where there is less room than all rows take."""
        tables = [table for table in self._tables if not table.isHidden()]
        heads = sum(table.height_of(0) + SPACE_2 for table in tables)
        left = self.height() - self._sum.heightForWidth(self.width()) - heads
        for number, table in zip(range(len(tables), 0, -1), tables, strict=True):
            row = table.verticalHeader().defaultSectionSize()
            # The answers come first, but leave the terms their part.
            rows = max(1, min(table.model().rowCount(), -(-left // row) * 3 // 5 if number > 1 else left // row))
            table.setMaximumHeight(table.height_of(rows))
            left -= rows * row


class PromptPanel(PlainWidget):
    """The exact message of one cell, and what the provider was sent and said."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._bundle: ReadBundle | None = None
        self._keys: list[str] = []
        self._answers: dict[str, Answer] = {}
        self.choice = named(
            LetterBox(sizeAdjustPolicy=LetterBox.SizeAdjustPolicy.AdjustToContents),
            "review.prompt.answer",
            tr("Answer whose prompt is shown"),
        )
        self.choice.currentIndexChanged.connect(self._show)
        self._facts = caption()
        self._prompt = SpanTextView(theme, says=tr("Prompt as sent"), framed=True, name="review.prompt.text")
        self._hidden = secondary(
            tr("The prompt would tell which answer it is. It is shown once names are revealed."),
            wrap=True,
        )
        vbox(self._hidden, (self._prompt, 1), self._facts, parent=self, spacing=SPACE_2)

    def show_bundle(self, bundle: ReadBundle, reading: Reading) -> None:
        """The answer whose prompt is shown stays, where there is one for it."""
        chosen = self._keys[at] if 0 <= (at := self.choice.currentIndex()) < len(self._keys) else ""
        self._bundle = None if reading.blind else bundle
        self._answers = _asked(bundle, reading)
        self._keys = list(self._answers)
        self.choice.blockSignals(True)
        self.choice.clear()
        for key in self._keys:
            card = reading.card_of(key)
            free = card is not None and card.generation is not None
            plain = reading.letters.get(key, "")
            words = heading_of(card) if card is not None and free else f"{plain} · {key}"
            self.choice.addItem(plain if reading.blind and not free else words)
        self.choice.setCurrentIndex(self._keys.index(chosen) if chosen in self._keys else 0)
        self.choice.blockSignals(False)
        self._hidden.setVisible(reading.blind)
        self._prompt.setVisible(not reading.blind)
        self._facts.setVisible(not reading.blind)
        self.choice.setEnabled(not reading.blind)
        self._show(self.choice.currentIndex())

    def forget(self) -> None:
        """The next bundle's first answer is shown, whichever was."""
        self._keys = []

    def choose(self, key: str) -> None:
        if key in self._keys:
            self.choice.setCurrentIndex(self._keys.index(key))

    def _show(self, at: int) -> None:
        bundle = self._bundle
        if bundle is None or not 0 <= at < len(self._keys):
            self._prompt.show_text("")
            self._facts.setText("")
            return
        answer = self._answers[self._keys[at]]
        sent = sent_prompt(bundle, answer)
        system = tr("System") + f"\n{sent.prompt.system}\n\n" if sent.prompt.system else ""
        self._prompt.show_text(f"{system}{tr('User')}\n{sent.prompt.talk}")
        self._facts.setText(sent_with(answer))


def _asked(bundle: ReadBundle, reading: Reading) -> dict[str, Answer]:
    """Answers that can be chosen, by the cards' keys: the bundle's, and its control's while it is shown."""
    by_level = {each.level: each.answer for each in bundle.answers}
    found = {level: by_level[level] for level in reading.letters}
    card = reading.card_of(CONTROL)
    if card is not None and card.generation is not None and bundle.control is not None:
        found[CONTROL] = bundle.control.generations[card.generation.number - 1]
    return found


def sent_with(answer: Answer) -> str:
    """A sentence on the options sent beside the message of *answer*, and on how the call ended."""
    parts = [f"{name} {value}" for name, value in answer.sent.items() if name not in {"not_supported", LETTERS}]
    left_out = answer.sent.get("not_supported")
    if isinstance(left_out, list) and left_out:
        parts.append(
            tr("left out or changed, as the provider does not take it: {names}", names=", ".join(map(str, left_out)))
        )
    if answer.finish:
        parts.append(tr("ended with “{word}”", word=answer.finish))
    if answer.seconds is not None:
        parts.append(tr("{n} s", n=decimal(answer.seconds, 1)))
    if answer.request_id:
        parts.append(answer.request_id)
    if parts:
        return tr("Sent: {facts}", facts=" · ".join(parts))
    # Imported: nobody said more of it than the answer.
    return tr("Asked elsewhere: what was sent with it is not known.") if answer.text else tr("Nothing was sent yet.")


class RepeatsPanel(PlainWidget):
    """The generations of one question, to see how much the wording moves by itself."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._holder = QWidget()
        self._row = hbox(parent=self._holder, spacing=SPACE_4)
        vbox((scrolling(self._holder), 1), parent=self)

    def forget(self) -> None:
        clear_layout(self._row)

    def show_repeats(self, reading: Reading, level: str) -> None:
        clear_layout(self._row)
        card = next((card for card in reading.cards if level in card.levels), None)
        if card is None:
            return
        answers = (card, *card.repeats)
        for number, content in enumerate(answers, start=1):
            who = f"{card.letter} · {tr('answer {n} of {all}', n=number, all=len(answers))}"
            cell = vbox(label(who, "heading"))
            text = SpanTextView(self._theme, says=who)
            text.show_text(content.missing or content.shown.text)
            cell.addWidget(text, 1)
            self._row.addLayout(cell, 1)


class HistoryPanel(PlainWidget):
    """Everything that anybody did with this bundle; in blind mode one's own entries only."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[ReviewEntry, ...] | None = None
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_2, wide=3)
        vbox((scrolling(column_of(self._grid, 1)), 1), parent=self)

    def show_entries(self, entries: Sequence[ReviewEntry]) -> None:
        """The page tells of one bundle several times; what is shown already stays."""
        if tuple(entries) == self._shown:
            return
        self._shown = tuple(entries)
        clear_layout(self._grid)
        if not entries:
            self._grid.addWidget(secondary(tr("Nobody has said anything about this set of answers yet.")), 0, 0)
        for at, entry in enumerate(entries):
            said = entry.judgement
            words = [judged(said.verdict, said.severity)] if said.verdict is not None else []
            if said.affected:
                words.append(trn("{n} affected answer", "{n} affected answers", len(said.affected)))
            if said.passages:
                words.append(trn("{n} marked passage", "{n} marked passages", len(said.passages)))
                words += [in_quotes(passage.comment) for passage in said.passages if passage.comment]
            if said.note:
                words.append(in_quotes(said.note))
            cells: list[QLabel] = [
                secondary(moment(entry.at)),
                label(entry.reviewer),
                label(action_words(entry.action)),
                label(" · ".join(words), wrap=True),
                secondary(entry.hash[:10]),
            ]
            cells[-1].setToolTip(plain_tip(tr("Check code of this entry: {hash}", hash=entry.hash)))
            for column, cell in enumerate(cells):
                self._grid.addWidget(cell, at, column)


def _share_help() -> str:
    return tr("This answer's part of the score: half of each of its pairs. All parts add up to it.")
