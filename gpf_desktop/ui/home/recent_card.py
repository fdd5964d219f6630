"""Audits that were open lately."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.home.home_view_model import RecentAudit
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_4
from gpf_desktop.ui.widgets.boxes import spaced_grid
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.plain import plain_tip

_SHOWN = 6


class RecentCard(Card):
    """One line each: a link that opens it, its folder, and when it was changed."""

    def __init__(self, theme: Theme, open_path: Callable[[RecentAudit], object]) -> None:
        super().__init__(tr("Recent audits"), name="home.recent")
        self._theme = theme
        self._open = open_path
        self._none = caption(tr("Audits that you open are listed here."))
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=1)
        self.body.addWidget(self._none)
        self.body.addLayout(self._grid)
        self._listed: tuple[tuple[RecentAudit, ...], Path | None] = ((), None)

    def show_recent(self, recent: Sequence[RecentAudit], current: Path | None) -> None:
        """List *recent*; the one at *current* is open now."""
        listed = (tuple(recent[:_SHOWN]), current)
        if listed == self._listed:
            return
        self._listed = listed
        clear_layout(self._grid)
        self._none.setVisible(not recent)
        for at, audit in enumerate(recent[:_SHOWN]):
            to = link(audit.path.stem, partial(self._open, audit), name=f"home.recent.{at}")
            to.setToolTip(plain_tip(str(audit.path)))
            folder = ElidedLabel(str(audit.path.parent), "secondary")
            words = tr("open now") if audit.path == current else audit.when
            when = label(words, "problem" if audit.missing else "secondary")
            to.setAccessibleDescription(words)
            self._grid.addWidget(to, at, 0, Qt.AlignmentFlag.AlignLeft)
            self._grid.addWidget(folder, at, 1)
            self._grid.addWidget(when, at, 2, Qt.AlignmentFlag.AlignRight)
