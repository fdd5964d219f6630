"""Dots with their ranges below each other: one geometry for window and files."""

import re
from dataclasses import replace

import pytest

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.exporters._figures import drawn_view
from gpf_desktop.exporters._pdf_view import drawn_figures
from gpf_desktop.figures.intervals import CLOSE, has_values, interval_figures
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Rectangle, Words

FIGURE = Intervals(title="Targets", label=("of", "target"), value="size", x_title="in margins", zero=True)
PAGE = 930.0


def row(target: str, value: float | None, of: str = "all", *, synthetic: bool = False) -> Row:
    interval = None if value is None else Interval(low=value - 0.2, high=value + 0.2, level=0.95, method="t")
    size = Estimate(value=value, n=4, articles=4, interval=interval, why="no valid answers")
    bundles = BundleFilter(model=target)
    return Row(values={"of": of, "target": target, "size": size}, bundles=bundles, synthetic=synthetic)


def finding(*rows: Row) -> Finding:
    columns = (
        Column(key="of", title="Of", kind=ColumnKind.TEXT),
        Column(key="target", title="Target", kind=ColumnKind.TEXT),
        Column(key="size", title="Size", kind=ColumnKind.ESTIMATE),
    )
    return Finding(name="tests", title="Tests", columns=columns, rows=rows, reading="So.")


def only(figures: list[Figure]) -> Figure:
    (figure,) = figures
    return figure


def words(figure: Figure) -> list[str]:
    return [each.text for each in figure.shapes if isinstance(each, Words)]


def test_that_a_band_lies_around_what_is_within_it() -> None:
    plain = Intervals(title="Targets", label=("target",), value="size", x_title="", band=(-1.0, 1.0))
    figure = only(interval_figures(finding(row("a", 0.2)), plain, 720))
    (band,) = [each for each in figure.shapes if isinstance(each, Rectangle)]
    (mark,) = [each for each in figure.shapes if isinstance(each, Disc)]
    assert band.x < mark.x < band.x + band.width
    without = only(interval_figures(finding(row("a", 0.2)), FIGURE, 720))
    assert not any(isinstance(each, Rectangle) for each in without.shapes)


def test_that_what_chance_gives_stands_on_the_line_of_its_row_and_in_sight() -> None:
    """A gap of any two groups lies above 0; held against 0 a model that treats all alike looks guilty."""
    made = finding(row("a", 0.2), row("b", 0.3), row("c", None))
    given = [
        replace(each, values={**each.values, "by": by}) for each, by in zip(made.rows, (0.6, None, 0.1), strict=True)
    ]
    made = replace(made, rows=tuple(given))
    gaps = Intervals(title="Gaps", label=("target",), value="size", x_title="Gap", chance="by")
    figure = only(interval_figures(made, gaps, 720))
    marks = [each for each in figure.shapes if isinstance(each, Disc)]
    ticks = [each for each in figure.shapes if isinstance(each, Line) and each.x1 == each.x2 and each.ink != "border"]
    (tick,) = [each for each in ticks if each.y1 < marks[0].y < each.y2]
    assert marks[1].x < tick.x1 < figure.width
    assert figure.spots[0].says.endswith("; by chance alone 0.600")
    assert "chance" not in figure.spots[1].says + figure.spots[2].says
    assert "Gap; upright lines: by chance alone" in words(figure)


def test_that_every_row_has_a_place_that_leads_to_its_answers_and_says_what_stands_there() -> None:
    made = finding(row("lab/a", 0.2), row("lab/b", None), row("lab/c", -0.1, synthetic=True))
    figure = only(interval_figures(made, FIGURE, 720))
    assert [each.bundles for each in figure.spots] == [each.bundles for each in made.rows]
    assert [each.row for each in figure.spots] == [0, 1, 2]
    assert [each.says for each in figure.spots] == [
        "all, a: in margins 0.200, range 0.000 to 0.400, n 4",
        "all, b: in margins unavailable, no valid answers",
        "all, c: in margins −0.100, range −0.300 to 0.100, n 4, synthetic",
    ]
    assert {"a", "b", "c", "0.200", "0.000 to 0.400", "–", "no valid answers"} <= set(words(figure))
    assert [type(each) for each in figure.shapes if isinstance(each, Disc | Polygon)] == [Disc, Polygon]


def test_that_numbers_on_the_axis_have_one_number_of_decimals_and_a_real_minus_sign() -> None:
    figure = only(interval_figures(finding(row("a", 0.01)), FIGURE, 500))
    ticks = [each for each in words(figure) if re.fullmatch(r"−?\d\.\d+", each)]
    assert ticks == ["−0.2", "−0.1", "0.0", "0.1", "0.2"]


@pytest.mark.parametrize("width", [320, 720, 1500])
def test_that_nothing_leaves_the_picture_and_the_marks_stand_within_the_scale(width: float) -> None:
    long = "openai-compatible/meta-llama/Llama-3.1-Instruct-with-a-very-long-name-of-8b"
    figure = only(interval_figures(finding(row(long, 3.0), row("b", -2.0, "some")), FIGURE, width))
    assert all(0 <= each.x <= width for each in figure.shapes if isinstance(each, Disc | Words))
    assert all(0 <= min(each.x1, each.x2) <= width for each in figure.shapes if isinstance(each, Line))


def test_that_a_row_under_study_alone_is_in_colour() -> None:
    accented = Intervals(title="", label=("target",), value="size", x_title="", accent=("target", "b"))
    figure = only(interval_figures(finding(row("a", 0.2), row("b", 0.3)), accented, 720))
    assert [each.fill for each in figure.shapes if isinstance(each, Disc)] == ["text_secondary", "accent"]


def test_that_rows_of_which_none_has_a_value_keep_their_lines_and_say_why() -> None:
    empty = finding(row("a", None))
    assert not has_values(empty, FIGURE)
    assert "no valid answers" in words(only(interval_figures(empty, FIGURE, 720)))
    assert "– no valid answers" in words(only(interval_figures(empty, FIGURE, 400)))
    assert interval_figures(finding(), FIGURE, 720) == []


def lined(heads: tuple[int, ...]) -> Finding:
    """80 lines in all, the names of groups among them."""
    rows, group = [], ""
    for at in range(80):
        if at in heads:
            group = f"group {at}"
        else:
            rows.append(row(f"line {at}", 0.1, group))
    return finding(*rows)


def drawn(made: Finding) -> list[dict[str, object]]:
    return drawn_figures([drawn_view(each) for each in interval_figures(made, FIGURE, 720, pitch=CLOSE, tallest=PAGE)])


def test_that_a_plot_of_many_lines_is_cut_into_pages_of_like_length_but_never_below_a_group_s_name() -> None:
    parts = drawn(lined((0, 33, 66)))

    def named(svg: object) -> list[str]:
        return re.findall(r">((?:line|group) \d+)<", str(svg))

    # Its group at line 33 is too near to the page's end to be parted from what comes before it.
    assert [[len(named(piece)) for piece in part["slices"]] for part in parts] == [[40], [26, 14]]  # type: ignore[attr-defined]
    assert sorted(int(each.split()[1]) for part in parts for each in named(part["svg"])) == list(range(80))
    assert all(part["share"] == 1 for part in parts)
    assert [part["told"] for part in parts] == [False, True]
    assert [len(named(part["svg"])) for part in drawn(lined((0, 39, 66)))] == [39, 41]
