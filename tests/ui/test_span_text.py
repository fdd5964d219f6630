"""Text with highlights: offsets, marks, safety, reading size."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.theme import Scheme, Theme
from gpf_desktop.ui.widgets.span_text import Mark, Span, SpanTextView
from tests.ui.accessibility import problems_in


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> SpanTextView:
    made = SpanTextView(theme, says="Answer A")
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    return made


def _marked(view: SpanTextView, style: QTextCharFormat.UnderlineStyle) -> str:
    """The characters that Qt underlines in *style*."""
    found = ""
    block = view.document().begin()
    while block.isValid():
        for fragment in block.begin() and [*_fragments(block)]:
            if fragment.charFormat().underlineStyle() == style:
                found += fragment.text()
        block = block.next()
    return found


def _fragments(block):
    each = block.begin()
    while not each.atEnd():
        yield each.fragment()
        each += 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "before", ["The lanes open. ", "🚌🚌 open. ", "a\r\nb\rc\u2028d ", "قال ", "公交车道 ", "e\u0301\0 "]
)
def test_that_highlights_fall_on_their_characters_whatever_stands_before(view: SpanTextView, before: str) -> None:
    text = before + "your way 🚲 home" + " and more"
    start = len(before)
    end = start + len("your way 🚲 home")
    view.show_text(text, [Span(start=start, end=end, mark=Mark.ONLY_HERE)])
    assert _marked(view, QTextCharFormat.UnderlineStyle.SingleUnderline) == "your way 🚲 home"


@pytest.mark.parametrize("before", ["The lanes open. ", "🚌🚌 open. "])
def test_that_a_selection_comes_back_in_characters_of_the_text(view: SpanTextView, before: str) -> None:
    text = before + "your way 🚲 home"
    view.show_text(text)
    found = view.document().find("way 🚲")
    view.setTextCursor(found)
    selected = view.selected()
    assert selected is not None
    assert text[slice(*selected)] == "way 🚲"
    view.setTextCursor(QTextCursor(view.document()))
    assert view.selected() is None


def test_that_every_mark_has_a_colour_or_weight_and_its_own_underline(view: SpanTextView) -> None:
    styles = {mark: view._look(mark).underlineStyle() for mark in Mark if mark not in (Mark.FOUND, Mark.STRONG)}
    reading = {m: s for m, s in styles.items() if m is not Mark.SLOT}
    weights = (Mark.CARRIES_MOST, Mark.ONLY_HERE, Mark.CARRIES_LITTLE)
    assert len({reading[mark] for mark in weights}) == 1
    assert len(set(reading.values())) == len(reading) - len(weights) + 1
    assert len({(view._look(mark).underlineColor().name(), view._look(mark).fontWeight()) for mark in weights}) == 1
    assert all(s is not QTextCharFormat.UnderlineStyle.NoUnderline for s in reading.values())


def test_that_markup_stays_text_and_nothing_is_fetched(view: SpanTextView) -> None:
    text = '<img src="http://127.0.0.1:9/x.png"><b>bold</b> <script>alert(1)</script>'
    view.show_text(text)
    assert view.toPlainText() == text
    assert view.loadResource(2, "http://127.0.0.1:9/x.png") == ""


def test_that_lines_are_set_for_reading_and_empty_ones_close_up(view: SpanTextView, theme: Theme) -> None:
    view.show_text("One.\n\nTwo.")
    kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    heights = []
    block = view.document().begin()
    while block.isValid():
        assert block.blockFormat().lineHeightType() == kind
        heights.append(block.blockFormat().lineHeight())
        block = block.next()
    assert heights == [145, 55, 145]
    assert view.document().defaultFont().pointSizeF() == 11
    theme.set_text_scale(200)
    assert view.document().defaultFont().pointSizeF() == 22


def test_that_colours_follow_the_theme_live(view: SpanTextView, theme: Theme) -> None:
    view.show_text("your way", [Span(start=0, end=4, mark=Mark.ONLY_HERE)])
    theme.set_scheme(Scheme.DARK)
    cursor = QTextCursor(view.document())
    cursor.setPosition(1)
    assert cursor.charFormat().underlineColor() == theme.color("warning")


def test_that_other_highlights_leave_the_selection_alone(view: SpanTextView) -> None:
    view.show_text("your\u00a0way home")
    view.setTextCursor(view.document().find("way"))
    view.show_text(view.text, [Span(start=0, end=4, mark=Mark.NEGATIVE)])
    assert view.selected() == (5, 8)


def test_that_a_growing_view_is_as_high_as_its_text(theme: Theme, qtbot: QtBot) -> None:
    view = SpanTextView(theme, says="Answer A", grow=True)
    qtbot.addWidget(view)
    view.resize(400, 50)
    view.show()
    view.show_text("word " * 20)
    short = view.height()
    view.show_text("word " * 400)
    assert view.height() > 4 * short
    assert view.verticalScrollBar().maximum() == 0


def test_that_a_reading_view_is_named_and_lets_tab_through(view: SpanTextView) -> None:
    assert problems_in(view) == []
    assert view.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard
    assert view.isReadOnly()


def test_that_spans_out_of_bounds_do_no_harm(view: SpanTextView) -> None:
    view.show_text("short", [Span(start=-3, end=99, mark=Mark.FOUND), Span(start=50, end=60, mark=Mark.NEGATIVE)])
    view.reveal(1000)
    assert view.toPlainText() == "short"
