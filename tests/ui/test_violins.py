"""Outlines of distributions, in the window and on a page."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Finding, Row
from gpf_desktop.domain.violins import FEWEST, violins_of
from gpf_desktop.exporters._violin_figures import violin_view
from gpf_desktop.exporters.html import page
from gpf_desktop.numerics.violin_shape import WIDEST, violin_shape
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.violin_plot import ViolinPlot
from tests.support.reports import report

FIGURE = Violins(
    title="Levels", label=("judge", "model"), value="level", count="n", x_title="level", low=1.0, high=10.0
)
COUNTED = {"wide": ((1, 40), (9, FEWEST - 40)), "few": ((2, 3), (5, 1)), "alike": ((3, FEWEST),)}


def finding() -> Finding:
    return Finding(
        name="levels",
        title="Levels",
        columns=tuple(Column(key=key, title=key, kind=ColumnKind.TEXT) for key in ("judge", "model", "level", "n")),
        rows=tuple(
            Row(values={"judge": "j", "model": model, "level": level, "n": n}, bundles=BundleFilter(model=model))
            for model, points in COUNTED.items()
            for level, n in points
        ),
        reading="",
        figures=(FIGURE,),
    )


def test_that_a_shape_is_the_kernels_density_and_as_wide_as_any_other() -> None:
    from scipy.stats import gaussian_kde

    where, half = violin_shape(((2, 3), (5, 4), (9, 1)), 1, 10)
    expected = gaussian_kde([2] * 3 + [5] * 4 + [9])(where)
    assert half == pytest.approx(WIDEST * expected / expected.max(), rel=1e-9)
    alike = violin_shape(((3, 6),), 1, 10)[1]
    assert (float(np.max(alike)), len(alike)) == (pytest.approx(WIDEST, rel=0.02), 15)


def test_that_a_page_draws_no_outline_of_few_values_and_says_how_many_there_are() -> None:
    view = violin_view(finding(), FIGURE)
    assert view is not None
    wide, few, alike = view["lines"]
    assert [bool(line["outline"]) for line in (wide, few, alike)] == [True, False, True]
    assert (wide["note"], few["note"]) == (f"n {FEWEST}", "n 4")
    assert len(wide["points"]) == 2
    assert (wide["median"], wide["dots"]) == (wide["points"][1], [])
    assert few["points"] == []
    assert [view["left"] < dot["x"] < view["right"] for dot in few["dots"]] == [True] * 4
    assert few["median"] == few["dots"][0]["x"]
    heights = [dot["y"] for dot in few["dots"][:3]]
    assert heights == sorted(heights, reverse=True), "a value's dots stand on each other"
    block = violins_of(finding(), FIGURE)[1]
    wider = replace(block, points=((2, 50), (5, 1)))
    assert len(wider.dots) == 51
    assert len(set(wider.dots)) == 51, "no dot covers another"
    assert all(-0.5 < down < 0.5 for _, down in wider.dots)
    assert all(1.5 < at < 2.5 for at, _ in wider.dots[:50]), "a block stays by its own value"
    assert few["dots"][3]["y"] == heights[0] < few["foot"]
    assert all(above["y"] + 38 == pytest.approx(below["y"], abs=1) for above, below in pairwise(view["lines"]))


def test_that_counts_that_a_report_draws_as_outlines_are_not_listed_behind_it() -> None:
    many = replace(finding(), rows=finding().rows * 8)
    drawn, told = (page(replace(report(), findings=(each,))) for each in (many, replace(many, figures=())))
    assert "Its 40 counts: Save in Results" in drawn
    assert "Its 40 counts" not in told


def test_that_the_keyboard_says_a_distribution_and_opens_what_it_is_of(theme: Theme, qtbot: QtBot) -> None:
    plot = ViolinPlot(theme, says="Levels", x_title="level")
    qtbot.addWidget(plot)
    plot.show_violins(violins_of(finding(), FIGURE))
    plot.resize(500, 300)
    plot.show()
    assert not plot.grab().isNull()
    plot._choose(0)
    assert plot.accessibleDescription() == f"j, wide: 1: 40 times; 9: {FEWEST - 40} times; n {FEWEST}, 1 of 3"
    assert plot.bundles(1) == BundleFilter(model="few")
