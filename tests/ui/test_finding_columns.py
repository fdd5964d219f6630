"""Columns of findings: estimates with their counts, reasons in place of values, p in words."""

from dataclasses import replace

from PySide6.QtCore import Qt

from gpf_desktop.domain.columns import p_value
from gpf_desktop.domain.findings import (
    BundleFilter,
    Column,
    ColumnKind,
    Estimate,
    Finding,
    Interval,
    Row,
)
from gpf_desktop.exporters._text import shown
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.columns import estimate_text, finding_columns, value_text
from gpf_desktop.ui.widgets.table_models import RowsTableModel


def test_that_estimates_never_stand_without_what_is_known() -> None:
    even = Interval(low=0.301, high=0.361, level=0.95, method="t")
    uneven = Interval(low=0.3, high=0.4, level=0.95, method="percentile")
    assert estimate_text(Estimate(value=0.331, n=7, articles=4, interval=even)) == "0.331 (0.301 to 0.361)"
    ends = replace(even, level=1.0)
    assert estimate_text(Estimate(value=0.331, n=7, articles=4, interval=ends)) == "0.331 (0.301 to 0.361)"
    assert estimate_text(Estimate(value=0.331, n=7, articles=4, interval=uneven)) == "0.331 (0.300 to 0.400)"
    assert estimate_text(Estimate(value=0.331, n=7, articles=4)) == "0.331"
    assert estimate_text(Estimate(value=None, n=0, articles=0, why="one batch")) == "–"
    words = Estimate(value=165.7061, n=7, articles=4, interval=replace(even, low=156.35, high=175.06))
    assert estimate_text(words) == "165.7 (156.3 to 175.1)"
    assert value_text(0.0042, ColumnKind.SHARE) == "0.4%"
    assert value_text(12_345, ColumnKind.COUNT) == "12,345"


def test_that_a_finding_shows_itself_with_counts_and_reasons(theme: Theme) -> None:
    finding = Finding(
        name="models",
        title="Models",
        columns=(
            Column(key="model", title="Model", kind=ColumnKind.TEXT),
            Column(key="s", title="S", kind=ColumnKind.ESTIMATE),
        ),
        rows=(
            Row(
                values={"model": "calibration/neutral", "s": Estimate(value=None, n=3, articles=1, why="one batch")},
                bundles=BundleFilter(model="calibration/neutral"),
                synthetic=True,
            ),
        ),
        reading="",
    )
    model = RowsTableModel(theme, finding_columns(finding), key=id)
    model.set_rows(finding.rows)
    assert model.index(0, 1).data() == "–"
    assert model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole) == "one batch"
    assert model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole) == "S one batch, n 3"
    assert model.index(0, 0).data(Qt.ItemDataRole.DecorationRole) is not None


def test_that_a_small_p_is_told_as_below_the_smallest_that_is_written() -> None:
    for p, words in ((0.0, "< 0.001"), (0.00099, "< 0.001"), (0.001, "0.001"), (0.2, "0.200")):
        assert value_text(p, ColumnKind.P) == words == shown(p, ColumnKind.P)
    assert value_text(None, ColumnKind.P) == "–"


def test_that_a_p_stands_right_and_is_sorted_as_a_number(theme: Theme) -> None:
    finding = Finding(
        name="tests",
        title="Tests",
        columns=(p_value("p", "Adjusted p"),),
        rows=tuple(Row(values={"p": each}, bundles=BundleFilter()) for each in (0.03, None, 0.00002, 1.0)),
        reading="",
    )
    model = RowsTableModel(theme, finding_columns(finding), key=id)
    model.set_rows(finding.rows)
    assert model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    model.sort(0)
    assert [model.index(at, 0).data() for at in range(4)] == ["< 0.001", "0.030", "1.000", "–"]
