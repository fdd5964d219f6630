"""Heat maps: colours of their values, numbers that can be read, cells that lead to their answers."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.figures.shapes import Figure, Rectangle, Words
from gpf_desktop.figures.text_widths import width_of
from gpf_desktop.numerics.color_scale import DIVERGING, RISING, RISING_ON_DARK, color_at, text_on

ROWS, COLUMNS = ("Religion", "Political"), ("Impact", "Bias Check", "Worldview / Values")
MAP = HeatMap(title="S by dimension and family", down="dimension", across="family", value="s")


def _row(row: int, column: int) -> Row:
    value = None if (row, column) == (1, 1) else 0.1 * (row + 1) + 0.01 * column
    s = Estimate(value=value, n=72, articles=4, why="no repeats")
    levels = (("dimension", ROWS[row]), ("family", COLUMNS[column]))
    return Row(values={"dimension": ROWS[row], "family": COLUMNS[column], "s": s}, bundles=BundleFilter(levels=levels))


MAPPED = Finding(
    name="interaction",
    title="S by dimension and family",
    columns=(
        Column(key="dimension", title="Dimension", kind=ColumnKind.TEXT),
        Column(key="family", title="Family", kind=ColumnKind.TEXT),
        Column(key="s", title="S", kind=ColumnKind.ESTIMATE),
    ),
    rows=tuple(_row(row, column) for row in range(2) for column in range(3)),
    reading="It does not say why.",
)


def cells(figure: Figure) -> list[Rectangle]:
    return [each for each in figure.shapes if isinstance(each, Rectangle) and each.height > 30]


def words(figure: Figure) -> list[str]:
    return [each.text for each in figure.shapes if isinstance(each, Words)]


def test_that_cells_have_the_colours_of_their_values_and_missing_ones_none() -> None:
    figure = heat_figure(MAPPED, MAP, 700)
    fills = [each.fill for each in cells(figure)]
    assert (fills[0], fills[5]) == (color_at(0.1, RISING), color_at(0.22, RISING))
    assert fills[4] == "sunken"
    assert [each.ink for each in figure.shapes if isinstance(each, Words) and each.text == "0.10"] == [
        text_on(fills[0])
    ]
    assert "–" in words(figure)
    assert words(figure).count("n 72") == 5


def test_that_0_is_the_palest_on_a_light_ground_and_the_darkest_on_a_dark_one() -> None:
    def fill(value: float, low: float, ground: str) -> str:
        one = replace(MAPPED.rows[0], values={**MAPPED.rows[0].values, "s": Estimate(value=value, n=72, articles=4)})
        return cells(heat_figure(replace(MAPPED, rows=(one,)), replace(MAP, low=low), 700, ground))[0].fill

    assert fill(0.0, 0.0, "#FFFFFF") == RISING[0]
    assert fill(0.0, 0.0, "#1C2025") == RISING_ON_DARK[0]
    assert fill(0.0, -1.0, "#FFFFFF") == DIVERGING[1], "in the middle, where values lie on both sides of it"


def test_that_every_cell_is_told_and_leads_to_its_answers() -> None:
    figure = heat_figure(MAPPED, MAP, 700)
    assert figure.across == 3
    assert figure.spots[0].says == "Religion, Impact: S, mean 0.100, n 72"
    assert figure.spots[4].says == "Political, Bias Check: S, mean unavailable, no repeats"
    assert [each.bundles for each in figure.spots] == [each.bundles for each in MAPPED.rows]


@pytest.mark.parametrize("width", [320, 480, 1200])
def test_that_no_number_is_wider_than_its_cell(width: float) -> None:
    many = [f"column {at}" for at in range(12)]
    rows = tuple(
        replace(MAPPED.rows[0], values={**MAPPED.rows[0].values, "family": name, "dimension": "a"}) for name in many
    )
    figure = heat_figure(replace(MAPPED, rows=rows), MAP, width)
    wide = cells(figure)[0].width
    numbers = [each for each in figure.shapes if isinstance(each, Words) and each.text in ("0.10", "n 72")]
    assert all(width_of(each.text, each.size) <= wide for each in numbers)
    assert all(0 <= each.x <= width for each in figure.shapes if isinstance(each, Words))


def test_that_a_centred_map_keeps_numbers_for_what_is_told_from_the_mean_of_all() -> None:
    figure = heat_figure(MAPPED, replace(MAP, centred=True, margin=0.03), 700)
    assert not any(each.startswith(("+", "−0.0")) for each in words(figure)[:-2]), "none has a range"
    assert "from the mean of all" in figure.spots[0].says


def test_that_the_ground_of_a_dark_window_shows_through_pale_cells() -> None:
    centred = replace(MAP, centred=True)
    light, dark = (heat_figure(MAPPED, centred, 700, ground) for ground in ("#FFFFFF", "#1C2025"))
    assert cells(light)[0].fill != cells(dark)[0].fill


def test_that_a_map_of_nothing_is_drawn() -> None:
    assert heat_figure(replace(MAPPED, rows=()), MAP, 700).spots == ()
