"""Control charts: nothing is drawn over a gap, what is outside is named, every point leads to its batch."""

import pytest

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.series import SeriesBook
from gpf_desktop.figures.series import series_figure, series_figures
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Rectangle, Trace, Words
from gpf_desktop.ui.results.figures import SeriesChoice, series_picture, settled_choice
from tests.support.series import CALM, GAPPED, LEAVING, batch_view_of, streaming_of

MODELS = {"openai/calm": CALM, "openai/gapped": GAPPED, "openai/left": LEAVING}


def front(line: str, width: float = 900) -> tuple[Figure, Finding]:
    found, figure = streaming_of(MODELS)
    book = SeriesBook(found, figure)
    choice = settled_choice(book, SeriesChoice(line=line, split="How far apart, in words", track="raw"))
    return series_figure(found, series_picture(book, choice), width), found


def said(figure: Figure) -> list[str]:
    return [each.text for each in figure.shapes if isinstance(each, Words)]


def test_that_a_line_that_leaves_its_limits_is_marked_and_named_once_a_run() -> None:
    figure, _ = front("openai/left")
    marks = [each for each in figure.shapes if isinstance(each, Polygon) and each.edge == "danger"]
    assert marks
    assert said(figure).count("outside") <= len(marks)
    assert "sets the limits" in said(figure)
    assert any(words.startswith("The smoothed series left its limits") for words in said(figure))
    calm, _ = front("openai/calm")
    assert not any(isinstance(each, Polygon) and each.edge == "danger" for each in calm.shapes)


def test_that_nothing_is_drawn_over_a_gap() -> None:
    figure, _ = front("openai/gapped")
    thick = [each for each in figure.shapes if isinstance(each, Trace) and each.width > 2]
    assert len(thick) == 2, "one stretch before the gap and one behind it"
    assert len([each for each in figure.shapes if isinstance(each, Disc)]) == len(figure.spots) == 11


def test_that_every_point_is_told_in_the_order_of_time_and_leads_to_its_batch() -> None:
    figure, found = front("openai/left")
    assert [each.x for each in figure.spots] == sorted(each.x for each in figure.spots)
    assert figure.spots[0].says.startswith("Round 1: How far apart, in words, as measured 0.3")
    assert figure.spots[0].says.endswith(", sets the limits")
    assert figure.spots[-1].says.endswith(", outside")
    for spot in figure.spots:
        assert spot.bundles is found.rows[spot.row].bundles


@pytest.mark.parametrize("width", [320, 700, 1500])
def test_that_nothing_leaves_the_picture(width: float) -> None:
    figure, _ = front("openai/left", width)
    assert all(0 <= each.x <= width for each in figure.shapes if isinstance(each, Disc | Words))
    assert all(
        each.x >= -1 and each.x + each.width <= width + 1 for each in figure.shapes if isinstance(each, Rectangle)
    )


def test_that_vendors_stand_behind_the_one_in_front_with_their_names_apart() -> None:
    found, figure = batch_view_of({"a/x": CALM, "b/y": GAPPED, "c/z": LEAVING})
    book = SeriesBook(found, figure)
    drawn = series_figure(found, series_picture(book, settled_choice(book, SeriesChoice())), 800)
    names = [each for each in drawn.shapes if isinstance(each, Words) and each.text in ("b", "c")]
    assert len(names) == 2
    assert abs(names[0].y - names[1].y) >= 14
    assert len([each for each in drawn.shapes if isinstance(each, Trace) and each.width < 1]) >= 2


def test_that_small_pictures_have_one_step_and_are_parted_between_their_rows() -> None:
    found, figure = streaming_of({f"lab/{at}": CALM for at in range(9)})
    whole = list(series_figures(found, figure, 720))
    parted = list(series_figures(found, figure, 720, tallest=whole[0].height / 2))
    assert len(parted) > len(whole)
    assert all(each.height <= whole[0].height / 2 for each in parted)
    assert sum(len(each.spots) for each in parted) == sum(len(each.spots) for each in whole)
    assert len([each for each in whole[0].shapes if isinstance(each, Line) and each.ink == "border"]) > 9
