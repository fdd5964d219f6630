"""Names that are too long for a figure on a page."""

from collections.abc import Callable

import pytest

from gpf_desktop.domain.figures import HeatMap, Intervals, Profiles, Scatter
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.figures.intervals import interval_figures
from gpf_desktop.figures.profiles import profile_figure
from gpf_desktop.figures.scatter import scatter_figure
from gpf_desktop.figures.shapes import Words

SIZES = ("8b", "70b", "405b")


def finding() -> Finding:
    """A value for each of some models that are alike until their last word."""
    columns = (
        Column(key="model", title="Model", kind=ColumnKind.TEXT),
        Column(key="of", title="Of", kind=ColumnKind.TEXT),
        Column(key="a", title="A", kind=ColumnKind.ESTIMATE),
        Column(key="b", title="B", kind=ColumnKind.ESTIMATE),
    )
    rows = tuple(
        Row(
            values={
                "model": f"openai-compatible/meta-llama/Llama-3.1-Instruct-with-a-very-long-name-of-{size}",
                "of": of,
                "a": Estimate(value=0.1 + at / 10, n=20, articles=20),
                "b": Estimate(value=0.3 + at / 10, n=20, articles=20),
            },
            bundles=BundleFilter(),
        )
        for at, size in enumerate(SIZES)
        for of in ("x", "y")
    )
    return Finding(name="x", title="x", columns=columns, rows=rows, reading="")


def beside_heat(made: Finding) -> list[str]:
    figure = heat_figure(made, HeatMap(title="", down="model", across="of", value="a"), 600)
    return [each.text for each in figure.shapes if isinstance(each, Words) and "-" in each.text]


def beside_points(made: Finding) -> list[str]:
    figure = scatter_figure(made, Scatter(title="", label="model", x="a", y="b", x_title="", y_title=""), 960)
    assert figure is not None
    return [each.text for each in figure.shapes if isinstance(each, Words) and "-" in each.text]


def beside_intervals(made: Finding) -> list[str]:
    (figure,) = interval_figures(made, Intervals(title="", label=("of", "model"), value="a", x_title=""), 500)
    return [each.text for each in figure.shapes if isinstance(each, Words) and each.anchor == "end"]


def beside_profiles(made: Finding) -> list[str]:
    figure = profile_figure(made, Profiles(title="", panel=("of",), line="model", values=("a",), x_title=""), 640)
    assert figure is not None
    return [each.text for each in figure.shapes if isinstance(each, Words) and each.anchor == "end"]


@pytest.mark.parametrize("names", [beside_heat, beside_points, beside_intervals, beside_profiles])
def test_that_names_are_cut_in_their_middle_so_that_they_still_differ(names: Callable[[Finding], list[str]]) -> None:
    found = names(finding())
    assert found
    assert {name.rpartition("-")[2] for name in found} == set(SIZES)
    assert all("…" in name and not name.endswith("…") for name in found)
