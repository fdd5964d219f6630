"""Ways to begin."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.home.home_view_model import StartStep
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import ICON, SPACE_1, SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, heading, secondary, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, restyle

_WIDTH = 260
"""Pixels at 100 % under which a card goes to the next line."""
_MARK = 20
_TICK = 14
_LINK_PADDING = 6
"""What stands under a link begins where its words do."""


class StartCard(Card):
    """An icon, what begins here, how long it takes, and the button that begins it."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        title: str,
        sentence: str,
        takes: str,
        words: str,
        do: Callable[[], object],
        *,
        name: str,
    ) -> None:
        super().__init__(name=name)
        self._theme = theme
        self._icon_name = icon
        self._icon = QLabel()
        self.sentence = secondary(sentence, wrap=True)
        self.middle = vbox(spacing=SPACE_2)
        self._ticks: list[QLabel] = []
        self.takes = caption(takes)
        self.button = button(words, do, name=f"{name}.start")
        foot = hbox(self.button, 1, spacing=SPACE_2)
        self.foot = foot
        self.body.setContentsMargins(SPACE_4, SPACE_4, SPACE_4, SPACE_4)
        self.body.setSpacing(SPACE_3)
        fill(
            self.body, hbox(self._icon, (heading(title), 1), spacing=SPACE_2), self.sentence, self.middle, 1, self.takes
        )
        self.takes.setVisible(bool(takes))
        self.body.addLayout(foot)
        theme.follow(self, self._paint)

    def add_point(self, words: str) -> None:
        """One more thing that there is to see here."""
        tick, row = QLabel(), QHBoxLayout()
        row.setSpacing(SPACE_2)
        row.addWidget(tick, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(caption(words), 1)
        self.middle.addLayout(row)
        self._ticks.append(tick)
        self._paint()

    def set_primary(self, primary: bool) -> None:
        """Make this card's button the page's main one, or not."""
        if self.button.property("primary") is not primary:
            self.button.setProperty("primary", primary)
            restyle(self.button)

    def _paint(self) -> None:
        self.setMinimumWidth(self._theme.px(_WIDTH))
        self._icon.setPixmap(self._theme.pixmap(self._icon_name, "accent", _MARK))
        for tick in self._ticks:
            tick.setPixmap(self._theme.pixmap("check", "text_secondary", _TICK))


class StepList(PlainWidget):
    """The steps to a first round, each a link to its page with its standing."""

    def __init__(self, theme: Theme, go: Callable[[str], object]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._theme = theme
        self._go = go
        self._grid = spaced_grid(parent=self, across=SPACE_2, down=SPACE_1, wide=1)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self.links: dict[str, QWidget] = {}
        self._steps: Sequence[StartStep] = ()
        theme.follow(self, self._paint)

    def show_steps(self, steps: Sequence[StartStep], *, usable: bool) -> None:
        """Show *steps*; where no own audit is open they are named but not *usable*."""
        if list(self.links) != [step.page for step in steps]:
            clear_layout(self._grid)
            self._rows.clear()
            self.links.clear()
            for at, step in enumerate(steps):
                self._add(at, step)
        self._steps = steps
        for step, (_, standing) in zip(steps, self._rows, strict=True):
            show_words(standing, step.standing)
            to = self.links[step.page]
            to.setEnabled(usable)
            said = tr("done") if step.done else tr("not done yet")
            to.setAccessibleDescription(f"{said}. {step.standing}" if usable else "")
        self._paint()

    def _add(self, at: int, step: StartStep) -> None:
        mark, standing = QLabel(), caption()
        standing.setContentsMargins(_LINK_PADDING, 0, 0, 0)
        to = link(step.title, partial(self._go, step.page), name=f"home.step.{step.page}")
        self._grid.addWidget(mark, at, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(vbox(hbox(to, 1), standing, spacing=0), at, 1)
        self._rows.append((mark, standing))
        self.links[step.page] = to

    def _paint(self) -> None:
        for step, (mark, _) in zip(self._steps, self._rows, strict=True):
            icon, token = ("check-circle", "success") if step.done else ("open-circle", "text_secondary")
            mark.setPixmap(self._theme.pixmap(icon, token, ICON))
            mark.setContentsMargins(0, SPACE_1, 0, 0)
            mark.setToolTip(tr("done") if step.done else tr("not done yet"))
