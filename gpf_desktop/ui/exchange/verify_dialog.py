"""File › Verify an artifact: everything in it computed anew, and what agrees, line by line."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.artifact_commands import VERIFY_TASK, VerifyWishes, start_verification
from gpf_desktop.engine.exchange.artifact.verifying import Verification
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.badge import passed_badge
from gpf_desktop.ui.widgets.boxes import fill, hbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import clear_layout, marked_lines, scrolling

_LINES_HEIGHT = 260
_WIDTH = 640


class VerifyDialog(TaskDialog):
    """Layout and connections."""

    counts = False

    open_asked = Signal()
    """An audit is to be made of the artifact."""

    def __init__(self, context: Context, parent: QWidget, artifact: Path) -> None:
        engine = context.engine
        super().__init__(
            parent,
            TaskViewModel(context, VERIFY_TASK, partial(start_verification, engine), engine.cancel_beside),
            title=tr("Verify a shared file"),
            about=tr(
                "Looks at every byte of {file} and checks the reviewers' histories. Computes messages, scores "
                "and tables anew from its answers, in an audit that is thrown away. No model is asked, no "
                "network is opened.",
                file=artifact.name,
            ),
            begin=tr("Verify"),
            name="verify",
        )
        self._theme, self._artifact = context.theme, artifact
        self._found: Verification | None = None
        self.setMinimumWidth(context.theme.px(_WIDTH))
        self.seal = QLineEdit()
        self.verdict = label("", "heading", wrap=True, name="verify.verdict")
        holder = QWidget()
        self._grid = marked_lines(holder)
        self.lines = scrolling(holder, "verify.lines")
        self.lines.setMinimumHeight(context.theme.px(_LINES_HEIGHT))
        self.copy = button(tr("Copy"), self._copy, name="verify.copy")
        self.copy.setAccessibleName(tr("Copy what was found"))
        self.make = button(tr("Make an audit of it …"), self._make, name="verify.open")
        told = tr(
            "The one that was told when the file was made, or its first characters. It finds a file that "
            "somebody else made anew."
        )
        fill(
            self.content,
            FormField(tr("Check code (optional)"), self.seal, help=told, name="verify.seal"),
            self.verdict,
            (self.lines, 1),
            hbox(self.copy, self.make, 1),
        )
        for each in (self.verdict, self.lines, self.copy, self.make):
            each.hide()
        self.model.ended.connect(self.show_found)

    def options(self) -> Any:
        return VerifyWishes(path=self._artifact, seal=self.seal.text().strip())

    def show_found(self, found: Verification) -> None:
        """Each thing that was looked at, what differs first."""
        self._found = found
        self.verdict.setText(found.sentences()[-1])
        clear_layout(self._grid)
        for row, line in enumerate(sorted(found.lines, key=lambda line: line.passed)):
            badge = passed_badge(self._theme, tr("agrees"), tr("differs"), passed=line.passed)
            self._grid.addWidget(badge, row, 0)
            self._grid.addWidget(label(line.words, wrap=True), row, 1)
        self._grid.setRowStretch(len(found.lines), 1)
        for each in (self.verdict, self.lines, self.copy):
            each.show()
        self.make.setVisible(found.passed)
        self.grow()

    def _copy(self) -> None:
        if self._found is not None:
            QGuiApplication.clipboard().setText("\n".join(self._found.sentences()))

    def _make(self) -> None:
        self.close()
        self.open_asked.emit()
