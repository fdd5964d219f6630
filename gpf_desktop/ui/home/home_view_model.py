"""State of Home: what the open audit holds, how far its four steps are, and which audits were open lately."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    BundlesScored,
    ModelsChanged,
    ProtocolsChanged,
    ReviewChanged,
    RunPlanned,
    RunRested,
    RunsChanged,
    RunStateChanged,
    SchedulesChanged,
    SourcesChanged,
)
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.reporting.failed_checks import failed_checks, what_to_do
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage.cut_off import CutOff, cut_off
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.home.dashboard import DashboardLine
from gpf_desktop.ui.home.dashboard_lines import cut_off_lines, dashboard_lines, shown_lines
from gpf_desktop.ui.home.wording import fed, models_words, rounds_words, sources_words, tested
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.navigation import Place
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.rest_message import say_why_not_started
from gpf_desktop.ui.shell.file_commands import FileCommands
from gpf_desktop.ui.shell.pages import without_use
from gpf_desktop.ui.shell.recent import RecentFiles
from gpf_desktop.ui.studies.choosing import begin, is_about_news, set_up_round
from gpf_desktop.ui.wording import ago, count, count_of, moment

if TYPE_CHECKING:
    from gpf_desktop.engine.audit_summary import AuditSummary
    from gpf_desktop.engine.reporting.results_service import ResultsService

_READ_PROTOCOLS = "home/protocols_read"
_TOPIC = "file"
_FAILED = 2
"""Models whose failed check is told here; the others are on Results."""
_SOON_MS = 500
"""While a round is asked, its counts are read this often at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartStep:
    """One of the four steps to an own audit; they may be taken in any order."""

    page: str
    title: str
    standing: str
    """How far it is, in words."""
    done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentAudit:
    """An audit that was open lately."""

    path: Path
    missing: bool
    when: str
    """When it was changed last, or that it is gone."""
    cut_off: CutOff | None = None
    """The round in it that the program's end stopped."""


