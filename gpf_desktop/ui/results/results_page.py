"""The page Results: its layout and connections."""

from collections.abc import Mapping

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.results.filter_chips import FilterChips
from gpf_desktop.ui.results.finding_cards import TableCard, chart_card
from gpf_desktop.ui.results.identity_test_dialog import IdentityTestDialog
from gpf_desktop.ui.results.rescore_dialog import RescoreDialog
from gpf_desktop.ui.results.results_view_model import ResultsViewModel, View
from gpf_desktop.ui.results.sections import FindingSections
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.badge import Badge, Tone, synthetic_badge
from gpf_desktop.ui.widgets.buttons import action_button, button
from gpf_desktop.ui.widgets.cards import EmptyState
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling

_SIDE_BY_SIDE = 900
"""Pixels at 100 % from which two charts stand beside each other."""
_CHART_HEIGHT = 436
_MODEL_COLUMNS = ("model", "s", "r_star", "cfs", "sigma", "refused", "pairs")


class ResultsPage(Page):
    """Heat maps, stability and the model table unfolded; every other table in a section below."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "results", tr("Results"))
        self.model = ResultsViewModel(context, self)
        self.synthetic = synthetic_badge(context.theme)
        self.provisional = Badge(context.theme, "", Tone.NEUTRAL, "provisional")
        self.fresh = button(tr("New scores: refresh"), self.model.refresh, name="refresh")
        self.header.add_mark(self.synthetic)
        self.header.add_mark(self.provisional)
        self.header.add_button(self.fresh)
        self.rescore = action_button(context.actions.action("scores.rescore"), tr("Rescore …"))
        self.header.add_button(self.rescore)
        context.actions.on("scores.rescore", lambda: self._open(RescoreDialog))
        context.actions.on("scores.test", lambda: self._open(IdentityTestDialog))
        self.report = button(tr("Export a report"), self.model.report, name="report")
        self.header.add_button(self.report)
        self.chips = FilterChips()
        self.chips.wanted.connect(self.model.set_filter)
        self.chips.clear_asked.connect(self.model.clear_filter)
        self.empty = EmptyState(context.theme, "results")
        self.waiting: QLabel = secondary(tr("Computing …"), name="waiting")
        self.charts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.charts.setSpacing(SPACE_3)
        self.more = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.more.setSpacing(SPACE_3)
        self.tables = QVBoxLayout()
        self.sections = FindingSections(context.theme, self.model)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, SPACE_3, 0)
        column.setSpacing(SPACE_3)
        column.addLayout(self.charts)
        column.addLayout(self.tables)
        column.addLayout(self.more)
        column.addWidget(self.sections)
        column.addStretch(1)
        self.area: QScrollArea = scrolling(content, "results.scroll")
        self.stack = QStackedWidget()
        for widget in (self.area, self.empty, self.waiting):
            self.stack.addWidget(widget)
        self.body.addWidget(self.chips)
        self.body.addWidget(self.stack, 1)
        self.model.changed.connect(self._show)
        self._shown: object = None
        self._show()

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted, opened, scrolled = state.get("filter"), state.get("sections"), state.get("scroll")
        if isinstance(wanted, ResultsFilter):
            self.model.set_filter(wanted)
        if isinstance(opened, tuple):
            self.sections.open_only(opened)
        if isinstance(scrolled, int):
            self.area.verticalScrollBar().setValue(scrolled)
        if self.model.stale:
            self.model.refresh()

    def state(self) -> Mapping[str, object]:
        return {
            "filter": self.model.wanted,
            "sections": self.sections.opened(),
            "scroll": self.area.verticalScrollBar().value(),
        }

    def first_focus(self) -> QWidget | None:
        return self.empty.button if self.stack.currentWidget() is self.empty else self.chips.window_chip

    def _open(self, dialog: type[RescoreDialog | IdentityTestDialog]) -> None:
        dialog(self.context, self).open()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= self.context.theme.px(_SIDE_BY_SIDE)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self.charts.setDirection(direction)
        self.more.setDirection(direction)

    def _show(self) -> None:
        model = self.model
        view = model.view
        self.header.subtitle.setText(model.subtitle)
        self.synthetic.setVisible(view is View.RESULTS and model.all_synthetic)
        self.provisional.setVisible(view is View.RESULTS and model.provisional > 0)
        self.provisional.show_state(tr("{n} provisional", n=model.provisional), Tone.NEUTRAL, "provisional")
        self.fresh.setVisible(model.stale and view is View.RESULTS)
        self.report.setVisible(view is View.RESULTS)
        self.rescore.setVisible(view is View.RESULTS)
        self.chips.setVisible(view in (View.RESULTS, View.NOTHING_MATCHES))
        if model.choices is not None:
            self.chips.show_filter(model.wanted, model.choices)
        match view:
            case View.RESULTS:
                self.stack.setCurrentWidget(self.area)
                if self._shown is not model.results:
                    self._shown = model.results
                    self._fill()
            case View.LOADING:
                self.stack.setCurrentWidget(self.waiting)
            case View.NO_AUDIT | View.NOTHING_YET | View.NOTHING_MATCHES:
                self._explain(view)
                self.stack.setCurrentWidget(self.empty)

    def _explain(self, view: View) -> None:
        go = self.context.navigator.go
        if view is View.NO_AUDIT:
            self.empty.explain(tr("No audit is open."), tr("Go to Home"), lambda: go("home"))
        elif view is View.NOTHING_YET:
            self.empty.explain(
                tr("Nothing has been scored yet. Scores arrive here while a round is asked."),
                tr("Set up a round"),
                lambda: go("runs"),
                tr("What is measured?"),
                lambda: go("protocol"),
            )
        else:
            self.empty.explain(
                tr("There are scores in this audit, but none matches these filters."),
                tr("Clear the filters"),
                self.model.clear_filter,
            )

    def _fill(self) -> None:
        assert self.model.results is not None
        found, under, marked = self.model.results.findings, self.model.under, self.model.all_synthetic
        for layout in (self.charts, self.more, self.tables):
            clear_layout(layout)
        theme, interaction, stability = self.context.theme, found["interaction"], found["stability"]
        cards = [
            chart_card(theme, interaction, figure, under=under, name=f"card.{number}", marked=marked)
            for number, figure in enumerate(interaction.figures)
        ]
        cards += [
            chart_card(theme, stability, figure, under=under, name="card.stability", marked=marked)
            for figure in stability.figures
            if self.model.results.window.batches > 1
        ]
        # The first heat map and, where there are batches to compare, stability stand on top.
        order = (cards[0], cards[-1], *cards[1:-1])
        for number, card in enumerate(order):
            card.setFixedHeight(theme.px(_CHART_HEIGHT))
            card.bundles_chosen.connect(self.model.review)
            card.not_saved.connect(self.model.not_saved)
            (self.charts if number < 2 else self.more).addWidget(card, 1)
        table = TableCard(theme, found["model_table"], under=under, name="card.models", keys=_MODEL_COLUMNS)
        table.bundles_chosen.connect(self.model.review)
        table.not_saved.connect(self.model.not_saved)
        self.tables.addWidget(table)
        self.sections.refill()
