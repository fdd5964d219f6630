"""The models that a provider lists: searched inside their names, several added at once."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.models.editor_view_model import EditorViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.names import named

_ROWS = 8
_NAME = Qt.ItemDataRole.UserRole


class ModelPicker(PlainWidget):
    """A tick marks a model to add; Enter or a double click puts its name into the form."""

    def __init__(self, model: EditorViewModel) -> None:
        super().__init__()
        self._model = model
        self._shown: tuple[str, ...] = ()
        self.search = named(
            QLineEdit(placeholderText=tr("Search inside names")), "models.search", tr("Search the listed models")
        )
        self.names = named(QListWidget(), "models.names", tr("Listed models"))
        self.names.setTabKeyNavigation(False)
        self.add = button("", model.add_ticked, compact=True, name="models.addTicked")
        self.search.textChanged.connect(self._filter)
        self.names.itemChanged.connect(self._ticked)
        self.names.itemActivated.connect(lambda item: model.pick(item.data(_NAME)))
        vbox(self.search, self.names, self.add, parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.setVisible(model.offers_listed)
        if model.listed != self._shown:
            if not model.listed:
                # What was looked for at another server says nothing of the next one's names.
                self.search.clear()
            self._shown = model.listed
            self._fill()
        held = model.models.held_at(model.endpoint.provider, model.endpoint.base_url)
        with QSignalBlocker(self.names):
            for item in self._items():
                name = item.data(_NAME)
                item.setText(tr("{model}, in this audit already", model=name) if name in held else name)
                item.setCheckState(Qt.CheckState.Checked if name in model.ticked else Qt.CheckState.Unchecked)
        ticked_ones = len(model.ticked)
        self.add.setText(
            trn("Add {n} ticked model", "Add {n} ticked models", ticked_ones)
            if ticked_ones
            else tr("Add ticked models")
        )
        if not ticked_ones and self.add.hasFocus():
            # Before it is disabled: Qt would hand the keyboard on to the rail.
            self.names.setFocus()
        self.add.setEnabled(bool(ticked_ones))

    def _fill(self) -> None:
        with QSignalBlocker(self.names):
            self.names.clear()
            for name in self._shown:
                item = QListWidgetItem(name, self.names)
                item.setData(_NAME, name)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Unchecked)
        rows = min(_ROWS, len(self._shown))
        self.names.setFixedHeight(max(1, rows) * max(self.names.sizeHintForRow(0), 1) + 2 * self.names.frameWidth())
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for item in self._items():
            item.setHidden(not all(word in item.data(_NAME).casefold() for word in words))
        at = self.names.currentRow()
        if at >= 0 and self.names.isRowHidden(at):
            # Space would tick, and Enter take, a name that nobody sees.
            shown = (at for at, item in enumerate(self._items()) if not item.isHidden())
            self.names.setCurrentRow(next(shown, -1))

    def _ticked(self, item: QListWidgetItem) -> None:
        self._model.tick(item.data(_NAME), on=item.checkState() is Qt.CheckState.Checked)

    def _items(self) -> list[QListWidgetItem]:
        return [self.names.item(at) for at in range(self.names.count())]
