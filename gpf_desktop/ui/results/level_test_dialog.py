"""Tests whether what varies in bundles moved their answers more than chance, where they have repeats."""

from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import tr, within
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.scoring.level_testing import LEVEL_TEST_TASK, LevelTestOptions
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.options_form import OptionsForm


class LevelTestDialog(TaskDialog):
    """Layout and connections; of *method*, whatever it varies."""

    def __init__(self, context: Context, parent: QWidget, method: str) -> None:
        testing = context.engine.open_audit.level_testing
        factors = catalogue.method(method).factors
        varying = ", ".join(within(each.plural) for each in factors if each.varies)
        held = tr(" and ").join(within(each.title) for each in factors if not each.varies and not each.by_arm)
        super().__init__(
            parent,
            TaskViewModel(context, LEVEL_TEST_TASK, partial(testing.start, method=method), testing.cancel),
            title=tr("Test {levels} against chance", levels=varying),
            about=tr(
                "Deals the answers of each set, also those asked again, to {levels} at random, many times over. "
                "It looks how often that moves answers as far apart, in meaning and in tone, as the {levels} "
                "did. One test of each for each model and {strata}, all comparisons counted; Results shows them.",
                levels=varying,
                strata=held,
            ),
            begin=tr("Test"),
            name="levelTest",
        )
        self.form = OptionsForm(context.theme, LevelTestOptions, name="levelTest.form")
        self.content.addWidget(self.form)
        self.model.ended.connect(self.accept)

    def options(self) -> Any:
        return self.form.value()
