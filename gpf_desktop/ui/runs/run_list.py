"""All rounds of the audit, and what stands there before the first."""

from functools import partial

from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.run_words import short_names, spend_of, tone_of
from gpf_desktop.ui.runs.runs_actions import OF_A_ROUND
from gpf_desktop.ui.runs.runs_view_model import RunsView, RunsViewModel
from gpf_desktop.ui.studies.choosing import new_round
from gpf_desktop.ui.widgets.cards import EmptyState
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, count_of, moment


class RunList(QWidget):
    """A table of rounds; Enter or a double click opens one, a right click says what else can be done with it."""

    def __init__(self, context: Context, model: RunsViewModel) -> None:
        super().__init__()
        self._model = model
        self._rows: RowsTableModel[Run] = RowsTableModel(context.theme, _columns(), key=lambda run: run.id)
        self.table = DataTable(
            context.theme, self._rows, says=tr("Rounds"), name="runs.table", settings=context.settings
        )
        self.table.addActions([context.actions.action(action) for action in ("run.resume", *OF_A_ROUND)])
        self.table.opened.connect(lambda run: model.show_run(run.id))
        self.table.current_changed.connect(self._pick)
        self._picked: RunId | None = None
        self.empty = EmptyState(context.theme, "runs")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        model.changed.connect(self.show_runs)
        self.show_runs()

    def _pick(self, run: Run | None) -> None:
        self._picked = None if run is None else run.id
        self._model.pick(run)

    def show_runs(self) -> None:
        """Nothing is rebuilt while a round's own page repaints."""
        if self._model.view not in (RunsView.NOTHING, RunsView.LIST):
            return
        runs = self._model.listed
        before, focus = self._stack.currentWidget(), QApplication.focusWidget()
        had = focus is not None and self.isAncestorOf(focus)
        self._rows.set_rows(runs)
        if self._model.picked != self._picked:
            # A round was left for the list: it is the one that was spoken of.
            self._picked = self._model.picked
            self.table.select_key(self._picked)
        self._explain()
        self._stack.setCurrentWidget(self.table if runs else self.empty)
        keyboard = self.first_focus()
        if had and keyboard is not None and self._stack.currentWidget() is not before:
            keyboard.setFocus()

    def first_focus(self) -> QWidget | None:
        """The widget that gets the keyboard: the table of rounds, or the button that leads to the first one."""
        return self.table if self._model.listed else self.empty.button

    def _explain(self) -> None:
        if self._model.runs:
            self.empty.explain(
                tr("Every round is archived."), tr("Show them"), lambda: self._model.set_show_archived(True)
            )
        elif self._model.context.engine.has_open_audit:
            self.empty.explain(
                tr("No round yet. A round asks the models you choose about a few items."),
                tr("Set up a round"),
                partial(new_round, self._model.context),
                then=(
                    tr("You see how many calls it makes, and what they cost, before anything is asked."),
                    tr("You try a small part first, or start; you can pause at any time."),
                    tr("Answers come to Review and Results while it runs."),
                ),
            )
        else:
            self.empty.explain(
                tr("No audit is open. Rounds are kept in an audit file."),
                tr("Go to Home"),
                lambda: self._model.context.navigator.go("home"),
            )


def _columns() -> list[TableColumn[Run]]:
    return [
        TableColumn(title=tr("Round"), text=lambda run: run.name, stretch=True, strong=True),
        TableColumn(
            title=tr("State"),
            text=lambda run: tr(str(run.state)),
            icon=lambda run: (tone_of(run.state)[1], tone_of(run.state)[0].token) if tone_of(run.state)[1] else None,
        ),
        TableColumn(
            title=tr("Answered"),
            text=lambda run: count_of(run.answered, run.planned),
            numeric=True,
            sort=lambda run: run.answered,
        ),
        TableColumn(title=tr("Gaps"), text=lambda run: count(run.missing), numeric=True, sort=lambda run: run.missing),
        TableColumn(title=tr("Spent"), text=spend_of, numeric=True, sort=lambda run: run.spent),
        TableColumn(
            title=tr("Models"),
            text=lambda run: count(len(run.models)) if len(run.models) != 1 else short_names(run.models)[run.models[0]],
            icon=lambda run: ("synthetic", "synthetic") if run.synthetic else None,
            tip=lambda run: "\n".join(run.models),
            sort=lambda run: len(run.models),
            width=150,
            spare=2,
        ),
        TableColumn(
            title=tr("Items"),
            text=lambda run: count(run.articles),
            numeric=True,
            sort=lambda run: run.articles,
            spare=3,
        ),
        TableColumn(title=tr("Protocol"), text=lambda run: run.protocol, spare=4),
        TableColumn(
            title=tr("Started"),
            text=lambda run: tr("not yet") if run.started is None else moment(run.started),
            tip=lambda run: "" if run.started_by is None else tr(str(run.started_by)),
            sort=lambda run: run.started,
            spare=1,
        ),
    ]
