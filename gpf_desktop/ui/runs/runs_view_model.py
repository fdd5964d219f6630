"""State of the Runs page: the rounds of the audit, the one shown, and what may be done with it."""

from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    RunNoted,
    RunPlanned,
    RunProgressed,
    RunRested,
    RunsChanged,
)
from gpf_desktop.domain.events import RunStateChanged as StateChanged
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.ports.rates_answers import RatesAnswers
from gpf_desktop.domain.runs import Run, RunProgress, RunState
from gpf_desktop.domain.served import ServedNote
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.exchange.daily_copies import DailyCopies
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.old_texts import MovedTexts
from gpf_desktop.engine.rounds.rating import Raters
from gpf_desktop.engine.rounds.rounds import Rounds
from gpf_desktop.engine.rounds.scoping import Narrowing
from gpf_desktop.storage.lost_calls import UnknownCall
from gpf_desktop.storage.runs import RunNote
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.note_folding import folded
from gpf_desktop.ui.runs.rest_message import TOPIC, RestCommands, RestMessages, say_why_not_started
from gpf_desktop.ui.runs.round_reading import RoundRead, as_heard, read_round
from gpf_desktop.ui.runs.run_words import STOPPING, figures_of, stopping_question
from gpf_desktop.ui.studies.choosing import new_round
from gpf_desktop.ui.wording import count

NOTES = 200


class RunsView(StrEnum):
    """The view that the page shows."""

    NOTHING = "nothing"
    LIST = "list"
    RUN = "run"
    SETUP = "setup"
    CALLS = "calls"


