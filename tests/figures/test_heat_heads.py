"""What stands over the columns of a heat map"""

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.figures.shapes import Words


def heads_of(key: str, names: tuple[str, ...], width: float) -> list[list[str]]:
    """By column, the lines over it."""
    tone = Estimate(value=0.1, n=20, articles=20)
    rows = tuple(Row(values={"concept": "Ghana", key: name, "tone": tone}, bundles=BundleFilter()) for name in names)
    columns = (Column(key="tone", title="Tone", kind=ColumnKind.ESTIMATE),)
    found = Finding(name="x", title="x", columns=columns, rows=rows, reading="")
    shapes = heat_figure(found, HeatMap(title="", down="concept", across=key, value="tone"), width).shapes
    words = [
        each for each in shapes if isinstance(each, Words) and each.anchor == "middle" and each.ink == "text_secondary"
    ]
    return [[each.text for each in words if each.x == x] for x in dict.fromkeys(each.x for each in words)]


def test_that_models_that_differ_where_their_names_end_are_told_apart_in_narrow_columns() -> None:
    heads = heads_of("model", ("tailoring-0.3", "tailoring-0.7", "leaky"), 260)
    assert [each[-1] for each in heads] == ["0.3", "0.7", "leaky"]


def test_that_no_stroke_stands_on_a_line_of_its_own() -> None:
    assert heads_of("family", ("Worldviews / Values", "Impact"), 260) == [["Worldviews/", "Values"], ["Impact"]]
    assert heads_of("family", ("Worldviews / Values", "Impact"), 700) == [["Worldviews / Values"], ["Impact"]]


MAP = HeatMap(title="Tone", down="concept", across="asked", value="tone")


def test_that_a_models_name_ends_a_line_behind_its_vendor_and_loses_no_word() -> None:
    tone = Estimate(value=0.1, n=20, articles=20)
    rows = tuple(
        Row(
            values={"concept": "Ghana", "asked": f"{vendor}/tilted · helpful assistant {at}", "tone": tone},
            bundles=BundleFilter(),
        )
        # Of two vendors, for one that all models share is left out.
        for vendor in ("saged-calibration", "other")
        for at in range(3)
    )
    columns = (Column(key="tone", title="Tone", kind=ColumnKind.ESTIMATE),)
    found = Finding(name="x", title="x", columns=columns, rows=rows, reading="")
    heads = [
        each for each in heat_figure(found, MAP, 760).shapes if isinstance(each, Words) and each.anchor == "middle"
    ]
    first = [head.text for head in heads if head.x == heads[0].x][:3]
    assert first == ["saged-calibration/", "tilted · helpful", "assistant 0"]
