"""The page Results: its layout and connections."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtWidgets import QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.results.behind_notice import BehindNotice
from gpf_desktop.ui.results.filter_chips import FilterChips
from gpf_desktop.ui.results.finding_cards import TableCard, beside, chart_card
from gpf_desktop.ui.results.identity_test_dialog import IdentityTestDialog
from gpf_desktop.ui.results.rescore_dialog import RescoreDialog
from gpf_desktop.ui.results.results_view_model import ResultsViewModel, View
from gpf_desktop.ui.results.sections import FindingSections
from gpf_desktop.ui.results.step_by_step import Bench
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.badge import Badge, Tone, synthetic_badge
from gpf_desktop.ui.widgets.buttons import action_button, button
from gpf_desktop.ui.widgets.cards import EmptyState
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import scrolling

_CHART_HEIGHT = 436
_SERIES_HEIGHT = 500
C = TypeVar("C", ChartCard, TableCard)
_MODEL_COLUMNS = ("model", "cfs", "relative", "tone", "s", "words", "refused", "pairs")


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
        self.behind = BehindNotice(context)
        self.empty = EmptyState(context.theme, "results")
        self.waiting: QLabel = secondary(tr("Computing …"), name="waiting")
        self.cards = QVBoxLayout()
        self.cards.setSpacing(SPACE_3)
        self.sections = FindingSections(context.theme, self.model)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, SPACE_3, 0)
        column.setSpacing(SPACE_3)
        column.addLayout(self.cards)
        column.addWidget(self.sections)
        column.addStretch(1)
        self.bench = Bench(self)
        self.area: QScrollArea = scrolling(content, "results.scroll")
        self.stack = QStackedWidget()
        for widget in (self.area, self.empty, self.waiting):
            self.stack.addWidget(widget)
        self.body.addWidget(self.chips)
        self.body.addWidget(self.behind)
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
                model.building.drop("page")
                self.stack.setCurrentWidget(self.waiting)
            case View.NO_AUDIT | View.NOTHING_YET | View.NOTHING_MATCHES:
                model.building.drop("page")
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
        """Row by row, each in the place of the one that stood there: what is read stays where it is."""
        assert self.model.results is not None
        found = self.model.results.findings
        if "model_table" not in found:
            self._build([(maker,) for finding in found.values() for maker in self._unfolded(finding)])
            return
        by_s, by_r = (partial(self._chart, found["interaction"], at) for at in (0, 1))
        rows: list[tuple[Callable[[], QWidget], ...]] = [(by_s, by_r), (partial(self._models, found["model_table"]),)]
        if self.model.over_batches:
            stability = partial(self._chart, found["stability"], 0, name="card.stability")
            series = partial(self._chart, found["streaming"], 0, name="card.streaming", height=_SERIES_HEIGHT)
            dimensions = partial(self._chart, found["dimension_means"], 0, name="card.dimensions")
            rows = [(by_s, stability), *rows[1:], (series,), (by_r, dimensions)]
        self._build(rows)

    def _unfolded(self, finding: Finding) -> list[Callable[[], QWidget]]:
        """A finding's charts, and its table where a chart does not hold it."""
        charts: list[Callable[[], QWidget]] = [
            partial(self._chart, finding, at, name=f"card.{finding.name}.{at}", height=None)
            for at in range(len(finding.figures))
        ]
        if charts and not any(isinstance(figure, Intervals) for figure in finding.figures):
            return charts
        return [*charts, partial(self._table, finding)]

    def _build(self, rows: Sequence[tuple[Callable[[], QWidget], ...]]) -> None:
        self.bench.clear()
        steps: list[Callable[[], object]] = []
        for at, makers in enumerate(rows):
            made: list[QWidget] = []
            steps += [partial(self._make, make, made) for make in makers]
            steps.append(partial(self._place, at, made))
        self.model.building.do("page", (*steps, partial(self._drop_behind, len(rows)), self.sections.refill))

    def _make(self, make: Callable[[], QWidget], made: list[QWidget]) -> None:
        made.append(make())
        self.bench.hold(made[-1])

    def _place(self, at: int, cards: list[QWidget]) -> None:
        self.cards.insertWidget(at, beside(self.context.theme, *cards))
        self._drop(at + 1)

    def _drop_behind(self, count: int) -> None:
        while self.cards.count() > count:
            self._drop(count)

    def _drop(self, at: int) -> None:
        item = self.cards.takeAt(at)
        widget = None if item is None else item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _models(self, finding: Finding) -> TableCard:
        table = TableCard(self.context.theme, finding, under=self.model.under, name="card.models", keys=_MODEL_COLUMNS)
        return self._wired(table)

    def _table(self, finding: Finding) -> TableCard:
        name = f"card.{finding.name}"
        return self._wired(TableCard(self.context.theme, finding, under=self.model.under, name=name))

    def _chart(self, finding: Finding, at: int, *, name: str = "", height: int | None = _CHART_HEIGHT) -> ChartCard:
        """*height* None: as high as dots with intervals need, and a heat map's usual height."""
        card = chart_card(
            self.context.theme,
            finding,
            finding.figures[at],
            under=self.model.under,
            name=name or f"card.{at}",
            marked=self.model.all_synthetic,
            choices=self.model.series_choices,
        )
        if height is not None or not isinstance(finding.figures[at], Intervals):
            card.setFixedHeight(self.context.theme.px(height or _CHART_HEIGHT))
        return self._wired(card)

    def _wired(self, card: C) -> C:
        card.bundles_chosen.connect(partial(self.model.review, card.finding.title))
        card.not_saved.connect(self.model.not_saved)
        return card
