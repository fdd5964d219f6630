"""Service for reviewers: the queue, drafts, submissions, undo, and the history that keeps all of it.

Reads block and belong on a worker thread; commands return a future that resolves when they are durable.
"""

import json
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ReviewChanged
from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.reading_pace import ReadingPace, reading_pace
from gpf_desktop.domain.review_queue import FilterChoices, Queue, QueueFilter, QueueOrder, QueueRow
from gpf_desktop.domain.reviews import Chain, Correction, Judgement, ReviewAction, Reviewer, blocking_field
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review import histories, review_packs
from gpf_desktop.engine.review.assignment_service import AssignmentService, refuse_beside, refuse_in_assignment
from gpf_desktop.engine.review.bulk_service import BulkService
from gpf_desktop.engine.review.code_service import CodeService
from gpf_desktop.engine.review.explainer import Explainer
from gpf_desktop.engine.review.filter_service import FilterService
from gpf_desktop.engine.review.review_reading import ReadBundle, read_bundle
from gpf_desktop.engine.review.review_team import TeamReport, team_report
from gpf_desktop.engine.review.review_undo import StepDone, redo, undo
from gpf_desktop.engine.review.reviewer_session import ReviewerSession, Steps, of_one_method, primary_setting
from gpf_desktop.engine.review.search_service import SearchService
from gpf_desktop.storage import (
    assignments,
    audits,
    bundles,
    examples,
    filter_choices,
    queue,
    review_steps,
    reviewers,
    reviews,
    submissions,
)
from gpf_desktop.storage.corrections import standing
from gpf_desktop.storage.examples import Example
from gpf_desktop.storage.review_steps import StepKind
from gpf_desktop.storage.reviews import ReviewState
from gpf_desktop.storage.writer import Connection

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation

T = TypeVar("T")
_WAYS = "review.ways."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPreferences:
    """One reviewer's preferences for reading; kept in the audit, so that a seed is the same after a restart."""

    blind: bool = False
    scores: bool = False
    """Scores are shown while one reads blind, although they anchor."""
    seed: int = 0
    """Orders answers in blind mode, and the queue when it is at random."""
    folded: tuple[str, ...] = ()
    """Groups of the queue that are folded into their headings."""
    sample: str = ""
    """The drawn sample that is read, as a saved filter is written; empty: all sets."""

    @property
    def scored(self) -> bool:
        """Whether scores may be seen: they anchor, so that a blind reader sees them only on asking."""
        return not self.blind or self.scores

    def order(self, chosen: QueueOrder) -> QueueOrder:
        """*chosen*; where scores are hidden and none was chosen, an order that says nothing of them."""
        neutral = not self.scored and not chosen.score and chosen.seed is None
        return replace(chosen, seed=self.seed) if neutral else chosen


def _ways(data: Any) -> ReadingPreferences | None:
    # Whoever reads with names hidden must not see them because something else stands here.
    if not all(isinstance(data.get(name, usual), type(usual)) for name, usual in _USUAL.items()):
        raise TypeError("another kind of value")
    return ReadingPreferences(**{**data, "folded": tuple(map(str, data.get("folded", ())))})


