"""Outlines of distributions, in the window and on a page."""

from dataclasses import replace

import numpy as np
import pytest

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Finding, Row
from gpf_desktop.domain.violins import FEWEST, violins_of
from gpf_desktop.exporters.html import page
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Words
from gpf_desktop.figures.violins import violin_figure
from gpf_desktop.numerics.violin_shape import WIDEST, violin_shape
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


def drawn(figure: Violins = FIGURE) -> Figure:
    made = violin_figure(finding(), figure, 960)
    assert made is not None
    return made


def test_that_no_outline_is_drawn_of_few_values_and_how_many_there_are_is_said() -> None:
    figure = drawn()
    outlines = [each for each in figure.shapes if isinstance(each, Polygon)]
    assert len(outlines) == 2, "of the two with a hundred values"
    notes = [each.text for each in figure.shapes if isinstance(each, Words) and each.text.startswith("n ")]
    assert notes == [f"n {FEWEST}", "n 4", f"n {FEWEST}"]
    few = figure.spots[1]
    dots = [d for d in figure.shapes if isinstance(d, Disc) and few.y < d.y < few.y + few.height]
    assert len(dots) == 4
    assert len({dot.x for dot in dots}) == 2, "a value's dots stand on each other"
    assert all(few.x < dot.x < few.x + few.width for dot in dots)
    (tick,) = [each for each in figure.shapes if isinstance(each, Line) and each.ink == "text"]
    assert tick.x1 == dots[0].x, "the median"
    assert [each.y for each in figure.spots] == sorted(each.y for each in figure.spots)


def test_that_blocks_of_many_dots_stay_by_their_value_and_cover_nothing() -> None:
    block = violins_of(finding(), FIGURE)[1]
    wider = replace(block, points=((2, 50), (5, 1)))
    assert len(wider.dots) == 51
    assert len(set(wider.dots)) == 51, "no dot covers another"
    assert all(-0.5 < down < 0.5 for _, down in wider.dots)
    assert all(1.5 < at < 2.5 for at, _ in wider.dots[:50]), "a block stays by its own value"


def test_that_the_model_under_study_alone_is_in_colour() -> None:
    figure = drawn(replace(FIGURE, accent=("model", "few")))
    few = figure.spots[1]
    inks = {(few.y < d.y < few.y + few.height): d.fill for d in figure.shapes if isinstance(d, Disc)}
    assert inks == {True: "accent", False: "text_secondary"}


def test_that_a_distribution_is_told_and_opens_what_it_is_of() -> None:
    spots = drawn().spots
    assert spots[0].says == f"j, wide: 1: 40 times; 9: {FEWEST - 40} times; n {FEWEST}"
    assert [each.bundles for each in spots] == [BundleFilter(model=model) for model in COUNTED]
    assert [each.row for each in spots] == [0, 2, 4]


def test_that_counts_that_a_report_draws_as_outlines_are_not_listed_behind_it() -> None:
    many = replace(finding(), rows=finding().rows * 8)
    drawn, told = (page(replace(report(), findings=(each,))) for each in (many, replace(many, figures=())))
    assert "Its 40 counts: Save in Results" in drawn
    assert "Its 40 counts" not in told
