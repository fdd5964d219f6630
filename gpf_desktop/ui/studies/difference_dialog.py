"""The dialog of what a study asks differently from another version of its method's protocol."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QWidget

from gpf_desktop.domain.protocol_differences import ProtocolDifference
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.protocol.protocol_service import ProtocolVersion
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.difference_list import DifferenceList
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import column_of, vbox
from gpf_desktop.ui.widgets.buttons import ending_buttons
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.widgets.names import named

_WIDTH, _HEIGHT = 720, 560


class DifferenceDialog(TitledDialog):
    """*protocol* beside what earlier rounds of the audit asked, and beside what ships with *method*."""

    def __init__(self, context: Context, method: str, protocol: Any, parent: QWidget) -> None:
        super().__init__(parent, tr("Compare with"), "study.differences")
        self._context, self._protocol = context, protocol
        self._service = context.engine.open_audit.protocols_of(method)
        self.other = named(QComboBox(minimumContentsLength=12), "study.compareWith", tr("Version to compare with"))
        self.other.currentIndexChanged.connect(lambda _: self._compare())
        self.found = DifferenceList(tr("there"), tr("in this study"))
        buttons = ending_buttons(self, QDialogButtonBox.StandardButton.Close)
        vbox(
            label(tr("What this study asks differently from"), "title", wrap=True),
            self.other,
            (scrolling(column_of(self.found, 1), "study.differences.area"), 1),
            buttons,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        context.bridge.run(self._service.versions, then=self._offer, owner=self)

    def _offer(self, versions: Sequence[ProtocolVersion]) -> None:
        # The study's own name first: most likely it was made of that one.
        for each in sorted(versions, key=lambda version: version.name != self._protocol.name):
            self.other.addItem(tr("{name}, version {n}", name=each.name, n=each.version), each.hash)

    def _compare(self) -> None:
        service, digest, protocol = self._service, self.other.currentData(), self._protocol

        def compare() -> list[ProtocolDifference]:
            return service.differences(service.protocol(digest), protocol)

        self._context.bridge.run(compare, then=self.found.show_differences, latest="study differences", owner=self)
