"""Small multiples: one geometry for the window and the page, every mark reachable with the keyboard."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.domain.profile_marks import legend, profile_marks
from gpf_desktop.figures.profiles import profile_figure
from gpf_desktop.figures.shapes import Disc, Figure, Words
from gpf_desktop.numerics.profile_layout import profile_layout

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


def drawn(width: float = 960, made: Finding | None = None) -> Figure:
    figure = profile_figure(made or finding(), FIGURE, width)
    assert figure is not None
    return figure


def test_that_every_value_has_its_mark_in_its_panel_and_a_missing_one_a_dash() -> None:
    figure = drawn()
    marks = [each for each in figure.shapes if isinstance(each, Disc)]
    assert (len(marks), len(figure.spots)) == (11, 12)
    assert [each.fill for each in marks][:3] == ["accent", "surface", "accent"], "the second of a line is hollow"
    assert [each.text for each in figure.shapes if isinstance(each, Words)].count("–") == 1
    heads = {each.text: each.x for each in figure.shapes if isinstance(each, Words) and each.bold}
    assert list(heads) == ["one", "two", "three", "four"]
    assert heads["one"] < marks[0].x < heads["two"] < marks[3].x


def test_that_narrow_pictures_have_fewer_panels_beside_each_other() -> None:
    assert drawn(420).height > drawn(960).height
    assert all(0 <= each.x <= 420 for each in drawn(420).shapes if isinstance(each, Disc | Words))


def test_that_a_line_is_named_in_full_where_there_is_room() -> None:
    long = "Δ option 1 · dissimilar – similar"
    rows = tuple(replace(row, values={**row.values, "measure": long}) for row in finding().rows)
    named = drawn(made=replace(finding(), rows=rows)).shapes
    assert {each.text for each in named if isinstance(each, Words) and each.anchor == "end"} == {long}


def test_that_every_mark_is_told_and_opens_its_bundles() -> None:
    spots = drawn().spots
    assert spots[1].says == "one, σ · place: Beyond chance 0.020, range 0.000 to 0.050, n 9"
    assert spots[10].says == "four, σ · place: Beyond chance unavailable, no valid answers"
    assert spots[10].bundles == BundleFilter(model="lab/four")
