"""The middle of the page: what was asked, how to read, the answers, and the panels that explain them."""

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QEvent, QSettings, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.answer_menu import offer
from gpf_desktop.ui.review.answer_strip import AnswerStrip
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.explaining import explained, unexplained
from gpf_desktop.ui.review.find_line import FindLine
from gpf_desktop.ui.review.mark_slider import MarkSlider
from gpf_desktop.ui.review.panel_stack import PanelStack
from gpf_desktop.ui.review.reading_bar import ReadingBar
from gpf_desktop.ui.review.reading_content import IN_COLUMNS, Layout, PassageLine, Reading
from gpf_desktop.ui.review.reading_room import ReadingRoom
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.search_view_model import SearchViewModel
from gpf_desktop.ui.review.strip_content import strip_tiles
from gpf_desktop.ui.review.top_card import TopCard, TopContent
from gpf_desktop.ui.review.wording import settled_words
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, row_of, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.wording import count_of

_NARROWEST = 150
_NUMBERED = 9
_ROOMY = 900
"""Width at 100 % from which the slider of marks has its word."""
"""Answers that have a digit."""
_WIDTH, _ALONE, _MARKS = "review/column", "review/alone", "review/marks"


class ReadingPane(PlainWidget):
    """Layout and connections; what is shown is decided by the page's view models."""

    affected_toggled = Signal(object)
    """Levels whose answers are affected, or not any more."""

    def __init__(self, context: Context, model: ReviewViewModel) -> None:
        super().__init__()
        theme = context.theme
        self.model = model
        self._settings, self._theme = context.settings, theme
        self.top = TopCard(theme, context.actions, model.related.go)
        self.bar = ReadingBar(theme)
        self.answers = AnswersView(theme)
        self.strip = AnswerStrip(theme)
        self.all_answers = button(tr("All answers"), model.reader.compare_no_more, compact=True, name="review.all")
        self.all_answers.hide()
        self.amount = MarkSlider(theme)
        self.room = icon_button(theme, "inspector", tr("Fold queue and form away, or open them"))
        self.finding = FindLine(theme, self.answers, SearchViewModel(model, self))
        self.panels = PanelStack(theme)
        glance = row_of((self.strip, 1), (self.answers.choices.contrasts, 1), self.all_answers, spacing=SPACE_2)
        self._marks = label(tr("Marks"), "caption")
        self._marks.setBuddy(self.amount)
        ways = row_of((self.bar, 100), 1, self._marks, self.amount, self.room, spacing=SPACE_2)
        self._share = ReadingRoom(theme, self.answers, self.panels)
        self._share.put(self.top, ways, kept=column_of(glance, self.finding, spacing=SPACE_2))
        vbox(self._share, parent=self)
        actions = [context.actions.action(f"review.{name}") for name in ("mark", "code", "comment", "evidence")]
        self.answers.card_made.connect(lambda card: offer(card.text, actions))
        self._shown: tuple[Reading | None, Layout, tuple[str, ...]] = (None, Layout.COLUMNS, ())
        """What the answers show: laying them out again takes some milliseconds."""
        self._connect()
        self.answers.columns.set_width(stored_number(self._settings, _WIDTH))
        self.answers.columns.together.alone = bool(stored_number(self._settings, _ALONE))
        if self._settings.contains(_MARKS):
            self.model.reader.mark_more(stored_number(self._settings, _MARKS))
        theme.follow(self, lambda: self.setMinimumWidth(theme.px(_NARROWEST)))

    def _connect(self) -> None:
        reader = self.model.reader
        reader.arrived.connect(lambda _bundle: self._show_bundle())
        reader.reading_changed.connect(self._show_reading)
        reader.nameless.connect(self._forget_names)
        reader.left_audit.connect(self.finding.forget)
        reader.explained.connect(self._show_explanation)
        reader.changed.connect(self._show_standing)
        self.top.numbers_asked.connect(lambda: self.toggle_panel("why"))
        self.top.back_asked.connect(self.model.related.come_back)
        self.bar.layouts.layout_chosen.connect(reader.set_layout)
        self.bar.layouts.alone_chosen.connect(self.set_alone)
        self.amount.valueChanged.connect(reader.mark_more)
        self.amount.valueChanged.connect(partial(self._settings.setValue, _MARKS))
        self.strip.chosen.connect(self.read_answer)
        self.answers.columns.dropped.connect(self.answers.swap_in)
        self.answers.columns.seen_changed.connect(self._show_seen)
        self.answers.affected_toggled.connect(self.affected_toggled)
        self.strip.paired.connect(reader.compare)
        self.answers.columns.width_chosen.connect(partial(self._settings.setValue, _WIDTH))
        self.bar.options_chosen.connect(reader.set_options)
        self.bar.baseline_chosen.connect(reader.set_baseline)
        self.bar.control_asked.connect(reader.toggle_control)
        self.bar.panel_asked.connect(self.toggle_panel)
        model, guideline = self.model, self.panels.guideline
        model.changed.connect(self._show_guideline)
        model.reader.arrived.connect(lambda _bundle: self._show_guideline())
        model.examples.changed.connect(self._show_guideline)
        model.examples.practised.connect(self._show_practised)
        guideline.shown_asked.connect(model.open)
        guideline.removed.connect(model.examples.remove)
        guideline.make_asked.connect(model.make_example)
        guideline.practice_asked.connect(model.examples.practise)
        self.panels.readings.passage_asked.connect(self.show_passage)
        self.panels.changed.connect(self._share.place_panel)
        self.panels.closed.connect(lambda: self.toggle_panel(""))
        self.answers.choices.corrected.connect(self.model.correct)
        self.answers.repeats_asked.connect(self._show_repeats)
        self.answers.generation_stepped.connect(reader.step_generation)
        self.answers.answer_focused.connect(self.panels.prompt.choose)
        self.answers.answer_focused.connect(self._answer_focused)
        self.finding.found.connect(self._share.show_answers)

    def _forget_names(self) -> None:
        self.answers.forget_names()
        self.strip.forget()
        self.panels.forget_names()
        self.bar.show_panel(self.panels.shown)

    def _show_guideline(self) -> None:
        model = self.model
        self.panels.guideline.show_guideline(
            model.guideline or model.methods_guideline,
            model.examples.examples,
            leads=not model.assigned,
            practises=model.examples.practising,
        )

    def _show_practised(self, words: str) -> None:
        self.panels.guideline.show_feedback(words)
        if self.panels.shown != "guideline":
            self.toggle_panel("guideline")

    def read_answer(self, key: str) -> None:
        """Go to the answer called *key*; where two are compared and it is neither, all are shown again."""
        reader = self.model.reader
        card = None if reader.reading is None else reader.reading.card_of(key)
        if card is None:
            return
        if reader.shown_pair and not any(each in card.levels for each in reader.shown_pair):
            reader.compare_no_more()
        self.answers.swap_in(card.key)
        # One that has the keyboard already may have been scrolled out of sight.
        self._share.show_answers()

    def event(self, event: QEvent) -> bool:
        """Digits bring an answer into the columns while no severity is asked for; from 5 on always."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._numbered(event) >= 0:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = self._numbered(event)
        if number >= 0:
            self.go_to(number)
        else:
            super().keyPressEvent(event)

    def _numbered(self, event: QKeyEvent) -> int:
        """The number, from 0, of the answer that *event* asks for; -1: of none."""
        number = event.key() - Qt.Key.Key_1
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not 0 <= number < _NUMBERED:
            return -1
        grades = self.model.draft.judgement.verdict is Verdict.HARMFUL
        return -1 if self.answers.shows_choices or (grades and number < len(SEVERITIES)) else number

    def landing(self) -> QWidget | None:
        """The widget at which one reads on: the answer that was read last, not the pin above it."""
        return self.answers.part(self.strip.current) or self.answers.first()

    def go_to(self, number: int) -> None:
        """Go to the answer of the tile at *number*, from 0."""
        self.strip.choose(number)

    @property
    def alone(self) -> bool:
        """Each answer scrolls by itself."""
        return self.answers.columns.together.alone

    def set_alone(self, alone: bool) -> None:
        self.answers.columns.together.alone = alone
        self._settings.setValue(_ALONE, int(alone))
        self.bar.show_layout(self.model.reader.layout, alone=alone)

    def _answer_focused(self, key: str) -> None:
        reading = self.model.reader.reading
        card = None if reading is None else reading.card_of(key)
        if card is not None and self.strip.current not in card.levels:
            self.strip.show_current(key)
        self._share.show_answers()

    def toggle_panel(self, name: str) -> None:
        """Open the panel called *name*, or close it where it is open."""
        focused = QApplication.focusWidget()
        inside = focused is not None and self.panels.isAncestorOf(focused)
        self.panels.toggle(name)
        self.bar.show_panel(self.panels.shown)
        if inside and not self.panels.shown:
            # Qt would hand the keyboard to whatever is next, out of the reach of the keys that judge.
            self.answers.focus_first()

    def show_place(self) -> None:
        """Show the place of the open bundle in the queue, or how it is related to the bundle that was left there."""
        model, reader = self.model, self.model.reader
        if reader.bundle is None or reader.reading is None:
            return
        shown = TopContent(
            bundle=reader.bundle,
            model=model.model_called(reader.bundle.model),
            blind=reader.reading.blind,
            scored=model.reading_scored,
            settled=settled_words(
                model.settled, beside_own=not model.settles and reader.bundle.state.submitted is not None
            ),
            why_no_model=model.related.why_no_model(),
            why_no_item=model.related.why_no_item(),
        )
        self.top.show_bundle(shown)
        home = model.related.home
        self.top.show_related(model.related.words, "" if home is None else self._place(home))

    def show_passage(self, line: PassageLine) -> None:
        """Go to a marked passage, in a layout in which the answers stand whole."""
        self._show_whole_answers()
        self.answers.show_place(line.level, line.start, line.end)

    def open_find(self) -> QWidget:
        """Show the line that looks for words in the answers; its field."""
        self._show_whole_answers()
        self.finding.show()
        # What is typed takes the place of what was looked for last.
        self.finding.field.selectAll()
        return self.finding.field

    def _show_whole_answers(self) -> None:
        reader = self.model.reader
        if reader.layout is Layout.GRID:
            reader.set_layout(Layout.COLUMNS)
            self._show_answers()

    def _place(self, bundle_id: BundleId) -> str:
        model = self.model
        at = model.queue.index(model.tab, bundle_id)
        return count_of(at + 1, model.queue.count(model.tab)) if at >= 0 else ""

    def _show_bundle(self) -> None:
        reader = self.model.reader
        if reader.bundle is None:
            self._show_answers()
        self.panels.guideline.show_feedback("")
        self.answers.show_shares({})

    def _show_reading(self) -> None:
        reader = self.model.reader
        self._show_answers()
        self.finding.look_again()
        self.bar.show_options(reader.options, reader.reading)
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_bundle(reader.bundle, reader.reading)
            self.show_readings()
            self.show_place()
            self._show_explanation()

    def _show_standing(self) -> None:
        reader = self.model.reader
        self.bar.show_options(reader.options, reader.reading)
        self.bar.show_layout(reader.layout, alone=self.alone)
        self._show_answers()
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_history(reader.bundle, reader.reading)

    def show_readings(self) -> None:
        """In the tab Disagree, what each reviewer says."""
        reader = self.model.reader
        if self.model.settles:
            self.panels.show_readings(reader.bundle, reader.reading)
        else:
            self.panels.show_readings(None, None)
        self.bar.show_panel(self.panels.shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_marks()

    def _fit_marks(self) -> None:
        """The slider's word gives way to the buttons beside it; its tool tip says it too."""
        roomy = self.width() >= self._theme.px(_ROOMY)
        self._marks.setVisible(roomy and not self.amount.isHidden())

    def _show_answers(self) -> None:
        reader = self.model.reader
        reading, layout, pair = reader.reading, reader.layout, reader.shown_pair
        choices = None if reading is None else reading.choices
        same = reading is not None and choices is None and reading is self._shown[0]
        if not same or (layout, pair) != self._shown[1:]:
            self._shown = (reading, layout, pair)
            self.bar.setVisible(choices is None)
            self.amount.setVisible(choices is None)
            self._fit_marks()
            self.answers.choices.contrasts.setVisible(choices is not None)
            if choices is not None and reader.bundle is not None:
                self.answers.show_choices(choices, reader.bundle)
            else:
                self.answers.show_reading(reading, layout, pair)
            self.all_answers.setVisible(bool(pair))
            self._share.fit()
        self._show_strip()

    def _show_strip(self) -> None:
        reader = self.model.reader
        explanation = reader.explanation if self.model.reading_scored else None
        affected = self.model.draft.judgement.affected
        tiles = () if reader.reading is None else strip_tiles(reader.reading, explanation, affected)
        self.strip.setVisible(len(tiles) > 1)
        if self.amount.value() != reader.options.amount:
            self._settings.setValue(_MARKS, reader.options.amount)
        self.amount.show_amount(reader.options.amount)
        self.strip.show_tiles(tiles, pair=reader.shown_pair)
        self.strip.show_current(self.answers.read)
        self._show_seen()

    def _show_seen(self) -> None:
        """The strip says which answers stand in columns that are in sight."""
        keys: set[str] = set()
        if self.model.reader.layout in IN_COLUMNS and not self.answers.shows_choices:
            keys.update(*(card.content.levels for card in self.answers.columns.in_sight() if card.content))
        self.strip.tiles.show_seen(keys)

    def show_affected(self, affected: Collection[str]) -> None:
        """Ticked on the answers themselves, and told in the strip."""
        self.answers.show_affected(affected)
        self._show_strip()

    def _show_explanation(self) -> None:
        self._show_strip()
        reader = self.model.reader
        if not self.model.reading_scored:
            self.answers.show_shares({})
            self.panels.hide_explanation()
        elif reader.reading is not None and reader.explanation is not None:
            found = explained(reader.reading, reader.explanation)
            self.answers.show_shares(found.shares)
            self.panels.show_explanation(found)
        elif reader.bundle is not None and reader.is_explained:
            self.answers.show_shares({})
            self.panels.show_explanation(unexplained(reader.bundle))
        else:
            self.panels.show_explanation(tr("Working out what moved the score …"))

    def _show_repeats(self, level: str) -> None:
        reading = self.model.reader.reading
        if reading is not None:
            self.panels.show_repeats(reading, level)
            self.bar.show_panel(self.panels.shown)


def stored_number(settings: QSettings, name: str) -> int:
    """The number kept under *name*; 0 where that is no number."""
    kept = str(settings.value(name, ""))
    # Not `isdigit`, which takes "²" as well, of which `int` makes nothing.
    return int(kept) if kept.isdecimal() else 0
