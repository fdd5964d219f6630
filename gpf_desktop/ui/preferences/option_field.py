"""One preference on the page: made of what its option declares."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QLineEdit, QSpinBox

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Names, Preference, Value
from gpf_desktop.settings.preferences import Preferences
from gpf_desktop.ui.file_dialogs import ask_for_folder, ask_to_open
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import Part, PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.editors import Editor, choice_editor, editor_for
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import label


class OptionField(PlainWidget):
    """Shows the value in force, keeps another as soon as it is typed, and says what is wrong with one that is not
    taken; the one in force stays then."""

    def __init__(
        self, one: Preference, preferences: Preferences, change: Callable[[Callable[[], object]], object]
    ) -> None:
        """*change* is given what changes the preference, which may raise `GpfError`."""
        super().__init__()
        self.option = one
        self._preferences, self._change = preferences, change
        self._editor = _editor(one)
        title = tr(one.shown.label)
        self.field = FormField(title, self._editor.widget, help=tr(one.shown.help), name=f"preferences.{one.name}")
        # Above, in a line with what puts it back.
        self.field.hide_label()
        above = label(title)
        above.setBuddy(self._editor.widget)
        line: list[Part] = [(self.field, 1)]
        if one.names is not Names.NOTHING:
            choose = button(tr("Choose …"), self._ask, name=f"preferences.{one.name}.choose")
            choose.setAccessibleName(tr("Choose: {what}", what=title))
            line.append((choose, 0, Qt.AlignmentFlag.AlignTop))
        self.default = link(tr("Default"), self._back, name=f"preferences.{one.name}.default")
        self.default.setAccessibleName(tr("Default of {what}", what=title))
        vbox(
            hbox(above, 1, self.default, spacing=SPACE_2),
            hbox(*line, spacing=SPACE_2),
            parent=self,
            spacing=SPACE_1,
        )
        # Whole numbers are typed figure by figure: 1, 12, 125.
        for box in (self._editor.widget, *self._editor.widget.findChildren(QAbstractSpinBox)):
            if isinstance(box, QAbstractSpinBox):
                box.setKeyboardTracking(False)
        self._editor.changed.connect(lambda *_: self._typed())
        self.show_value()

    def matches(self, typed: str) -> bool:
        """Whether it is one of those that *typed* looks for."""
        words = (
            f"{tr(self.option.shown.label)} {tr(self.option.shown.help)} {self.option.name} {self.option.part.words}"
        )
        return all(each in words.casefold() for each in typed.casefold().split())

    def show_value(self) -> None:
        """Show what is in force now."""
        value = self._preferences.get(self.option.name)
        with QSignalBlocker(self._editor.widget):
            self._editor.set(value)
        if value is None:
            self._show_beginning()
        self.default.setEnabled(value != self.option.default)
        self.field.set_problem("")

    def _show_beginning(self) -> None:
        """Behind the tick that is not set, the number that it begins with."""
        if self.option.begins is None:
            return
        for box in self._editor.widget.findChildren(QAbstractSpinBox):
            with QSignalBlocker(box):
                match box:
                    case QSpinBox():
                        box.setValue(int(self.option.begins))
                    case QDoubleSpinBox():
                        box.setValue(self.option.begins)

    def _typed(self) -> None:
        value: Value = self._editor.get()
        if value != self._preferences.get(self.option.name):
            self._keep(value)
        else:
            self.field.set_problem("")

    def _keep(self, value: Value) -> None:
        try:
            self._change(lambda: self._preferences.set(self.option.name, value))
        except GpfError as error:
            self.field.set_problem(str(error))

    def _back(self) -> None:
        try:
            self._change(lambda: self._preferences.reset(self.option.name))
        except GpfError as error:
            self.field.set_problem(str(error))

    def _ask(self) -> None:
        def chosen(path: Path) -> None:
            self._editor.set(str(path))
            self._typed()

        title = tr(self.option.shown.label)
        if self.option.names is Names.FOLDER:
            ask_for_folder(self, title, chosen)
        else:
            ask_to_open(self, title, "", chosen)


def _editor(one: Preference) -> Editor:
    if one.choices:
        return choice_editor([(tr(words), value) for value, words in one.choices])
    if one.kind is str:
        line = QLineEdit(placeholderText=tr(one.shown.placeholder) if one.shown.placeholder else "")
        return Editor(widget=line, get=lambda: line.text().strip(), set=line.setText, changed=line.editingFinished)
    return editor_for(one.kind | None if one.default is None else one.kind, one.shown)
