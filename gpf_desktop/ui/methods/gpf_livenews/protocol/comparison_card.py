"""What another version says differently from the one shown."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.studies.difference_list import DifferenceList
from gpf_desktop.ui.widgets.cards import Card


class ComparisonCard(Card):
    """Shown where the audit has more than one version."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__(tr("Compare with"), name="protocol.comparison")
        self._model = model
        self.other = QComboBox()
        self.other.setObjectName("protocol.compareWith")
        self.other.setAccessibleName(tr("Version to compare with"))
        self.other.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.other.activated.connect(lambda at: model.compare(self.other.itemData(at)))
        self.body.addWidget(self.other)
        self._list = DifferenceList(tr("there"), tr("in the version shown"))
        self.body.addWidget(self._list)

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
        self._list.show_differences(model.differences)
