"""What another version says differently from the one shown."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol_comparison import ProtocolDifference
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, heading, label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, column
from gpf_desktop.ui.wording import NO_VALUE


class ComparisonCard(Card):
    """Shown where the audit has more than one version."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__(tr("Compare with"), name="protocol.comparison")
        self._model = model
        self._shown: object = None
        self.other = QComboBox()
        self.other.setObjectName("protocol.compareWith")
        self.other.setAccessibleName(tr("Version to compare with"))
        self.other.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.other.activated.connect(lambda at: model.compare(self.other.itemData(at)))
        self.body.addWidget(self.other)
        holder = QWidget()
        holder.setProperty("plain", True)
        self._list = QVBoxLayout(holder)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(SPACE_2)
        self.body.addWidget(holder)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.setVisible(bool(model.others) and model.resting)
        with QSignalBlocker(self.other):
            self.other.clear()
            self.other.addItem(tr("no other version"), "")
            for version in model.others:
                self.other.addItem(tr("{name}, version {n}", name=version.name, n=version.version), version.hash)
            self.other.setCurrentIndex(max(0, self.other.findData(model.compared)))
        if model.differences is self._shown:
            return
        self._shown = model.differences
        clear_layout(self._list)
        for difference in model.differences or ():
            self._list.addWidget(_shown(difference))
        if model.differences == []:
            self._list.addWidget(secondary(tr("Both say the same."), wrap=True))


def _shown(difference: ProtocolDifference) -> QWidget:
    name = heading(difference.field)
    name.setWordWrap(True)
    return column(
        name,
        caption(tr("there")),
        label(difference.before or NO_VALUE, wrap=True),
        caption(tr("in the version shown")),
        label(difference.after or NO_VALUE, wrap=True),
        spacing=0,
    )
