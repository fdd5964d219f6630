"""What stands over the columns of a heat map"""

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.figures.shapes import Words

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
