"""What a round takes, what keeps it from starting, and the buttons that start it; the same for every method."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.preflight_panel import PreflightPanel
from gpf_desktop.ui.runs.preflight_view_model import PreflightViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import fill, spaced_grid
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label, problem_label, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.plain import plain_tip

SUMMARY_WIDTH: Final = 300
"""Pixels at 100 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting:
    """What the buttons of a card do."""

    preflight: PreflightViewModel
    begin: Callable[[], object]
    """Look at what the round needs, then start it where nothing is wrong."""
    anyway: Callable[[], object]
    """Start it whatever was found."""


class SummaryCard(Card):
    """The start stands first: in a low window, or with large text, what is read would push it below the edge.

    Further widgets go into *inside*, above the remarks, or into `body`, below all; *name* begins the names of its
    parts.
    """

    looked = Signal()
    """What was looked at before the start is not all ready."""

    def __init__(self, context: Context, starting: Starting, name: str) -> None:
        super().__init__(tr("What this takes"), name=f"{name}.summary")
        theme = context.theme
        theme.follow(self, lambda: self.setFixedWidth(theme.px(SUMMARY_WIDTH)))
        self._preflight = starting.preflight
        self._blocked, self._counting = True, False
        self._formula = caption(name=f"{name}.formula")
        self._lines = spaced_grid(down=SPACE_2 // 2, wide=0)
        self._remarks = caption(name=f"{name}.remarks")
        self.inside = QVBoxLayout()
        self.blocked = problem_label(name=f"{name}.blocked")
        self.preflight = PreflightPanel(context, starting.preflight)
        self.start = button(tr("Start"), starting.begin, primary=True, name=f"{name}.start")
        self.anyway = button(tr("Start anyway"), starting.anyway, name=f"{name}.anyway")
        fill(self.body, self.start, self.anyway, self.blocked, self.preflight)
        fill(self.body, self._formula, self._lines, self.inside, self._remarks)
        self._waiting: tuple[QWidget, ...] = (self.anyway,)
        starting.preflight.changed.connect(self._show_start)

    def offer(self, *buttons: QWidget) -> None:
        """Further *buttons* below, which need what the start needs."""
        for each in buttons:
            self.body.addWidget(each)
        self._waiting += buttons

    def show_takes(self, lines: Sequence[tuple[str, str]], remarks: str, formula: str = "") -> None:
        """What it takes: what, how much; what must be known to read that; and what its calls are made of."""
        show_words(self._formula, formula)
        clear_layout(self._lines)
        for at, (what, much) in enumerate(lines):
            name = label(what, "secondary", wrap=True)
            # Breaks at any word, so that there is room for how much, which does not.
            name.setMinimumWidth(0)
            self._lines.addWidget(name, at, 0)
            self._lines.addWidget(label(much), at, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        show_words(self._remarks, remarks)

    def show_blocked(self, words: str, *, busy: bool = False, counting: bool = False) -> None:
        """*words*: what keeps the round from starting, empty where nothing does; *busy*: it is starting already;
        *counting*: what it takes is being counted, which the button says: a line that comes for a moment would push
        the buttons from under the mouse."""
        self.blocked.setText(words)
        self._blocked, self._counting = bool(words) or counting, counting
        for each in self._waiting:
            each.setEnabled(not self._blocked and not busy)
            each.setToolTip(plain_tip(words))
        self.start.setToolTip(plain_tip(words))
        self._show_start()

    def _show_start(self) -> None:
        looking = self._preflight
        # Not disabled while it does what it was pressed for, which pressing again changes nothing of: it would give the
        # keyboard away.
        self.start.setEnabled(not self._blocked)
        words = tr("Look again and start") if looking.failing else tr("Start")
        waiting = tr("Looking …") if looking.running else tr("Counting …") if self._counting else ""
        self.start.setText(waiting or words)
        found = bool(looking.failing) and not looking.running
        if found and self.anyway.isHidden():
            self.anyway.show()
            self.looked.emit()
        self.anyway.setVisible(found)
