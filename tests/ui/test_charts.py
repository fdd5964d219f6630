"""Charts: what they say, how they are walked through, what they save."""

import csv
import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.chart_files import SavedWords, finding_csv
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.figures.test_heat import MAP, MAPPED
from tests.ui.accessibility import problems_in

FINDING = Finding(
    name="interaction",
    title="S by dimension and family",
    columns=(
        Column(key="model", title="Model", kind=ColumnKind.TEXT),
        Column(key="s", title="S", kind=ColumnKind.ESTIMATE),
        Column(key="pairs", title="Pairs", kind=ColumnKind.COUNT),
    ),
    rows=(
        Row(
            values={
                "model": "a, b",
                "s": Estimate(
                    value=0.1 + 0.2, n=7, articles=4, interval=Interval(low=0.1, high=0.5, level=0.95, method="t")
                ),
                "pairs": 1200,
            },
            bundles=BundleFilter(model="a, b"),
        ),
        Row(
            values={"model": "c", "s": Estimate(value=None, n=0, articles=0, why="one batch"), "pairs": 0},
            bundles=BundleFilter(model="c"),
        ),
    ),
    reading="It does not say why, or that it is harmful.",
)


@pytest.fixture
def heat(theme: Theme, qtbot: QtBot) -> FigurePlot:
    made = FigurePlot(theme, lambda width: heat_figure(MAPPED, MAP, width), says="S by dimension and family")
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def test_that_the_arrow_keys_walk_a_map_in_both_ways_and_stop_at_its_edges(heat: FigurePlot, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(heat, key)
    assert heat.accessibleDescription() == "Political, Bias Check: S, mean unavailable, no repeats, 5 of 6"
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    assert heat.accessibleDescription().startswith("Political, Worldview / Values: S, mean 0.220")
    with qtbot.waitSignal(heat.chosen) as chosen:
        qtbot.keyClick(heat, Qt.Key.Key_Return)
    assert chosen.args == [BundleFilter(levels=(("dimension", "Political"), ("family", "Worldview / Values")))]
    assert problems_in(heat) == []


def test_that_a_chart_is_also_a_table_and_a_file(theme: Theme, heat: FigurePlot, qtbot: QtBot, tmp_path: Path) -> None:
    card = ChartCard(theme, FINDING, heat, name="interaction")
    qtbot.addWidget(card)
    card.resize(640, 420)
    card.show()
    card.title.setText("A title that is longer than its room beside three buttons " * 2)
    # It goes on below and is not cut.
    line = card.title.fontMetrics().height()
    qtbot.waitUntil(lambda: card.title.height() >= max(2 * line, card.title.heightForWidth(card.title.width())))
    qtbot.mouseClick(card.as_table, Qt.MouseButton.LeftButton)
    assert card.table.isVisible()
    assert not heat.isVisible()
    qtbot.mouseClick(card.as_table, Qt.MouseButton.LeftButton)
    assert heat.isVisible()
    card.write_png(tmp_path / "a.png")
    card.write_svg(tmp_path / "a.svg")
    card.write_csv(tmp_path / "a.csv")
    bare = QImage(str(tmp_path / "a.png"))
    assert bare.size() == heat.size() * 2
    assert "S by dimension and family" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert (tmp_path / "a.csv").read_bytes().decode() == finding_csv(FINDING)
    with qtbot.waitSignal(card.bundles_chosen) as chosen:
        card.table.opened.emit(FINDING.rows[1])
    assert chosen.args == [BundleFilter(model="c")]
    assert problems_in(card) == []


def test_that_a_saved_picture_has_its_caption_beneath_and_a_saved_table_its_filter(
    theme: Theme, heat: FigurePlot, qtbot: QtBot, tmp_path: Path
) -> None:
    card = ChartCard(theme, FINDING, heat, name="interaction")
    qtbot.addWidget(card)
    card.resize(640, 420)
    card.show()
    card.write_png(tmp_path / "bare.png")
    card.saved_words = SavedWords(filtered="Filtered to: models =c.", caption=("S", "Filtered to: models =c. " * 20))
    card.write_png(tmp_path / "a.png")
    card.write_csv(tmp_path / "a.csv")
    bare, whole = QImage(str(tmp_path / "bare.png")), QImage(str(tmp_path / "a.png"))
    assert whole.copy(bare.rect()) == bare
    added = whole.copy(0, bare.height(), whole.width(), whole.height() - bare.height())
    lines = [any(added.pixel(x, y) != added.pixel(0, 0) for x in range(added.width())) for y in range(added.height())]
    assert sum(one != other for one, other in itertools.pairwise(lines)) >= 6, "several lines of words"
    assert not lines[-1], "nothing is cut off"
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["filtered_to"] for row in rows] == ["Filtered to: models =c."] * 2


def test_that_saved_numbers_are_whole_and_missing_ones_empty() -> None:
    parts = ("n", "articles", "low", "high", "level", "interval", "why")
    rows = list(csv.reader(finding_csv(FINDING).splitlines()))
    assert rows == [
        ["model", "s", *(f"s_{part}" for part in parts), "pairs", "synthetic"],
        ["a, b", "0.30000000000000004", "7", "4", "0.1", "0.5", "0.95", "t", "", "1200", "0"],
        ["c", "", "0", "0", "", "", "", "", "one batch", "0", "0"],
    ]
