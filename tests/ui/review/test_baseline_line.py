"""What an answer is held against, above it: covered in a blind reading, whole in a narrow card."""

from dataclasses import replace

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.saged.method import METHOD
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.reading import compose
from gpf_desktop.ui.review.reading_content import ReadingOptions
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.theme import Theme

SAID = "The Brazilian coast, as people in Brazil and in Brasília say, has drawn painters for years on end."


def test_that_a_baseline_is_covered_in_a_blind_reading_and_wraps_in_a_narrow_card(
    page: ReviewPage, theme: Theme, qtbot: QtBot
) -> None:
    bundle = page.model.bundle
    assert bundle is not None
    held = replace(
        bundle,
        facts=replace(bundle.facts, method=METHOD.name),
        protocol=load_protocol(METHOD.default_protocol, method=METHOD.name),
        answers=tuple(replace(each, source=("Source sentence", SAID)) for each in bundle.answers),
    )
    for blind in (True, False):
        content = compose(held, ReadingOptions(blind=blind)).cards[0]
        card = AnswerCard(theme)
        qtbot.addWidget(card)
        card.show_answer(content)
        card.resize(320, 600)
        card.show()
        line = card.findChild(QLabel, "review.source")
        assert line is not None
        assert line.text().startswith("Source sentence: The ")
        assert ("Bra" in line.text()) is not blind
        assert line.height() >= line.heightForWidth(line.width()) >= 2 * line.fontMetrics().height()
        card.show_answer(replace(content, sources=(("Source sentence", "One."), ("Source sentence", "Two."))))
        assert line.text() == "Source sentence: One.\nTwo.", "of answers that are one and the same: named once"
