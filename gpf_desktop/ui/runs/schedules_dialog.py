"""Every schedule of the audit: when it begins its next round, when it began its last; changed, switched off, ended."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from gpf_desktop.domain.events import SchedulesChanged
from gpf_desktop.domain.schedules import Schedule
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.schedules.repeating import Repeater
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.repeat_dialog import RepeatDialog
from gpf_desktop.ui.studies.choosing import new_round
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, ending_buttons
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import moment


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRow:
    """One schedule as the list shows it."""

    at: int
    schedule: Schedule
    due: datetime | None


class SchedulesDialog(TitledDialog):
    """Enter or a double click changes a schedule; the tick switches it on or off."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent, tr("Schedules"), "runs.schedules")
        self._context = context
        self._repeater = partial(context.engine.repeater, context.engine.open_audit)
        self.resize(context.theme.px(720), context.theme.px(320))
        # By place and content: where a schedule ends, the next one moves up to its place.
        self.rows: RowsTableModel[ScheduleRow] = RowsTableModel(
            context.theme, _columns(), key=lambda row: (row.at, row.schedule)
        )
        self.rows.ticked.connect(lambda row, on: self._keep(replace(row.schedule, on=on)))
        self.table = DataTable(context.theme, self.rows, says=tr("Schedules"), name="schedules.table")
        self.table.opened.connect(self._edit)
        self.table.current_changed.connect(lambda _: self._show_buttons())
        self._none = caption(tr("Nothing is repeated. “Repeat …” in the set-up of a round makes a schedule."))
        self.change = button(tr("Change …"), lambda: self._edit(self.table.current_row()), name="schedules.edit")
        self.remove = button(tr("End it"), lambda: self._drop(self.table.current_row()), name="schedules.remove")
        self.begin = button(tr("Set up a round"), self._begin, name="schedules.begin")
        close = ending_buttons(self, QDialogButtonBox.StandardButton.Close)
        row = hbox(self.begin, self.change, self.remove, 1, close)
        self._rest = QWidget()
        vbox(
            caption(tr("Rounds are repeated while the program is open and this audit is.")),
            self._none,
            (self.table, 1),
            (self._rest, 1),
            row,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        context.bridge.subscribe(self, lambda _: self.reload(), SchedulesChanged)
        self.reload()

    def reload(self) -> None:
        """Read the schedules again."""
        repeater = self._repeater
        self._context.bridge.run(lambda: _rows(repeater()), then=self._show, owner=self, latest="schedules")

    def _show(self, rows: list[ScheduleRow]) -> None:
        held, before = self.table.current_row(), len(self.rows.rows)
        self.rows.set_rows(rows)
        # One that was changed is held on to; of one that was ended the next must not take the place.
        if held is not None and len(rows) == before:
            self.table.select_key((held.at, rows[held.at].schedule))
            self.table.setFocus()
        self._none.setVisible(not rows)
        for each, on in ((self.begin, not rows), (self.change, bool(rows)), (self.remove, bool(rows))):
            each.setVisible(on)
        self.table.setVisible(bool(rows))
        self._rest.setVisible(not rows)
        self._show_buttons()

    def _show_buttons(self) -> None:
        chosen = self.table.current_row() is not None
        self.change.setEnabled(chosen)
        self.remove.setEnabled(chosen)

    def _begin(self) -> None:
        self.close()
        new_round(self._context)

    def _edit(self, row: ScheduleRow | None) -> None:
        if row is not None:
            RepeatDialog(self._context, self, None, editing=row.schedule).open()

    def _keep(self, schedule: Schedule) -> None:
        repeater = self._repeater
        self._context.bridge.run(lambda: repeater().keep(schedule), owner=self)

    def _drop(self, row: ScheduleRow | None) -> None:
        if row is not None:
            repeater = self._repeater
            self._context.bridge.run(lambda: repeater().drop(row.schedule.plan), owner=self)


def _rows(repeater: Repeater) -> list[ScheduleRow]:
    return [ScheduleRow(at=at, schedule=each, due=repeater.due(each)) for at, each in enumerate(repeater.schedules())]


def when_words(schedule: Schedule) -> str:
    """every 6 hours, or at 07:30, 19:00"""
    if schedule.every_hours == 1:
        return tr("every hour")
    if schedule.every_hours is not None:
        return tr("every {n} hours", n=schedule.every_hours)
    return tr("at {times}", times=", ".join(f"{each:%H:%M}" for each in schedule.times))


def _columns() -> list[TableColumn[ScheduleRow]]:
    return [
        TableColumn(
            title=tr("Round"),
            text=lambda row: row.schedule.name or tr("without a name"),
            checked=lambda row: row.schedule.on,
            stretch=True,
        ),
        TableColumn(title=tr("When"), text=lambda row: when_words(row.schedule), width=140),
        TableColumn(title=tr("Next"), text=lambda row: tr("off") if row.due is None else moment(row.due), width=150),
        TableColumn(
            title=tr("Last"),
            text=lambda row: tr("not yet") if row.schedule.last is None else moment(row.schedule.last),
            width=150,
        ),
    ]
