"""Text to be read for hours, with highlights; whatever it says, it stays text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QUrl
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QSizePolicy, QTextEdit, QToolTip, QWidget

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import READING_LINE_HEIGHT
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.reading_place import ReadingPlace, line_top
from gpf_desktop.ui.widgets.whole_words import whole_words

_BEYOND_BMP = 0xFFFF
_GAP = 55
"""Per cent of a line, for an empty one."""
_AROUND = 2
"""Lines around a place that is shown."""
_MARGIN = 2
SET_IN = 1 + _MARGIN
"""Pixels between the left edge and the words, by frame and margin: what stands above them begins there too."""
_SCROLLS = {Qt.Key.Key_Home: -1, Qt.Key.Key_PageUp: -1, Qt.Key.Key_End: 1, Qt.Key.Key_PageDown: 1}
"""Up or down. To the text's own cursor Home and End are the ends of a line, which nobody sees it in."""
_MEASURE = 75
"""Characters: lines longer than this tire the eye."""
# One character for one: places in the text stay the same whatever Qt would make of these.
_SAME_LENGTH = str.maketrans({"\r": "\n", "\u2028": "\n", "\u2029": "\n", "\x0b": "\n", "\x0c": "\n", "\0": "\ufffd"})


class Mark(StrEnum):
    """The meaning of a highlight; each has its colour and its own underline."""

    CARRIES_MOST = "carries most of the score"
    ONLY_HERE = "only here"
    CARRIES_LITTLE = "carries some of the score"
    MISSING_HERE = "missing here"
    POSITIVE = "positive word"
    NEGATIVE = "negative word"
    PASSAGE = "marked passage"
    CODED = "coded passage"
    FOUND = "found"
    SLOT = "slot"
    STRONG = "strong"


_Line = QTextCharFormat.UnderlineStyle
_LOOKS: dict[Mark, tuple[str, QTextCharFormat.UnderlineStyle]] = {
    Mark.CARRIES_MOST: ("", _Line.SingleUnderline),
    Mark.ONLY_HERE: ("", _Line.SingleUnderline),
    Mark.CARRIES_LITTLE: ("", _Line.SingleUnderline),
    Mark.MISSING_HERE: ("missing_here", _Line.DashUnderline),
    Mark.POSITIVE: ("tone_positive", _Line.DotLine),
    Mark.NEGATIVE: ("tone_negative", _Line.WaveUnderline),
    Mark.PASSAGE: ("only_here", _Line.DashDotLine),
    Mark.CODED: ("only_here", _Line.DashDotDotLine),
    Mark.FOUND: ("selection", _Line.SingleUnderline),
    Mark.SLOT: ("", _Line.SingleUnderline),
    Mark.STRONG: ("", _Line.NoUnderline),
}

_ONLY_HERE = frozenset({Mark.CARRIES_MOST, Mark.ONLY_HERE, Mark.CARRIES_LITTLE})
"""All of one colour: that a word stands in no other answer is one thing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of the text, in characters of the Python string."""

    start: int
    end: int
    mark: Mark
    tip: str = ""


def measure(theme: Theme) -> int:
    """Width in pixels of a line of 75 characters in the reading font."""
    sample = "We read what the answers say to each of them, and we mark what differs. "
    return round(QFontMetrics(theme.reading_font()).horizontalAdvance(sample) * _MEASURE / len(sample))


