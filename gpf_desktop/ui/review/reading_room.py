"""How the middle of the page shares its height: all of it at once, or the strip and what scrolls below."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.panel_stack import PanelStack
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, splitter, vbox
from gpf_desktop.ui.widgets.layouts import scrolling

_ASIDE = frozenset({"why", "guideline"})
_FOREMOST = frozenset({"readings"})
_SHEET = 300
"""Pixels at 100 % of a panel that stands beside the answers."""
_BESIDE_SHEET = 360
"""Pixels at 100 % of answers under which there is no room for a panel beside them."""
_LEAST_ANSWER = 184
_LEAST_GRID = 380
"""Of choices, with what is behind the one that is open."""
_LEAST_OF_LARGE_TEXT = 360
"""Pixels that the answers have at any text size; a larger text scrolls in them."""
_LEAST_SEEN = 96
"""Pixels at 100 %: a heading and two lines."""


class _Content(QWidget):
    """The scrolled content, which tells when its parts want another height."""

    def __init__(self, room: "ReadingRoom") -> None:
        super().__init__()
        self._room = room

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self._room.fit()
        return done


class ReadingRoom(PlainWidget):
    """The question and how to read it, the strip, the answers, and the panel that is open.

    Where not all of it has room the strip stays in sight, the rest scrolls below it, and the answers take all that can
    be seen at a time.
    """

    def __init__(self, theme: Theme, answers: AnswersView, panels: PanelStack) -> None:
        super().__init__()
        self._theme, self._answers, self._panels = theme, answers, panels
        self._kept: QWidget = PlainWidget()
        self._above: tuple[QWidget, ...] = ()
        self._at = 0
        self.tight = False
        """Whether there is too little room to show all of it at once."""
        self._content = content = _Content(self)
        self._split = splitter((answers, 3), (panels, 2), orientation=Qt.Orientation.Vertical)
        # Else all of what its parts would like to have is room that scrolls, where they can do with less.
        self._split.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._turned = False
        """A panel is about to stand beside the answers that stood below them, or nowhere yet."""
        self._given = 0
        """Pixels of height that the panel above the answers was given last."""
        self._column = vbox((self._split, 1), parent=content, spacing=SPACE_2)
        self.area = scrolling(content, "review.reading")
        self.area.viewport().installEventFilter(self)
        self._split.installEventFilter(self)
        self._past: int | None = None
        """Pixels that are scrolled past the beginning of the answers; None: all is read from the top."""
        self._returns = False
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(self._ranged)
        bar.valueChanged.connect(self._scrolled)
        self._whole = vbox((self.area, 1), parent=self, spacing=SPACE_2)
        theme.on_change(self, self.fit)

    def put(self, *before: QWidget, kept: QWidget) -> None:
        """Above the answers *before*, and under it what is *kept* in sight."""
        self._above = (*before, kept)
        for at, part in enumerate(self._above):
            self._column.insertWidget(at, part)
        self._kept, self._at = kept, len(before)
        self.fit()

    def place_panel(self, name: str) -> None:
        """Place the panel *name*: beside the answers if it explains the score and fits, above if it is settled, else
        below.
        """
        self._split.insertWidget(0 if name in _FOREMOST else 1, self._panels)
        self._turn(name)
        if name and name not in _FOREMOST:
            # Later: the panel tells of itself before it is shown.
            QTimer.singleShot(0, self._panels, lambda: self._bring(self._panels))

    def show_answers(self) -> None:
        """Bring the answers into sight where they share their room with the question."""
        self._bring(self._answers)

    def _bring(self, part: QWidget) -> None:
        # Where it stands is told by layouts that may still wait for their turn.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        if self.tight:
            self.area.verticalScrollBar().setValue(part.mapTo(self._content, QPoint(0, 0)).y())

    def _ranged(self, _least: int, most: int) -> None:
        self._column.setContentsMargins(0, 0, SPACE_2 if most else 0, 0)
        self._return()

    def _scrolled(self, value: int) -> None:
        if not self._returns:
            self._past = value - self._split.y() if value else None

    def _return(self) -> None:
        """Scroll so that the answers stay where they were read, though the lines above them are more or fewer now."""
        self._returns = True
        self.area.verticalScrollBar().setValue(0 if self._past is None else self._split.y() + self._past)
        self._returns = False

    def _turn(self, name: str) -> None:
        sheet = self._theme.px(_SHEET)
        aside = name in _ASIDE and self._content.width() >= sheet + self._theme.px(_BESIDE_SHEET)
        self._panels.setMinimumWidth(sheet if aside else 0)
        wanted = Qt.Orientation.Horizontal if aside else Qt.Orientation.Vertical
        if self._split.orientation() is not wanted:
            self._split.setOrientation(wanted)
            self._turned = aside

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._split:
            if event.type() is QEvent.Type.Move:
                self._return()
        elif event.type() is QEvent.Type.Resize:
            self.fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Decide anew what scrolls, and how high answers and panel are."""
        width = self._content.width()
        self._turn(self._panels.shown)
        least = min(self._theme.px(_LEAST_ANSWER), _LEAST_OF_LARGE_TEXT)
        if self._answers.shows_choices:
            least = self._theme.px(_LEAST_GRID)
        heights = {part: _height(part, width) + SPACE_2 for part in self._above if not part.isHidden()}
        needed = sum(heights.values())
        below = self._split.orientation() is Qt.Orientation.Vertical and not self._panels.isHidden()
        panel = self._panels.needed(width) if below else 0
        self._keep(tight=needed + least + panel > self.height())
        seen = max(self.area.viewport().height(), self._theme.px(_LEAST_SEEN))
        if self._answers.shows_choices:
            seen = max(seen, least)
        self._answers.setMinimumHeight(seen if self.tight else least)
        self._panels.setMinimumHeight(panel if self._panels.stands_whole else min(panel, seen))
        self._split.setMinimumHeight(self._split.minimumSizeHint().height())
        # Its layout asks for one line of what takes two at this width, and the last of the answers is out of reach.
        beside = heights.get(self._kept, 0) if self.tight else 0
        self._content.setMinimumHeight(needed - beside + self._split.minimumHeight())
        if self._turned and not self._panels.isHidden():
            self._turned = False
            # Neither the heights of before nor what a panel would like to have leave the answers most of the width.
            sheet = self._split.width() * 2 // 5
            self._split.setSizes([self._split.width() - sheet, sheet])
        self._give(panel if self._panels.shown in _FOREMOST else 0)

    def _give(self, height: int) -> None:
        """Give the settled reading *height* pixels and the answers the rest, until the border is dragged."""
        if height and height != self._given:
            self._split.setSizes([height, max(self._split.height() - height, 1)])
        self._given = height

    def _keep(self, *, tight: bool) -> None:
        if tight == self.tight:
            return
        self.tight = tight
        if tight:
            self._whole.insertWidget(0, self._kept)
        else:
            self._column.insertWidget(self._at, self._kept)
        # Qt would show it only in the next turn of the event loop, and Tab would miss it until then.
        self._kept.show()


def _height(part: QWidget, width: int) -> int:
    layout = part.layout()
    if layout is not None and layout.hasHeightForWidth():
        return max(layout.totalHeightForWidth(width), part.minimumHeight())
    return part.heightForWidth(width) if part.hasHeightForWidth() else part.sizeHint().height()
