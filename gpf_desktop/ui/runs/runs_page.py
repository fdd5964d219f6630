"""The page Runs: all rounds, one round, or the set-up of the next."""

from collections.abc import Mapping
from functools import cached_property, partial

from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QWidget

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.ledger import CallState
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.runs.calls_view import CallsView
from gpf_desktop.ui.runs.cap_dialog import CapDialog
from gpf_desktop.ui.runs.ledger_dialogs import ask_for_name, ask_to_delete
from gpf_desktop.ui.runs.rate_dialog import RateDialog
from gpf_desktop.ui.runs.round_keyboard import RoundKeyboard
from gpf_desktop.ui.runs.run_detail import RunDetail
from gpf_desktop.ui.runs.run_list import RunList
from gpf_desktop.ui.runs.run_words import tone_of
from gpf_desktop.ui.runs.runs_actions import OF_A_ROUND
from gpf_desktop.ui.runs.runs_view_model import RunsView, RunsViewModel
from gpf_desktop.ui.runs.schedules_dialog import SchedulesDialog
from gpf_desktop.ui.studies.choosing import ChooseMethod, begin
from gpf_desktop.ui.studies.study_form import StudyForm
from gpf_desktop.ui.widgets.badge import Badge, synthetic_badge
from gpf_desktop.ui.widgets.boxes import stacked
from gpf_desktop.ui.widgets.buttons import PushButton, action_button, button
from gpf_desktop.ui.widgets.names import named


