"""A form made from a plug-in's declared options, so that no plug-in needs window code."""

from dataclasses import MISSING, Field, fields, is_dataclass, replace
from typing import Any, get_type_hints

from PySide6.QtCore import Signal

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown, shown_of
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.editors import Editor, editor_for
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import problem_label
from gpf_desktop.ui.widgets.section import CollapsibleSection


class OptionsForm(PlainWidget):
    """Edits one frozen dataclass whose fields all have defaults.

    Each says by `Shown` how it is shown; one that says nothing has its name as label. A nested dataclass becomes a
    section of its own. What no form can edit keeps its value.
    """

    changed = Signal()

    def __init__(self, theme: Theme, options: type[Any], value: Any = None, *, name: str = "options") -> None:
        super().__init__(name=name)
        self._base = options() if value is None else value
        self._editors: dict[str, Editor] = {}
        self._nested: dict[str, OptionsForm] = {}
        self.fields: dict[str, FormField] = {}
        self._problem = problem_label()
        self._column = vbox(parent=self, spacing=SPACE_3)
        hints = get_type_hints(options, include_extras=True)
        for field in fields(options):
            kind = hints[field.name]
            shown = shown_of(kind) or Shown(label=words_of(field.name))
            if not shown.hidden:
                self._add(theme, field, kind, shown, name)
        self._column.addWidget(self._problem)
        self._column.addStretch(1)
        self.set_value(self._base)

    @property
    def is_empty(self) -> bool:
        """The plug-in has nothing to set."""
        return not self._editors and not self._nested

    def value(self) -> Any:
        """The dataclass as typed. Raises `UserError` with the words shown where it cannot be."""
        chosen: dict[str, Any] = {key: editor.get() for key, editor in self._editors.items()}
        chosen |= {key: form.value() for key, form in self._nested.items()}
        try:
            made = replace(self._base, **chosen)
        except (ValueError, UserError) as error:
            self._problem.setText(str(error))
            raise UserError(str(error)) from error
        self._problem.setText("")
        return made

    def set_value(self, value: Any) -> None:
        """Show *value*."""
        self._base = value
        for key, editor in self._editors.items():
            editor.set(getattr(value, key))
        for key, form in self._nested.items():
            form.set_value(getattr(value, key))

    def _add(self, theme: Theme, field: "Field[Any]", kind: Any, shown: Shown, name: str) -> None:
        title = tr(shown.label)
        if isinstance(kind, type) and is_dataclass(kind):
            section = CollapsibleSection(theme, title)
            form = OptionsForm(theme, kind, _default(field), name=f"{name}.{field.name}")
            form.changed.connect(self.changed)
            section.body.addWidget(form)
            self._nested[field.name] = form
            self._column.addWidget(section)
            return
        try:
            editor = editor_for(kind, shown)
        except TypeError:
            return
        help_text = tr(shown.help) if shown.help else ""
        made = FormField(title, editor.widget, help=help_text, name=f"{name}.{field.name}")
        editor.changed.connect(lambda *_: self.changed.emit())
        self._editors[field.name] = editor
        self.fields[field.name] = made
        self._column.addWidget(made)


def words_of(name: str) -> str:
    """A field's name as a label: ``max_tokens`` becomes "Max tokens"."""
    return name.replace("_", " ").capitalize()


def _default(field: "Field[Any]") -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else None
