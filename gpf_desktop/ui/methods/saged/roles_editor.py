"""In which roles every prompt is answered, and what the message says around it."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.editable_table import EditableRows, EditableTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, problem_label
from gpf_desktop.ui.widgets.layouts import flowing

_WIDTH, _HEIGHT = 760, 480
_ROLE, _SYSTEM = "role", "system prompt"


class RolesEditor(PlainWidget):
    """The button that opens them, and how many there are."""

    def __init__(self, context: Context, study: StudyViewModel) -> None:
        super().__init__()
        self._context, self._study = context, study
        self.open = button(tr("Roles and message …"), self._open, compact=True, name="saged.roles")
        self._roles = caption(name="saged.roles.named")
        vbox(flowing(self.open), self._roles, parent=self)
        study.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        protocol = self._study.protocol
        self.open.setEnabled(protocol is not None)
        if protocol is None:
            self._roles.setText("")
            return
        roles = tr("Roles: {names}", names=", ".join(protocol.roles))
        self._roles.setText("\n".join((roles, tr("Message: {message}", message=protocol.template))))

    def _open(self) -> None:
        RolesDialog(self._context, self._study, self).open()


class RolesDialog(TitledDialog):
    """A line for each role; the study has them once they hold together."""

    def __init__(self, context: Context, study: StudyViewModel, parent: QWidget) -> None:
        super().__init__(parent, tr("Roles and message"), "saged.rolesDialog")
        self._study = study
        self.rows = EditableRows((_ROLE, _SYSTEM))
        self.rows.setParent(self)
        self.rows.show_rows(tuple(study.protocol.roles.items()))
        self.table = EditableTable(
            context.theme, self.rows, says=tr("Roles"), wide=(_ROLE, _SYSTEM), name="saged.rolesTable"
        )
        self.table.horizontalHeader().setStretchLastSection(True)
        self.template = QLineEdit(study.protocol.template)
        self.kind = QComboBox()
        for what_for, words in catalogue.benchmark_maker("saged").templates.items():
            self.kind.addItem(what_for, words)
        self.kind.addItem(tr("the prompt alone"), "{prompt}")
        self.kind.addItem(tr("in words of your own"))
        self.kind.activated.connect(self._take_kind)
        self.template.textChanged.connect(self._show_kind)
        self._show_kind()
        self.problem = problem_label(name="saged.roles.problem")
        said = FormField(
            tr("Message"),
            self.template,
            help=tr("{prompt} stands for the prompt, once.", prompt="{prompt}"),
            name="saged.template",
        )
        kind = FormField(tr("What is said around a prompt"), self.kind, name="saged.templateKind")
        vbox(
            label(tr("Every prompt is answered in every role"), "heading", wrap=True),
            caption(
                tr(
                    "A role is a system prompt, as “You are a helpful assistant.” The role called none has no system"
                    " prompt; the others are held against it."
                )
            ),
            flowing(
                button(tr("Add a role"), self._add, compact=True, name="saged.addRole"),
                button(tr("Remove"), self.table.remove_selected, compact=True, name="saged.removeRole"),
                button(tr("Undo"), self.rows.steps.undo, compact=True, name="saged.undoRole"),
            ),
            (self.table, 1),
            hbox((kind, 0, Qt.AlignmentFlag.AlignTop), (said, 1)),
            self.problem,
            ok_and_cancel(self, self.accept_changes),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))

    def _add(self) -> None:
        names = {row[0] for row in self.rows.rows}
        name = next(name for at in range(1, len(names) + 2) if (name := tr("role {n}", n=at)) not in names)
        self.rows.replace([*self.rows.rows, (name, tr("You are a helpful assistant."))], tr("Add a role"))

    def _take_kind(self) -> None:
        if (message := self.kind.currentData()) is not None:
            self.template.setText(message)
        self.template.setFocus()

    def _show_kind(self) -> None:
        at = self.kind.findData(self.template.text())
        self.kind.setCurrentIndex(at if at >= 0 else self.kind.count() - 1)

    def accept_changes(self) -> None:
        """Give them to the study, or say what is wrong with them."""
        roles = {name: system for name, system in self.rows.rows}  # noqa: C416 — its rows are tuples of any length
        names = [row[0] for row in self.rows.rows]
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            self.problem.setText(tr("Two roles are called “{name}”.", name=twice))
            return
        changed = replace(self._study.protocol, roles=roles, template=self.template.text())
        assert self._study.method is not None
        wrong = self._study.method.problems(changed)
        if wrong:
            self.problem.setText(tr("{where}: {problem}.", where=wrong[0].path[0], problem=wrong[0].words))
            return
        self._study.take_protocol(changed)
        self.accept()
