"""Saved filters and samples, on a real audit file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import MODEL, SampleKind, SampleWish
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueRow
from gpf_desktop.domain.saved_filters import SavedFilter
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.review_service import ReviewService
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

REFUSALS = SavedFilter(name="Refusals", wanted=QueueFilter(flag="refusal"), order=QueueOrder(seed=7))
BY_SCORE = QueueOrder(refusals_first=False)


class Office:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "audit.gpf"
        self.engine = Engine(lambda _event: None)
        self.open_audit = self.engine.create(self.path, title="Evening round")
        fill(self.open_audit.context.audit, dimensions=("Political", "Religion", "Geography"), items=2, repeats=2)

    @property
    def service(self) -> ReviewService:
        return self.open_audit.reviews

    def reopen(self) -> None:
        self.engine.close_audit()
        self.open_audit = self.engine.open(self.path)

    def rows(self, bundles: tuple[BundleId, ...]) -> list[QueueRow]:
        return self.service.rows(bundles, QueueOrder())


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.engine.close()


def test_that_a_saved_filter_is_there_after_a_restart(office: Office) -> None:
    office.service.filters.save(REFUSALS).result()
    office.service.filters.save(SavedFilter(name="a sample", wanted=QueueFilter(), order=QueueOrder())).result()
    office.reopen()
    assert [saved.name for saved in office.service.filters.saved()] == ["a sample", "Refusals"]
    assert office.service.filters.saved()[1] == REFUSALS


def test_that_a_name_stands_for_one_filter(office: Office) -> None:
    filters = office.service.filters
    other = replace(REFUSALS, name=" refusals ", wanted=QueueFilter(flag="leakage"))
    assert filters.save(REFUSALS).result() is None
    with pytest.raises(UserError, match="“Refusals” already"):
        filters.save(other).result()
    assert filters.saved() == (REFUSALS,)
    assert filters.save(other, replaces=True).result() == REFUSALS
    assert filters.saved() == (replace(other, name="refusals"),)
    with pytest.raises(UserError, match="needs a name"):
        filters.save(replace(REFUSALS, name="  "))


def test_that_a_filter_is_renamed_and_removed(office: Office) -> None:
    filters = office.service.filters
    filters.save(REFUSALS).result()
    filters.save(replace(REFUSALS, name="Other")).result()
    filters.rename("Refusals", "REFUSALS").result()
    with pytest.raises(UserError, match="“Other” already"):
        filters.rename("REFUSALS", "other").result()
    filters.remove("Other").result()
    assert [saved.name for saved in filters.saved()] == ["REFUSALS"]


def test_that_a_random_sample_says_out_of_what_and_by_which_seed(office: Office) -> None:
    wanted = QueueFilter(levels=(("family", "Impact"),))
    drawn = office.service.filters.draw(wanted, QueueOrder(), SampleWish(kind=SampleKind.RANDOM, size=4))
    pool = office.service.queue(wanted, QueueOrder()).order
    assert len(drawn.bundle_ids or ()) == 4
    assert set(drawn.bundle_ids or ()) < set(pool)
    assert drawn.drawn is not None
    assert (drawn.drawn.pool, drawn.drawn.seed is not None) == (len(pool), True)
    again = office.service.filters.draw(drawn, QueueOrder(), SampleWish(kind=SampleKind.RANDOM, size=len(pool)))
    assert set(again.bundle_ids or ()) == set(pool)


@pytest.mark.parametrize(
    ("strata", "groups"),
    [((MODEL,), 2), ((MODEL, "dimension"), 6), ((MODEL, "dimension", "family"), 12)],
)
def test_that_a_stratified_sample_takes_equally_many_of_each(
    office: Office, strata: tuple[str, ...], groups: int
) -> None:
    wish = SampleWish(kind=SampleKind.STRATIFIED, size=12, strata=strata)
    drawn = office.service.filters.draw(QueueFilter(), QueueOrder(), wish)
    rows = office.rows(drawn.bundle_ids or ())
    counted = Counter(tuple({"model": row.model, **dict(row.coordinates)}[each] for each in strata) for row in rows)
    assert set(counted.values()) == {12 // groups}
    assert drawn.drawn is not None
    assert (drawn.drawn.groups, drawn.drawn.strata) == (groups, strata)


def test_that_the_top_holds_the_highest_that_have_the_score(office: Office) -> None:
    filters = office.service.filters
    top = filters.draw(QueueFilter(), QueueOrder(), SampleWish(kind=SampleKind.TOP, size=5))
    assert list(top.bundle_ids or ()) == office.service.queue(QueueFilter(), BY_SCORE).order[:5]
    framing = QueueOrder(score=COUNTERFACTUAL_FRAMING, seed=3)
    repeated = filters.draw(QueueFilter(), framing, SampleWish(kind=SampleKind.TOP, size=1000))
    rows = office.service.rows(repeated.bundle_ids or (), framing)
    assert len(rows) == 12
    assert all(row.score is not None for row in rows)
    within = filters.draw(
        QueueFilter(bundle_ids=(top.bundle_ids or ())[3:]), QueueOrder(), SampleWish(kind=SampleKind.TOP, size=1)
    )
    assert within.bundle_ids == (top.bundle_ids or ())[3:4]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (SampleWish(kind=SampleKind.RANDOM, size=0), "at least one set of answers"),
        (SampleWish(kind=SampleKind.STRATIFIED, size=5, strata=()), "needs groups"),
    ],
)
def test_that_a_sample_of_nothing_is_not_drawn(office: Office, wish: SampleWish, words: str) -> None:
    with pytest.raises(UserError, match=words):
        office.service.filters.draw(QueueFilter(), QueueOrder(), wish)
    assert office.service.filters.drawn() == ()


def test_that_drawn_samples_are_remembered_with_how_they_were_drawn(office: Office) -> None:
    filters = office.service.filters
    random = SampleWish(kind=SampleKind.RANDOM, size=3)
    first = filters.draw(QueueFilter(), QueueOrder(), random)
    filters.draw(QueueFilter(), QueueOrder(), random)
    by_model = SampleWish(kind=SampleKind.STRATIFIED, size=4, strata=(MODEL,))
    second = filters.draw(QueueFilter(levels=(("family", "Impact"),)), QueueOrder(), by_model)
    office.reopen()
    assert [(sample.wanted, sample.bundles) for sample in office.service.filters.drawn()] == [(second, 4), (first, 3)]
