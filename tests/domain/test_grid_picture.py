"""Heat maps on fixed scales."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.domain.grid_picture import PALEST, grid_picture, short_names
from gpf_desktop.figures.heat import cell_fill, cell_words, end_words, heat_figure
from gpf_desktop.figures.shapes import Words
from gpf_desktop.numerics.color_scale import RISING, color_at


def finding(*values: tuple[str, float, float]) -> Finding:
    def row(place: str, value: float, half: float) -> Row:
        interval = Interval(low=value - half, high=value + half, level=0.95, method="t") if half else None
        mean = Estimate(value=value, n=5, articles=4, interval=interval)
        return Row(values={"d": place, "f": "one", "s": mean}, bundles=BundleFilter())

    columns = (Column(key="s", title="S", kind=ColumnKind.ESTIMATE),)
    return Finding(name="x", title="x", columns=columns, rows=tuple(row(*each) for each in values), reading="")


MAP = HeatMap(title="S", down="d", across="f", value="s")


def test_that_a_value_has_one_colour_whatever_stands_beside_it() -> None:
    one = grid_picture(finding(("a", 0.40, 0.01), ("b", 0.41, 0.01)), MAP)
    other = grid_picture(finding(("a", 0.40, 0.01), ("b", 0.90, 0.01)), MAP)
    assert one.share(0.40) == other.share(0.40) == 0.40
    red, next_red = (int(color_at(one.share(value), RISING)[1:3], 16) for value in (0.40, 0.41))
    assert abs(red - next_red) <= 3


def test_that_columns_of_nothing_but_0_are_named_and_not_drawn() -> None:
    some = finding(("a", 0.4, 0.1), ("b", 0.0, 0.1), ("c", 0.0, 0.1))
    turned = replace(MAP, down="f", across="d", folds=True)
    made = grid_picture(some, turned)
    assert (made.columns, made.folded) == (("a",), ("b", "c"))
    assert [len(row) for row in made.cells] == [1]
    assert made.key.startswith("Not drawn, 0 in every field: b, c. The scale")
    assert grid_picture(some, replace(turned, folds=False)).columns == ("a", "b", "c")
    nothing = grid_picture(finding(("a", 0.0, 0.1), ("b", 0.0, 0.1)), turned)
    assert nothing.columns == ("a", "b"), "with nothing in any of them all stand there"


def test_that_cells_pale_as_their_intervals_widen_and_where_there_is_none() -> None:
    made = grid_picture(finding(("a", 0.4, 0.05), ("b", 0.4, 0.2), ("c", 0.4, 0.4), ("d", 0.4, 0.0)), MAP)
    strengths = [made.strength(row[0]) for row in made.cells]
    assert strengths[0] == 1.0
    assert PALEST < strengths[1] < 1.0
    assert strengths[2:] == [pytest.approx(PALEST)] * 2
    bare = grid_picture(finding(("a", 0.4, 0.0)), MAP)
    assert bare.strength(bare.cells[0][0]) == 1.0


def test_that_a_centred_map_is_coloured_around_its_mean_and_numbers_stand_where_a_cell_is_told_from_it() -> None:
    around = replace(MAP, centred=True, margin=0.03)
    found = finding(("a", 0.40, 0.005), ("b", 0.41, 0.05), ("c", 0.42, 0.005), ("d", 0.41, 0.0))
    made = grid_picture(found, around)
    assert made.centre == pytest.approx(0.41)
    assert (made.low, made.high) == (pytest.approx(0.38), pytest.approx(0.44)), "no small difference fills the scale"
    cells = [row[0] for row in made.cells]
    assert [made.told(cell) for cell in cells] == [True, False, True, False]
    assert [cell_words(made, cell) for cell in cells] == ["−0.01", "", "+0.01", ""]
    below, _, above, _ = (cell_fill(made, cell, "#FFFFFF") for cell in cells)
    assert int(below[5:], 16) > int(below[1:3], 16), "blue below"
    assert int(above[1:3], 16) > int(above[5:], 16), "ochre above"
    assert (end_words(made, made.low, 1), end_words(made, made.high, 1)) == ("−0.03", "+0.03")
    drawn = {each.text for each in heat_figure(found, around, 700).shapes if isinstance(each, Words)}
    assert {"−0.03 below the mean", "+0.03 above it"} <= drawn
    assert "0.41" in made.key
    alone = grid_picture(finding(("a", 0.4, 0.1)), around)
    assert alone.centre is None


def test_that_a_map_of_one_level_draws_its_rows_only() -> None:
    some = replace(MAP, where=("d", "b"))
    assert grid_picture(finding(("a", 0.4, 0.1), ("b", 0.5, 0.1)), some).rows == ("b",)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("a/x", "a/y"), ("x", "y")),
        (("a/x", "b/x"), ("a/x", "b/x")),
        (("m/0", "m/1"), ("m/0", "m/1")),
        (("a/x · travel writer", "a/x"), ("x · travel writer", "x")),
        (("Tax and/or rates", "Roads"), ("Tax and/or rates", "Roads")),
    ],
)
def test_that_models_go_without_their_provider_in_a_role_too(names: tuple[str, ...], short: tuple[str, ...]) -> None:
    assert short_names(names) == short
