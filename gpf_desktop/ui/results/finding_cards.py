"""A finding on the page: as a chart with its table, or as a table alone."""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import assert_never

from PySide6.QtWidgets import QLabel, QWidget

from gpf_desktop.domain.figures import Figure, HeatMap, Intervals, PointMap, Profiles, Scatter, SeriesChart, Violins
from gpf_desktop.domain.findings import Column, Estimate, Finding, telling_columns
from gpf_desktop.domain.grid_picture import grid_picture
from gpf_desktop.domain.series import SeriesBook
from gpf_desktop.domain.text import tr, unbroken
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.figures.intervals import interval_figures
from gpf_desktop.figures.point_map import map_figure
from gpf_desktop.figures.profiles import profile_figure
from gpf_desktop.figures.scatter import scatter_figure
from gpf_desktop.figures.series import series_figure
from gpf_desktop.figures.shapes import Figure as Drawn
from gpf_desktop.figures.violins import violin_figure
from gpf_desktop.ui.results.figures import (
    SeriesChoice,
    series_columns,
    series_picture,
)
from gpf_desktop.ui.results.series_picker import SeriesPicker
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.chart_card import ChartCard, ResultCard
from gpf_desktop.ui.widgets.figure_plot import Draw, FigurePlot
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.side_by_side import SideBySide

_ROWS_SHOWN = 12
_SIDE_BY_SIDE = 880
"""Pixels at 100 % from which two charts stand beside each other."""
_MAPS_SIDE_BY_SIDE = 1300
"""The same of two heat maps, whose columns have names."""
_METHODS_NAMED = 2
"""Ways in which intervals were made that are named under a table; each number's tool tip names its own."""


def chart_card(
    theme: Theme,
    finding: Finding,
    figure: Figure,
    *,
    under: str,
    shared: Sequence[str] = (),
    name: str,
    marked: bool,
    choices: MutableMapping[str, SeriesChoice] | None = None,
    brief: bool = False,
) -> ChartCard:
    """*figure* with the finding's one-line reading, what it is a mean of, and *under*: how the scores were made;
    *brief*: the reading alone, because a card beside it has all of that. *shared*: notes of every finding, which
    *under* says in few words.

    *marked*: the page says already that everything on it is synthetic; else the card says so of itself.
    *choices* remembers, by *name*, which line of a series was looked at.
    """
    key = (grid_picture(finding, figure).key,) if isinstance(figure, HeatMap) else ()
    titled = replace(finding, title=figure.title, notes=key if brief else (*key, *_basis(finding, shared), under))
    if isinstance(figure, SeriesChart):
        made = _series_card(theme, titled, figure, name, {} if choices is None else choices)
    else:
        made = ChartCard(theme, titled, _chart(theme, finding, figure), name=name)
    if not marked and finding.rows and all(row.synthetic for row in finding.rows):
        made.top.insertWidget(1, synthetic_badge(theme))
    _explain(made, finding)
    return made


def _series_card(
    theme: Theme, finding: Finding, figure: SeriesChart, name: str, choices: MutableMapping[str, SeriesChoice]
) -> ChartCard:
    book = SeriesBook(finding, figure)
    line_title = next(column.label for column in finding.columns if column.key == figure.line)
    picker = SeriesPicker(book, choices.get(name, SeriesChoice()), line_title=line_title, name=f"{name}.pick")

    def drawn(choice: SeriesChoice) -> Draw:
        return partial(series_figure, finding, series_picture(book, choice))

    plot = FigurePlot(theme, drawn(picker.choice), says=figure.title, name=f"{name}.plot")
    made = ChartCard(theme, finding, plot, name=name, controls=picker)

    def show(choice: SeriesChoice) -> None:
        plot.show_figure(drawn(choice))
        made.show_rows(book.rows(choice.line, choice.split), series_columns(finding, figure, choice))

    def keep(choice: SeriesChoice) -> None:
        choices[name] = choice
        show(choice)

    picker.changed.connect(keep)
    show(picker.choice)
    return made


def beside(theme: Theme, *cards: QWidget, maps: bool = False) -> QWidget:
    """One card over the whole width, or two next to each other where there is room; *maps*: for names of columns."""
    narrow = _MAPS_SIDE_BY_SIDE if maps else _SIDE_BY_SIDE
    return SideBySide(theme, *cards, shares=(1, 1), narrow=narrow) if len(cards) == 2 else cards[0]


