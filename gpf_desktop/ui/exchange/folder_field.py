"""A place on the disk, typed or chosen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_save, audit_filter
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.fields import FormField

Ask = Callable[[Callable[[Path], object]], object]
"""Opens a dialog that gives the chosen path to its argument."""


class PlaceField(PlainWidget):
    """A line with its label above and a button beside it."""

    def __init__(self, text: str, ask: Ask, *, name: str) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.field = FormField(text, self.line, name=name)
        choose = button(tr("Choose …"), lambda: ask(self._chosen), name=f"{name}.choose")
        choose.setAccessibleName(tr("Choose: {what}", what=text))
        hbox((self.field, 1), (choose, 0, Qt.AlignmentFlag.AlignBottom), parent=self, spacing=SPACE_2)

    def value(self) -> Path:
        """Raises `UserError`, whose words the field then shows."""
        text = self.line.text().strip()
        self.field.set_problem("" if text else tr("Choose a place first."))
        if not text:
            raise UserError(tr("Choose a place first."))
        return Path(text)

    def _chosen(self, path: Path) -> None:
        self.line.setText(str(path))
        self.field.set_problem("")


class NewAuditField(PlaceField):
    """Where an audit that is to be made goes: *suggested* where nothing lies there, or elsewhere."""

    def __init__(self, suggested: Path, *, name: str) -> None:
        super().__init__(tr("Audit"), partial(self._ask, suggested.stem), name=name)
        if not suggested.exists():
            self.line.setText(str(suggested))

    def value(self) -> Path:
        place = super().value()
        if place.exists():
            words = tr("{name} is there already; choose another name.", name=place.name)
            self.field.set_problem(words)
            raise UserError(words)
        return place

    def _ask(self, suggested: str, then: Callable[[Path], object]) -> None:
        ask_to_save(self, tr("Save the audit as"), audit_filter(), AUDIT_SUFFIX, then, suggested=suggested)
