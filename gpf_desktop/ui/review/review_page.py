"""The page Review: queue, question, answers, form."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueRow, QueueTab
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.explaining import explained
from gpf_desktop.ui.review.filter_row import FilterRow
from gpf_desktop.ui.review.form_panel import FoldedForm, FormPanel
from gpf_desktop.ui.review.panel_stack import PanelStack
from gpf_desktop.ui.review.queue_bar import QueueBar
from gpf_desktop.ui.review.queue_table import QueueTable
from gpf_desktop.ui.review.reading_bar import ReadingBar
from gpf_desktop.ui.review.review_commands import PageParts, ReviewCommands
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.team_view import TeamView
from gpf_desktop.ui.review.top_card import TopCard
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.cards import EmptyState
from gpf_desktop.ui.wording import count_of

FOLDS_BELOW = 1240
"""Width of the page at 100 % under which the form gives its room to the answers."""
_QUEUE = 240
_LEAST_ANSWER = 224


class ReviewPage(Page):
    """Layout and connections; what is shown is decided by `ReviewViewModel`."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "review", tr("Review"))
        self.header.hide()
        theme = context.theme
        self.model = ReviewViewModel(context, self)
        self.bar = QueueBar(theme)
        self.filters = FilterRow(theme)
        self.filters.hide()
        self.queue = QueueTable(theme, self._load_rows)
        self.top = TopCard(theme)
        self.reading_bar = ReadingBar(theme)
        self.answers = AnswersView(theme)
        self.panels = PanelStack(theme)
        self.form = FormPanel(theme, context.actions)
        self.folded = FoldedForm(theme, context.actions)
        self.empty = EmptyState(theme, "review")
        self._team: TeamView | None = None
        self._folded: bool | None = None
        """What the reviewer chose; None: as the width has it."""
        self._lay_out()
        self._connect()
        self.commands = ReviewCommands(self.model, self._parts(), self)
        self._show()

    def _parts(self) -> PageParts:
        return PageParts(
            answers=self.answers,
            note=self.form.note,
            tags=self.form.tags,
            unfold=lambda: self.set_folded(False) if self.is_folded else None,
            fold=lambda: self.set_folded(not self.is_folded),
            submit=self._submit,
            panel=self._toggle_panel,
            team=self.toggle_team,
        )

    def _lay_out(self) -> None:
        middle = QWidget()
        middle.setProperty("plain", True)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.top)
        column.addWidget(self.reading_bar)
        self._reading_split = QSplitter(Qt.Orientation.Vertical)
        self.answers.setMinimumHeight(self.context.theme.px(_LEAST_ANSWER))
        self._reading_split.addWidget(self.answers)
        self._reading_split.addWidget(self.panels)
        self._reading_split.setStretchFactor(0, 3)
        self._reading_split.setStretchFactor(1, 2)
        self._reading_split.setChildrenCollapsible(False)
        column.addWidget(self._reading_split, 1)
        self._centre = QStackedWidget()
        self._centre.addWidget(middle)
        self._centre.addWidget(self.empty)
        self._split = QSplitter()
        self._split.addWidget(self.queue)
        self._split.addWidget(self._centre)
        self._split.setStretchFactor(1, 1)
        self._split.setChildrenCollapsible(False)
        self.queue.setMinimumWidth(self.context.theme.px(180))
        self._split.setSizes([self.context.theme.px(_QUEUE), 1000])
        row = QHBoxLayout()
        row.setSpacing(SPACE_3)
        row.addWidget(self._split, 1)
        row.addWidget(self.form)
        row.addWidget(self.folded)
        self.body.setSpacing(SPACE_2)
        self.body.addWidget(self.bar)
        self.body.addWidget(self.filters)
        self.body.addLayout(row, 1)

    def _connect(self) -> None:
        model, draft, reader = self.model, self.model.draft, self.model.reader
        model.changed.connect(self._show)
        model.queue_changed.connect(self._show_queue)
        model.rows_changed.connect(self.queue.rows_model.renew)
        reader.arrived.connect(lambda _bundle: self._show_bundle())
        reader.reading_changed.connect(self._show_reading)
        reader.explained.connect(self._show_explanation)
        reader.changed.connect(self._show_standing)
        draft.changed.connect(self._show_draft)
        self.bar.tab_chosen.connect(model.set_tab)
        self.bar.order_chosen.connect(model.set_order)
        self.bar.filter_asked.connect(self._toggle_filters)
        self.bar.blind_chosen.connect(model.set_blind)
        self.filters.chosen.connect(model.set_filter)
        self.filters.order_chosen.connect(model.set_order)
        self.filters.sample_asked.connect(model.sample)
        self.bar.team_asked.connect(self.toggle_team)
        self.queue.picked.connect(self._picked)
        self.reading_bar.layout_chosen.connect(reader.set_layout)
        self.reading_bar.options_chosen.connect(reader.set_options)
        self.reading_bar.panel_asked.connect(self._toggle_panel)
        self.panels.closed.connect(lambda: self._toggle_panel(""))
        self.answers.repeats_asked.connect(self._show_repeats)
        self.answers.answer_focused.connect(self.panels.prompt.choose)
        for form in (self.form, self.folded):
            form.verdict_chosen.connect(draft.set_verdict)
            form.severity_chosen.connect(draft.set_severity)
            form.submit_asked.connect(self._submit)
        self.form.affected_toggled.connect(draft.toggle_affected)
        self.form.tags_typed.connect(draft.set_tags)
        self.form.note_typed.connect(draft.type_note)
        self.form.guideline_edited.connect(model.set_guideline)
        self.form.fold_asked.connect(lambda: self.set_folded(True))
        self.folded.unfold_asked.connect(lambda: self.set_folded(False))

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted, bundle = state.get("filter"), state.get("bundle")
        if isinstance(wanted, BundleFilter):
            wanted = QueueFilter.of(wanted)
        self.model.arrive(
            wanted if isinstance(wanted, QueueFilter) else None,
            BundleId(bundle) if isinstance(bundle, int) else None,
        )

    def state(self) -> Mapping[str, object]:
        return {"filter": self.model.wanted, "bundle": self.model.reader.current}

    def first_focus(self) -> QWidget | None:
        return self.queue

    def set_folded(self, folded: bool | None) -> None:
        """Fold the form away or open it; None: as the width has it."""
        self._folded = folded
        self._fold()
        if folded is False:
            self.form.note.setFocus()

    @property
    def is_folded(self) -> bool:
        return self.folded.isVisibleTo(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def hideEvent(self, event: QHideEvent) -> None:
        # Leaving the page, or closing the window, must not lose the last letters.
        self.model.draft.flush()
        super().hideEvent(event)

    def _fold(self) -> None:
        narrow = self.width() < self.context.theme.px(FOLDS_BELOW)
        folded = narrow if self._folded is None else self._folded
        had_focus = self.form.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        self.form.setVisible(not folded)
        self.folded.setVisible(folded)
        if folded and had_focus:
            self.queue.setFocus()

    def _picked(self, bundle: BundleId) -> None:
        if self.shows_team:
            self.toggle_team()
        self.model.open(bundle)

    def _submit(self) -> None:
        self.model.submit()
        if not self.model.draft.complaint:
            self.queue.setFocus()
        else:
            if self.is_folded:
                self.set_folded(False)
            self.form.field(self.model.draft.complaint).setFocus()

    def _show(self) -> None:
        model = self.model
        self.bar.show_queue(model.queue, model.tab)
        self.bar.show_order(model.order, model.choices, model.ways.seed)
        self.bar.show_filter(model.wanted.narrowed, shown=not self.filters.isHidden())
        self.bar.show_blind(model.blind)
        self.filters.show_filter(model.wanted, model.order, model.choices, blind=model.blind)
        self.queue.rows_model.set_blind(model.blind)
        self.form.show_tags(list(model.tags))
        empty = model.empty()
        self.form.show_purpose(settles=model.tab is QueueTab.DISAGREE)
        if not self.shows_team:
            self._centre.setCurrentIndex(0 if empty is None else 1)
        if empty is not None:
            self.empty.explain(empty.why, empty.button, partial(model.follow, empty.way) if empty.way else None)
        has_bundle = model.bundle is not None
        self.form.setEnabled(has_bundle)
        self.folded.setEnabled(has_bundle)
        self._show_place()

    def _show_queue(self) -> None:
        model = self.model
        current = model.reader.current
        at = model.queue.index(model.tab, current) if current is not None else -1
        self.queue.show_ids(model.queue.ids(model.tab), current, at)
        self.bar.show_queue(model.queue, model.tab)

    def _show_bundle(self) -> None:
        model = self.model
        current = model.reader.current
        at = model.queue.index(model.tab, current) if current is not None else -1
        self.queue.select(current, at)
        if model.bundle is None:
            self.answers.show_reading(None, model.reader.layout)
        self.answers.show_shares({})

    def _show_reading(self) -> None:
        reader = self.model.reader
        reading = reader.reading
        self.answers.show_reading(reading, reader.layout)
        self.reading_bar.show_options(reader.options, reading)
        if reader.bundle is not None and reading is not None:
            self.form.show_letters(reading.letters, named=not reading.blind)
            self.panels.show_bundle(reader.bundle, reading)
            self._show_place()
            self._show_explanation()
            self._show_draft()

    def _show_place(self) -> None:
        model = self.model
        bundle, reading = model.bundle, model.reader.reading
        if bundle is None or reading is None:
            return
        at = model.queue.index(model.tab, bundle.id)
        place = count_of(at + 1, model.queue.count(model.tab)) if at >= 0 else ""
        self.top.show_bundle(bundle, place, blind=reading.blind)

    def _show_standing(self) -> None:
        reader = self.model.reader
        self.reading_bar.show_layout(reader.layout)
        self.reading_bar.show_options(reader.options, reader.reading)
        self.answers.show_reading(reader.reading, reader.layout)
        if reader.bundle is not None and reader.reading is not None:
            self.panels.show_history(reader.bundle, blind=reader.reading.blind)

    def _show_explanation(self) -> None:
        reader = self.model.reader
        if reader.reading is not None and reader.explanation is not None:
            found = explained(reader.reading, reader.explanation)
            self.answers.show_shares(found.shares)
            self.panels.show_explanation(found)
        else:
            self.panels.show_explanation(None)

    def _show_draft(self) -> None:
        draft = self.model.draft
        self.form.show_judgement(draft.judgement, draft.saved, draft.complaint)
        self.form.guideline.show_text(self.model.guideline)
        self.folded.show_judgement(draft.judgement)

    @property
    def team(self) -> TeamView:
        """Built when first asked for: most sittings never need it."""
        if self._team is None:
            self._team = TeamView(self.context)
            self._team.closed.connect(self.toggle_team)
            self._team.model.merged.connect(self.model.reread)
            self._centre.addWidget(self._team)
        return self._team

    @property
    def shows_team(self) -> bool:
        return self._team is not None and self._centre.currentWidget() is self._team

    def toggle_team(self) -> None:
        """Show the team in place of the answers, or the answers again."""
        if self.shows_team:
            self._centre.setCurrentIndex(0)
            self._show()
            self.queue.setFocus()
        else:
            self.team.open(blind=self.model.blind)
            self._centre.setCurrentWidget(self.team)
            self.team.back.setFocus()

    def _toggle_filters(self) -> None:
        self.filters.setVisible(self.filters.isHidden())
        self._show()

    def _toggle_panel(self, name: str) -> None:
        self.panels.toggle(name)
        self.reading_bar.show_panel(self.panels.shown)

    def _show_repeats(self, identity: str) -> None:
        reading = self.model.reader.reading
        if reading is not None:
            self.panels.show_repeats(reading, identity)
            self.reading_bar.show_panel(self.panels.shown)

    def _load_rows(self, ids: Sequence[BundleId], then: Callable[[Sequence[QueueRow]], None]) -> None:
        self.context.bridge.run(self.model.rows, ids, then=then, owner=self)