class SpanTextView(QTextEdit):
    """Read-only plain text in the reading font, 145 % line height unless told, highlights by colour *and* underline.

    Nothing in the text is interpreted or fetched. With *grow* it is as high as its text and never scrolls.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        says: str,
        grow: bool = False,
        framed: bool = False,
        line_height: int = READING_LINE_HEIGHT,
        name: str = "",
    ) -> None:
        super().__init__()
        self._line_height = line_height
        self._theme = theme
        self._grow = grow
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        self._units: list[int] = []
        self._sought: re.Pattern[str] | None = None
        self._parts = False
        """The selection is meant to the letter."""
        self._place = ReadingPlace(self)
        self.wraps_anew = False
        """It scrolls only because its lines change, not because somebody scrolls."""
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setProperty("reading", not framed)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setDocumentMargin(_MARGIN)
        if grow:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.ground = "" if grow or framed else "surface"
        """The colour into which lines cut off above and below fade; empty: they do not."""
        if self.ground:
            # The whole view: lines that scroll into the fade would keep it.
            self.verticalScrollBar().valueChanged.connect(lambda _value: self.viewport().update())
        theme.follow(self, self._render)

    @property
    def text(self) -> str:
        """As it was given."""
        return self._text

    @property
    def spans(self) -> tuple[Span, ...]:
        return self._spans

    def show_text(self, text: str, spans: Sequence[Span] = ()) -> None:
        """Show *text*; spans that come later win where they overlap. Of the same text selection and place stay."""
        if text == self._text and tuple(spans) == self._spans:
            return
        self._text, self._spans = text, tuple(spans)
        # Most texts need no table: without such a character Qt counts as Python does.
        wide = ord(max(text, default=" ")) > _BEYOND_BMP
        self._units = list(accumulate((1 + (ord(c) > _BEYOND_BMP) for c in text), initial=0)) if wide else []
        self._render()

    def mark_found(self, sought: "re.Pattern[str] | None") -> None:
        """Mark every place of *sought*, beside the other highlights; None: none."""
        self._sought = sought
        self._mark_found()

    def _mark_found(self) -> None:
        marks = []
        # Not as spans: a change of format has the document laid out anew, these are only painted over it.
        for found in () if self._sought is None else self._sought.finditer(self._text):
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._unit(found.start()))
            cursor.setPosition(self._unit(found.end()), QTextCursor.MoveMode.KeepAnchor)
            look = self._look(Mark.FOUND)
            look.setForeground(self._theme.color("text"))
            mark.cursor, mark.format = cursor, look
            marks.append(mark)
        self.setExtraSelections(marks)

    def selected(self) -> tuple[int, int] | None:
        """Start and end of the selection in characters of the text, or None."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        return self._character(cursor.selectionStart()), self._character(cursor.selectionEnd())

    def whole_words(self) -> tuple[int, int] | None:
        """The selection made wider to whole words, without the spaces around them; as it is after Shift and a drag."""
        chosen = self.selected()
        if chosen is None or self._parts:
            return chosen
        return whole_words(self._text, *chosen)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._parts = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        # Shift would lengthen the last selection; here it asks for parts of words.
        super().mousePressEvent(_without_shift(event) if self._parts else event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        words = self.whole_words()
        if words is not None and words != self.selected():
            self._select(*words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.selected()
        if event.key() in _SCROLLS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._scroll(Qt.Key(event.key()))
        else:
            super().keyPressEvent(event)
            if self.textCursor().atStart():
                # Qt brings the first line into view, and leaves what is above it under the shade.
                self.verticalScrollBar().setValue(0)
        # A selection that is changed by keys counts in whole words again.
        self._parts &= self.selected() == before

    def _scroll(self, key: Qt.Key) -> None:
        """To an end, or on by a page but for two lines: this text, or what is around it where it cannot go further."""
        ends, on = key in (Qt.Key.Key_Home, Qt.Key.Key_End), _SCROLLS[key]
        bar = next((bar for bar in self._bars() if on * bar.value() < on * (bar.maximum() if on > 0 else 0)), None)
        if bar is None:
            return
        page = max(bar.pageStep() - _AROUND * self.cursorRect().height(), bar.singleStep())
        wanted = (bar.maximum() if on > 0 else 0) if ends else bar.value() + on * page
        bar.setValue(wanted)
        # Lines are chosen by Shift and an arrow from where one reads now.
        reached, top = bar.value(), self.viewport().visibleRegion().boundingRect().topLeft()
        cursor = self.cursorForPosition(top)
        if ends:
            cursor.movePosition(QTextCursor.MoveOperation.End if on > 0 else QTextCursor.MoveOperation.Start)
        self.setTextCursor(cursor)
        bar.setValue(reached)

    def _bars(self) -> Iterator[QScrollBar]:
        """The upright scroll bars that move this text, its own first."""
        around: QWidget | None = self
        while around is not None:
            if isinstance(around, QAbstractScrollArea):
                yield around.verticalScrollBar()
            around = around.parentWidget()

    def reveal(self, start: int) -> None:
        """Scroll so that the character at *start* can be seen."""
        cursor = self.textCursor()
        cursor.setPosition(self._unit(start))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        # Not at the very edge, where lines fade and nothing is seen of what follows.
        around = self.cursorRect().height() * _AROUND
        bar, place = self.verticalScrollBar(), self.cursorRect()
        below = place.bottom() + around - self.viewport().height()
        bar.setValue(bar.value() + (below if below > 0 else min(0, place.top() - around)))

    def height_of(self, start: int) -> float:
        """Pixels from the top of the text to the line of the character at *start*."""
        return line_top(self.document(), self._unit(start))

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Top of the first and bottom of the last line from *start* to *end*, in pixels of what is seen now."""
        first, last = QTextCursor(self.document()), QTextCursor(self.document())
        first.setPosition(self._unit(start))
        last.setPosition(self._unit(end))
        return self.cursorRect(first).top(), self.cursorRect(last).bottom()

    def choose(self, start: int, end: int) -> None:
        """Select the characters from *start* to *end*, where they can be seen."""
        # The end first: where both do not fit into the view, the start is what is seen.
        self.reveal(end)
        self.reveal(start)
        self._parts = True
        self._select(start, end)

    def _select(self, start: int, end: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(self._unit(start))
        cursor.setPosition(self._unit(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def choose_nothing(self) -> None:
        """Take the selection away; the place stays."""
        cursor = self.textCursor()
        if cursor.hasSelection():
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def measure(self) -> int:
        """Width in pixels of a line of 75 characters."""
        return measure(self._theme)

    def loadResource(self, _kind: int, _name: QUrl | str) -> str:
        """Nothing is ever loaded."""
        return ""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self._character(self.cursorForPosition(self.viewport().mapFrom(self, event.pos())).position())
            tips = [span.tip for span in self._spans if span.tip and span.start <= at < span.end]
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(tips)), self)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place.note()
        # A scroll bar that comes or goes sizes the view again within.
        outer, self.wraps_anew = self.wraps_anew, True
        super().resizeEvent(event)
        self._place.find()
        self.wraps_anew = outer
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line cut through at an edge fades: there is more of it."""
        super().paintEvent(event)
        bar = self.verticalScrollBar()
        if not self.ground or bar.maximum() == 0:
            return
        painter = QPainter(self.viewport())
        height = QFontMetrics(self._theme.reading_font()).height()
        width, bottom = self.viewport().width(), self.viewport().height()
        if bar.value() > bar.minimum():
            self._fade(painter, QRect(0, 0, width, height), outwards=-1)
        if bar.value() < bar.maximum():
            self._fade(painter, QRect(0, bottom - height, width, height), outwards=1)
        painter.end()

    def _fade(self, painter: QPainter, area: QRect, *, outwards: int) -> None:
        inner, outer = (area.top(), area.bottom() + 1) if outwards > 0 else (area.bottom() + 1, area.top())
        shade = QLinearGradient(0, inner, 0, outer)
        clear, full = self._theme.color(self.ground), self._theme.color(self.ground)
        clear.setAlpha(0)
        shade.setColorAt(0, clear)
        shade.setColorAt(0.8, full)
        painter.fillRect(area, shade)

    def sizeHint(self) -> QSize:
        return QSize(min(super().sizeHint().width(), self.measure()), super().sizeHint().height())

    def _render(self) -> None:
        self._place.note()
        self.wraps_anew = True
        document, font = self.document(), self._theme.reading_font()
        # Setting it lays out the text that is about to go.
        if document.defaultFont() != font:
            document.setDefaultFont(font)
        # Qt makes one break of "\r\n". As a blank and a break it keeps its two places.
        shown = self._text.replace("\r\n", " \n").translate(_SAME_LENGTH)
        # Raw: `toPlainText` makes blanks of no-break spaces, and such a text would begin anew at every highlight.
        anew = document.toRawText().replace("\u2029", "\n") != shown
        cursor = QTextCursor(document)
        # One edit: without it the document is laid out again after each highlight (50 ms for sixty of them).
        cursor.beginEditBlock()
        if anew:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(shown)
        cursor.select(QTextCursor.SelectionType.Document)
        block = QTextBlockFormat()
        block.setLineHeight(self._line_height, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(block)
        # After all lines have their height, which would give empty ones the whole of it again.
        self._close_up_empty_lines(cursor)
        cursor.select(QTextCursor.SelectionType.Document)
        base = QTextCharFormat()
        base.setFont(font)
        base.setForeground(self._theme.color("text"))
        # Set rather than merged: the highlights of before go with it.
        cursor.setCharFormat(base)
        looks = {mark: self._look(mark) for mark in {span.mark for span in self._spans}}
        for span in self._spans:
            cursor.setPosition(self._unit(span.start))
            cursor.setPosition(self._unit(span.end), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(looks[span.mark])
        cursor.endEditBlock()
        if anew:
            self.setTextCursor(QTextCursor(document))
            self._place.forget()
        self._place.find()
        self.wraps_anew = False
        self._mark_found()
        self._fit()

    def _close_up_empty_lines(self, cursor: QTextCursor) -> None:
        """An empty line between paragraphs is a gap, not a line."""
        gap = QTextBlockFormat()
        gap.setLineHeight(_GAP, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        block = self.document().begin()
        while block.isValid():
            if not block.text().strip():
                cursor.setPosition(block.position())
                cursor.mergeBlockFormat(gap)
            block = block.next()

    def _look(self, mark: Mark) -> QTextCharFormat:
        token, style = _LOOKS[mark]
        look = QTextCharFormat()
        if token:
            look.setBackground(self._theme.color(token))
        look.setUnderlineStyle(style)
        line = "warning" if mark in _ONLY_HERE else "accent" if mark is Mark.CODED else "text"
        look.setUnderlineColor(self._theme.color(line))
        if mark in (Mark.STRONG, Mark.SLOT):
            look.setFontWeight(600)
        return look

    def _fit(self) -> None:
        if self._grow:
            edges = self.contentsMargins()
            self.setFixedHeight(round(self.document().size().height()) + edges.top() + edges.bottom() + 2)

    def _unit(self, character: int) -> int:
        """Qt counts UTF-16 units; beyond the basic plane a character is two."""
        character = max(0, min(len(self._text), character))
        return self._units[character] if self._units else character

    def _character(self, unit: int) -> int:
        if not self._units:
            return min(unit, len(self._text))
        return next((at for at, start in enumerate(self._units) if start >= unit), len(self._text))


def _without_shift(event: QMouseEvent) -> QMouseEvent:
    held = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    return QMouseEvent(
        event.type(),
        event.position(),
        event.globalPosition(),
        event.button(),
        event.buttons(),
        held,
        event.pointingDevice(),
    )
