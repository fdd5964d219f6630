"""Framed parts of a page."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QSizePolicy

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.labels import ElidedLabel, heading, label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow, clear_layout

_CHOICE = 220
"""Pixels at 100 % that a card of a choice is wide at least: larger text stands in fewer columns, not in higher ones."""

_SENTENCE = 440
"""Pixels at 100 % that the sentence of an empty page is wide at most."""


class Card(QFrame):
    """A surface with a hairline border; put things into its `body`. Titled cards have room for buttons.

    A title too long for its room beside them is cut, and whole in its tip; with *wrap* it goes on below, and stands
    above them where it would take three lines and more.
    """

    def __init__(self, title: str = "", *, name: str = "", wrap: bool = False) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setObjectName(name)
        self.body = vbox(parent=self, spacing=SPACE_2, margins=SPACE_3)
        self.top = hbox(spacing=SPACE_2)
        self.title = label(title, "heading", wrap=True) if wrap else ElidedLabel(title, "heading")
        if wrap:
            self.title.setContentsMargins(0, 0, SPACE_2, 0)
            # As little as a cut one: with large text its longest word would widen the page.
            self.title.setMinimumWidth(3 * SPACE_4)
        self.title.setParent(self)
        self.title.setVisible(bool(title))
        if title:
            self.top.addWidget(self.title, 1 if wrap else 0)
            if not wrap:
                self.top.addStretch(1)
            self.body.addLayout(self.top)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.title.wordWrap() and self.title.text():
            self._place_title()

    def _place_title(self) -> None:
        beside = filter(None, map(self.top.itemAt, range(self.top.count())))
        tools = [tool for each in beside if (tool := each.widget()) is not None and tool is not self.title]
        room = self.width() - 2 * SPACE_3 - sum(each.sizeHint().width() + SPACE_2 for each in tools)
        above = bool(tools) and self.title.fontMetrics().horizontalAdvance(self.title.text()) > 2 * room
        if above is (self.top.indexOf(self.title) >= 0):
            self.top.removeWidget(self.title)
            if above:
                self.top.insertStretch(0, 1)
                self.body.insertWidget(self.body.indexOf(self.top), self.title)
            else:
                self.body.removeWidget(self.title)
                self.top.takeAt(0)
                self.top.insertWidget(0, self.title, 1)


class StatCard(QFrame):
    """A number and what it counts, to be read at a glance."""

    def __init__(self, text: str = "", under: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._number = label(text, "number")
        self._under = label(under, "caption")
        self._under.setWordWrap(True)
        vbox(
            self._number,
            self._under,
            1,
            parent=self,
            spacing=SPACE_1 // 2,
            margins=(SPACE_3, SPACE_2, SPACE_3, SPACE_2),
        )
        self.show_figure(text, under)

    def show_figure(self, text: str, under: str) -> None:
        """Show *text* large and *under* beneath it."""
        self._number.setText(text)
        self._under.setText(under)
        self.setAccessibleName(f"{text} {under}".strip())


class StatRow(PlainWidget):
    """Figures side by side, on a second line where there is no room for all."""

    def __init__(self, *cards: StatCard) -> None:
        super().__init__()
        self.setSizePolicy(by_width())
        EqualFlow(self, *cards, spacing=SPACE_3)


class ChoiceCard(QFrame):
    """A card that is one large button: a title, a sentence, an icon."""

    chosen = Signal()

    def __init__(self, theme: Theme, icon: str, title: str, sentence: str, *, name: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._icon_name = icon
        self.setProperty("card", True)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._icon = QLabel()
        self._sentence = label(sentence, "secondary", wrap=True)
        vbox(
            self._icon,
            label(title, "heading", wrap=True),
            self._sentence,
            1,
            parent=self,
            spacing=SPACE_2,
            margins=SPACE_4,
        )
        theme.follow(self, self._paint)

    def set_sentence(self, sentence: str) -> None:
        """Say something else under the title."""
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # As for any button: who lets go elsewhere has thought better of it.
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)

    def _paint(self) -> None:
        self.setMinimumWidth(self._theme.px(_CHOICE))
        self._icon.setPixmap(self._theme.pixmap(self._icon_name, "accent", 24))


class WaitingCard(Card):
    """A card in the middle of a place that is being made: its name, and a bar that goes on."""

    def __init__(self, words: str, *, name: str) -> None:
        super().__init__(name=name)
        said = secondary(words, name=f"{name}.words")
        said.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        bar = going_on(words)
        fill(self.body, 1, said, hbox(1, (bar, 1), 1), 1)


def going_on(words: str) -> QProgressBar:
    """A bar that tells that *words* go on, and not how far they are."""
    bar = QProgressBar()
    bar.setRange(0, 0)
    bar.setTextVisible(False)
    bar.setAccessibleName(words)
    return bar


class EmptyState(PlainWidget):
    """The content of an empty place: one sentence why, one button, one link; *below* them what will stand there."""

    def __init__(self, theme: Theme, icon: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._icon_name = icon
        self._icon = QLabel()
        self._icon.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sentence = label("", "lead", wrap=True, name="emptySentence")
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._buttons = hbox(spacing=SPACE_2)
        # Not aligned in the column: an aligned label gets the height of one line of the whole column's width.
        middle = hbox(1, (self.sentence, 100), 1)
        self._then = vbox(spacing=SPACE_1)
        self.below = vbox(self._then)
        parts = (2, self._icon, middle, hbox(1, self._buttons, 1), hbox(1, self.below, 1), 3)
        vbox(*parts, parent=self, spacing=SPACE_3, margins=None)
        self.button: QPushButton | None = None
        self.link: QPushButton | None = None
        theme.follow(self, self._paint)

    def explain(
        self,
        why: str,
        button_text: str = "",
        do: Callable[[], object] | None = None,
        link_text: str = "",
        go: Callable[[], object] | None = None,
        then: Sequence[str] = (),
    ) -> None:
        """Say *why* nothing is here, and offer what to do; *then*: what comes after that, step by step."""
        self.sentence.setText(why)
        self._show_then(then)
        before = (self.button, self.link)
        self.button = button(button_text, do, primary=True, name="emptyButton") if button_text else None
        self.link = link(link_text, go, name="emptyLink") if link_text else None
        for new in (self.button, self.link):
            if new is not None:
                self._buttons.addWidget(new)
                # Its layout would show it later only, and what is not shown takes no keyboard.
                new.show()
        # By itself it holds the keyboard while it offers nothing.
        if self.hasFocus() or any(old is not None and old.hasFocus() for old in before):
            (self.button or self.link or self).setFocus()
        for old in before:
            if old is not None:
                self._buttons.removeWidget(old)
                old.hide()
                old.deleteLater()

    def _show_then(self, steps: Sequence[str]) -> None:
        clear_layout(self._then)
        if steps:
            self._then.addWidget(heading(tr("What comes then")))
        for n, step in enumerate(steps, 1):
            self._then.addWidget(label(tr("{n}. {step}", n=n, step=step), "secondary"))

    def ask_for_audit(self, why: str, actions: ActionRegistry) -> None:
        """Say *why* nothing is here without an audit, and offer to make or to open one."""
        new, there = (actions.action(f"file.{way}").trigger for way in ("new", "open"))
        self.explain(why, tr("New audit …"), new, tr("Open an audit"), there)

    def _paint(self) -> None:
        self.sentence.setMaximumWidth(self._theme.px(_SENTENCE))
        self._icon.setVisible(bool(self._icon_name))
        if self._icon_name:
            self._icon.setPixmap(self._theme.pixmap(self._icon_name, "text_secondary", 32))
