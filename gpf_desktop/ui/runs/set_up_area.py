"""A form with its summary beside it, or below it in a narrow window."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

from gpf_desktop.ui.runs.power_card import PowerCard
from gpf_desktop.ui.runs.summary_card import SummaryCard
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, vbox
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.widgets.side_by_side import SideBySide

_NARROW: Final = 900
"""Pixels at 100 % below which the summary stands under the form."""


class SetUpArea(QWidget):
    """*takes*, with Start, goes along while the *form* beside it and what it *finds* are scrolled."""

    def __init__(self, theme: Theme, form: QWidget, takes: SummaryCard, finds: PowerCard) -> None:
        super().__init__()
        self._takes = takes
        self._summary = PlainWidget()
        self._beside = vbox(takes, 1, parent=self._summary)
        left = column_of(form, finds, 1, spacing=SPACE_3)
        self._parts = SideBySide(theme, left, self._summary, shares=(3, 1), narrow=_NARROW)
        self._parts.turned.connect(lambda _stacked: self._keep_in_sight())
        self._area: QScrollArea = scrolling(self._parts, "setup.scroll")
        self._area.verticalScrollBar().valueChanged.connect(lambda _value: self._keep_in_sight())
        vbox(self._area, parent=self)
        takes.looked.connect(lambda: QTimer.singleShot(0, self, self._show_what_is_not_ready))

    def to_top(self) -> None:
        self._area.verticalScrollBar().setValue(0)

    def _keep_in_sight(self) -> None:
        room = max(0, self._summary.height() - self._takes.height())
        down = 0 if self._parts.stacked else min(self._area.verticalScrollBar().value(), room)
        self._beside.setContentsMargins(0, down, 0, 0)

    def _show_what_is_not_ready(self) -> None:
        # The lines have been put in just now, and have no place before all around them is laid out anew.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        for each in (self._takes.preflight, self._takes.start):
            self._area.ensureWidgetVisible(each, 0, SPACE_3)
