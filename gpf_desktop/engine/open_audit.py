"""One open audit with the stages that work on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gpf_desktop.documents.targets import guard
from gpf_desktop.domain.events import Event, RunRested
from gpf_desktop.domain.ids import ArticleId, RunId
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import RoundPlanner
from gpf_desktop.domain.registration import RegisteredPlan, Registration
from gpf_desktop.domain.round_planning import Effect
from gpf_desktop.engine.audit_summary import AuditSummary, audit_summary
from gpf_desktop.engine.collect.source_service import SourceService
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import news_method
from gpf_desktop.engine.exchange.artifact_service import ArtifactService
from gpf_desktop.engine.exchange.audit_relations import hand_over
from gpf_desktop.engine.exchange.data_export import DataExport
from gpf_desktop.engine.models.model_service import ModelService
from gpf_desktop.engine.protocol.protocol_service import ProtocolService
from gpf_desktop.engine.protocol.study_drafts import StudyDrafts
from gpf_desktop.engine.reporting.drafts.draft_service import DraftService
from gpf_desktop.engine.reporting.failed_checks import failed_checks
from gpf_desktop.engine.reporting.registered import registration, save_page
from gpf_desktop.engine.reporting.report_service import ReportService
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.review.blind_ratings import BlindRatings
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.engine.rounds.ledger import Ledger
from gpf_desktop.engine.rounds.old_texts import OldTexts
from gpf_desktop.engine.rounds.plans import write_plan
from gpf_desktop.engine.rounds.preflight import Preflight
from gpf_desktop.engine.rounds.registering import Intended, PlannedPreview, already_asked, registered_page
from gpf_desktop.engine.rounds.round_power import RoundPower, round_power
from gpf_desktop.engine.rounds.rounds import Rounds
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.engine.rounds.setup_choices import SetupChoices, plan_of, save_plan, setup_choices
from gpf_desktop.engine.scoring.assessment import Assessor
from gpf_desktop.engine.scoring.auto_rescoring import AutoRescoring
from gpf_desktop.engine.scoring.level_testing import LevelTesting
from gpf_desktop.engine.scoring.model_download import ModelDownload
from gpf_desktop.engine.scoring.rescoring import Rescoring
from gpf_desktop.engine.writing.writing_service import WritingService
from gpf_desktop.storage import audits, registrations, sources
from gpf_desktop.storage.audits import AuditFacts
from gpf_desktop.storage.writer import Connection


class OpenAudit:
    """One open audit, as the window and the command line use it: its services, and facts about it."""

    def __init__(self, context: EngineContext) -> None:
        self._announce = context.emit
        self.context = context = replace(context, emit=self._tell)
        self.sources = SourceService(context)
        self.models = ModelService(context)
        self.writing = WritingService(context)
        self.rounds = Rounds(context, partial(Assessor, context))
        self.preflight = Preflight(context)
        self.reviews = ReviewService(context)
        self.results = ResultsService(context)
        self.reviews.filters.carried = self._carried
        self.ratings = BlindRatings(
            context, self.reviews.session, lambda method: self.results.tables(ResultsFilter(method=method))
        )
        self.ledger = Ledger(context, self.rounds, self.results.forget)
        self.old_texts = OldTexts(context, self.results.keep_told, self.reviews.search.index_all)
        self.reports = ReportService(context, self.results, partial(hand_over, context))
        self.drafts = DraftService(context)
        self.study_drafts = StudyDrafts(context)
        self.data = DataExport(context, self.results)
        self.rescoring = Rescoring(context, self.results.forget)
        self.model_download = ModelDownload(context)
        self.level_testing = LevelTesting(context, self.results.forget)
        self.auto_rescoring = AutoRescoring(context, self.results.forget, self.results.keep_tables)
        self.artifacts = ArtifactService(context, self.reports, self.auto_rescoring)

    def _carried(self, method: str | None) -> dict[str, tuple[int, ...]]:
        """The sets that carry each conclusion of *method* (None: the audit's first), by conclusion. Blocks."""
        told = self.results.concluding.page(ResultsFilter(method=method))
        found = () if told is None else told.page.conclusions
        return {f"{each.model} {each.about}".strip(): each.bundles for each in found}

    @property
    def path(self) -> Path:
        return self.context.audit.path

    @property
    def protocols(self) -> ProtocolService:
        """The protocols of the audit's rounds about news. Reads the store."""
        return self.protocols_of(news_method(self.facts().methods))

    def protocols_of(self, method: str) -> ProtocolService:
        return ProtocolService(self.context, method)

    def facts(self) -> AuditFacts:
        return self.context.audit.read(audits.facts)

    def summary(self) -> AuditSummary:
        """The audit at a glance."""
        methods = self.facts().methods
        protocol = self.protocols_of(methods[0] if methods else news_method(())).current()
        return self.context.audit.read(lambda connection: audit_summary(connection, self.path, protocol))

    def setup_choices(self, newest: int, chosen: Sequence[ArticleId] = ()) -> SetupChoices:
        """The choices for the set-up of a round: the *newest* unused articles and those *chosen*, models, batches."""
        return self.context.audit.read(lambda connection: setup_choices(connection, newest, chosen))

    def failed_checks(self, method: str | None = None) -> Mapping[str, str]:
        """The models of which nothing can be said by *method* (None: the audit's first), and why. Blocks."""
        return failed_checks(self.results.concluding.page(ResultsFilter(method=method)))

    def plan(self, setup: RunSetup) -> RunId:
        """Freeze *setup* as a round that waits to be asked, and begin the next one with its protocol. Blocks. Raises
        `UserError`, `StorageError`."""
        run_id = self.rounds.plan(setup).result()
        self.protocols_of(setup.method).asked(setup.protocol)
        return run_id

    def round_power(self, setup: RunSetup, effects: Sequence[Effect] = ()) -> RoundPower | None:
        """The effects that *setup* will find in 80 rounds of 100, by what this audit has measured; None if nothing is
        chosen, or if its method cannot tell for the part of the design that is asked."""
        asked = self.rounds.asked(setup)
        if not (asked.items and asked.models and isinstance(asked.method, RoundPlanner)):
            return None
        return round_power(asked, self.results.pilot(asked.method.name), power=0.8, effects=effects)

    def planned_page(self, intended: Intended) -> RegisteredPlan:
        """The page of what is planned beforehand, as it would be registered now. Raises `UserError`."""
        method = intended.asked.method
        pilot = self.results.pilot(method.name) if isinstance(method, RoundPlanner) else None
        facts = self.facts()
        return registered_page(intended, pilot, audit=facts.uuid, title=facts.title)

    def planned_preview(self, intended: Intended) -> PlannedPreview:
        """The page planned beforehand, the earlier page that it would replace, and why it cannot be registered any
        more.

        Raises `UserError`.
        """
        page = self.planned_page(intended)
        method = page.terms.method
        first = self.context.audit.read(partial(registrations.first_asked, method=method))
        found = self.registration(method)
        return PlannedPreview(
            page=page,
            earlier=None if found is None else found.plan,
            refused="" if first is None else already_asked(first).what,
        )

    def intended(self, setup: RunSetup, readers: str) -> Intended:
        """The registration that *setup* would make; news comes from every source in use."""
        targets = self.context.audit.read(lambda connection: [row.target for row in sources.every(connection)])
        targets = targets if catalogue.is_about_news(setup.method) else []
        return Intended(asked=self.rounds.asked(setup), sources=tuple(targets), readers=readers)

    def save_page(self, plan: RegisteredPlan, target: Path) -> None:
        """Write *plan* as a page to deposit. Raises `UserError`, `StorageError`."""
        save_page(plan, target)

    def register(self, intended: Intended) -> RegisteredPlan:
        """Write that page into the audit. Raises `UserError` where an answer is there already. Blocks."""
        page = self.planned_page(intended)

        def write(connection: Connection) -> RegisteredPlan:
            # In one job: between the look and the page nobody else asks.
            if (first := registrations.first_asked(connection, page.terms.method)) is not None:
                raise already_asked(first)
            return registrations.add(connection, page).plan

        return self.context.audit.write(write).result()

    def registration(self, method: str) -> Registration | None:
        """The page in force for *method*; None: nothing was registered."""
        return self.context.audit.read(partial(registration, method=method))

    def proposed(self, method: Method) -> tuple[Any, str, Sequence[str]]:
        """The protocol with which a round by *method* begins (`ProtocolService.proposed`)."""
        return self.protocols_of(method.name).proposed()

    def plan_text(self, setup: RunSetup) -> str:
        """*setup* as `gpf-desktop run` reads it."""
        return write_plan(self._plan_of(setup))

    def save_plan(self, setup: RunSetup, path: Path) -> None:
        """Write *setup* for `gpf-desktop run`, with its protocol beside it where that is its own. Raises
        `StorageError`."""
        save_plan(self._plan_of(setup), setup.protocol, path)

    def mask_level_words(self, method: str) -> None:
        """Score answers of *method* from now on with the words that tell a level masked too, in the background.

        For the table of controls. Raises `UserError` where nothing is scored yet.
        """
        self.rescoring.keep_masked(method)
        self.auto_rescoring.refresh()

    def save_copy(self, target: Path) -> None:
        """A complete copy of the audit as it is now, while work goes on; over no other audit.

        Raises `StorageError`, `UserError`.
        """
        guard(target)
        self.context.audit.save_copy(target)

    def _plan_of(self, setup: RunSetup) -> Plan:
        return self.context.audit.read(lambda connection: plan_of(connection, setup))

    def _tell(self, event: Event) -> None:
        if isinstance(event, RunRested):
            # A set-up that looked at earlier rounds while this one was scored has left their tables as they were then.
            self.results.forget()
        self._announce(event)
        self.auto_rescoring.heard(event)

    def close(self) -> None:
        """Let what is running save and stop, then close the file."""
        self.auto_rescoring.close()
        self.rescoring.close()
        self.model_download.close()
        self.level_testing.close()
        self.reports.close()
        self.data.close()
        self.artifacts.close()
        self.rounds.close()
        self.writing.close()
        self.models.close()
        self.sources.close()
        self.context.audit.close()