class RunsPage(Page):
    """Layout and connections; what is shown is the view model's word."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "runs", tr("Rounds"))
        self.model = RunsViewModel(context, self)
        self._state = Badge(context.theme, "")
        self._synthetic = synthetic_badge(context.theme)
        self.header.add_mark(self._state)
        self.header.add_mark(self._synthetic)
        self._all = button(tr("All rounds"), self.model.show_list, name="runs.all")
        self._pause = action_button(context.actions.action("run.pause"), tr("Pause"))
        self._stop = action_button(context.actions.action("run.stop"), tr("Stop now"))
        self._cap = button(tr("Limits and cap …"), self._ask_cap, name="runs.cap")
        self._retry = action_button(context.actions.action("run.retry"), tr("Retry failed only"))
        self._resume = action_button(context.actions.action("run.resume"), tr("Resume"), primary=True)
        self._review = button(tr("Read answers"), self.model.review, name="runs.review")
        self._results = button(tr("See results"), lambda: context.navigator.go("results"), name="runs.results")
        self._new = action_button(context.actions.action("run.new"), tr("New round"), primary=True)
        self._calls = action_button(context.actions.action("run.calls"), tr("Calls"))
        self._progress = button(tr("Progress"), self._show_progress, name="runs.progressView")
        self._more = self._more_button()
        self._schedules = action_button(context.actions.action("run.schedules"), tr("Schedules …"))
        self._study = action_button(context.actions.action("run.study"), tr("New study …"))
        self._archived = named(QCheckBox(tr("Archived too")), "runs.archived")
        self._archived.toggled.connect(self.model.set_show_archived)
        for widget in (
            self._archived,
            self._schedules,
            self._study,
            self._results,
            self._all,
            self._progress,
            self._calls,
            self._more,
            self._cap,
            self._retry,
            self._review,
            self._resume,
            self._pause,
        ):
            self.header.add_button(widget)
        # Apart, and at the very end: nothing that comes or goes moves it under the pointer.
        self.header.add_button(self._stop, apart=True)
        self.header.add_button(self._new)
        self.list = RunList(context, self.model)
        for action, do in (
            ("run.calls", self._show_calls),
            ("run.schedules", lambda: SchedulesDialog(context, self).open()),
            ("run.study", lambda: ChooseMethod(context, tr("New study"), partial(begin, context), self).open()),
            ("run.rate", self._ask_raters),
            ("run.rename", self._ask_name),
            ("run.delete", self._ask_deletion),
        ):
            context.actions.on(action, do)
        self._stack = stacked(self.list)
        self.body.addWidget(self._stack, 1)
        going = (self._stop, self._all, self._progress, self._calls, self._more, self._cap, self._retry, self._review)
        self._keyboard = RoundKeyboard((self._resume, self._pause), going, self.first_focus)
        self.model.changed.connect(self._show)
        self._show()

    @cached_property
    def detail(self) -> RunDetail:
        """One round; as the other two made when first asked for, for few visits need all."""
        made = RunDetail(self.context, self.model)
        made.list_unknown.clicked.connect(lambda: self._show_calls(CallState.UNKNOWN))
        self._stack.addWidget(made)
        return made

    @cached_property
    def setup(self) -> StudyForm:
        made = StudyForm(self.context, self.model)
        self._stack.addWidget(made)
        return made

    @cached_property
    def calls(self) -> CallsView:
        made = CallsView(self.context)
        self._stack.addWidget(made)
        return made

    def _in_view(self) -> QWidget:
        match self.model.view:
            case RunsView.NOTHING | RunsView.LIST:
                return self.list
            case RunsView.RUN:
                return self.detail
            case RunsView.SETUP:
                return self.setup
            case RunsView.CALLS:
                return self.calls

    def arrive(self, state: Mapping[str, object]) -> None:
        run_id = state.get("run")
        if isinstance(run_id, int):
            self.model.show_run(RunId(run_id))
        elif method := state.get("setup"):
            check, articles = state.get("check"), state.get("articles")
            self.setup.model.show(
                "" if method is True else str(method),
                rehearse=bool(state.get("rehearse")),
                check=check if isinstance(check, JudgeCheck) else None,
            )
            if isinstance(articles, tuple):
                self.setup.model.take_articles(articles)
            self.model.set_up()

    def state(self) -> Mapping[str, object]:
        if self.model.view is RunsView.SETUP:
            return {"setup": True if self.setup.model.method is None else self.setup.model.method.name}
        return {"run": self.model.run.id} if self.model.view is RunsView.RUN and self.model.run else {}

    def first_focus(self) -> QWidget | None:
        match self.model.view:
            case RunsView.NOTHING | RunsView.LIST:
                return self.list.first_focus()
            case RunsView.RUN:
                return self.detail.table
            case RunsView.CALLS:
                return self.calls.table
            case RunsView.SETUP:
                return None

    def _show(self) -> None:
        model = self.model
        at_calls = model.view is RunsView.CALLS and model.run is not None
        at_run = model.view is RunsView.RUN and model.run is not None
        about_one = model.chosen is not None
        if model.view is RunsView.SETUP and self._stack.currentWidget() is not self.setup:
            self.setup.to_top()
        self._keyboard.show_view(self._stack, self._in_view())
        at_list = model.view is RunsView.LIST
        if model.view is RunsView.SETUP and self.setup.model.method is None:
            self.setup.model.show()
        shown: dict[QWidget, bool] = {
            self._state: at_run,
            self._synthetic: at_run and model.run is not None and model.run.synthetic,
            self._all: model.view in (RunsView.RUN, RunsView.SETUP, RunsView.CALLS) and bool(model.runs),
            self._progress: at_calls,
            self._calls: at_run,
            self._more: at_run or at_list,
            self._schedules: at_list,
            self._study: at_list or model.view is RunsView.NOTHING,
            self._archived: at_list and any(run.archived for run in model.runs),
            # At rest too, but where Resume stands: without it the others would slide under the pointer at the end.
            self._pause: at_run and not model.resumable,
            # At rest too: where it went, the second of two clicks on it would be one on Resume.
            self._stop: at_run,
            self._cap: at_run,
            self._retry: at_run and model.has_gaps and not model.active,
            self._review: at_run,
            self._results: at_run,
            self._resume: (at_run and model.resumable) or at_list,
            self._new: at_list,
        }
        # What goes first: with the buttons of two views in one line for a moment, the window would grow and stay so.
        for widget in sorted(shown, key=shown.__getitem__):
            widget.setVisible(shown[widget])
        self._more.setEnabled(about_one)
        away = model.chosen is not None and model.chosen.archived
        put_away = tr("Take the round out of the &archive") if away else tr("&Archive the round")
        self.context.actions.action("run.archive").setText(put_away)
        self._archived.setChecked(model.show_archived)
        scored = bool(model.progress and model.progress.bundles_scored)
        for each in (self._review, self._results):
            each.setEnabled(scored)
            each.setToolTip("" if scored else tr("No set of answers of this round is scored yet."))
        self._resume.setText(model.resume_words)
        if at_run:
            self._keyboard.settle()
        if model.run is not None and (at_run or at_calls):
            self.header.title.setText(model.run.name)
            state = model.state or model.run.state
            tone, icon = tone_of(state)
            self._state.show_state(tr(str(state)), tone, icon)
        else:
            self.header.title.setText(tr("Set up a round") if model.view is RunsView.SETUP else tr("Rounds"))

    def _more_button(self) -> QPushButton:
        made = named(PushButton(tr("More")), "runs.more")
        menu = QMenu(made)
        menu.addActions([self.context.actions.action(action) for action in OF_A_ROUND])
        made.setMenu(menu)
        return made

    def _show_calls(self, state: CallState | None = None) -> None:
        run = self.model.chosen
        if run is not None:
            self.calls.model.show(run.id, run.planned, state)
            self.model.show_calls()

    def _show_progress(self) -> None:
        if self.model.run is not None:
            self.model.show_run(self.model.run.id)

    def _ask_raters(self) -> None:
        run = self.model.chosen
        if run is not None:
            RateDialog(self.context, self, self.model, run).open()

    def _ask_name(self) -> None:
        run = self.model.chosen
        if run is not None:
            ask_for_name(self, run, lambda name: self.model.rename(run.id, name))

    def _ask_deletion(self) -> None:
        run = self.model.chosen
        if run is not None:
            ask = partial(ask_to_delete, self, run, lambda: self.model.delete(run.id, self._go_to_rows))
            self.model.where_it_may_go(run.id, ask)

    def _go_to_rows(self) -> None:
        """The keyboard was on a button of the round that is gone, which may stand for the next one by now."""
        if (rows := self.first_focus()) is not None:
            rows.setFocus()

    def _ask_cap(self) -> None:
        if self.model.run is not None:
            CapDialog(self, self.model).open()
