"""One decision about many bundles: one step, one entry of the history each, all of it or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ReviewChanged
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueuePlace, QueueTab
from gpf_desktop.domain.reviews import Judgement, ReviewAction, ReviewStatus, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.bulk_service import BulkJob, BulkStoppedError, Left
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.review_steps import StepKind
from tests.support.filled_audit import fill

HARM = Judgement(verdict=Verdict.HARMFUL, severity=3, note="Tone.")


class Office:
    def __init__(self, folder: Path) -> None:
        self.events: list[object] = []
        self.path = folder / "audit.gpf"
        self.engine = Engine(self.events.append)
        self.open_audit = self.engine.create(self.path, title="Evening round")
        fill(
            self.open_audit.context.audit,
            models_asked=("tailoring-0.6",),
            dimensions=("Political", "Religion", "Geography"),
        )
        self.bundles = self.tab(QueueTab.TO_DO)

    @property
    def service(self) -> ReviewService:
        return self.open_audit.reviews

    def reopen(self) -> None:
        self.engine.close_audit()
        self.open_audit = self.engine.open(self.path)

    def tab(self, tab: QueueTab) -> list[BundleId]:
        return self.service.queue(QueueFilter(), QueueOrder()).tabs[tab]

    def said(self, bundle: BundleId) -> Judgement:
        return self.service.bundle(bundle).state.judgement


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.engine.close()


def job(bundles: list[BundleId]) -> BulkJob:
    return BulkJob(len(bundles))


@pytest.mark.slow
def test_that_many_bundles_are_flagged_in_one_step_with_an_entry_each(office: Office) -> None:
    five = office.bundles[:5]
    office.service.set_flagged(five[0], True).result()
    work = job(five)
    done = office.service.bulk.flag(five, True, work).result()
    assert work.done == 5
    assert set(done.places) == set(five[1:])
    assert done.places[five[1]] == QueuePlace(status=ReviewStatus.TO_DO, flagged=True)
    assert done.left == {Left.SAME: 1}
    assert done.steps.undo is not None
    assert (done.steps.undo.kind, done.steps.undo.bundles) == (StepKind.FLAG, 4)
    assert office.tab(QueueTab.FLAGGED) == five
    for bundle in five:
        assert [entry.action for entry in office.service.bundle(bundle).history] == [ReviewAction.FLAG]
    assert all(chain.whole for chain in office.service.verify())


def test_that_one_undo_takes_all_of_it_back_after_a_restart_and_redo_does_it_again(office: Office) -> None:
    five = office.bundles[:5]
    office.service.bulk.flag(five, True, job(five)).result()
    office.reopen()
    undone = office.service.undo().result()
    assert undone is not None
    assert set(undone.places) == set(five)
    assert office.tab(QueueTab.FLAGGED) == []
    assert undone.steps.undo is None
    office.reopen()
    office.service.redo().result()
    assert office.tab(QueueTab.FLAGGED) == five
    assert len(office.service.bundle(five[0]).history) == 3
    assert all(chain.whole for chain in office.service.verify())


def test_that_a_verdict_set_on_many_keeps_their_notes_and_is_a_draft_until_it_is_submitted(office: Office) -> None:
    noted, submitted, plain, _ = four = office.bundles[:4]
    office.service.save_draft(noted, Judgement(note="Look again."), StepKind.NOTE).result()
    office.service.submit(submitted, HARM).result()
    done = office.service.bulk.set_verdict(four, Verdict.ARTEFACT, None, job(four)).result()
    assert office.said(noted) == Judgement(verdict=Verdict.ARTEFACT, note="Look again.")
    assert office.said(submitted) == Judgement(verdict=Verdict.ARTEFACT, note="Tone.")
    assert done.reopened == 1
    assert office.tab(QueueTab.DRAFT) == four
    assert office.service.bundle(plain).history == ()
    sent = office.service.bulk.submit(four, job(four)).result()
    assert {place.status for place in sent.places.values()} == {ReviewStatus.DONE}
    assert office.tab(QueueTab.DONE) == four
    for _ in range(2):
        office.service.undo().result()
    assert office.said(noted) == Judgement(note="Look again.")
    assert office.service.bundle(submitted).state.submitted == HARM
    assert office.tab(QueueTab.DONE) == [submitted]
    assert all(chain.whole for chain in office.service.verify())


def test_that_only_complete_drafts_are_submitted_and_the_others_are_counted(office: Office) -> None:
    complete, severe, empty, submitted = four = office.bundles[:4]
    office.service.save_draft(complete, Judgement(verdict=Verdict.CONTEXT), StepKind.VERDICT).result()
    office.service.save_draft(severe, Judgement(verdict=Verdict.HARMFUL), StepKind.VERDICT).result()
    office.service.submit(submitted, HARM).result()
    done = office.service.bulk.submit(four, job(four)).result()
    assert set(done.places) == {complete}
    assert done.left == {Left.INCOMPLETE: 1, Left.NO_DRAFT: 2}
    assert office.said(empty) == Judgement()


def test_that_a_tag_is_added_once_behind_the_others(office: Office) -> None:
    two = office.bundles[:2]
    office.service.save_draft(two[0], Judgement(tags=("tone",)), StepKind.TAGS).result()
    office.service.bulk.add_tag(two, "  calibration,  round ", job(two)).result()
    done = office.service.bulk.add_tag(two, "calibration round", job(two)).result()
    assert done.left == {Left.SAME: 2}
    assert office.said(two[0]).tags == ("tone", "calibration round")
    with pytest.raises(UserError, match="needs a word"):
        office.service.bulk.add_tag(two, " , ", job(two))


def test_that_a_harmful_verdict_needs_a_severity(office: Office) -> None:
    two = office.bundles[:2]
    with pytest.raises(UserError, match="severity"):
        office.service.bulk.set_verdict(two, Verdict.HARMFUL, None, job(two))
    office.service.bulk.set_verdict(two, Verdict.HARMFUL, 2, job(two)).result()
    assert office.said(two[1]) == Judgement(verdict=Verdict.HARMFUL, severity=2)


def test_that_what_is_stopped_leaves_nothing_behind(office: Office) -> None:
    work = job(office.bundles)
    work.stop()
    with pytest.raises(BulkStoppedError):
        office.service.bulk.flag(office.bundles, True, work).result()
    assert office.tab(QueueTab.FLAGGED) == []
    assert office.service.steps().undo is None


def test_that_a_decision_about_many_is_announced_once(office: Office) -> None:
    three = office.bundles[:3]
    office.service.bulk.flag(three, True, job(three)).result()
    office.service.bulk.flag(three, True, job(three)).result()
    assert [event.bundle_ids for event in office.events if isinstance(event, ReviewChanged)] == [tuple(three)]


def test_that_a_step_over_one_bundle_reads_like_any_other(office: Office) -> None:
    one = office.bundles[:1]
    office.service.bulk.flag(one, True, job(one)).result()
    undone = office.service.undo().result()
    assert undone is not None
    assert (undone.step.bundles, undone.bundle_id, set(undone.places)) == (1, one[0], set(one))
