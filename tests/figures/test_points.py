"""Points in a plane: mean against spread with names, and a map of answers."""

import pytest

from gpf_desktop.domain.figures import GROUP_COLORS, PointMap, Scatter
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row, Value
from gpf_desktop.figures.point_map import map_figure
from gpf_desktop.figures.scatter import scatter_figure
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Words
from gpf_desktop.figures.text_widths import width_of

SCATTER = Scatter(title="Stability", x="s", y="spread", label="model", x_title="mean S", y_title="spread")
MAP = PointMap(title="Answers", x="x", y="y", group="model", label=("model", "item"), x_title="first", y_title="second")


def finding(*rows: tuple[dict[str, Value], bool]) -> Finding:
    columns = tuple(Column(key=key, title=key, kind=ColumnKind.TEXT) for key in rows[0][0])
    made = tuple(
        Row(values=values, bundles=BundleFilter(article_id=at), synthetic=synthetic)
        for at, (values, synthetic) in enumerate(rows)
    )
    return Finding(name="f", title="F", columns=columns, rows=made, reading="So.")


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    interval = None if low is None or high is None else Interval(low=low, high=high, level=0.95, method="t")
    return Estimate(value=value, n=9, articles=9, interval=interval)


def words(figure: Figure) -> list[str]:
    return [each.text for each in figure.shapes if isinstance(each, Words)]


def test_that_points_are_named_told_from_left_to_right_and_lead_to_their_answers() -> None:
    made = finding(
        ({"model": "lab/gpt-x", "s": estimate(0.2, 0.18, 0.23), "spread": estimate(0.01)}, False),
        ({"model": "lab/neutral", "s": estimate(0.1), "spread": estimate(0.02)}, True),
        ({"model": "lab/nothing", "s": estimate(None), "spread": estimate(0.02)}, False),
    )
    figure = scatter_figure(made, SCATTER, 700)
    assert figure is not None
    assert [each.says for each in figure.spots] == [
        "neutral: mean S 0.100, spread 0.020, synthetic",
        "gpt-x: mean S 0.200, spread 0.010, range 0.180 to 0.230",
    ]
    assert [each.bundles for each in figure.spots] == [BundleFilter(article_id=1), BundleFilter(article_id=0)]
    assert {"gpt-x", "neutral", "mean S", "spread"} <= set(words(figure))
    assert "nothing" not in words(figure)
    assert [type(each) for each in figure.shapes if isinstance(each, Disc | Polygon)] == [Polygon, Disc]
    nothing = finding(({"model": "a", "s": estimate(None), "spread": estimate(0.1)}, False))
    assert scatter_figure(nothing, SCATTER, 700) is None


@pytest.mark.parametrize("width", [320, 720, 1400])
def test_that_names_of_points_stay_in_the_picture(width: float) -> None:
    rows = [
        ({"model": f"a-model-with-a-long-name-{at}", "s": estimate(at / 10), "spread": estimate(0.1)}, False)
        for at in range(5)
    ]
    figure = scatter_figure(finding(*rows), SCATTER, width)
    assert figure is not None
    for each in figure.shapes:
        if isinstance(each, Words):
            wide = width_of(each.text, each.size)
            left = each.x - {"start": 0.0, "middle": wide / 2, "end": wide}[each.anchor]
            assert left >= -1, each
            assert left + wide <= width + 1, each
        if isinstance(each, Line):
            assert max(each.x1, each.x2) <= width


def test_that_a_map_names_its_groups_by_colour_and_shape_and_opens_what_a_point_is() -> None:
    made = finding(
        *(
            ({"model": f"lab/{name}", "item": f"answer {at}", "x": at / 10, "y": -float(at)}, False)
            for at, name in enumerate("bab")
        )
    )
    figure = map_figure(made, MAP, 700)
    assert figure is not None
    assert [each.says for each in figure.spots] == ["lab/b · answer 0", "lab/a · answer 1", "lab/b · answer 2"]
    assert figure.spots[2].bundles == BundleFilter(article_id=2)
    marks = [(type(each), each.fill) for each in figure.shapes if isinstance(each, Disc | Polygon)]
    first, second = (Disc, GROUP_COLORS[0]), (Polygon, GROUP_COLORS[1])
    assert marks == [first, second, first, first, second], "three points, then the key"
    assert {"a", "b"} <= set(words(figure))


def test_that_a_map_without_places_is_none_and_one_of_a_single_place_is_drawn() -> None:
    assert map_figure(finding(({"model": "a", "item": "i", "x": None, "y": None}, False)), MAP, 700) is None
    one = map_figure(finding(({"model": "a", "item": "i", "x": 0.5, "y": 0.5}, False)), MAP, 700)
    assert one is not None
    assert len(one.spots) == 1
