"""Tests whether identities moved the answers more than chance, where bundles have repeats."""

from typing import Any

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.scoring.identity_testing import IDENTITY_TEST_TASK, IdentityTestOptions
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.options_form import OptionsForm


class IdentityTestDialog(TaskDialog):
    """Layout and connections."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        testing = context.engine.open_audit.identity_testing
        super().__init__(
            parent,
            TaskViewModel(context, IDENTITY_TEST_TASK, testing.start, testing.cancel),
            title=tr("Test identities against chance"),
            about=tr(
                "Deals the repeated answers of each bundle to identities at random, many times over, and looks how "
                "often that moves answers as far apart, in meaning and in tone, as the identities did. One test of "
                "each for each model, dimension and family, adjusted for their number; “Identity against chance” in "
                "Results shows them."
            ),
            begin=tr("Test"),
            name="identityTest",
        )
        self.form = OptionsForm(context.theme, IdentityTestOptions, name="identityTest.form")
        self.content.addWidget(self.form)
        self.model.ended.connect(self.accept)

    def options(self) -> Any:
        return self.form.value()
