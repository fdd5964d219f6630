"""Help › Check the instrument: calibration models through the whole pipeline, and the method's table."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.checking import InstrumentReport
from gpf_desktop.engine.commands.method_check import CHECK_TASK, start_check
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.engine import Engine
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.badge import passed_badge
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.ladder_plot import LadderPlot
from gpf_desktop.ui.widgets.layouts import clear_layout, marked_lines, scrolling

_TABLE_HEIGHT = 380
_WIDTH = 720


class CheckDialog(TaskDialog):
    """Layout and connections."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        engine = context.engine
        # First: the base shows its state, which looks at it.
        self.method = QComboBox()
        super().__init__(
            parent,
            TaskViewModel(context, CHECK_TASK, partial(start_check, engine), engine.cancel_beside),
            title=tr("Check the test"),
            about=tr(
                "Asks built-in test models, in an audit of its own that is thrown away. What they do is planted, "
                "so it is known what a method must find. The scores must show it. It takes a minute or two."
            ),
            begin=tr("Check"),
            name="check",
        )
        self._theme = context.theme
        self.setMinimumWidth(context.theme.px(_WIDTH))
        self.method.setObjectName("check.method")
        self.method.setAccessibleName(tr("Method that is checked"))
        context.bridge.run(_checked_methods, engine, then=self._offer, owner=self, anywhere=True)
        self.content.addWidget(self.method)
        holder = QWidget()
        self._grid = marked_lines(holder)
        self.area = scrolling(holder, "check.table")
        self.area.setMinimumHeight(context.theme.px(_TABLE_HEIGHT))
        self.area.hide()
        self.verdict = label("", "heading", wrap=True, name="check.verdict")
        self.verdict.hide()
        self.content.addWidget(self.verdict)
        self.content.addWidget(self.area, 1)
        self.model.ended.connect(self._show_report)

    def options(self) -> Any:
        return self.method.currentData()

    def show_state(self) -> None:
        super().show_state()
        self.method.setEnabled(not self.model.running)
        self.begin.setEnabled(self.method.count() > 0 and not self.model.running)

    def _offer(self, methods: Sequence[Method]) -> None:
        for each in methods:
            self.method.addItem(each.title, each.name)
        self.show_state()

    def _show_report(self, report: InstrumentReport) -> None:
        self.verdict.setText(report.sentences()[-1])
        self.verdict.show()
        clear_layout(self._grid)
        for row, line in enumerate(report.lines):
            badge = passed_badge(self._theme, tr("pass"), tr("fail"), passed=line.passed)
            self._grid.addWidget(badge, 2 * row, 0)
            self._grid.addWidget(label(f"{line.model}: {line.must_show}", wrap=True), 2 * row, 1)
            self._grid.addWidget(secondary(line.found, wrap=True), 2 * row + 1, 1)
        if report.ladders:
            plot = LadderPlot(self._theme, report.ladders, name="check.ladder")
            self._grid.addWidget(label(tr("How small an effect is found"), "heading"), 2 * len(report.lines), 0, 1, 2)
            self._grid.addWidget(plot, 2 * len(report.lines) + 1, 0, 1, 2)
        self.area.show()


def _checked_methods(engine: Engine) -> list[Method]:
    """The methods that have a check, the open audit's first."""
    audit = engine.current
    own = () if audit is None else audit.facts().methods
    found = [each for each in catalogue.methods().values() if "check" in each.headless]
    return sorted(found, key=lambda each: own.index(each.name) if each.name in own else len(own))
