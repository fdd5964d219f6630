"""The band of an interval plot on a page."""

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row
from gpf_desktop.exporters._interval_figures import interval_view


def finding(band: tuple[float, float] | None) -> Finding:
    figure = Intervals(title="Targets", label=("target",), value="size", x_title="in margins", band=band)
    return Finding(
        name="tests",
        title="Tests",
        columns=(
            Column(key="target", title="Target", kind=ColumnKind.TEXT),
            Column(key="size", title="Size", kind=ColumnKind.ESTIMATE),
        ),
        rows=(Row(values={"target": "a", "size": Estimate(value=0.2, n=4, articles=4)}, bundles=BundleFilter()),),
        reading="",
        figures=(figure,),
    )


def test_that_a_band_lies_around_what_is_within_it() -> None:
    made = finding((-1.0, 1.0))
    view = interval_view(made, made.figures[0])  # type: ignore[arg-type]
    assert view is not None
    assert view["left"] < view["band"]["low"] < view["lines"][0]["x"] < view["band"]["high"] < view["right"]
    without = finding(None)
    plain = interval_view(without, without.figures[0])  # type: ignore[arg-type]
    assert plain is not None
    assert plain["band"] is None
