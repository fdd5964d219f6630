"""In which roles every prompt is answered, and what the message says around it."""

from dataclasses import replace

from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.editable_table import EditableRows, EditableTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, problem_label
from gpf_desktop.ui.widgets.layouts import flowing

_WIDTH, _HEIGHT = 760, 480
_NAME = 180
_ROLE, _SYSTEM = "role", "system prompt"


class RolesEditor(QWidget):
    """The button that opens them, and how many there are."""

    def __init__(self, context: Context, study: StudyViewModel) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._context, self._study = context, study
        self.open = button(tr("Roles and message …"), self._open, compact=True, name="saged.roles")
        self._roles = caption(name="saged.roles.named")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(flowing(self.open))
        column.addWidget(self._roles)
        study.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        protocol = self._study.protocol
        self.open.setEnabled(protocol is not None)
        self._roles.setText(tr("Roles: {names}", names=", ".join(protocol.roles)) if protocol is not None else "")

    def _open(self) -> None:
        RolesDialog(self._context, self._study, self).open()


class RolesDialog(QDialog):
    """A line for each role; the study has them once they hold together."""

    def __init__(self, context: Context, study: StudyViewModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Roles and message"))
        self.setObjectName("saged.rolesDialog")
        self._study = study
        self.rows = EditableRows((_ROLE, _SYSTEM))
        self.rows.setParent(self)
        self.rows.show_rows(tuple(study.protocol.roles.items()))
        self.table = EditableTable(context.theme, self.rows, says=tr("Roles"), wide=(_SYSTEM,), name="saged.rolesTable")
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setColumnWidth(0, context.theme.px(_NAME))
        self.template = QLineEdit(study.protocol.template)
        self.problem = problem_label(name="saged.roles.problem")
        buttons = ok_and_cancel(self, self.accept_changes)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_4, SPACE_4, SPACE_4, SPACE_4)
        column.setSpacing(SPACE_3)
        column.addWidget(label(tr("Every prompt is answered in every role"), "heading", wrap=True))
        column.addWidget(
            caption(
                tr(
                    "A role is a system prompt, as “You are a helpful assistant.” The role called none has no system"
                    " prompt; the others are held against it."
                )
            )
        )
        column.addWidget(
            flowing(
                button(tr("Add a role"), self._add, compact=True, name="saged.addRole"),
                button(tr("Remove"), self.table.remove_selected, compact=True, name="saged.removeRole"),
                button(tr("Undo"), self.rows.steps.undo, compact=True, name="saged.undoRole"),
            )
        )
        column.addWidget(self.table, 1)
        column.addWidget(
            FormField(
                tr("Message"),
                self.template,
                help=tr("{prompt} stands for the prompt, once.", prompt="{prompt}"),
                name="saged.template",
            )
        )
        column.addWidget(self.problem)
        column.addWidget(buttons)
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))

    def _add(self) -> None:
        names = {row[0] for row in self.rows.rows}
        name = next(name for at in range(1, len(names) + 2) if (name := tr("role {n}", n=at)) not in names)
        self.rows.replace([*self.rows.rows, (name, tr("You are a helpful assistant."))], tr("Add a role"))

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
