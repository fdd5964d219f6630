"""Control charts: what they draw, say and lead to."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.figures.shapes import Words
from gpf_desktop.ui.results.figures import SeriesChoice
from gpf_desktop.ui.results.finding_cards import chart_card
from gpf_desktop.ui.theme import Scheme, Theme
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.support.series import CALM, GAPPED, LEAVING, streaming_of
from tests.ui.accessibility import problems_in

MODELS = {"openai/calm": CALM, "openai/gapped": GAPPED, "openai/left": LEAVING}


Show = Callable[..., ChartCard]


@pytest.fixture
def show(theme: Theme, qtbot: QtBot) -> Show:
    """Shows the control chart of some models; a fixture that held the card itself would keep it beyond the test."""

    def made(
        values: Mapping[str, tuple[float | None, ...]] = MODELS, choices: dict[str, SeriesChoice] | None = None
    ) -> ChartCard:
        found, figure = streaming_of(values)
        card = chart_card(theme, found, figure, under="", name="card.streaming", marked=True, choices=choices)
        qtbot.addWidget(card)
        card.resize(900, 520)
        card.show()
        return card

    return made


def plot_of(card: ChartCard) -> FigurePlot:
    assert isinstance(card.chart, FigurePlot)
    return card.chart


def title_of(card: ChartCard) -> str:
    figure = plot_of(card).figure
    assert figure is not None
    return figure.title


def words_of(card: ChartCard) -> str:
    figure = plot_of(card).figure
    assert figure is not None
    return " ".join(each.text for each in figure.shapes if isinstance(each, Words))


def pick(card: ChartCard, which: str, words: str) -> None:
    box = card.findChild(QComboBox, f"card.streaming.pick.{which}")
    assert box is not None
    box.setCurrentIndex(box.findText(words))
    box.activated.emit(box.currentIndex())


@pytest.mark.slow
def test_that_the_line_that_left_its_limits_stands_in_front_and_says_so(show: Show) -> None:
    card = show()
    assert title_of(card) == "openai/left · How far apart, in words, less other models"
    assert "The smoothed series left its limits at " in words_of(card)
    assert "Diamonds: outside." in words_of(card)
    told = card.findChild(QLabel, "card.streaming.pick.outside")
    assert told is not None
    assert told.text() == "2 of 3 series judged are outside", "the one that left moves its peers too"
    names = card.findChild(QComboBox, "card.streaming.pick.line")
    assert names is not None
    assert names.itemText(names.currentIndex()) == "openai/left (outside)"


@pytest.mark.slow
def test_that_another_line_and_measure_are_shown_as_chart_and_as_table(
    show: Show,
) -> None:
    choices: dict[str, SeriesChoice] = {}
    card = show(choices=choices)
    card.as_table.click()
    pick(card, "track", "as measured")
    pick(card, "line", "openai/gapped")
    assert title_of(card) == "openai/gapped · How far apart, in words, as measured"
    assert card.table.isVisible()
    assert card.table.model().rowCount() == 11
    titles = [column.title for column in card.table.model().columns]  # type: ignore[attr-defined]
    assert titles == ["Batch of news", "Mean of the batch", "Smoothed", "Lower limit", "Upper limit", "State"]
    assert choices["card.streaming"] == SeriesChoice(line="openai/gapped", split="How far apart, in words", track="raw")


@pytest.mark.slow
def test_that_the_line_that_was_looked_at_is_there_again_when_scores_are_read_anew(show: Show) -> None:
    kept = {"card.streaming": SeriesChoice(line="openai/calm", split="How far apart, in words", track="raw")}
    again = show(MODELS, kept)
    assert title_of(again) == "openai/calm · How far apart, in words, as measured"
    without = show({"openai/left": LEAVING, "openai/other": CALM}, kept)
    assert title_of(without).startswith(("openai/left", "openai/other"))


@pytest.mark.slow
def test_that_points_are_walked_in_the_order_of_time_and_lead_to_their_batch(show: Show, qtbot: QtBot) -> None:
    card = show()
    plot = plot_of(card)
    pick(card, "track", "as measured")
    assert plot.accessibleDescription().startswith(
        "openai/left · How far apart, in words, as measured. The smoothed series left"
    )
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.accessibleDescription().startswith("Round 1: How far apart, in words, as measured 0.3")
    assert plot.accessibleDescription().endswith(", sets the limits, 1 of 14")
    qtbot.keyClick(plot, Qt.Key.Key_End)
    said = plot.accessibleDescription()
    assert said.startswith("Round 14: ")
    assert said.endswith(", outside, 14 of 14")
    assert ", limits 0." in said
    with qtbot.waitSignal(card.bundles_chosen) as chosen:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert chosen.args == [BundleFilter(model="openai/left", batch_id=14, arm="main")]


@pytest.mark.slow
def test_that_a_click_on_a_point_opens_the_bundles_of_its_batch(show: Show, qtbot: QtBot) -> None:
    card = show()
    plot = plot_of(card)
    pick(card, "track", "as measured")
    spot = plot.spots[3]
    with qtbot.waitSignal(card.bundles_chosen) as chosen:
        where = QPoint(round(spot.x + spot.width / 2), round(spot.y + spot.height / 2))
        qtbot.mouseClick(plot._view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert chosen.args[0].batch_id == 4


@pytest.mark.slow
def test_that_few_batches_have_no_limits_and_say_so(show: Show) -> None:
    early = show({"a/x": CALM[:5], "b/y": CALM[:5]})
    assert "5 of 8 batches: too early for limits." in words_of(early)
    assert "its limits;" not in words_of(early)
    one = show({"a/x": CALM[:1]})
    assert "One batch of news so far: a series begins with the second." in words_of(one)
    assert not plot_of(one).grab().isNull()


@pytest.mark.slow
def test_that_the_chart_is_saved_with_its_title_sentence_and_key(show: Show, theme: Theme, tmp_path: Path) -> None:
    card = show()
    card.write_png(tmp_path / "a.png")
    card.write_svg(tmp_path / "a.svg")
    card.write_csv(tmp_path / "a.csv")
    assert QImage(str(tmp_path / "a.png")).size() == card.chart.size() * 2
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<svg" in drawn
    assert "<image" not in drawn, "dots are shapes, sharp at any size"
    assert len((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()) == 1 + 14 + 11 + 14, "every model's rows"
    theme.set_scheme(Scheme.DARK)
    assert plot_of(card)._view.backgroundBrush().color() == theme.color("surface")
    assert problems_in(card) == []


@pytest.mark.slow
def test_that_a_table_that_cannot_be_saved_offers_another_place(show: Show, qtbot: QtBot, tmp_path: Path) -> None:
    card = show()
    save = next(action for action in card.save.menu().actions() if "CSV" in action.text())
    save.trigger()
    dialog = card.findChild(QFileDialog)
    assert dialog is not None
    with qtbot.waitSignal(card.not_saved) as told:
        dialog.fileSelected.emit(str(tmp_path / "nowhere" / "a.csv"))
    error, again = told.args
    assert "cannot be written" in str(error)
    dialog.close()
    again()
    second = [each for each in card.findChildren(QFileDialog) if each.isVisible()]
    assert len(second) == 1
    second[0].fileSelected.emit(str(tmp_path / "a.csv"))
    second[0].close()
    assert (tmp_path / "a.csv").exists()
