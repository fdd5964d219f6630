"""Says that an edit of the protocol was left before it became a version."""

from PySide6.QtWidgets import QLabel

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import ICON, SPACE_2
from gpf_desktop.ui.widgets.boxes import hbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label


class DraftBar(Card):
    """Shown while a draft waits and nothing is edited."""

    def __init__(self, theme: Theme, model: ProtocolViewModel) -> None:
        super().__init__(name="protocol.draft")
        self._model = model
        icon = QLabel()
        theme.follow(icon, lambda: icon.setPixmap(theme.pixmap("edit", "text_secondary", ICON)))
        self.go_on = button(tr("Go on editing"), model.edit, compact=True, name="protocol.resumeDraft")
        self.discard = button(tr("Discard the draft"), model.form.discard, compact=True, name="protocol.dropDraft")
        words = label(tr("A draft waits: changes that are no version yet."), wrap=True)
        self.body.addLayout(hbox(icon, (words, 1), self.discard, self.go_on, spacing=SPACE_2))

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.setVisible(model.audit_open and model.resting and model.form.waiting is not None)