_USUAL: Final = {"blind": False, "scores": False, "seed": 0, "sample": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSaved:
    """The state after a draft was kept."""

    bundle_id: BundleId
    state: ReviewState
    steps: Steps


class ReviewService:
    """The reviews of one open audit. *login* is who is signed in to this machine."""

    def __init__(self, context: EngineContext, *, login: str = "") -> None:
        self._context = context
        self._reviewer_session = ReviewerSession(context, login)
        self._explainer = Explainer(context)
        self.filters = FilterService(context)
        """Saved filters and samples."""
        self.search = SearchService(context, self._reviewer_session)
        """Words in all answers, items and reviews."""
        self.assignments = AssignmentService(context)
        """Who reads what, here and at other machines."""
        self.bulk = BulkService(self._reviewer_session)
        """One decision about many bundles."""
        self.codes = CodeService(self._reviewer_session)
        """The code book, its quotes, and memos."""
        self.hides_names = False
        """Whether the reviewer at this machine reads with names hidden, as last read or chosen."""
        self._assigned = False
        """Whether the audit was shared out to be read with names hidden, as last read."""
        self._chosen: ReadingPreferences | None = None
        """What was chosen since the audit was opened: what is stored may lag behind it."""

    @property
    def session(self) -> ReviewerSession:
        """The session of the reviewer at this machine, which seals their entries."""
        return self._reviewer_session

    def reviewer(self) -> Reviewer | None:
        """The reviewer at this machine; None before their first decision."""
        return self._context.audit.read(lambda c: reviewers.at_this_machine(c, self._reviewer_session.login))

    @property
    def login(self) -> str:
        """The name that a reviewer has until they choose another."""
        return self._reviewer_session.login

    def reviewers(self) -> list[Reviewer]:
        return self._context.audit.read(reviewers.every)

    def rename(self, name: str) -> "Future[Reviewer]":
        """Give the reviewer at this machine another name; what they said stays theirs."""
        name = " ".join(name.split())
        if not name:
            raise UserError(tr("A reviewer needs a name."), tr("Type the name that reports should show."))

        def write(connection: Connection) -> Reviewer:
            me = self._reviewer_session.sit_down(connection)
            reviewers.rename(connection, me.id, name)
            return replace(me, name=name)

        return self._context.audit.write(write)

    def take_seat(self, reviewer: Reviewer) -> "Future[None]":
        """Make *reviewer* the reviewer at this machine from now on."""
        return self._context.audit.write(lambda c: reviewers.take_seat(c, self._reviewer_session.login, reviewer))

    def newcomer(self, name: str) -> "Future[Reviewer]":
        """A further reviewer, who sits at this machine from now on."""
        name = " ".join(name.split())
        if not name:
            raise UserError(tr("A reviewer needs a name."), tr("Type the name that reports should show."))

        def write(connection: Connection) -> Reviewer:
            made = reviewers.add(connection, name)
            reviewers.take_seat(connection, self._reviewer_session.login, made)
            return made

        return self._context.audit.write(write)

    def queue(self, wanted: QueueFilter, order: QueueOrder) -> Queue:
        """The queue's tabs, as ids in order. Blocks for some tenths of a second at 100,000 bundles."""

        def read(connection: Connection) -> Queue:
            asked = of_one_method(connection, wanted)
            me = self._reviewer_session.me(connection)
            return queue.queue(connection, primary_setting(connection, asked.method), me, asked, order)

        return self._context.audit.read(read)

    def rows(self, bundle_ids: Sequence[BundleId], order: QueueOrder) -> list[QueueRow]:
        """The rows of a page of the queue, whose bundles are of one method."""

        def read(connection: Connection) -> list[QueueRow]:
            setting = primary_setting(connection, bundles.method_of(connection, bundle_ids[0]) if bundle_ids else None)
            return queue.rows(connection, setting, self._reviewer_session.me(connection), order.score, bundle_ids)

        return self._context.audit.read(read)

    def choices(self, method: str | None = None) -> FilterChoices:
        """The choices to filter and to sort by; *method* None: the audit's first."""
        return self._context.audit.read(lambda c: filter_choices.choices(c, primary_setting(c, method), method))

    def bundle(self, bundle_id: BundleId) -> ReadBundle:
        """Raises `UserError` where there is no such bundle."""
        return self._context.audit.read(
            lambda c: read_bundle(
                c, bundle_id, primary_setting(c, bundles.method_of(c, bundle_id)), self._reviewer_session.me(c)
            )
        )

    def explain(self, bundle: ReadBundle) -> "BundleExplanation | None":
        """Shares, terms and tone words behind the bundle's scores; None where it has fewer than two valid answers."""
        return self._explainer.explain(bundle)

    def preferences(self) -> ReadingPreferences:
        """The reading preferences of the reviewer at this machine; not blind, under a seed of their own, until they
        choose."""
        stored = self._chosen or self._stored_preferences()
        kept = self._chosen or stored
        self._assigned = self.assignments.assignment() is not None
        hidden = kept.blind or self._assigned
        # Chosen while this was read, it holds already.
        if self._chosen is None:
            self.hides_names = hidden
        return replace(kept, blind=hidden)

    def _stored_preferences(self) -> ReadingPreferences:
        # By login: one may choose how to read before the first decision, which alone makes a reviewer.
        name = f"{_WAYS}{self._reviewer_session.login}"
        if (kept := self._context.audit.read(lambda c: audits.kept(c, name, _ways, None))) is not None:
            return kept
        seed = cell_seed(0, self._context.audit.read(audits.facts).uuid, self._reviewer_session.login)
        return ReadingPreferences(seed=seed)

    def set_preferences(self, preferences: ReadingPreferences) -> "Future[None]":
        self._chosen, self.hides_names = preferences, preferences.blind or self._assigned
        text = json.dumps(asdict(preferences))
        return self._context.audit.write(
            lambda c: audits.set_setting(c, f"{_WAYS}{self._reviewer_session.login}", text)
        )

    def steps(self) -> Steps:
        return self._context.audit.read(self._reviewer_session.steps)

    def tags(self) -> Sequence[str]:
        """Tags in use, the most used first."""
        return self._context.audit.read(reviews.tags)

    def begun(self) -> int:
        """Bundles of which who sits here has said something that is not submitted. Blocks."""
        me = self.reviewer()
        return 0 if me is None else self._context.audit.read(partial(reviews.begun, reviewer_id=me.id))

    def pace(self, now: datetime) -> ReadingPace:
        """The reading pace of the reviewer at this machine, on the day of *now* and before. Blocks."""
        me = self.reviewer()
        times = [] if me is None else self._context.audit.read(partial(submissions.times, reviewer_id=me.id))
        return reading_pace(times, now)

    def guideline(self) -> str:
        """The guideline that this audit's reviewers agreed on; empty: that of its method."""
        return self._context.audit.read(audits.guideline)

    def set_guideline(self, text: str) -> "Future[None]":
        """Raises `UserError` in an assignment."""
        return self._by_lead(lambda c: audits.set_guideline(c, text))

    def examples(self) -> tuple[Example, ...]:
        """Examples of the guideline's verdicts and severities."""
        return self._context.audit.read(examples.every)

    def keep_example(self, example: Example) -> "Future[None]":
        """Raises `UserError` in an assignment."""
        return self._by_lead(lambda c: examples.keep(c, example))

    def drop_example(self, bundle_id: BundleId) -> "Future[None]":
        """Raises `UserError` in an assignment."""
        return self._by_lead(lambda c: examples.drop(c, bundle_id))

    def _by_lead(self, write: Callable[[Connection], None]) -> "Future[None]":
        def checked(connection: Connection) -> None:
            refuse_in_assignment(connection)
            write(connection)

        return self._context.audit.write(checked)

    def verify(self) -> tuple[Chain, ...]:
        """The history of each reviewer, and whether it is whole."""
        return self._context.audit.read(histories.chains)

    def find_seal(self, seal: str) -> histories.SealFound | None:
        """The entry that carries *seal*, from a report or a pack, or its first twelve characters; None: none does."""
        return self._context.audit.read(lambda c: histories.find_seal(c, seal))

    def save_draft(self, bundle_id: BundleId, judgement: Judgement, kind: StepKind) -> "Future[DraftSaved]":
        """Keep what the form holds now; *kind* names the change for Undo."""

        def write(connection: Connection, me: Reviewer) -> DraftSaved:
            before = reviews.state(connection, bundle_id, me.id).judgement
            # The form may have been drawn before the flag, which is an entry of its own and no part of a draft.
            after = replace(judgement, flagged=before.flagged)
            if after != before:
                reviews.save_draft(connection, bundle_id, me.id, after)
                review_steps.push(connection, me.id, bundle_id, kind=kind, before=before, after=after)
            return DraftSaved(
                bundle_id=bundle_id,
                state=reviews.state(connection, bundle_id, me.id),
                steps=self._reviewer_session.steps(connection),
            )

        return self._command(bundle_id, write)

    def submit(self, bundle_id: BundleId, judgement: Judgement, *, reason: str = "") -> "Future[Steps]":
        """Append *judgement* to the history. Raises `UserError` where a field is missing."""
        _complete(judgement)

        def write(connection: Connection, me: Reviewer) -> Steps:
            before = reviews.state(connection, bundle_id, me.id)
            said = replace(judgement, flagged=before.flagged)
            reviews.append(connection, bundle_id, me, ReviewAction.SUBMIT, said, reason=reason)
            reviews.drop_draft(connection, bundle_id, me.id)
            review_steps.push(connection, me.id, bundle_id, kind=StepKind.SUBMIT, before=before.judgement, after=said)
            return self._reviewer_session.steps(connection)

        return self._command(bundle_id, write)

    def set_flagged(self, bundle_id: BundleId, flagged: bool) -> "Future[Steps]":
        """Flag a bundle for another look, or not any more; many at once are `bulk`'s."""

        def write(connection: Connection, me: Reviewer) -> Steps:
            before = reviews.state(connection, bundle_id, me.id).judgement
            after = replace(before, flagged=flagged)
            if after != before:
                reviews.append(connection, bundle_id, me, ReviewAction.FLAG, after)
                review_steps.push(connection, me.id, bundle_id, kind=StepKind.FLAG, before=before, after=after)
            return self._reviewer_session.steps(connection)

        return self._command(bundle_id, write)

    def reveal(self, bundle_id: BundleId) -> "Future[Steps]":
        """Put into the history that the names behind a blind reading were shown. Only after a submission."""

        def write(connection: Connection, me: Reviewer) -> Steps:
            now = reviews.state(connection, bundle_id, me.id)
            if assignments.assignment(connection) is not None:
                raise UserError(
                    tr("In an assignment names stay hidden to its end."),
                    tr("Names are in the audit that it was cut from."),
                )
            if now.submitted is None:
                raise UserError(tr("Names are shown after you submit your reading."), tr("Submit first, then reveal."))
            if not now.revealed:
                reviews.append(connection, bundle_id, me, ReviewAction.REVEAL, now.submitted)
            return self._reviewer_session.steps(connection)

        return self._command(bundle_id, write)

    def adjudicate(self, bundle_id: BundleId, judgement: Judgement) -> "Future[Steps]":
        """Settle what reviewers disagree about; what each of them said stays. Raises `UserError` as `submit`."""
        _complete(judgement)

        def write(connection: Connection, me: Reviewer) -> Steps:
            before = reviews.final(connection, bundle_id)
            reviews.append(connection, bundle_id, me, ReviewAction.ADJUDICATE, judgement)
            reviews.drop_draft(connection, bundle_id, me.id)
            review_steps.push(connection, me.id, bundle_id, kind=StepKind.ADJUDICATE, before=before, after=judgement)
            return self._reviewer_session.steps(connection)

        return self._command(bundle_id, write)

    def correct(self, bundle_id: BundleId, corrections: Sequence[Correction], *, reason: str) -> "Future[Steps]":
        """Correct what answers of a bundle come to, as the reviewer reads them; scores follow. Raises `UserError` if no
        reason is given."""
        why = " ".join(reason.split())
        if not why:
            raise UserError(tr("A correction needs a reason."), tr("Say in a few words how you read the answer."))

        def write(connection: Connection, me: Reviewer) -> Steps:
            before = Judgement(corrections=standing(connection, bundle_id, corrections))
            after = Judgement(corrections=tuple(corrections), note=why)
            if before.corrections != after.corrections:
                # The reason belongs to the entry; the step keeps it as its note, where Redo finds it again.
                reviews.append(connection, bundle_id, me, ReviewAction.CORRECT, replace(after, note=""), reason=why)
                review_steps.push(connection, me.id, bundle_id, kind=StepKind.CORRECT, before=before, after=after)
            return self._reviewer_session.steps(connection)

        return self._reviewer_session.command(write, lambda _: (bundle_id,), lambda _: True)

    def export_pack(self, target: Path) -> "Future[int]":
        """Write everybody's history to *target*; the number of entries. A `StorageError` where it cannot be written."""
        export = partial(review_packs.export_pack, target=target, login=self._reviewer_session.login)
        return self._context.spawn(lambda: self._context.audit.read(export))

    def import_pack(
        self, path: Path, *, confirmed: Collection[str] = ()
    ) -> "Future[tuple[review_packs.MergedHistory, ...]]":
        """Merge the pack at *path*; a second time changes nothing. A `UserError` where it is none of ours.

        *confirmed* are reviewers (`MergedHistory.to_confirm`) whose entries are taken on the auditor's word.
        """

        def work() -> tuple[review_packs.MergedHistory, ...]:
            histories = review_packs.read_pack(path)
            login = self._reviewer_session.login
            merged = self._context.audit.write(
                lambda c: review_packs.merge(c, histories, login=login, confirmed=confirmed)
            ).result()
            if any(each.corrects for each in merged):
                # Nobody's in particular (no reviewer has the number 0): it has scores follow the corrections.
                self._context.emit(ReviewChanged(bundle_ids=(), reviewer_id=ReviewerId(0), corrected=True))
            return merged

        return self._context.spawn(work)

    def team(self) -> TeamReport:
        """Progress, verdicts and agreement; blocks."""
        return team_report(self._context)

    def undo(self) -> "Future[StepDone | None]":
        """Take back the reviewer's last step, wherever it was made; None where there is none."""
        session = self._reviewer_session
        return session.command(lambda c, me: undo(c, me, session.steps), _changed_by, _corrects)

    def redo(self) -> "Future[StepDone | None]":
        """Do again what was undone last; None where there is nothing."""
        session = self._reviewer_session
        return session.command(lambda c, me: redo(c, me, session.steps), _changed_by, _corrects)

    def _command(self, bundle_id: BundleId, write: Callable[[Connection, Reviewer], T]) -> "Future[T]":
        def checked(connection: Connection, me: Reviewer) -> T:
            refuse_beside(connection, (bundle_id,))
            return write(connection, me)

        return self._reviewer_session.command(checked, lambda _: (bundle_id,))


def _changed_by(done: StepDone | None) -> Sequence[BundleId]:
    return () if done is None else tuple(done.places)


def _corrects(done: StepDone | None) -> bool:
    return done is not None and done.step.kind is StepKind.CORRECT


def _complete(judgement: Judgement) -> None:
    match blocking_field(judgement):
        case None:
            return
        case "verdict":
            raise UserError(tr("Your reading has no verdict yet."), tr("Choose one, then submit."))
        case _:
            raise UserError(tr("What is harmful needs a severity."), tr("Choose 1 slight to 4 severe, then submit."))
