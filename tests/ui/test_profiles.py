"""Small multiples: one geometry for the window and the page, every mark reachable with the keyboard."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.domain.profile_marks import legend, profile_marks
from gpf_desktop.exporters._profile_figures import profile_view
from gpf_desktop.numerics.profile_layout import profile_layout
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.profile_plot import ProfilePlot

FIGURE = Profiles(
    title="Fingerprint", panel=("model",), line="measure", values=("value", "beyond"), x_title="σ", columns=3
)
MODELS = ("lab/one", "lab/two", "lab/three", "lab/four")


def estimate(value: float | None, low: float = 0.0, high: float = 0.0) -> Estimate:
    interval = None if value is None else Interval(low=low, high=high, level=0.95, method="bootstrap over items")
    return Estimate(value=value, n=9, articles=9, interval=interval, why="no valid answers")


def finding() -> Finding:
    rows = []
    for at, model in enumerate(MODELS):
        beyond = estimate(None) if model == "lab/four" else estimate(0.02, 0.0, 0.05)
        place = {"measure": "σ · place", "value": estimate(0.1 * (at + 1), 0.05, 0.5), "beyond": beyond}
        moved = {"measure": "ΔSS · gossip – direct", "value": estimate(-0.1, -0.2, 0.1), "beyond": None}
        rows += [Row(values={"model": model, **each}, bundles=BundleFilter(model=model)) for each in (place, moved)]
    kinds = {"model": ColumnKind.TEXT, "measure": ColumnKind.TEXT}
    columns = [
        Column(key=key, title=title, kind=kinds.get(key, ColumnKind.ESTIMATE))
        for key, title in {"model": "Model", "measure": "Measure", "value": "Value", "beyond": "Beyond chance"}.items()
    ]
    return Finding(name="f", title="F", columns=tuple(columns), rows=tuple(rows), reading="So.")


def test_that_panels_share_lines_and_scale_and_the_last_row_is_as_full_as_can_be() -> None:
    marks = profile_marks(finding(), FIGURE)
    layout = profile_layout(marks, FIGURE.columns)
    assert layout.panels == ("one", "two", "three", "four")
    assert layout.columns == 2
    assert layout.lines == ("σ · place", "ΔSS · gossip – direct")
    assert layout.across.low < -0.2 < 0.5 < layout.across.high
    assert [layout.x(panel, 0.5) - layout.left(panel) for panel in range(4)] == pytest.approx(
        [layout.across.share(0.5)] * 4
    )
    (_, upper), (_, lower), (_, alone) = (layout.of(mark) for mark in marks[:3])
    assert upper < layout.y(0, 0) < lower
    assert alone == layout.y(0, 1)
    assert legend(finding(), FIGURE) == "filled: Value, hollow: Beyond chance"


def test_that_the_page_and_the_window_draw_the_same_places(qtbot: QtBot, theme: Theme) -> None:
    view = profile_view(finding(), FIGURE)
    assert view is not None
    plot = shown(qtbot, theme)
    layout = profile_layout(profile_marks(finding(), FIGURE), FIGURE.columns)
    width = (view["panels"][1]["left"] - view["panels"][0]["left"]) / (layout.left(1) - layout.left(0))
    on_page = [mark["x"] for mark in view["marks"] if mark["x"] is not None]
    first = view["panels"][0]["left"]
    (spots,) = [item for item in plot._plot.getPlotItem().items if type(item).__name__ == "ScatterPlotItem"]
    on_screen = [(point.pos().x(), point.pos().y()) for point in spots.points()]
    assert on_page == pytest.approx([first + width * x for x, _ in on_screen], abs=0.2)
    assert len(on_page) == len(view["marks"]) - 1 == 11
    assert view["marks"][-2]["text"] == "–"


def test_that_a_line_of_the_page_is_named_in_full() -> None:
    long = "Δ option 1 · dissimilar – similar"
    rows = [replace(row, values={**row.values, "measure": long}) for row in finding().rows]
    view = profile_view(replace(finding(), rows=tuple(rows)), FIGURE)
    assert view is not None
    assert {name["text"] for name in view["names"]} == {long}


def test_that_it_is_never_drawn_flat(qtbot: QtBot, theme: Theme) -> None:
    plot = shown(qtbot, theme)
    plot.resize(plot.width(), 10)
    assert plot.height() == plot.minimumSizeHint().height()


def test_that_every_mark_is_told_and_opens_its_bundles(qtbot: QtBot, theme: Theme) -> None:
    plot = shown(qtbot, theme)
    told = []
    for _ in range(plot.count()):
        qtbot.keyClick(plot, Qt.Key.Key_Right)
        told.append(plot.accessibleDescription())
    assert told[1] == "one, σ · place: Beyond chance 0.020, interval 0.000 to 0.050, n 9, 2 of 12"
    assert re.match(r"four, σ · place: Beyond chance unavailable, no valid answers", told[10])
    with qtbot.waitSignal(plot.chosen) as chosen:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert chosen.args == [BundleFilter(model="lab/four")]


def shown(qtbot: QtBot, theme: Theme) -> ProfilePlot:
    plot = ProfilePlot(theme, says="F", x_title="σ", legend=legend(finding(), FIGURE), columns=FIGURE.columns)
    qtbot.addWidget(plot)
    plot.show_marks(profile_marks(finding(), FIGURE))
    plot.ready()
    return plot