class HomeViewModel(ViewModel):
    """Reads again when the page is shown and, while it is, when something that it shows has changed."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.summary: AuditSummary | None = None
        self.shows = ""
        """What the open audit shows so far, in a sentence or two; empty: nothing is concluded, or not yet."""
        self.check_failed = False
        """And of a model nothing, because a check failed."""
        self.due: datetime | None = None
        """When a schedule begins its next round."""
        self.recent: tuple[RecentAudit, ...] = ()
        self._files: FileCommands | None = None
        self._known: RecentFiles | None = None
        self._shown = False
        self._reread = AuditTimer(context.bridge, self, _SOON_MS, self.reload)
        self.listen(self._opened, AuditOpened)
        self.listen(self._closed, AuditClosed)
        self.listen(self._changed, SourcesChanged, ModelsChanged, RunPlanned, RunStateChanged, RunRested)
        self.listen(self._changed, BundlesScored, ReviewChanged, RunsChanged, SchedulesChanged)
        self.listen(self._protocol_changed, ProtocolsChanged)
        context.navigator.moved.connect(self._moved)

    @property
    def own(self) -> AuditSummary | None:
        """The open audit where it is the auditor's own, not a sample."""
        return self.summary if self.summary is not None and not self.summary.facts.sample else None

    @property
    def under_way(self) -> bool:
        """The open audit is the auditor's own and has rounds: the ways to begin give way to how it goes."""
        return self.own is not None and self.own.counts.runs > 0

    @property
    def holds_something(self) -> bool:
        """The open audit has news or rounds: before, its figures are a row of noughts."""
        return self.summary is not None and bool(self.summary.counts.articles or self.summary.counts.runs)

    @property
    def sample_open(self) -> bool:
        return self.summary is not None and self.summary.facts.sample

    @property
    def being_read(self) -> Path | None:
        """The audit that is being opened, or is open and its figures are not read yet: of a large one seconds go by."""
        entering = None if self._files is None else self._files.entering
        if entering is not None:
            return entering
        audit = self.context.engine.current
        return None if audit is None or self.summary is not None else audit.path

    @property
    def title(self) -> str:
        if self.being_read is not None:
            return self.being_read.stem
        return tr("Home") if self.summary is None else self.summary.facts.title

    @property
    def about(self) -> str:
        """When the open audit was made, and where it lies."""
        if self.being_read is not None:
            return str(self.being_read.parent)
        if self.summary is None:
            return ""
        made = tr("made {time}", time=moment(self.summary.facts.created))
        # A copy has the title of what it is a copy of.
        path, title = self.summary.path, self.summary.facts.title
        return f"{made} · {path.parent if path.stem == title else path}"

    @property
    def synthetic(self) -> bool:
        return self.summary is not None and self.summary.synthetic

    @property
    def first_time(self) -> bool:
        """Nothing is open and nothing ever was."""
        return self.summary is None and not self.recent

    @property
    def study(self) -> str:
        """The method whose studies the open audit was made for; empty: it is about news."""
        methods = () if self.summary is None else self.summary.facts.methods
        return "" if is_about_news(methods) else methods[0]

    def steps(self) -> tuple[StartStep, ...]:
        """The steps to a first round, with their standing where an own audit is open."""
        own = self.own
        models = StartStep(
            page="models", title=tr("Add models and test them"), standing=models_words(own), done=tested(own)
        )
        if self.study:
            title = tr("Set up a study")
            done = own is not None and own.counts.runs > 0
            return models, StartStep(page="runs", title=title, standing=rounds_words(own), done=done)
        steps = (
            StartStep(page="sources", title=tr("Add sources"), standing=sources_words(own), done=fed(own)),
            models,
            StartStep(
                page="protocol",
                title=tr("Read the protocol"),
                standing="" if own is None else own.protocol,
                done=own is not None and own.protocol_hash in self._read_protocols(),
            ),
            StartStep(
                page="runs",
                title=tr("Start a round"),
                standing=rounds_words(own),
                done=own is not None and own.counts.runs > 0,
            ),
        )
        unused = without_use(() if self.summary is None else self.summary.facts.methods)
        return tuple(step for step in steps if step.page not in unused)

    def next_step(self) -> StartStep | None:
        """The first step that is not done; None: all are."""
        return next((step for step in self.steps() if not step.done), None)

    def lines(self) -> tuple[DashboardLine, ...]:
        """The dashboard's lines on the open audit now."""
        here = None if self.summary is None else self.summary.path
        elsewhere = [each.cut_off for each in self.recent if each.cut_off is not None and each.path != here]
        lines = cut_off_lines(elsewhere, self.resume_elsewhere)
        if self.summary is not None:
            own = dashboard_lines(self.context, self.summary, self.due, self.resume)
            shown = shown_lines(self.context, self.shows, warns=self.check_failed)
            lines = (*own, *(() if self.summary.counts.assigned else shown), *lines)
        return lines

    def resume_elsewhere(self, cut: CutOff) -> None:
        """Open the audit of a round that was cut off, and ask on."""
        if self._files is not None:
            self._files.open(cut.path, partial(self.resume, cut.run_id))

    def resume(self, run_id: RunId) -> None:
        """Go to a round that rests, and ask on."""
        self.context.navigator.go("runs", run=run_id)
        rounds = self.context.engine.open_audit.rounds
        again = Remedy(text=tr("Resume"), do=partial(self.resume, run_id))

        def failed(error: BaseException) -> None:
            say_why_not_started(self.context, error, again)

        self.context.bridge.command(partial(rounds.start, run_id), failed=failed, owner=self)

    def start_words(self) -> tuple[str, str]:
        """The words of the next step's card, and those of its button."""
        following = self.next_step()
        if following is None:
            return tr("All steps are done."), tr("Set up the next round")
        return tr("In any order. Each change is saved at once."), following.title

    def start(self) -> None:
        """Go on to the next step."""
        following = self.next_step()
        self.go("runs" if following is None else following.page)

    def start_study(self, method: str) -> None:
        """Begin with *method*: in the open audit where it is the auditor's own, else in a new one."""
        if self.own is not None:
            begin(self.context, method)
        elif self._files is not None:
            self._files.ask_for_new_of(method)

    def go(self, page: str) -> None:
        """To the page of a step; a round is set up there at once where none is."""
        if page == "runs" and self.own is not None:
            set_up_round(self.context, self.own.facts.methods)
        else:
            self.context.navigator.go(page)

    def figures(self) -> tuple[tuple[str, str], ...]:
        """The open audit's counts: each a number and the words for what it counts."""
        if self.summary is None:
            return ()
        now = self.summary.counts
        return (
            (
                count(now.articles),
                trn(
                    "item, {unused} not used yet",
                    "items, {unused} not used yet",
                    now.articles,
                    unused=count(now.unused),
                ),
            ),
            (count(now.held), _models_words(now.held, now.held_synthetic)),
            (count(now.runs), trn("round, {over} finished", "rounds, {over} finished", now.runs, over=count(now.over))),
            (count(now.unread), trn("set to read", "sets to read", now.unread))
            if now.assigned
            else (count_of(now.scored, now.bundles), trn("set scored", "sets scored", now.bundles)),
            (count(now.reviewed), trn("set read", "sets read", now.reviewed)),
        )

    def arrive(self, recent: RecentFiles, files: FileCommands) -> None:
        """The page is shown in a window that keeps *recent* and opens audits with *files*."""
        self._shown = True
        if self._files is None:
            self._files, self._known = files, recent
            recent.changed.connect(self._list)
            files.busy.connect(lambda _busy: self.touch_now())
        self._list()
        self.reload()

    def open_recent(self, audit: RecentAudit) -> None:
        """Open *audit*, or say that it is gone."""
        files = self._files
        if files is None:
            return
        if not audit.missing:
            files.open(audit.path)
            return
        self.context.messages.warning(
            tr("{name} is no longer in {folder}.", name=audit.path.name, folder=str(audit.path.parent)),
            Remedy(text=tr("Look for it …"), do=files.ask_for_existing),
            Remedy(text=tr("Take it off the list"), do=partial(self._drop, audit.path)),
            topic=_TOPIC,
        )

    def reload(self) -> None:
        """Read what the open audit holds."""
        engine = self.context.engine
        audit = engine.current
        if audit is not None:

            def read() -> tuple[AuditSummary, datetime | None]:
                read_only = audit.context.audit.read_only
                return audit.summary(), None if read_only else engine.repeater(audit).next_due()

            self.context.bridge.run(read, then=self._loaded, latest="summary")

    def _list(self) -> None:
        if self._known is not None:
            # Beside the window's thread: a folder on the network may take seconds to answer.
            self.context.bridge.run(_look_at, self._known.known(), then=self._listed, latest="recent", anywhere=True)

    def _drop(self, path: Path) -> None:
        self.context.messages.clear(_TOPIC)
        if self._known is not None:
            self._known.drop(path)

    def _loaded(self, read: tuple[AuditSummary, datetime | None]) -> None:
        self.summary, self.due = summary, _ = read
        if self._at("protocol"):
            self._remember_protocol(summary.protocol_hash)
        if not summary.counts.scored or summary.counts.assigned:
            self.shows = ""
        elif self._shown:
            results = self.context.engine.open_audit.results
            # Behind the lines that are there at once, and for nobody who went on: tables may have to be read for it.
            self.context.bridge.run(partial(_shown_by, results), then=self._concluded, owner=self, latest="home shows")
        self.touch_now()

    def _concluded(self, found: tuple[str, bool]) -> None:
        if found != (self.shows, self.check_failed):
            self.shows, self.check_failed = found
            self.touch_now()

    def _listed(self, recent: tuple[RecentAudit, ...]) -> None:
        self.recent = recent
        self.touch_now()

    def _opened(self, _: AuditOpened) -> None:
        self.summary, self.shows = None, ""
        self.touch_now()
        self.reload()

    def _closed(self, _: AuditClosed) -> None:
        self.summary = None
        self.touch_now()

    def _changed(self, _: object) -> None:
        if self._shown and not self._reread.isActive():
            self._reread.start()

    def _protocol_changed(self, _: ProtocolsChanged) -> None:
        self.reload()

    def _moved(self, place: Place) -> None:
        self._shown = place.page == "home"
        # What is seen there counts as read: `_loaded` remembers its hash.
        if place.page == "protocol":
            self.reload()

    def _at(self, page: str) -> bool:
        here = self.context.navigator.here()
        return here is not None and here.page == page

    def _read_protocols(self) -> tuple[str, ...]:
        stored = self.context.settings.value(_READ_PROTOCOLS, "")
        return tuple(str(stored).split())

    def _remember_protocol(self, digest: str) -> None:
        read = self._read_protocols()
        if digest not in read:
            # One text, since a settings file gives a list of one back as a text; no hash has a blank in it.
            self.context.settings.setValue(_READ_PROTOCOLS, " ".join((*read, digest)))


def _shown_by(results: ResultsService) -> tuple[str, bool]:
    """The headline of the method of the audit's first round, as the page Results words it; whether a check failed."""
    told = results.concluding.page(ResultsFilter())
    if told is None:
        return "", False
    failed = [*failed_checks(told).values()][:_FAILED]
    # Of one model, what is said of its check begins with the headline.
    headline = () if failed and len(told.told) == 1 else (told.headline,)
    said = (told.synthetic, *headline, *failed, what_to_do() if failed else "")
    return " ".join(filter(None, said)), bool(failed)


def _look_at(paths: tuple[Path, ...]) -> tuple[RecentAudit, ...]:
    found = []
    for path in paths:
        try:
            changed = ago(datetime.fromtimestamp(path.stat().st_mtime, UTC))
            when = tr("changed {when}", when=changed)
            found.append(RecentAudit(path=path, missing=False, when=when, cut_off=cut_off(path)))
        except OSError:
            found.append(RecentAudit(path=path, missing=True, when=tr("no longer there")))
    return tuple(found)


def _models_words(models: int, synthetic: int) -> str:
    if not synthetic:
        return trn("model", "models", models)
    return trn("model, {built_in} built in", "models, {built_in} built in", models, built_in=count(synthetic))
