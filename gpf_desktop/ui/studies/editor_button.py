"""A method's own editor behind a button in the set-up of its study."""

from PySide6.QtCore import Signal

from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog


class ProtocolDialog(TitledDialog):
    """Hands the next version of a study's protocol to *taken*."""

    taken = Signal(object)


class EditorButton(PlainWidget):
    """Closed until the protocol is there; a method says which dialog it opens."""

    def __init__(self, context: Context, model: StudyViewModel, words: str, name: str) -> None:
        super().__init__()
        self.context, self.model = context, model
        self.open = button(words, self._edit, compact=True, name=name)
        self.column = vbox(hbox(self.open, 1), parent=self)
        model.changed.connect(self._show)
        self._show()

    def dialog(self) -> ProtocolDialog:
        """A new one, about the model's protocol."""
        raise NotImplementedError

    def _show(self) -> None:
        self.open.setEnabled(self.model.protocol is not None)

    def _edit(self) -> None:
        dialog = self.dialog()
        dialog.taken.connect(self._take)
        dialog.open()

    def _take(self, protocol: StudyProtocol) -> None:
        """Let the study be *protocol*, and offer the way back."""
        before, origin = self.model.protocol, self.model.origin
        if protocol == before:
            return
        self.model.take_protocol(protocol)
        words = tr("Asked now: {study}.", study=protocol.title)
        undo = Remedy(text=tr("Undo"), do=lambda: self._back(protocol, before, origin))
        self.context.messages.success(words, undo, topic="study.edited")

    def _back(self, protocol: StudyProtocol, before: StudyProtocol, origin: str) -> None:
        # Once another study is set up, or this one was edited again, the way back would lose that.
        if self.model.protocol is protocol:
            self.model.take_protocol(before, origin)
