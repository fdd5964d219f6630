"""The answers beside each other: columns with pinned ones, a stack, or a grid of sentences."""

import re
from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.choice_grid import ChoiceGrid
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.answer_columns import AnswerColumns
from gpf_desktop.ui.review.answer_stack import AnswerStack
from gpf_desktop.ui.review.choice_view import ChoiceView
from gpf_desktop.ui.review.reading_content import IN_COLUMNS, CardContent, Layout, Reading
from gpf_desktop.ui.review.sentence_grid_view import SentenceGridView
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import put_in_later
from gpf_desktop.ui.widgets.span_text import Mark

PINNED = 3
_STEPS = frozenset({Mark.CARRIES_MOST, Mark.ONLY_HERE, Mark.CARRIES_LITTLE, Mark.MISSING_HERE})


class AnswersView(QStackedWidget):
    """Shows a `Reading` in one of the layouts. Cards are made once and filled again for each bundle."""

    repeats_asked = Signal(str)
    card_made = Signal(object)
    """An `AnswerCard`, which stays for the bundles to come."""
    answer_focused = Signal(str)
    """The level whose answer has the keyboard."""
    affected_toggled = Signal(object)
    """Levels whose answers are affected, or not any more."""
    generation_stepped = Signal(int)
    """Another of the control's answers is wanted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("review.answers")
        self.setAccessibleName(tr("Answers"))
        self.columns = AnswerColumns(theme)
        self.stack = AnswerStack(theme)
        self.grid = SentenceGridView(theme)
        self.choices = ChoiceView(theme)
        self._reading: Reading | None = None
        self._layout = Layout.COLUMNS
        self._shares: dict[str, tuple[str, str]] = {}
        self._affected: Collection[str] = ()
        self._pinned: list[str] = []
        self._arranged: list[str] = []
        """Keys of the answers in the order that swapping gave the columns; empty: that of the reading."""
        self._sought: re.Pattern[str] | None = None
        self._pair: tuple[str, ...] = ()
        self._difference: tuple[int, int] = (-1, -1)
        self._found: tuple[int, int] = (-1, -1)
        """Card and character of the place found last."""
        for page in (self.columns, self.stack, self.grid):
            self.addWidget(page)
        put_in_later(self, self.choices)
        for holder in (self.columns, self.stack):
            holder.card_made.connect(self._join)
            holder.card_made.connect(self.card_made)

    @property
    def pinned(self) -> tuple[str, ...]:
        return tuple(self._pinned)

    def cards(self) -> list[AnswerCard]:
        """The cards that are shown now, in order."""
        return self.stack.cards() if self._layout is Layout.STACK else self.columns.cards()

    def forget_names(self) -> None:
        """Nothing that was chosen by name, or lies where it was left, goes on to tell whose answer is whose."""
        self._pinned.clear()
        self._arranged.clear()
        self._difference = self._found = (-1, -1)
        for card in (*self.columns.cards(), *self.stack.cards()):
            card.text.choose(0, 0)
            card.text.verticalScrollBar().setValue(0)
        for area in (self.columns.area, self.stack.area, self.grid):
            area.verticalScrollBar().setValue(0)
            area.horizontalScrollBar().setValue(0)
        self.grid.setCurrentIndex(QModelIndex())

    def show_choices(self, grid: ChoiceGrid, bundle: ReadBundle) -> None:
        """A grid of choices, in whatever layout others are read."""
        # One reading is told of several times: each turn to the cards and back would lay out both pages anew.
        if not self.shows_choices:
            self.show_reading(None, self._layout)
        self.choices.show_grid(grid, bundle)
        if self.indexOf(self.choices) < 0:
            self.addWidget(self.choices)
        self.setCurrentWidget(self.choices)

    def show_reading(self, reading: Reading | None, layout: Layout, pair: tuple[str, ...] = ()) -> None:
        """Show *reading*, or nothing; of a *pair* only its two answers, in its order."""
        self._pair = pair
        self._forget_arranged(reading)
        cards = self._arranged_of(self._chosen_of(reading), layout)
        before = [card.content.cell_id for card in self.cards() if card.content]
        if layout is not self._layout or before != [c.cell_id for c in cards]:
            self._difference = self._found = (-1, -1)
        read, same = self.read, self._shares_answers(reading)
        self._reading, self._layout = reading, layout
        self._show_cards(cards)
        for card in self.cards():
            card.text.mark_found(self._sought)
        self._show_shares()
        if read and same and self.read != read:
            self.focus_answer(read)
        # The answer that had the keyboard is not there any more, or the view held it until there was one.
        if self.hasFocus() or (read and not (same and self.read == read)):
            self.focus_first()
        if not same:
            # Answers that were given the keyboard were brought into sight from where others lay.
            self.stack.area.verticalScrollBar().setValue(0)

    @property
    def read(self) -> str:
        """The key of the answer that has the keyboard; empty: none has."""
        if self._layout is Layout.GRID:
            return self.grid.read
        read = next((card.content for card in self.cards() if card.content and _has_keyboard(card)), None)
        return "" if read is None else read.key

    @property
    def chosen(self) -> QWidget | None:
        """The answer of which words are selected; None: of none."""
        return next((card.text for card in self.cards() if card.text.selected() is not None), None)

    def focus_answer(self, key: str) -> None:
        """Give the keyboard to the answer called *key*, and bring it into sight from its beginning."""
        if self._layout is Layout.GRID:
            self.grid.show_column(key)
            return
        card = self._card_of(key)
        if card is not None:
            card.reader.setFocus()
            if self._layout is Layout.STACK:
                self.stack.show_top(card)
            else:
                self.columns.reveal(card)

    def swap_in(self, key: str, onto: str = "") -> None:
        """Have the answer called *key* in sight, in the column of *onto*, or of the one that is read, and go to it."""
        card = self._card_of(key)
        if card is None or self._layout not in IN_COLUMNS or self._reading is None:
            self.focus_answer(key)
            return
        seen = self.columns.in_sight()
        target = self._card_of(onto) if onto else None
        if target is None and card not in seen:
            free = [each for each in seen if each.content and not set(each.content.levels) & set(self._pinned)] or seen
            read = next((each for each in free if _has_keyboard(each)), None)
            target = read or free[-1]
        if target is not None and target is not card and target.content is not None and card.content is not None:
            order = [each.content.key for each in self.columns.cards() if each.content is not None]
            one, other = order.index(card.content.key), order.index(target.content.key)
            order[one], order[other] = order[other], order[one]
            key = card.content.key
            self._arranged = order
            self._difference = self._found = (-1, -1)
            # Not as another look at the set, which would go back to the answer that was read.
            self._show_cards(self._arranged_of(self._chosen_of(self._reading), self._layout))
            for each in self.cards():
                each.text.mark_found(self._sought)
            self._show_shares()
        self.focus_answer(key)

    def focus_first(self) -> None:
        """Give the keyboard to the first answer in sight."""
        first = self.first()
        if first is not None:
            first.setFocus()

    def part(self, key: str) -> QWidget | None:
        """The widget that has the keyboard while the answer *key* is read; None where the answer does not stand as a
        whole.
        """
        card = None if self.shows_choices or self._layout is Layout.GRID else self._card_of(key)
        return None if card is None else card.reader

    @property
    def shows_choices(self) -> bool:
        """A grid of choices stands there rather than answers."""
        return self.currentWidget() is self.choices

    def first(self) -> QWidget | None:
        """The first answer in sight; None where there is none."""
        if self.shows_choices:
            return self.choices.table
        if self._layout is Layout.GRID:
            return self.grid
        return next((card.text for card in self.cards() if card.text.isVisibleTo(self)), None)

    def _show_cards(self, cards: Sequence[CardContent]) -> None:
        reading, layout = self._reading, self._layout
        match layout:
            case Layout.GRID:
                self.grid.show_grid(None if reading is None else reading.grid)
                self.setCurrentWidget(self.grid)
            case Layout.STACK:
                self.stack.show_cards(cards)
                self.setCurrentWidget(self.stack)
            case Layout.COLUMNS | Layout.BASELINE:
                grid = None if reading is None else reading.grid
                self.columns.show_cards(cards, () if self._pair else self._pins(cards, layout), grid)
                self.setCurrentWidget(self.columns)

    def show_shares(self, shares: dict[str, tuple[str, str]]) -> None:
        """Level → (words, help)."""
        self._shares = shares
        self._show_shares()

    def next_difference(self, step: int) -> bool:
        """Go to the next mark of a difference, through all cards; False where there is none."""
        if self._layout is Layout.GRID:
            return self.grid.next_alone(step)
        marks = [
            (at, span.start)
            for at, card in enumerate(self.cards())
            if card.content is not None and not card.content.missing
            for span in sorted(card.content.spans, key=lambda span: span.start)
            if span.mark in _STEPS
        ]
        if not marks:
            return False
        ahead = [mark for mark in marks if (mark > self._difference if step > 0 else mark < self._difference)]
        around = ahead or marks
        target = around[0] if step > 0 else around[-1]
        card = self.cards()[target[0]]
        card.text.setFocus()
        card.text.reveal(target[1])
        self._follow(card)
        self._difference = target
        return True

    def mark_found(self, words: str) -> None:
        """Mark every place of *words* in the answers shown, and in those of the bundles to come; empty: none."""
        # By a pattern rather than in folded text, where places are others: "ß" folds to two letters.
        self._sought = re.compile(re.escape(words), re.IGNORECASE) if words else None
        for card in self.cards():
            card.text.mark_found(self._sought)

    def seek(self, words: str, step: int) -> tuple[int, int]:
        """Select a place of *words*, *step* from the last one found; its number from 1, and how many there are."""
        sought = re.compile(re.escape(words), re.IGNORECASE)
        places = [
            (at, found.start(), found.end())
            for at, card in enumerate(self.cards())
            if words and card.content is not None and not card.content.missing
            for found in sought.finditer(card.content.shown.text)
        ]
        if not places:
            return 0, 0
        last = self._found
        ahead = [place for place in places if place[:2] > last or (step == 0 and place[:2] == last)]
        before = [place for place in places if place[:2] < last]
        at, start, end = (before or places)[-1] if step < 0 else (ahead or places)[0]
        self._found = (at, start)
        card = self.cards()[at]
        card.text.choose(start, end)
        if self._layout is Layout.STACK:
            self.stack.show_cursor(card)
        else:
            self.columns.reveal(card)
        return places.index((at, start, end)) + 1, len(places)

    def show_place(self, level: str, start: int, end: int) -> bool:
        """Select a stretch of the answer for *level*; False where the layout shows no whole answers."""
        card = self._card_of(level)
        if card is None or self._layout is Layout.GRID:
            return False
        card.text.setFocus()
        card.text.choose(start, end)
        self._follow(card)
        return True

    def _card_of(self, key: str) -> AnswerCard | None:
        return next((card for card in self.cards() if card.content and key in card.content.levels), None)

    def _shares_answers(self, reading: Reading | None) -> bool:
        """Whether *reading* is another look at the bundle that is shown, with as many names."""
        if reading is None or self._reading is None or reading.blind is not self._reading.blind:
            return False
        return not {card.cell_id for card in reading.cards}.isdisjoint(card.cell_id for card in self._reading.cards)

    def _chosen_of(self, reading: Reading | None) -> tuple[CardContent, ...]:
        if reading is None:
            return ()
        found = [reading.card_of(key) for key in self._pair]
        return tuple(card for card in found if card is not None) if found else reading.cards

    def _forget_arranged(self, reading: Reading | None) -> None:
        """Another order was asked for; or names are hidden, and a place that is kept would tell whose answer it is."""
        before, now = self._reading, reading
        if before is None or now is None or not self._arranged or before is now:
            return
        same = self._shares_answers(now)
        reordered = same and [card.key for card in before.cards] != [card.key for card in now.cards]
        if reordered or (now.blind and not same):
            self._arranged.clear()

    def _arranged_of(self, cards: tuple[CardContent, ...], layout: Layout) -> tuple[CardContent, ...]:
        """The *cards* of columns in the order to which they were swapped; cards that were not there then come last."""
        if self._pair or not self._arranged or layout not in IN_COLUMNS:
            return cards
        places = {key: at for at, key in enumerate(self._arranged)}
        first = [
            min((places[level] for level in card.levels if level in places), default=len(places)) for card in cards
        ]
        return tuple(card for _at, card in sorted(zip(first, cards, strict=True), key=lambda pair: pair[0]))

    def _follow(self, card: AnswerCard) -> None:
        if self._layout is Layout.STACK:
            self.stack.show_cursor(card)

    def _pins(self, cards: Sequence[CardContent], layout: Layout) -> list[str]:
        pins = [level for level in self._pinned if any(level in card.levels for card in cards)]
        base = next((card for card in cards if card.baseline), None)
        if layout is Layout.BASELINE and base is not None and not any(pin in base.levels for pin in pins):
            pins = [base.key, *pins]
        return pins[:PINNED]

    def _join(self, card: AnswerCard) -> None:
        card.pin_asked.connect(self._toggle_pin)
        card.repeats_asked.connect(self.repeats_asked)
        card.focused.connect(self._focused)
        card.generation_stepped.connect(self.generation_stepped)
        card.affected_toggled.connect(self.affected_toggled)
        card.text.selectionChanged.connect(partial(self._chose, card))

    def _chose(self, card: AnswerCard) -> None:
        """Words are selected in one answer at a time, so that what is marked is what was selected last."""
        if card.text.selected() is not None:
            for other in self.cards():
                if other is not card:
                    other.text.choose_nothing()

    def _focused(self, card: AnswerCard) -> None:
        if card.content is not None:
            self.answer_focused.emit(card.content.key)

    def _toggle_pin(self, level: str) -> None:
        card = None if self._reading is None else self._reading.card_of(level)
        together = (level,) if card is None else card.levels
        kept = [pin for pin in self._pinned if pin not in together]
        # Of too many, the one that was pinned first gives way.
        self._pinned = kept if len(kept) < len(self._pinned) else [*kept, level][-PINNED:]
        self._difference = (-1, -1)
        self.show_reading(self._reading, self._layout, self._pair)

    def show_affected(self, affected: Collection[str]) -> None:
        """*affected*: levels."""
        self._affected = affected
        self._show_shares()

    def _show_shares(self) -> None:
        for card in self.cards():
            if card.content is not None:
                card.show_affected(affected=not set(card.content.levels).isdisjoint(self._affected))
                card.show_share(*self._shares.get(card.content.key, ("", "")))


def _has_keyboard(card: AnswerCard) -> bool:
    """A refusal has it as a card, since there is no text to give it to."""
    return card.hasFocus() or card.text.hasFocus()
