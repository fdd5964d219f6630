"""The middle of the page: what was asked, how to read, the answers, and the panels that explain them."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.explaining import explained
from gpf_desktop.ui.review.find_line import FindLine
from gpf_desktop.ui.review.panel_stack import PanelStack
from gpf_desktop.ui.review.reading_bar import ReadingBar
from gpf_desktop.ui.review.reading_content import Layout, PassageLine
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.top_card import TopCard
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.wording import count_of

_NARROWEST = 150
_LEAST_ANSWER = 224
_LEAST_OF_LARGE_TEXT = 360
"""Pixels that the answers have at any text size; a larger text scrolls in them."""


class _Split(QSplitter):
    """Answers above the panel that is open; asks for no more room than they need at least."""

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
        self.top = TopCard(theme, context.actions, model.related.go)
        self.bar = ReadingBar(theme)
        self.answers = AnswersView(theme)
        self.finding = FindLine(theme, self.answers)
        self.panels = PanelStack(theme)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.top)
        column.addWidget(self.bar)
        column.addWidget(self.finding)
        split = _Split()
        split.addWidget(self.answers)
        split.addWidget(self.panels)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        column.addWidget(split, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        area = scrolling(content, "review.reading")
        area.verticalScrollBar().rangeChanged.connect(
            lambda _low, most: column.setContentsMargins(0, 0, SPACE_2 if most else 0, 0)
        )
        whole.addWidget(area)
        self._connect()
        theme.follow(self, self._restyle)

    def _connect(self) -> None:
        reader = self._model.reader
        reader.arrived.connect(lambda _bundle: self._show_bundle())
        reader.reading_changed.connect(self._show_reading)
        reader.explained.connect(self._show_explanation)
        reader.changed.connect(self._show_standing)
        self.top.back_asked.connect(self._model.related.come_back)
        self.bar.layout_chosen.connect(reader.set_layout)
        self.bar.options_chosen.connect(reader.set_options)
        self.bar.baseline_chosen.connect(reader.set_baseline)
        self.bar.control_asked.connect(reader.toggle_control)
        self.bar.panel_asked.connect(self.toggle_panel)
        self.panels.closed.connect(lambda: self.toggle_panel(""))
        self.answers.repeats_asked.connect(self._show_repeats)
        self.answers.generation_stepped.connect(reader.step_generation)
        self.answers.answer_focused.connect(self.panels.prompt.choose)

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
            self.answers.show_reading(reader.reading, reader.layout)

    def _place(self, bundle_id: BundleId) -> str:
        model = self._model
        at = model.queue.index(model.tab, bundle_id)
        return count_of(at + 1, model.queue.count(model.tab)) if at >= 0 else ""

    def _show_bundle(self) -> None:
        reader = self._model.reader
        if reader.bundle is None:
            self.answers.show_reading(None, reader.layout)
        self.answers.show_shares({})

    def _show_reading(self) -> None:
        reader = self._model.reader
        self.answers.show_reading(reader.reading, reader.layout)
        self.bar.show_options(reader.options, reader.reading)
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_bundle(reader.bundle, reader.reading)
            self.show_place()
            self._show_explanation()

    def _show_standing(self) -> None:
        reader = self._model.reader
        self.bar.show_layout(reader.layout)
        self.bar.show_options(reader.options, reader.reading)
        self.answers.show_reading(reader.reading, reader.layout)
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_history(reader.bundle, blind=reader.reading.blind)

    def _show_explanation(self) -> None:
        reader = self._model.reader
        if reader.reading is not None and reader.explanation is not None:
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
        self.answers.setMinimumHeight(min(self._theme.px(_LEAST_ANSWER), _LEAST_OF_LARGE_TEXT))