class RunsViewModel(ViewModel):
    """Commands go to the engine's `Rounds`; what is shown comes from its events and from the store."""

    noted = Signal()
    """Lines under "What happened" changed."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.view = RunsView.NOTHING
        self.runs: tuple[Run, ...] = ()
        self.run: Run | None = None
        self.progress: RunProgress | None = None
        self._heard: RunProgress | None = None
        """The last that was announced, of whatever round."""
        self.notes: tuple[RunNote, ...] = ()
        self.unknown: tuple[UnknownCall, ...] = ()
        self.picked: RunId | None = None
        """The round that the list's selected row stands for."""
        self.show_archived = False
        self.show_pace = False
        """Every change of the pace is listed under "What happened"."""
        self.limits: dict[str, Limits] = {}
        """Limits set by hand for each account that is reached over a network."""
        self.narrowing: Narrowing | None = None
        self.answered_by: tuple[ServedNote, ...] = ()
        does = RestCommands(read=self._read, retry=self._retry, resume=self.start, raise_cap=self._raise)
        self._rests = RestMessages(context, does)
        self._opening = Pending()
        self._opening.cancel()
        """The round that is being read to be shown; who goes elsewhere meanwhile is not called back."""
        self._opens: RunId | None = None
        """Which round that is, or was last."""
        self.listen(self._opened, AuditOpened)
        self.listen(self._closed, AuditClosed)
        self.listen(lambda event: self.show_run(event.run_id), RunPlanned)
        self.listen(self._progressed, RunProgressed)
        self.listen(self._changed_there, RunsChanged, StateChanged)
        self.listen(self._noted, RunNoted)
        self.listen(self._rested, RunRested)
        for action, do in (
            ("run.new", partial(new_round, context)),
            ("run.pause", self.pause),
            ("run.resume", self.resume),
            ("run.stop", self.stop),
            ("run.retry", self.retry_failed),
            ("run.duplicate", self.duplicate),
            ("run.archive", self.archive),
            ("run.texts", self.move_texts),
        ):
            context.actions.on(action, do)
        if context.engine.has_open_audit:
            self.reload()

    @property
    def rounds(self) -> Rounds:
        return self.context.engine.open_audit.rounds

    @property
    def state(self) -> RunState | None:
        return None if self.progress is None else self.progress.state

    @property
    def chosen(self) -> Run | None:
        """The round that commands are about: the one shown, or the list's selected one."""
        if self.view in (RunsView.RUN, RunsView.CALLS):
            return self.run
        if self.view is not RunsView.LIST:
            return None
        return next((run for run in self.listed if run.id == self.picked), None)

    @property
    def listed(self) -> tuple[Run, ...]:
        """The rounds that the list shows."""
        return tuple(as_heard(run, self._heard) for run in self.runs if self.show_archived or not run.archived)

    @property
    def active(self) -> bool:
        return self.state is not None and self.state.active

    @property
    def resumable(self) -> bool:
        if self.view is RunsView.LIST:
            return self.chosen is not None and self.chosen.state.resumable
        return self.state is not None and self.state.resumable

    @property
    def has_gaps(self) -> bool:
        return self.state is not None and not self.active and bool(self.progress and self.progress.missing)

    @property
    def ratable(self) -> bool:
        """The round chosen has answers, and a method that has them rated."""
        run = self.chosen
        answered = run is not None and run.answered > 0 and not self.active
        return run is not None and answered and isinstance(catalogue.method(run.method), RatesAnswers)

    @property
    def resume_words(self) -> str:
        state = self.chosen.state if self.view is RunsView.LIST and self.chosen is not None else self.state
        return tr("Start") if state is RunState.DRAFT else tr("Resume")

    @property
    def shown_notes(self) -> tuple[RunNote, ...]:
        return self.notes if self.show_pace else folded(self.notes)

    def pick(self, run: Run | None) -> None:
        """A row of the list was selected."""
        self.picked = None if run is None else run.id
        self._tell_facts()
        self.touch_now()

    def set_show_archived(self, on: bool) -> None:
        self.show_archived = on
        self.touch_now()

    def set_show_pace(self, on: bool) -> None:
        self.show_pace = on
        self.noted.emit()

    def show_calls(self) -> None:
        """List the calls of the round that is chosen."""
        if self.chosen is not None:
            self._open(self.chosen.id, RunsView.CALLS)

    def duplicate(self) -> None:
        """A new draft that asks the same; it is shown."""
        if self.chosen is not None:
            ledger = self.context.engine.open_audit.ledger
            self.context.bridge.run(ledger.duplicate, self.chosen.id, failed=self._failed, owner=self)

    def archive(self) -> None:
        """Put the chosen round away, or take it back."""
        run = self.chosen
        if run is not None:
            ledger, archived = self.context.engine.open_audit.ledger, not run.archived
            back = Remedy(text=tr("Take it back"), do=lambda: self._change(ledger.archive, run.id, archived=False))
            if archived:
                words = tr("“{name}” is archived. Its answers stay in tables and reports.", name=run.name)
                self.context.messages.info(words, back, topic="ledger")
            self._change(ledger.archive, run.id, archived=archived)

    def move_texts(self) -> None:
        """Move the texts of the chosen round into a file beside the audit, or back where they lie there."""
        if self.chosen is not None:
            self._turn_texts(self.chosen.id)

    def _turn_texts(self, run_id: RunId) -> None:
        turn = partial(self.context.engine.open_audit.old_texts.turn, run_id)
        self.context.bridge.run(turn, then=partial(self._moved, run_id), failed=self._failed, owner=self)

    def _moved(self, run_id: RunId, moved: MovedTexts) -> None:
        back = Remedy(text=tr("Take it back"), do=partial(self._turn_texts, run_id))
        if not moved.texts:
            self.context.messages.info(tr("The round has no texts to move."), topic="ledger")
        elif moved.folder:
            words = trn(
                "{many} text lies in “{folder}” beside the audit, which is smaller once closed. Keep both together.",
                "{many} texts lie in “{folder}” beside the audit, which is smaller once closed. Keep both together.",
                moved.texts,
                many=count(moved.texts),
                folder=moved.folder,
            )
            self.context.messages.info(words, back, topic="ledger")
        else:
            words = trn("{many} text is back.", "{many} texts are back.", moved.texts, many=count(moved.texts))
            self.context.messages.info(words, topic="ledger")

    def rename(self, run_id: RunId, name: str) -> None:
        self._change(self.context.engine.open_audit.ledger.rename, run_id, name)

    def where_it_may_go(self, run_id: RunId, then: Callable[[], object]) -> None:
        """*then*, unless the round cannot be deleted: a message says why before anything is asked."""
        check = partial(self.context.engine.open_audit.ledger.check_deletion, run_id)
        self.context.bridge.run(check, then=lambda _: then(), failed=self._failed, owner=self, latest="deletion")

    def delete(self, run_id: RunId, then: Callable[[], object]) -> None:
        """Take the round that was named out of the audit, whichever is chosen by now; *then* it is shown no more."""

        def gone(copy: Path | None) -> None:
            self.runs = tuple(run for run in self.runs if run.id != run_id)
            if self.run is not None and self.run.id == run_id:
                self.run = self.progress = None
                self.show_list()
            if copy is not None:
                open_copies = Remedy(text=tr("Daily copies"), do=self.context.actions.action("file.copies").trigger)
                words = tr("The round was deleted. The audit as it was before is among the daily copies.")
                self.context.messages.success(words, open_copies, topic=TOPIC)
            then()

        self.context.bridge.run(
            _deleted, self.context.engine.open_audit, run_id, then=gone, failed=self._failed, owner=self
        )

    def _change(self, command: Callable[..., None], *arguments: Any, **named: Any) -> None:
        self.context.bridge.run(partial(command, *arguments, **named), failed=self._failed, owner=self)

    def reload(self) -> None:
        """Read the rounds again, and the one shown."""
        if self.context.engine.has_open_audit:
            self.context.bridge.run(self.rounds.runs, then=self._listed, latest="runs")

    def set_up(self) -> None:
        self._opening.cancel()
        self.view = RunsView.SETUP
        self.touch_now()

    def show_list(self) -> None:
        self._opening.cancel()
        if self.run is not None:
            self.picked = self.run.id
        self.view = RunsView.LIST if self.runs else RunsView.NOTHING
        self.reload()
        self.touch_now()

    def show_run(self, run_id: RunId) -> None:
        """Open one round."""
        self._open(run_id, RunsView.RUN)

    def _open(self, run_id: RunId, view: RunsView) -> None:
        self._opening.cancel()
        self._opens = run_id
        self._opening = self.context.bridge.run(
            read_round, self.rounds, run_id, then=lambda found: self._opened_run(found, view), owner=self
        )

    def start(self, run_id: RunId) -> None:
        """Ask a planned round, or go on with one."""
        self._command(lambda: self.rounds.start(run_id))

    def resume(self) -> None:
        run = self.chosen or self.run
        if run is not None:
            if self.view is RunsView.LIST:
                self.show_run(run.id)
            self.start(run.id)

    def pause(self) -> None:
        self._command(self.rounds.pause)

    def stop(self) -> None:
        """Rest at once, after a word where answers are on their way."""
        stop = partial(self._command, self.rounds.stop)
        if self.progress is not None and self.progress.in_flight:
            self.context.messages.say(stopping_question(finish=self.pause, stop=stop))
        else:
            stop()

    def hold(self, provider: str) -> None:
        """Pause one provider's models; the others go on."""
        self._command(lambda: self.rounds.hold(provider))

    def retry_failed(self) -> None:
        if self.run is not None:
            self._retry(self.run.id)

    def _retry(self, run_id: RunId) -> None:
        retry, bridge = self.rounds.retry_failed, self.context.bridge
        bridge.run(retry, run_id, then=self._follow, failed=self._failed, latest="retry")

    def rate(self, run_id: RunId, raters: Raters, spend_cap: float | None) -> None:
        """Have the answers of a round rated, and show how that goes."""

        def start(_asked: int) -> None:
            self.show_run(run_id)
            self.start(run_id)

        add = partial(self.rounds.add_raters, run_id, raters, spend_cap=spend_cap)
        self.context.bridge.command(add, then=start, failed=self._failed, owner=self)

    @property
    def has_jobs(self) -> bool:
        """Questions of the round shown are with a provider in batch jobs."""
        return self.progress is not None and any(line.job_requests for line in self.progress.models)

    def cancel_jobs(self, run_id: RunId) -> None:
        """End the batch jobs of a round early, and keep what they answered."""
        self.context.bridge.run(self.rounds.cancel_jobs, run_id, then=self._follow, latest="jobs")

    def set_cap(self, run_id: RunId, cap: float | None) -> None:
        """Change the spend cap of a round."""
        self._rests.take_back()
        self._command(lambda: self.rounds.set_spend_cap(run_id, cap))

    def set_limits(self, run_id: RunId, account: str, limits: Limits) -> None:
        """Change one account's limits, at once where the round is being asked."""
        if self.run is not None and self.run.id == run_id:
            self.limits = {**self.limits, account: limits}
        self._command(lambda: self.rounds.set_limits(run_id, account, limits))

    def review(self, model: str | None = None) -> None:
        """Read this round's bundles."""
        if self.run is not None:
            self._read(self.run.id, model)

    def _read(self, run_id: RunId, model: str | None = None) -> None:
        run = self.run if self.run is not None and self.run.id == run_id else self._listed_run(run_id)
        if run is not None:
            origin = tr("from round {name}", name=run.name)
            self.context.navigator.go("review", filter=BundleFilter(model=model, batch_id=run.batch_id), origin=origin)

    def _listed_run(self, run_id: RunId | None) -> Run | None:
        return next((run for run in self.runs if run.id == run_id), None)

    def figures(self) -> tuple[tuple[str, str], ...]:
        """The five cards: a figure and what is under it."""
        if self.progress is None:
            return ()
        took = None
        if self.run is not None and self.run.started is not None and self.run.finished is not None:
            took = (self.run.finished - self.run.started).total_seconds()
        return figures_of(self.progress, took)

    def _command(self, command: Callable[[], "Future[Any]"]) -> None:
        try:
            self._follow(command())
        except Exception as error:
            self.context.messages.failure(error, topic=TOPIC)

    def _follow(self, future: "Future[Any]") -> None:
        self.context.bridge.follow(future, then=lambda _: self.reload(), failed=self._failed)

    def _failed(self, error: BaseException) -> None:
        run = self.chosen or self.run
        again = () if run is None else (Remedy(text=tr("Resume"), do=partial(self.start, run.id)),)
        say_why_not_started(self.context, error, *again)
        self.reload()

    def _listed(self, runs: list[Run]) -> None:
        self.runs = tuple(runs)
        self._rests.keep_to(self.runs)
        if self.view in (RunsView.LIST, RunsView.NOTHING):
            self.view = RunsView.LIST if runs else RunsView.NOTHING
        if self.run is not None:
            # A list that was read before the round shown was planned does not have it yet.
            self.run = self._listed_run(self.run.id) or self.run
        self._tell_facts()
        self.touch_now()

    def _opened_run(self, read: RoundRead, view: RunsView) -> None:
        self.run = read.run
        heard = self._heard
        # What was read may be from before the round was started, and a slow server has nothing new to tell for long.
        live = heard is not None and heard.run_id == self.run.id and heard.state.active
        self.progress = heard if live else read.progress
        self.notes, self.unknown, self.limits = tuple(read.notes), tuple(read.unknown), read.limits
        self.narrowing, self.answered_by, self.view = read.narrowing, read.answered_by, view
        self._tell_facts()
        self.noted.emit()
        self.touch_now()

    def _progressed(self, event: RunProgressed) -> None:
        self._heard, before = event.progress, self.state
        if shown := self.run is not None and self.run.id == event.progress.run_id:
            self.progress = event.progress
        if before is not self.state:
            self._tell_facts()
            self.touch_now()
        elif shown or self.view is RunsView.LIST:
            self.touch()

    def _noted(self, event: RunNoted) -> None:
        if self.run is not None and event.run_id == self.run.id:
            self.notes = (RunNote(at=event.at, sentence=event.sentence, kind=event.kind), *self.notes)[:NOTES]
            self.noted.emit()

    def _rested(self, event: RunRested) -> None:
        self.context.messages.clear(STOPPING)
        if not self.context.engine.has_open_audit:
            return  # Told before it was closed, heard after.
        self.reload()
        shown = self.run is not None and self.run.id == event.run_id
        # Not in place of another one that was asked for meanwhile.
        if shown and (self._opening.over or self._opens == event.run_id):
            self._open(event.run_id, self.view)
        self._rests.say(event, shown=shown)

    def _raise(self, run_id: RunId, cap: float) -> None:
        """Raise the cap of a round, and ask on."""
        raised = self.rounds.set_spend_cap(run_id, cap)
        # Only once the new cap is stored: under the old one the round would rest again at once.
        self.context.bridge.follow(raised, then=lambda _: self.start(run_id), failed=self._failed)

    def _changed_there(self, event: RunsChanged | StateChanged) -> None:
        if isinstance(event, StateChanged) and event.state.active:
            self._rests.take_back()
        self.reload()

    def _opened(self, _: AuditOpened) -> None:
        self._clear()
        self.reload()

    def _closed(self, _: AuditClosed) -> None:
        self._clear()
        self._tell_facts()
        self.touch_now()

    def _clear(self) -> None:
        self.runs, self.run, self.progress, self._heard, self.notes, self.unknown = (), None, None, None, (), ()
        self.view = RunsView.NOTHING

    def _tell_facts(self) -> None:
        actions = self.context.actions
        actions.set_fact(Fact.RUN_ACTIVE, self.active)
        actions.set_fact(Fact.RUN_RESUMABLE, self.resumable)
        actions.set_fact(Fact.RUN_HAS_GAPS, self.has_gaps)
        actions.set_fact(Fact.RUN_CHOSEN, self.chosen is not None)
        actions.set_fact(Fact.RUN_RATABLE, self.ratable)


def _deleted(open_audit: OpenAudit, run_id: RunId) -> Path | None:
    """Take a round out of *open_audit*; the copy that was made before, None where none is wanted."""
    open_audit.ledger.check_deletion(run_id)
    copies = DailyCopies(open_audit.path)
    copy = copies.make_before_deletion(open_audit.context.audit, datetime.now(UTC).astimezone().date())
    open_audit.ledger.delete(run_id)
    return copy
