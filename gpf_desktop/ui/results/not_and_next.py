"""What the page does not show, and what to do next: the two lists of the brief, beside each other."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr, unbroken
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import heading, label
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.side_by_side import SideBySide

_NARROW = 700
"""Pixels at 100 % from which the lists stand beside each other."""


class NotAndNextCard(Card):
    """Hidden while there is neither."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="card.not_and_next")
        self.not_shown, self.steps = _List(tr("What this does not show")), _List(tr("What to do next"))
        self.body.addWidget(SideBySide(theme, self.not_shown, self.steps, shares=(1, 1), narrow=_NARROW))
        self.hide()

    def show_lists(self, not_shown: Sequence[str], steps: Sequence[str]) -> None:
        for part, sentences in ((self.not_shown, not_shown), (self.steps, steps)):
            part.show_sentences(sentences)
        self.setVisible(bool(not_shown or steps))

    def whole_lines(self) -> Iterator[tuple[QWidget, int, int]]:
        """What no edge should cut: its titles, and each sentence."""
        title = self.not_shown if self.not_shown.isVisible() else self.steps
        yield self, 0, title.mapTo(self, title.title.geometry().bottomLeft()).y()
        for part in (self.not_shown, self.steps):
            for each in part.findChildren(QLabel):
                yield each, 0, each.height()


class _List(PlainWidget):
    """A title and sentences under it, each behind a dot; hidden while there is none."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.sentences: tuple[str, ...] = ()
        self._lines: QVBoxLayout = vbox(spacing=SPACE_1)
        self.title = heading(title)
        vbox(self.title, self._lines, 1, parent=self, spacing=SPACE_1)

    def show_sentences(self, sentences: Sequence[str]) -> None:
        if self.sentences != tuple(sentences):
            self.sentences = tuple(sentences)
            clear_layout(self._lines)
            for each in sentences:
                self._lines.addWidget(label(f"• {unbroken(each)}", wrap=True))
        self.setVisible(bool(sentences))