class TableCard(ResultCard):
    """A finding's rows, its highlights above and its reading below; a row opens its bundles."""

    def __init__(
        self,
        theme: Theme,
        finding: Finding,
        *,
        under: str,
        shared: Sequence[str] = (),
        name: str,
        keys: Sequence[str] | None = None,
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """*names*: of models, what they are called here; *shared*: as of `chart_card`.

        *keys*: columns to show (None: all but counts that are 0 throughout); files have them all.
        """
        super().__init__(theme, finding, name=name)
        self.names = names
        telling, silent = telling_columns(finding)
        columns = telling if keys is None else tuple(c for c in finding.columns if c.key in keys)
        self.table = self._table_of(finding.rows, columns, f"{name}.table")
        self.table.fit_height(_ROWS_SHOWN)
        self.save.menu().addAction(tr("&Copy table"), self._copy)
        self._offer_files(("csv", self.write_csv))
        self.top.addWidget(self.save)
        for line in finding.highlights:
            self.body.addWidget(label(unbroken(line), "secondary", wrap=True))
        self.body.addWidget(self.table)
        said = (finding.reading, *(_zero(silent) if keys is None else ()), *_basis(finding, shared), under)
        self.body.addWidget(caption(unbroken(" ".join(said)), name="reading"))
        _explain(self, finding)

    def _copy(self) -> None:
        self.table.selectAll()
        self.table.copy()


def _chart(
    theme: Theme, finding: Finding, figure: HeatMap | Scatter | PointMap | Intervals | Profiles | Violins
) -> QWidget:
    match figure:
        case HeatMap():

            def heat(width: float) -> Drawn:
                return heat_figure(finding, figure, width, theme.color("surface").name())

            return FigurePlot(theme, heat, says=figure.title, name=f"heat.{figure.value}")
        case Scatter():
            return FigurePlot(theme, partial(scatter_figure, finding, figure), says=figure.title, name="scatter")
        case PointMap():
            return FigurePlot(theme, partial(map_figure, finding, figure), says=figure.title, name="map")
        case Violins():
            return FigurePlot(theme, partial(violin_figure, finding, figure), says=figure.title, name="violins")
        case Intervals():
            draw = partial(_whole, finding, figure)
            return FigurePlot(theme, draw, says=figure.title, name=f"dots.{figure.value}")
        case Profiles():
            draw = partial(profile_figure, finding, figure)
            return FigurePlot(theme, draw, says=figure.title, name=f"profiles.{figure.values[0]}")
        case _:
            assert_never(figure)


def _whole(finding: Finding, figure: Intervals, width: float) -> Drawn | None:
    """A screen has no pages: there is one figure, or none."""
    return next(iter(interval_figures(finding, figure, width)), None)


def _zero(silent: Sequence[Column]) -> tuple[str, ...]:
    return (tr("0 in every row: {columns}.", columns=", ".join(each.label for each in silent)),) if silent else ()


def _basis(finding: Finding, shared: Sequence[str]) -> tuple[str, ...]:
    """Notes on what the numbers are means of, with n, and on how the shown intervals were made."""
    own = tuple(note for note in finding.notes if note not in shared)[:1]
    shown = [
        value.interval
        for row in finding.rows
        for value in row.values.values()
        if isinstance(value, Estimate) and value.interval is not None and value.interval.level < 1
    ]
    if not shown:
        return own
    methods = list(dict.fromkeys(interval.method for interval in shown))
    words = "; ".join(methods[:_METHODS_NAMED])
    if len(methods) > _METHODS_NAMED:
        words = tr("{methods}; the same in other rows", methods=words)
    made = tr("{level}% ranges: {methods}.", level=round(100 * shown[0].level), methods=words)
    return (*own, made)


def _explain(card: QWidget, finding: Finding) -> None:
    """Everything a hostile expert would ask for, one hover away; reports print it in full."""
    reading = card.findChild(QLabel, "reading")
    if reading is not None:
        reading.setToolTip(plain_tip("\n".join(finding.notes)))
