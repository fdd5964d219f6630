"""A figure in the window: its spots are walked, told, clicked; it fits its width; the wheel is the page's."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.figures.shapes import Disc, Figure, Spot
from gpf_desktop.ui.theme import Scheme, Theme
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.ui.accessibility import problems_in


def three(width: float) -> Figure:
    """Three dots over the whole width."""
    places = [width * share for share in (0.1, 0.5, 0.9)]
    return Figure(
        width=width,
        height=width / 4,
        shapes=tuple(Disc(x=x, y=40, radius=5, fill="accent") for x in places),
        title="Three",
        description="Three dots.",
        spots=tuple(
            Spot(x=x - 7, y=33, width=14, height=14, says=f"dot {at}", row=at, bundles=BundleFilter(article_id=at))
            for at, x in enumerate(places)
        ),
    )


@pytest.fixture
def plot(theme: Theme, qtbot: QtBot) -> FigurePlot:
    made = FigurePlot(theme, three, says="Three")
    qtbot.addWidget(made)
    made.resize(606, 200)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_that_spots_are_walked_and_told_and_lead_to_their_answers(plot: FigurePlot, qtbot: QtBot) -> None:
    assert plot.accessibleDescription() == "Three dots."
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert plot.accessibleDescription() == "dot 0, 1 of 3"
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.accessibleDescription() == "dot 2, 3 of 3"
    with qtbot.waitSignal(plot.chosen) as chosen:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert chosen.args == [BundleFilter(article_id=2)]
    assert problems_in(plot) == []


@pytest.mark.parametrize("scale", [100, 200])
def test_that_a_click_on_a_mark_leads_there_at_every_size_of_text(
    plot: FigurePlot, theme: Theme, qtbot: QtBot, scale: int
) -> None:
    theme.set_text_scale(scale)
    spot = plot.spots[1]
    place = QPoint(round((spot.x + 7) * scale / 100), round((spot.y + 7) * scale / 100))
    with qtbot.waitSignal(plot.chosen) as chosen:
        qtbot.mouseClick(plot._view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [BundleFilter(article_id=1)]
    with qtbot.assertNotEmitted(plot.chosen):
        qtbot.mouseClick(plot._view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


def test_that_it_is_laid_out_anew_for_another_width_and_as_high_as_that_needs(plot: FigurePlot, qtbot: QtBot) -> None:
    plot.resize(1206, plot.height())
    qtbot.waitUntil(lambda: plot.figure is not None and plot.figure.width == 1200)
    assert plot.height() == 306


def test_that_it_stands_in_the_colours_of_the_theme(plot: FigurePlot, theme: Theme) -> None:
    for scheme in (Scheme.DARK, Scheme.LIGHT):
        theme.set_scheme(scheme)
        picture = plot.grab().toImage()
        ratio = picture.devicePixelRatio()
        middle = picture.pixelColor(round((plot.spots[1].x + 10) * ratio), round(43 * ratio))
        assert middle == theme.color("accent")
        assert picture.pixelColor(round(40 * ratio), round(10 * ratio)) == theme.color("surface")


def test_that_the_wheel_over_it_scrolls_the_page(theme: Theme, qtbot: QtBot) -> None:
    plot, column = FigurePlot(theme, three, says="Three"), QWidget()
    vbox(plot, 1200, parent=column)
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    column.setMinimumHeight(2000)
    area.setWidget(column)
    area.resize(500, 300)
    area.show()
    qtbot.waitExposed(area)
    before = area.verticalScrollBar().value()
    QTest.wheelEvent(area.windowHandle(), QPointF(plot.mapTo(area, plot.rect().center())), QPoint(0, -120))
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > before)
