"""Help › Check the instrument: calibration models through the whole pipeline, and the method's table."""

from functools import partial
from typing import Any

from PySide6.QtWidgets import QGridLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.instrument import CHECK_TASK, FULL, InstrumentReport, start_check
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import Badge, Tone
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.ladder_plot import LadderPlot
from gpf_desktop.ui.widgets.layouts import scrolling

_TABLE_HEIGHT = 380
_WIDTH = 720


class CheckDialog(TaskDialog):
    """Layout and connections."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        engine = context.engine
        super().__init__(
            parent,
            TaskViewModel(context, CHECK_TASK, partial(start_check, engine), engine.cancel_beside),
            title=tr("Check the instrument"),
            about=tr(
                "Asks built-in calibration models, whose framing is planted and known, about sample news, in an audit "
                "of its own that is thrown away. The scores must show what was planted. It takes a minute or two."
            ),
            begin=tr("Check"),
            name="check",
        )
        self._theme = context.theme
        self.setMinimumWidth(context.theme.px(_WIDTH))
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_3)
        self._grid.setVerticalSpacing(SPACE_2)
        self._grid.setColumnStretch(1, 1)
        self.area = scrolling(holder, "check.table")
        self.area.setMinimumHeight(context.theme.px(_TABLE_HEIGHT))
        self.area.hide()
        self.verdict = label("", "heading", wrap=True, name="check.verdict")
        self.verdict.hide()
        self.content.addWidget(self.verdict)
        self.content.addWidget(self.area, 1)
        self.model.ended.connect(self._show_report)

    def options(self) -> Any:
        return FULL

    def _show_report(self, report: InstrumentReport) -> None:
        self.verdict.setText(report.sentences()[-1])
        self.verdict.show()
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for row, line in enumerate(report.lines):
            words, tone, icon = (
                (tr("pass"), Tone.SUCCESS, "check-circle") if line.passed else (tr("fail"), Tone.DANGER, "error")
            )
            badge = Badge(self._theme, "")
            badge.show_state(words, tone, icon)
            self._grid.addWidget(badge, 2 * row, 0)
            self._grid.addWidget(label(f"{line.model}: {line.must_show}", wrap=True), 2 * row, 1)
            self._grid.addWidget(secondary(line.found, wrap=True), 2 * row + 1, 1)
        if report.ladders:
            plot = LadderPlot(self._theme, report.ladders, name="check.ladder")
            self._grid.addWidget(label(tr("How small an effect is found"), "heading"), 2 * len(report.lines), 0, 1, 2)
            self._grid.addWidget(plot, 2 * len(report.lines) + 1, 0, 1, 2)
        self.area.show()
