"""A place on the disk, typed or chosen."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit

from gpf_desktop.documents.targets import check_audit, check_target, there
from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_replace, ask_to_save, audit_filter
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


class SaveField(PlaceField):
    """A field for the path of a file to be written: typed or chosen, and looked at before it is given."""

    may_replace = Signal()
    """The auditor lets the file that is there be replaced: what asked for `value` asks again."""

    def __init__(self, text: str, ask: Ask, *, name: str) -> None:
        super().__init__(text, ask, name=name)
        self._replaced: Path | None = None

    def value(self) -> Path:
        """Raises `UserError` where nothing can be written there, and where it is asked first whether it may."""
        place = super().value()
        try:
            check_target(place, replaces=True)
        except GpfError as error:
            self.field.set_problem(str(error))
            raise UserError(str(error)) from error
        if place.exists() and place != self._replaced:
            ask_to_replace(self, [place], partial(self._let, place))
            raise UserError(tr("{name} is there already.", name=place.name))
        return place

    def _chosen(self, path: Path) -> None:
        super()._chosen(path)
        # The dialog has asked.
        self._replaced = path

    def _let(self, place: Path) -> None:
        self._replaced = place
        self.may_replace.emit()


class NewAuditField(PlaceField):
    """A field for the path of a new audit: *suggested* where nothing lies there, or another."""

    def __init__(self, suggested: Path, *, name: str) -> None:
        super().__init__(tr("Audit"), partial(self._ask, suggested.stem), name=name)
        if not there(suggested):
            self.line.setText(str(suggested))

    def value(self) -> Path:
        place = super().value()
        try:
            check_audit(place)
        except GpfError as error:
            self.field.set_problem(str(error))
            raise UserError(str(error)) from error
        return place

    def _ask(self, suggested: str, then: Callable[[Path], object]) -> None:
        ask_to_save(self, tr("Save the audit as"), audit_filter(), AUDIT_SUFFIX, then, suggested=suggested)
