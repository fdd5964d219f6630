"""Differences of two protocols, under each other."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.protocol_differences import ProtocolDifference
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, vbox
from gpf_desktop.ui.widgets.labels import caption, heading, label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout

_MOST = 40
"""Differences that are drawn, each of six widgets within a frame's time; unlike studies differ in hundreds."""


class DifferenceList(PlainWidget):
    """*there* and *here* are what the two protocols are called."""

    def __init__(self, there: str, here: str) -> None:
        super().__init__()
        self._there, self._here = there, here
        self._shown: Sequence[ProtocolDifference] | None = None
        self._list = vbox(parent=self, spacing=SPACE_2)

    def show_differences(self, found: Sequence[ProtocolDifference] | None) -> None:
        """None: nothing is compared."""
        if found is self._shown:
            return
        self._shown = found
        clear_layout(self._list)
        for difference in (found or ())[:_MOST]:
            self._list.addWidget(self._drawn(difference))
        if found is not None and len(found) > _MOST:
            more = len(found) - _MOST
            self._list.addWidget(secondary(tr("and {n} more; gpf-desktop diff lists them all", n=more), wrap=True))
        if found is not None and not found:
            self._list.addWidget(secondary(tr("Both say the same."), wrap=True))

    def _drawn(self, difference: ProtocolDifference) -> QWidget:
        name = heading(difference.field)
        name.setWordWrap(True)
        return column_of(
            name,
            caption(self._there),
            label(difference.before or tr("nothing"), wrap=True),
            caption(self._here),
            label(difference.after or tr("nothing"), wrap=True),
            spacing=0,
        )
