"""Drafts, submissions, undo and the history, on a real audit file."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ReviewChanged
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Judgement, ReviewAction, ReviewStatus, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.storage.counted_verdicts import reviewed_bundles
from gpf_desktop.storage.review_counts import review_counts
from gpf_desktop.storage.review_steps import StepKind
from tests.support.filled_audit import fill

DONE = Judgement(verdict=Verdict.HARMFUL, severity=3, affected=("Student",), tags=("tone",), note="D speaks to two.")


class Office:
    """A workshop with one filled audit, and what it announced."""

    def __init__(self, folder: Path) -> None:
        self.events: list[object] = []
        self.path = folder / "audit.gpf"
        self.engine = Engine(self.events.append)
        self.open_audit: OpenAudit = self.engine.create(self.path, title="Evening round")
        fill(self.open_audit.context.audit, models_asked=("tailoring-0.6",), dimensions=("Political", "Religion"))

    def reopened(self) -> ReviewService:
        self.engine.close_audit()
        self.open_audit = self.engine.open(self.path)
        return self.open_audit.reviews

    def reviewer_session(self, login: str) -> ReviewService:
        return ReviewService(self.open_audit.context, login=login)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.engine.close()


def first(service: ReviewService) -> BundleId:
    return service.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO][0]


def tab_of(service: ReviewService, bundle: BundleId) -> set[QueueTab]:
    return {tab for tab, ids in service.queue(QueueFilter(), QueueOrder()).tabs.items() if bundle in ids}


def test_that_nobody_reviews_before_the_first_decision(office: Office) -> None:
    service = office.reviewer_session("ana")
    assert service.reviewer() is None
    service.save_draft(first(service), replace(DONE, verdict=None), StepKind.NOTE).result()
    reviewer = service.reviewer()
    assert reviewer is not None
    assert reviewer.name == "ana"


def test_that_names_are_hidden_from_the_moment_that_it_is_chosen_and_not_when_it_is_stored(office: Office) -> None:
    service, on = office.reviewer_session("ana"), threading.Event()
    held = office.open_audit.context.audit.write(lambda _: on.wait())
    chosen = replace(service.preferences(), blind=True)
    stored = service.set_preferences(chosen)
    # A page that loads meanwhile reads them too, while something else is still being written.
    try:
        assert (service.preferences(), service.hides_names) == (chosen, True)
    finally:
        on.set()
    held.result()
    stored.result()
    assert office.reviewer_session("ana").preferences() == chosen


def test_that_who_reviews_first_has_the_name_that_they_prefer_and_nobody_is_renamed(office: Office) -> None:
    service = office.reviewer_session("ana")
    HERE.set("review.name", "Ana María")
    service.save_draft(first(service), DONE, StepKind.NOTE).result()
    HERE.set("review.name", "Somebody else")
    service.submit(first(service), DONE).result()
    assert [each.name for each in service.reviewers()] == ["Ana María"]


def test_that_a_draft_is_there_after_a_restart(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    service.save_draft(bundle, Judgement(note="half a sen"), StepKind.NOTE).result()
    service = office.reopened()
    state = service.bundle(bundle).state
    assert (state.status, state.judgement.note) == (ReviewStatus.DRAFT, "half a sen")
    assert tab_of(service, bundle) == {QueueTab.DRAFT}


def test_that_a_draft_typed_away_again_is_no_draft(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    service.save_draft(bundle, Judgement(note="x"), StepKind.NOTE).result()
    service.save_draft(bundle, Judgement(), StepKind.NOTE).result()
    assert tab_of(service, bundle) == {QueueTab.TO_DO}


@pytest.mark.parametrize(
    ("judgement", "words"),
    [(Judgement(note="x"), "verdict"), (Judgement(verdict=Verdict.HARMFUL), "severity")],
)
def test_that_an_incomplete_reading_is_not_submitted(office: Office, judgement: Judgement, words: str) -> None:
    service = office.open_audit.reviews
    with pytest.raises(UserError, match=words):
        service.submit(first(service), judgement)


def test_that_a_submission_moves_the_bundle_to_done_and_says_so(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    service.submit(bundle, DONE).result()
    read = service.bundle(bundle)
    assert tab_of(service, bundle) == {QueueTab.DONE}
    assert read.state.submitted == DONE
    assert [entry.action for entry in read.history] == [ReviewAction.SUBMIT]
    assert any(isinstance(event, ReviewChanged) and event.bundle_ids == (bundle,) for event in office.events)


def test_that_undo_and_redo_cross_submissions_and_restarts_and_the_history_keeps_all(office: Office) -> None:
    service = office.open_audit.reviews
    one, other = service.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO][:2]
    service.save_draft(one, Judgement(verdict=Verdict.CONTEXT), StepKind.VERDICT).result()
    service.submit(one, Judgement(verdict=Verdict.CONTEXT, note="fits")).result()
    service.submit(other, DONE).result()
    service = office.reopened()
    undone = [service.undo().result() for _ in range(3)]
    assert [(u.step.kind, u.bundle_id) for u in undone if u] == [
        (StepKind.SUBMIT, other),
        (StepKind.SUBMIT, one),
        (StepKind.VERDICT, one),
    ]
    assert service.undo().result() is None
    assert tab_of(service, one) == {QueueTab.TO_DO}
    assert tab_of(service, other) == {QueueTab.DRAFT}
    assert service.bundle(other).state.judgement == DONE
    service = office.reopened()
    redone = [service.redo().result() for _ in range(3)]
    assert [r.step.kind for r in redone if r] == [StepKind.VERDICT, StepKind.SUBMIT, StepKind.SUBMIT]
    assert service.redo().result() is None
    assert service.bundle(one).state.submitted == Judgement(verdict=Verdict.CONTEXT, note="fits")
    actions = [entry.action for entry in service.bundle(one).history]
    assert actions == [ReviewAction.SUBMIT, ReviewAction.WITHDRAW, ReviewAction.SUBMIT]


def test_that_a_new_decision_ends_what_could_be_redone(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    service.submit(bundle, DONE).result()
    service.undo().result()
    saved = service.save_draft(bundle, replace(DONE, severity=1), StepKind.SEVERITY).result()
    assert saved.steps.redo is None
    assert saved.state.status is ReviewStatus.DRAFT


def test_that_typing_a_note_is_one_step(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    for text in ("o", "on", "one", "one thing"):
        service.save_draft(bundle, Judgement(note=text), StepKind.NOTE).result()
    done = service.undo().result()
    assert done is not None
    assert done.steps.undo is None
    assert service.bundle(bundle).state.judgement.note == ""


def test_that_undoing_a_later_submission_leaves_the_earlier_one_standing(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    service.submit(bundle, DONE).result()
    service.submit(bundle, replace(DONE, severity=1)).result()
    service.undo().result()
    state = service.bundle(bundle).state
    assert state.submitted == DONE
    assert state.judgement.severity == 1
    assert state.status is ReviewStatus.DRAFT


def test_that_a_flag_stands_beside_the_status_and_is_undone_by_name(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    service.set_flagged(bundle, True).result()
    assert tab_of(service, bundle) == {QueueTab.TO_DO, QueueTab.FLAGGED}
    done = service.undo().result()
    assert done is not None
    assert done.step.kind is StepKind.FLAG
    assert tab_of(service, bundle) == {QueueTab.TO_DO}


def test_that_names_are_shown_only_after_a_submission_and_that_it_is_in_the_history(office: Office) -> None:
    service = office.open_audit.reviews
    bundle = first(service)
    with pytest.raises(UserError, match="after you submit"):
        service.reveal(bundle).result()
    service.submit(bundle, DONE).result()
    service.reveal(bundle).result()
    service.reveal(bundle).result()
    read = service.bundle(bundle)
    assert read.state.revealed
    assert [entry.action for entry in read.history] == [ReviewAction.SUBMIT, ReviewAction.REVEAL]


def test_that_two_reviewers_of_one_file_have_each_their_own_queue_and_history(office: Office) -> None:
    ana, ben = office.reviewer_session("ana"), office.reviewer_session("ben")
    bundle = first(ana)
    ana.submit(bundle, DONE).result()
    assert tab_of(ana, bundle) == {QueueTab.DONE}
    assert tab_of(ben, bundle) == {QueueTab.TO_DO}
    ben.submit(bundle, Judgement(verdict=Verdict.CONTEXT)).result()
    assert QueueTab.DISAGREE in tab_of(ana, bundle)
    assert {chain.reviewer.name: chain.entries for chain in ana.verify()} == {"ana": 1, "ben": 1}


def test_that_a_settled_case_is_told_to_who_read_it_or_settled_it_until_a_reader_disagrees_again(
    office: Office,
) -> None:
    ana, ben, eva = (office.reviewer_session(name) for name in ("ana", "ben", "eva"))
    bundle = first(ana)
    settled = Judgement(verdict=Verdict.HARMFUL, severity=3)

    def told(service: ReviewService) -> Verdict | None:
        return service.rows([bundle], QueueOrder())[0].settled

    ana.submit(bundle, Judgement(verdict=Verdict.LEGITIMATE)).result()
    ben.submit(bundle, Judgement(verdict=Verdict.CONTEXT)).result()
    assert (told(ana), ana.bundle(bundle).settled) == (None, None)
    eva.adjudicate(bundle, settled).result()
    assert [told(each) for each in (ana, ben, eva)] == [Verdict.HARMFUL] * 3
    assert told(office.reviewer_session("dora")) is None
    entry = ana.bundle(bundle).settled
    assert entry is not None
    assert (entry.reviewer, entry.judgement) == ("eva", settled)
    ben.submit(bundle, Judgement(verdict=Verdict.ARTEFACT)).result()
    assert QueueTab.DISAGREE in tab_of(ana, bundle)
    assert (told(ana), ana.bundle(bundle).settled) == (None, None)


def test_that_a_case_opened_again_stands_where_its_readers_put_it_and_not_where_it_was_settled(
    office: Office,
) -> None:
    ana, ben = office.reviewer_session("ana"), office.reviewer_session("ben")
    settled, other = ana.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO][:2]

    def gravest() -> list[BundleId]:
        return office.open_audit.context.audit.read(lambda c: reviewed_bundles(c, limit=9))

    ana.submit(settled, Judgement(verdict=Verdict.HARMFUL, severity=2)).result()
    ben.submit(settled, Judgement(verdict=Verdict.CONTEXT)).result()
    ana.submit(other, replace(DONE, severity=3)).result()
    assert gravest() == [other, settled]
    ben.adjudicate(settled, replace(DONE, severity=4)).result()
    assert gravest() == [settled, other]
    ben.submit(settled, Judgement(verdict=Verdict.LEGITIMATE)).result()
    assert gravest() == [other, settled]


def test_that_flagging_a_settled_case_and_showing_its_names_leave_it_settled(office: Office) -> None:
    ana, ben = office.reviewer_session("ana"), office.reviewer_session("ben")
    bundle = first(ana)
    ana.submit(bundle, DONE).result()
    ben.submit(bundle, Judgement(verdict=Verdict.CONTEXT)).result()
    ben.adjudicate(bundle, DONE).result()
    ana.set_flagged(bundle, True).result()
    ana.reveal(bundle).result()
    assert tab_of(ana, bundle) == {QueueTab.DONE, QueueTab.FLAGGED}


def test_that_a_case_settled_and_flagged_in_an_earlier_version_is_settled(office: Office) -> None:
    ana, ben = office.reviewer_session("ana"), office.reviewer_session("ben")
    bundle = first(ana)
    ana.submit(bundle, DONE).result()
    ben.submit(bundle, Judgement(verdict=Verdict.CONTEXT)).result()
    ben.adjudicate(bundle, DONE).result()
    ana.set_flagged(bundle, True).result()
    # As it kept a flag: the moment of what a reader said last was that of the flag.
    moved = (
        "UPDATE review_now SET (entry_id, at) = (SELECT id, at FROM review_entry WHERE action = 'flag') WHERE flagged"
    )
    audit = office.open_audit.context.audit
    audit.write(lambda c: c.execute(moved)).result()
    assert tab_of(ana, bundle) == {QueueTab.DONE, QueueTab.FLAGGED}
    assert audit.read(review_counts).verdicts == ((Verdict.HARMFUL, 1),)


def test_that_a_new_name_keeps_the_history_whole(office: Office) -> None:
    service = office.reviewer_session("ana")
    service.submit(first(service), DONE).result()
    service.rename("  Ana   Marković ").result()
    (chain,) = service.verify()
    assert (chain.reviewer.name, chain.whole) == ("Ana Marković", True)
    with pytest.raises(UserError):
        service.rename("   ")


def test_that_changing_or_removing_an_entry_behind_the_programs_back_is_found(office: Office) -> None:
    service = office.open_audit.reviews
    bundles = service.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO]
    for bundle in bundles[:4]:
        service.submit(bundle, DONE).result()
    assert all(chain.whole for chain in service.verify())
    audit = office.open_audit.context.audit
    softened = "UPDATE review_entry SET judgement = replace(judgement, 'harmful', 'harmless') WHERE id = 3"
    audit.write(lambda c: c.execute(softened)).result()
    assert [chain.broken_at for chain in service.verify()] == [3]
    audit.write(lambda c: c.execute("DELETE FROM review_now WHERE entry_id = 2")).result()
    audit.write(lambda c: c.execute("DELETE FROM review_entry WHERE id = 2")).result()
    assert [chain.broken_at for chain in service.verify()] == [2]


def test_that_a_guideline_is_kept_with_the_audit(office: Office) -> None:
    office.open_audit.reviews.set_guideline("  Read all answers first. ").result()
    assert office.reopened().guideline() == "Read all answers first."


def test_that_a_bundle_is_read_with_all_that_the_page_shows(office: Office) -> None:
    service = office.open_audit.reviews
    read = service.bundle(first(service))
    assert (read.question.before, read.question.slot) == ("I am ", True)
    assert read.valid == read.facts.planned == len(read.answers)
    assert read.facts.matched == ("transport", "jobs")
    assert read.scores["semantic_dispersion"]


def test_that_a_bundle_that_does_not_exist_is_named(office: Office) -> None:
    with pytest.raises(UserError, match="no set of answers 9999"):
        office.open_audit.reviews.bundle(BundleId(9999))
