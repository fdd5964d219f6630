"""State of the Results page: what is asked of the engine, what came back, and what is shown in its place."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    BundlesScored,
    ReportDraftChanged,
    ReviewChanged,
    RunRested,
    RunsChanged,
    RunStarted,
    TaskCancelled,
    TaskSucceeded,
)
from gpf_desktop.domain.findings import Finding, sound
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.reports import with_method
from gpf_desktop.domain.results_order import ResultsOrder
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.signs import signs
from gpf_desktop.domain.text import dotted, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.reporting.analysing import not_made
from gpf_desktop.engine.reporting.incomplete_sets import IncompleteSets
from gpf_desktop.engine.reporting.option_choices import ChosenOptions
from gpf_desktop.engine.reporting.results_filter import FilterOptions, Results, ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.reporting.scope_words import cautions, made_by
from gpf_desktop.engine.scoring.auto_rescoring import AUTO_RESCORING_TASK
from gpf_desktop.engine.scoring.level_testing import LEVEL_TEST_TASK
from gpf_desktop.engine.scoring.rescoring import RESCORE_TASK
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.qt_classes import make_classes
from gpf_desktop.ui.reports.adding import EvidenceAdder
from gpf_desktop.ui.results.answers_to_read import AnswersToRead
from gpf_desktop.ui.results.choice_steps import ChoiceSteps
from gpf_desktop.ui.results.figures import SeriesChoice
from gpf_desktop.ui.results.page_read import PageRead, read_page
from gpf_desktop.ui.results.results_actions import ResultsPart
from gpf_desktop.ui.results.step_by_step import StepByStep
from gpf_desktop.ui.results.window_words import window_days
from gpf_desktop.ui.widgets.figure_plot import prepare_plots


class ResultsView(StrEnum):
    """The view that the page shows."""

    NO_AUDIT = "no audit"
    LOADING = "loading"
    FAILED = "failed"
    NOTHING_YET = "nothing yet"
    NOTHING_MATCHES = "nothing matches"
    RESULTS = "results"


class ResultsViewModel(ViewModel):
    """Reads through the engine's `ResultsService`; new scores are offered, not pushed under the reader's eyes."""

    found = Signal(str)
    """The finding of this name, of a section, has arrived in `sections`."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.wanted = ResultsFilter()
        self.results: Results | None = None
        self.answers = AnswersToRead(context, self)
        self.measures: tuple[Measure, ...] = ()
        self.order = ResultsOrder(found=())
        self.concluded: ToldPage | None = None
        self.replies: Mapping[str, str] = {}
        self.lacking = IncompleteSets()
        self.asking: set[str] = set()
        """Names of the sections that are being computed."""
        self.choices: FilterOptions | None = None
        self.sections: dict[str, Finding] = {}
        self.series_choices: dict[str, SeriesChoice] = {}
        """By the card's name: which line of a series stands in front."""
        self.chosen_figures: dict[str, str] = {}
        """By the finding's name: the level whose figure was looked at."""
        self.building = StepByStep(context.bridge, self)
        """Cards on their way to the page."""
        self.looking = False
        """Sections near what is seen are about to be asked for."""
        self.adder = EvidenceAdder(context, self)
        self._reading = Pending()
        self.steps = ChoiceSteps(context, lambda: self.wanted.options or (), self._choose, self)
        self.failure = ""
        """Why the page could not be read; empty: it could, or is being read."""
        self.stale = False
        """Scores have arrived since the page was filled."""
        self._reviewed = False
        self._settled = ""
        self._masking = False
        self.listen(lambda _: self._start_over(), AuditOpened)
        self.listen(lambda _: self._closed(), AuditClosed)
        self.listen(lambda _: self._scored(), BundlesScored)
        self.listen(lambda _: setattr(self, "_reviewed", True), ReviewChanged, ReportDraftChanged)
        self.listen(lambda _: self.refresh(), RunRested, RunsChanged)
        self.listen(lambda _: self.touch(), RunStarted)
        self.listen(self._task_ended, TaskSucceeded, TaskCancelled)
        if context.engine.has_open_audit:
            self.reload()

    @property
    def waits_to_paint(self) -> bool:
        return super().waits_to_paint or self.building.busy or self.looking

    @property
    def view(self) -> ResultsView:
        if not self.context.engine.has_open_audit:
            return ResultsView.NO_AUDIT
        if self.results is None:
            return ResultsView.FAILED if self.failure else ResultsView.LOADING
        if not self.results.window.scored_anywhere:
            return ResultsView.NOTHING_YET
        there = self.later or any(finding.rows for finding in self.results.findings.values())
        return ResultsView.RESULTS if there else ResultsView.NOTHING_MATCHES

    @property
    def later(self) -> bool:
        """Findings that stand first are still being made, of many answers; the page shows what is there."""
        return self.results is not None and not self.results.findings.keys() >= set(self.order.found)

    @property
    def active(self) -> RunId | None:
        """The round whose answers arrive or are being scored now."""
        audit = self.context.engine.current
        return None if audit is None else audit.rounds.active

    @property
    def subtitle(self) -> str:
        if self.view is not ResultsView.RESULTS or self.results is None:
            return ""
        title = self.results.title
        titled = with_method(title, str(catalogue.method(self.method).title)) if self.method else title
        return dotted(filter(None, (titled, window_days(self.results.window))))

    @property
    def under(self) -> str:
        """How the scores were made, in the few words that stand under every table."""
        if self.results is None or self.results.scope.setting_id is None:
            return ""
        made = made_by(self.results.scope, lambda fit: tr("words weighed over {scope}", scope=fit))
        before = (self.results.imported, self.filtered, *cautions(self.results.scope))
        return " ".join(filter(None, (*before, tr("Scores: {made}.", made=made))))

    @property
    def shared(self) -> tuple[str, ...]:
        """Notes that every finding ends with; `under` says them in few words."""
        return () if self.results is None else self.results.shared

    @property
    def filtered(self) -> str:
        """A sentence on what the filter lets through; empty: everything."""
        return "" if self.results is None else self.results.filtered

    @property
    def told(self) -> tuple[str, ...]:
        """The findings, in the sentences that the method's scores support."""
        if self.later:
            return (tr("Computing what stands out …"),)
        if self.concluded is not None:
            return self.concluded.lines
        return () if self.results is None else self.order.told(sound(self.results.findings))

    @property
    def signs(self) -> list[tuple[str, str]]:
        """Scores and heads of tables with their meaning, as far as they are there."""
        found = () if self.results is None else self.results.findings.values()
        return signs(self.measures, (*found, *self.sections.values()), plain=True)

    @property
    def statement(self) -> str:
        """A sentence on what scores of this method show, and what they do not."""
        return "" if self.results is None else self.results.statement.short

    @property
    def all_synthetic(self) -> bool:
        return self.results is not None and self.results.window.all_synthetic

    @property
    def provisional(self) -> int:
        return 0 if self.results is None else self.results.window.provisional

    def parts(self) -> tuple[tuple[ResultsPart, str], ...]:
        """Every finding in its part, from top to bottom, but for those that say nothing of what is in the window."""
        if self.results is None or not self.context.engine.has_open_audit:
            return ()
        every, order = self.service.names(self.method), self.order
        known = [(ResultsPart.FOUND, name) for name in order.found] + [
            (ResultsPart.COMPARISONS, name) for name in order.comparisons
        ]
        named = {name for _, name in known}
        tables = [(ResultsPart.TABLES, name) for name in every if name not in named]
        return tuple(
            (part, name)
            for part, name in (*known, *tables)
            if name in every and (part is ResultsPart.FOUND or self.compares(name))
        )

    def title(self, name: str) -> str:
        return self.service.title(name)

    @property
    def names(self) -> Mapping[str, str]:
        """Short names of models: as short as they stay unlike the audit's others."""
        return {} if self.choices is None else short_names(self.choices.models)

    def compares(self, name: str) -> bool:
        """Whether there is enough in the window for the comparison called *name* to say anything."""
        window = None if self.results is None else self.results.window
        if window is None:
            return False
        return not (
            (name in self.order.two_batches and window.batches < 2)
            or (name in self.order.two_models and window.models < 2)
            or (name in self.order.two_vendors and window.vendors < 2)
        )

    @property
    def lacks_models(self) -> bool:
        """Whether there is one model, of which nothing can be found by itself."""
        alone = self.results is not None and self.results.window.models < 2
        return alone and self.order.two_models >= {*self.order.found}

    @property
    def comparable(self) -> bool:
        """Whether anything can be compared: two models, two batches or two rounds."""
        if self.results is None or self.choices is None:
            return False
        window = self.results.window
        return window.models > 1 or window.batches > 1 or len(self.choices.runs) > 1

    @property
    def people_read(self) -> int:
        """Sets of answers in the window that people have read."""
        page = None if self.concluded is None else self.concluded.page
        return 0 if page is None else sum(each.read.sets for each in page.conclusions)

    def reload(self) -> None:
        """Compute what the page shows for the present filter."""
        audit, wanted = self.context.engine.current, self.wanted
        if audit is None:
            return
        # Before the read: scores that arrive during it may not be in what it finds.
        self.stale = self._reviewed = False
        # `prepare_plots` imports a library that names Qt's classes, on another thread (see `qt_classes`).
        make_classes()

        def read() -> PageRead:
            prepare_plots()
            return read_page(audit, wanted, at_once=True)

        self.failure = ""
        self._reading = self.context.bridge.run(
            read, then=self._arrived, failed=self._not_read, owner=self, latest="results"
        )

    def _not_read(self, error: BaseException) -> None:
        if self.results is None:
            self.failure = self.context.messages.words_of(error) or tr("The program itself went wrong.")
        else:
            self.context.messages.failure(error, topic="results")
        self.touch_now()

    def refresh(self) -> None:
        """Read the scores again."""
        if self.context.engine.has_open_audit:
            self.service.forget()
            self.reload()

    def follow(self) -> None:
        """The page is turned to: what came since it was filled, scores or reviewers' words, is read for it."""
        if self.stale:
            self.refresh()
        elif self._reviewed:
            # Nothing is forgotten: answers and scores are what they were.
            self.reload()
        else:
            # Names may have been shown again since.
            self.answers.quote()

    def set_filter(self, wanted: ResultsFilter) -> None:
        if wanted.options not in (None, self.wanted.options):
            self.wanted = replace(wanted, options=self.wanted.options)
            self.choose(wanted.options or ())
        elif wanted != self.wanted:
            self.wanted = wanted
            self.reload()

    def choose(self, options: ChosenOptions) -> None:
        """Have tables made otherwise, which can be undone."""
        self.steps.add()
        self._choose(options)

    def _choose(self, options: ChosenOptions) -> None:
        """How tables are made from now on."""
        self.wanted = replace(self.wanted, options=options)
        # What is being read was asked for as it was chosen before.
        self._reading.cancel()
        # Kept first: a report that is asked for meanwhile is made as this page is.
        kept = self.service.keep_options(self.method, options)
        self.context.bridge.follow(kept, then=lambda _: self.reload(), failed=self._not_read, owner=self)

    def clear_filter(self) -> None:
        kept = self.wanted
        self.set_filter(ResultsFilter(method=kept.method, setting_id=kept.setting_id, options=kept.options))

    def ask_section(self, name: str) -> None:
        """Compute the finding of a section; `found` says when it is there."""
        there = None if self.results is None else self.results.findings.get(name)
        if there is not None:
            self._section_arrived(name, there)
            return
        # Taken along: when the read begins on its thread, another filter may be chosen and another audit open.
        service, wanted = self.service, self.wanted
        self.asking.add(name)
        if self.later:  # the page asks anew when these have arrived
            return

        def arrived(found: Mapping[str, Finding]) -> None:
            # Another filter has begun a read of its own, whose arrival has every section asked for anew.
            if wanted == self.wanted:
                self._section_arrived(name, found[name])

        def failed(error: BaseException) -> None:
            self.context.messages.failure(error, topic=f"section {name}")
            # In its place: it would say that it computes for ever, and while it is in `asking` no other is asked for.
            self._section_arrived(name, not_made(name, self.title(name), tr("This table could not be made.")))

        self.context.bridge.run(
            lambda: service.findings(wanted, (name,)),
            then=arrived,
            failed=failed,
            owner=self,
            latest=f"section {name}",
        )

    def _section_arrived(self, name: str, finding: Finding) -> None:
        self.asking.discard(name)
        self.sections[name] = finding
        self.found.emit(name)

    def mask_level_words(self) -> None:
        """Have the answers scored with the words masked that tell a level; the page follows when they are."""
        self._masking = True
        mask = self.context.engine.open_audit.mask_level_words
        self.context.bridge.run(mask, self.method, failed=self._not_masked, owner=self)

    def _not_masked(self, error: BaseException) -> None:
        self._masking = False
        self.context.messages.failure(error, topic="masked scores")
        self.refresh()

    def not_saved(self, error: StorageError, again: Callable[[], object]) -> None:
        """A chart or table could not be written where it was wanted; *again* asks for another place."""
        elsewhere = Remedy(text=tr("Choose another place …"), do=again)
        self.context.messages.failure(error, elsewhere, topic="results file")

    def report(self) -> None:
        """Go to Reports with the present filter, where the brief's formats are offered at once."""
        self.context.navigator.go("reports", filter=self.wanted, offer="brief")

    @property
    def service(self) -> ResultsService:
        return self.context.engine.open_audit.results

    @property
    def method(self) -> str:
        """The method whose results are shown; empty before the first reading."""
        return self.wanted.method or self._settled

    def method_to_score(self) -> str:
        """The method whose scores a command is about: of a page not read yet, the first method of the audit."""
        return self.method or self.service.methods()[0]

    def _arrived(self, read: PageRead) -> None:
        if read.method != self._settled:
            self.steps.clear()
        self._settled = read.method
        self.wanted = replace(self.wanted, options=read.options or None)
        self.results, self.choices, self.order = read.results, read.choices, read.order
        self.concluded, self.replies, self.measures = read.concluded, read.replies, read.measures
        self.lacking = read.lacking
        self.answers.fill(read.to_read)
        self.sections.clear()
        self.asking.clear()
        if self.later:
            whole = partial(read_page, self.context.engine.open_audit, self.wanted)
            self._reading = self.context.bridge.run(
                whole, then=self._arrived, failed=self._not_read, owner=self, latest="results"
            )
        self.context.actions.set_fact(Fact.HAS_RESULTS, self.results.window.scored_anywhere)
        if self.stale and self.view is ResultsView.NOTHING_YET:
            self._scored()
            return
        self.touch_now()

    def _start_over(self) -> None:
        self._closed()
        self.wanted = ResultsFilter()
        self.reload()

    def _closed(self) -> None:
        self.results = self.choices = self.concluded = None
        self.measures, self.order = (), ResultsOrder(found=())
        self.answers.clear()
        for kept in (self.asking, self.sections, self.series_choices, self.chosen_figures):
            kept.clear()
        self._settled, self._masking, self.stale, self._reviewed = "", False, False, False
        self.building.drop("page")
        self.steps.clear()
        self.context.actions.set_fact(Fact.HAS_RESULTS, False)
        self.touch()

    def _task_ended(self, event: TaskSucceeded | TaskCancelled) -> None:
        if event.task == AUTO_RESCORING_TASK and self._masking:
            self._masking = False
            # Fills the page anew, and so gives the section its button back.
            self.refresh()
        elif event.task == AUTO_RESCORING_TASK:
            self._scored()
        if event.task not in (RESCORE_TASK, LEVEL_TEST_TASK):
            return
        if isinstance(event, TaskSucceeded):
            self.context.messages.success(event.sentence, topic=event.task)
        self.refresh()

    def _scored(self) -> None:
        # With nothing on the page there is nothing that could move under the reader's eyes.
        if self.view is ResultsView.NOTHING_YET:
            # Nor is it true any more that there are no scores: until they are read, the page says that it computes.
            self.results = None
            self.refresh()
            self.touch_now()
        # A read that is under way ends first: scores that come faster than it ends would begin it for ever.
        elif not self.stale:
            self.stale = True
            self.touch()
