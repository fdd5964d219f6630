"""What a line of Results can say, told before there is one."""

from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.figures.chips import chips_figure
from gpf_desktop.figures.shapes import Words
from gpf_desktop.figures.text_widths import width_of


def test_that_every_chip_stands_with_what_it_means_inside_the_picture() -> None:
    figure = chips_figure()
    said = [each for each in figure.shapes if isinstance(each, Words)]
    assert set(chips().values()) <= {each.text for each in said}
    assert all(f"{words}: " in figure.description for words in chips().values())
    assert all(each.x + width_of(each.text, each.size) <= figure.width and each.y < figure.height for each in said)
