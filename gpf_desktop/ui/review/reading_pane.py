"""The middle of the page: what was asked, how to read, the answers, and the panels that explain them."""

from functools import partial

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.answer_strip import AnswerStrip
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.explaining import explained
from gpf_desktop.ui.review.find_line import FindLine
from gpf_desktop.ui.review.mark_slider import MarkSlider
from gpf_desktop.ui.review.panel_stack import PanelStack
from gpf_desktop.ui.review.reading_bar import ReadingBar
from gpf_desktop.ui.review.reading_content import Layout, PassageLine
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.search_view_model import SearchViewModel
from gpf_desktop.ui.review.strip_content import strip_tiles
from gpf_desktop.ui.review.top_card import TopCard
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.wording import count_of

_NARROWEST = 150
_WIDTH, _ALONE = "review/column", "review/alone"
_ASIDE = frozenset({"why"})
_SHEET = 300
"""Pixels at 100 % of a panel that stands beside the answers."""
_LEAST_ANSWER = 224
_LEAST_GRID = 380
"""Of choices, with what is behind the one that is open."""
_LEAST_OF_LARGE_TEXT = 360
"""Pixels that the answers have at any text size; a larger text scrolls in them."""


class _Split(QSplitter):
    """Answers beside or above the panel that is open; asks for no more room than they need at least."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class ReadingPane(QWidget):
    """Layout and connections; what is shown is decided by the page's view models.

    With large text in a small window all of it scrolls, so that the answers keep some lines.
    """

    def __init__(self, context: Context, model: ReviewViewModel) -> None:
        super().__init__()
        self.setProperty("plain", True)
        theme = context.theme
        self._theme = theme
        self._model = model
        self._settings = context.settings
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
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.top)
        column.addWidget(self.bar)
        glance = QHBoxLayout()
        glance.setSpacing(SPACE_2)
        glance.addWidget(self.strip, 1)
        glance.addWidget(self.answers.choices.contrasts, 1)
        glance.addWidget(self.all_answers)
        tools = QVBoxLayout()
        tools.setSpacing(0)
        tools.addWidget(self.room, 0, Qt.AlignmentFlag.AlignRight)
        tools.addWidget(self.amount)
        glance.addLayout(tools)
        column.addLayout(glance)
        column.addWidget(self.finding)
        self._split = _Split()
        self._split.addWidget(self.answers)
        self._split.addWidget(self.panels)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._split.setChildrenCollapsible(False)
        column.addWidget(self._split, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        area = scrolling(content, "review.reading")
        area.verticalScrollBar().rangeChanged.connect(
            lambda _low, most: column.setContentsMargins(0, 0, SPACE_2 if most else 0, 0)
        )
        whole.addWidget(area)
        self._connect()
        self.answers.columns.set_width(stored_number(self._settings, _WIDTH))
        self.answers.columns.together.alone = bool(stored_number(self._settings, _ALONE))
        theme.follow(self, self._restyle)

    def _connect(self) -> None:
        reader = self._model.reader
        reader.arrived.connect(lambda _bundle: self._show_bundle())
        reader.reading_changed.connect(self._show_reading)
        reader.explained.connect(self._show_explanation)
        reader.changed.connect(self._show_standing)
        self.top.back_asked.connect(self._model.related.come_back)
        self.bar.layouts.layout_chosen.connect(reader.set_layout)
        self.bar.layouts.alone_chosen.connect(self.set_alone)
        self.amount.valueChanged.connect(reader.mark_more)
        self.strip.chosen.connect(self.read_answer)
        self.strip.paired.connect(reader.compare)
        self.answers.columns.width_chosen.connect(partial(self._settings.setValue, _WIDTH))
        self.bar.options_chosen.connect(reader.set_options)
        self.bar.baseline_chosen.connect(reader.set_baseline)
        self.bar.control_asked.connect(reader.toggle_control)
        self.bar.panel_asked.connect(self.toggle_panel)
        self.panels.readings.passage_asked.connect(self.show_passage)
        self.panels.changed.connect(self._place_panel)
        self.panels.closed.connect(lambda: self.toggle_panel(""))
        self.answers.choices.corrected.connect(self._model.correct)
        self.answers.repeats_asked.connect(self._show_repeats)
        self.answers.generation_stepped.connect(reader.step_generation)
        self.answers.answer_focused.connect(self.panels.prompt.choose)
        self.answers.answer_focused.connect(self._answer_focused)

    def read_answer(self, key: str) -> None:
        """Go to the answer called *key*; where two are compared and it is neither, all are shown again."""
        reader = self._model.reader
        card = None if reader.reading is None else reader.reading.card_of(key)
        if card is None:
            return
        if reader.shown_pair and not any(each in card.identities for each in reader.shown_pair):
            reader.compare_no_more()
        self.answers.focus_answer(card.key)

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
        self.bar.show_layout(self._model.reader.layout, alone=alone)

    def _place_panel(self, name: str) -> None:
        """What explains the score stands beside the answers, so that they keep their height; other panels below."""
        aside = name in _ASIDE
        self.panels.setMinimumWidth(self._theme.px(_SHEET) if aside else 0)
        self._split.setOrientation(Qt.Orientation.Horizontal if aside else Qt.Orientation.Vertical)

    def _answer_focused(self, key: str) -> None:
        reading = self._model.reader.reading
        card = None if reading is None else reading.card_of(key)
        if card is not None and self.strip.current not in card.identities:
            self.strip.show_current(key)

    def toggle_panel(self, name: str) -> None:
        """Open the panel called *name*, or close it where it is open."""
        self.panels.toggle(name)
        self.bar.show_panel(self.panels.shown)

    def show_place(self) -> None:
        """Where the open bundle stands in the queue, or what it has to do with the one that was left there."""
        model, reader = self._model, self._model.reader
        if reader.bundle is None or reader.reading is None:
            return
        self.top.show_bundle(
            reader.bundle,
            self._place(reader.bundle.id),
            blind=reader.reading.blind,
            scored=model.reading_scored,
            why_no_model=model.related.why_no_model(),
            why_no_item=model.related.why_no_item(),
        )
        home = model.related.home
        self.top.show_related(model.related.words, "" if home is None else self._place(home))

    def show_passage(self, line: PassageLine) -> None:
        """Go to a marked passage, in a layout in which the answers stand whole."""
        self._show_whole_answers()
        self.answers.show_place(line.identity, line.start, line.end)

    def open_find(self) -> QWidget:
        """Show the line that looks for words in the answers; its field."""
        self._show_whole_answers()
        self.finding.show()
        return self.finding.field

    def _show_whole_answers(self) -> None:
        reader = self._model.reader
        if reader.layout is Layout.GRID:
            reader.set_layout(Layout.COLUMNS)
            self._show_answers()

    def _place(self, bundle_id: BundleId) -> str:
        model = self._model
        at = model.queue.index(model.tab, bundle_id)
        return count_of(at + 1, model.queue.count(model.tab)) if at >= 0 else ""

    def _show_bundle(self) -> None:
        reader = self._model.reader
        if reader.bundle is None:
            self._show_answers()
        self.answers.show_shares({})

    def _show_reading(self) -> None:
        reader = self._model.reader
        self._show_answers()
        self.bar.show_options(reader.options, reader.reading)
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_bundle(reader.bundle, reader.reading)
            self.show_readings()
            self.show_place()
            self._show_explanation()

    def _show_standing(self) -> None:
        reader = self._model.reader
        self.bar.show_options(reader.options, reader.reading)
        self.bar.show_layout(reader.layout, alone=self.alone)
        self._show_answers()
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_history(reader.bundle, blind=reader.reading.blind)

    def show_readings(self) -> None:
        """In the tab Disagree, what each reviewer says."""
        reader = self._model.reader
        if self._model.settles:
            self.panels.show_readings(reader.bundle, reader.reading)
        else:
            self.panels.show_readings(None, None)
        self.bar.show_panel(self.panels.shown)

    def _show_answers(self) -> None:
        reader = self._model.reader
        pair = reader.shown_pair
        choices = None if reader.reading is None else reader.reading.choices
        self.bar.setVisible(choices is None)
        self.amount.setVisible(choices is None)
        self.answers.choices.contrasts.setVisible(choices is not None)
        if choices is not None and reader.bundle is not None:
            self.answers.show_choices(choices, reader.bundle)
        else:
            self.answers.show_reading(reader.reading, reader.layout, pair)
        self._keep_room()
        self.all_answers.setVisible(bool(pair))
        self._show_strip()

    def _show_strip(self) -> None:
        reader = self._model.reader
        explanation = reader.explanation if self._model.reading_scored else None
        tiles = () if reader.reading is None else strip_tiles(reader.reading, explanation)
        self.strip.setVisible(len(tiles) > 1)
        self.amount.show_amount(reader.options.amount)
        self.strip.show_tiles(tiles, pair=reader.shown_pair, measured=self._model.reading_scored)

    def _show_explanation(self) -> None:
        self._show_strip()
        reader = self._model.reader
        if not self._model.reading_scored:
            self.answers.show_shares({})
            self.panels.hide_explanation()
        elif reader.reading is not None and reader.explanation is not None:
            found = explained(reader.reading, reader.explanation)
            self.answers.show_shares(found.shares)
            self.panels.show_explanation(found)
        else:
            self.panels.show_explanation(None)

    def _show_repeats(self, identity: str) -> None:
        reading = self._model.reader.reading
        if reading is not None:
            self.panels.show_repeats(reading, identity)
            self.bar.show_panel(self.panels.shown)

    def _restyle(self) -> None:
        self.setMinimumWidth(self._theme.px(_NARROWEST))
        self._keep_room()

    def _keep_room(self) -> None:
        least = min(self._theme.px(_LEAST_ANSWER), _LEAST_OF_LARGE_TEXT)
        reading = self._model.reader.reading
        grid = reading is not None and reading.choices is not None
        self.answers.setMinimumHeight(self._theme.px(_LEAST_GRID) if grid else least)


def stored_number(settings: QSettings, name: str) -> int:
    """What was kept under *name*; 0 where that is no number."""
    kept = str(settings.value(name, ""))
    return int(kept) if kept.isdecimal() else 0
