"""Further tables in sections that fold away; a table is computed when its section is opened."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import assert_never

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpf_desktop.domain.figures import Figure, HeatMap, Intervals, Scatter, SeriesChart
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.catalogue import analyses
from gpf_desktop.ui.results.finding_cards import TableCard, beside, chart_card
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.results.step_by_step import Bench
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.section import CollapsibleSection

_CHART_HEIGHT = 400
_SERIES_HEIGHT = 500
_TWO = 2
_MASKED = "masked_controls"
_DRAWN_ABOVE = ("interaction",)
"""Findings whose figures stand unfolded: their sections hold the table, with its highest and lowest cells."""


class FindingSections(QWidget):
    """One `CollapsibleSection` per finding of `ResultsViewModel.section_names`."""

    def __init__(self, theme: Theme, model: ResultsViewModel) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._theme = theme
        self._model = model
        self._sections: dict[str, CollapsibleSection] = {}
        self._benches: dict[str, Bench] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE_2)
        model.found.connect(self._show)

    def opened(self) -> tuple[str, ...]:
        """Names of the sections that are open."""
        return tuple(name for name, section in self._sections.items() if section.is_open and not section.isHidden())

    def open_only(self, names: Iterable[str]) -> None:
        self._make()
        wanted = set(names)
        for name, section in self._sections.items():
            section.set_open(name in wanted)

    def refill(self) -> None:
        """Scores or filters have changed: open sections are computed again, closed ones when they are opened."""
        self._make()
        for name, section in self._sections.items():
            if section.is_open:
                self._model.ask_section(name)
            else:
                clear_layout(section.body)

    def _make(self) -> None:
        shown = self._model.section_names()
        for name in shown:
            if name not in self._sections:
                section = CollapsibleSection(self._theme, analyses()[name].title, name=f"section.{name}")
                section.toggled.connect(lambda shown, name=name: self._toggled(name, shown))
                self._sections[name] = section
                self._benches[name] = Bench(section)
        for at, name in enumerate(shown):
            self._column.insertWidget(at, self._sections[name])
        for name, section in self._sections.items():
            section.setVisible(name in shown)

    def _toggled(self, name: str, shown: bool) -> None:
        if not shown:
            return
        if name in self._model.sections:
            self._show(name)
            return
        body = self._sections[name].body
        clear_layout(body)
        body.addWidget(secondary(tr("Computing …")))
        self._model.ask_section(name)

    def _show(self, name: str) -> None:
        section, finding = self._sections.get(name), self._model.sections.get(name)
        if section is None or finding is None:
            return
        self._model.building.drop(f"section {name}")
        self._benches[name].clear()
        clear_layout(section.body)
        if not finding.rows:
            self._say_empty(section.body, finding)
            return
        self._model.building.do(f"section {name}", self._steps(section.body, name, finding))

    def _say_empty(self, body: QVBoxLayout, finding: Finding) -> None:
        words = secondary(" ".join(finding.notes) or tr("Nothing to show for these scores."))
        words.setWordWrap(True)
        body.addWidget(words)
        if finding.name != _MASKED or not finding.notes:
            return

        def begin() -> None:
            start.setEnabled(False)
            start.setText(tr("Scoring …"))
            self._model.mask_identity_words()

        start = button(tr("Score with identity words masked"), begin, name="results.mask")
        body.addWidget(start, alignment=Qt.AlignmentFlag.AlignLeft)

    def _steps(self, body: QVBoxLayout, name: str, finding: Finding) -> list[Callable[[], object]]:
        """Charts, each in a step, and the table where they do not hold it."""
        drawn = name not in _DRAWN_ABOVE and bool(finding.figures)
        dots = [isinstance(figure, Intervals) for figure in finding.figures]
        steps: list[Callable[[], object]] = []
        if drawn and len(dots) == _TWO and all(dots):
            made: list[QWidget] = []
            steps += [partial(self._make_chart, made, finding, at) for at in range(_TWO)]
            steps.append(lambda: body.addWidget(beside(self._theme, *made)))
        elif drawn:
            steps += [lambda at=at: body.addWidget(self._chart(finding, at)) for at in range(len(dots))]  # type: ignore[misc]
        if not drawn or any(dots):
            steps.append(lambda: body.addWidget(self._table(finding)))
        return steps

    def _make_chart(self, made: list[QWidget], finding: Finding, at: int) -> None:
        made.append(self._chart(finding, at))
        self._benches[finding.name].hold(made[-1])

    def _table(self, finding: Finding) -> TableCard:
        table = TableCard(self._theme, finding, under=self._model.under, name=f"card.{finding.name}")
        table.bundles_chosen.connect(partial(self._model.review, finding.title))
        table.not_saved.connect(self._model.not_saved)
        return table

    def _chart(self, finding: Finding, at: int) -> ChartCard:
        figure = finding.figures[at]
        card = chart_card(
            self._theme,
            finding,
            figure,
            under=self._model.under,
            name=f"card.{finding.name}.{at}",
            marked=self._model.all_synthetic,
            choices=self._model.series_choices,
            brief=isinstance(figure, Intervals),
        )
        card.setMinimumHeight(self._height(figure))
        card.bundles_chosen.connect(partial(self._model.review, finding.title))
        card.not_saved.connect(self._model.not_saved)
        return card

    def _height(self, figure: Figure) -> int:
        match figure:
            case SeriesChart():
                return self._theme.px(_SERIES_HEIGHT)
            case HeatMap() | Scatter():
                return self._theme.px(_CHART_HEIGHT)
            case Intervals():
                return 0
            case _:
                assert_never(figure)
