"""Which bundles stand in the queue, and in which order."""

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import Queue, QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    SEMANTIC_DISPERSION,
    SENTIMENT_MAD,
    SENTIMENT_RANGE,
    SENTIMENT_RANGE_RAREFIED,
)
from gpf_desktop.storage import filter_choices, queue
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import Filled, fill

TWO = ("Political", "Religion", "Geography")


@pytest.fixture
def filled(audit: AuditFile) -> Filled:
    return fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=TWO, items=2, repeats=2)


def read(audit: AuditFile, filled: Filled, wanted: QueueFilter, order: QueueOrder) -> Queue:
    return audit.read(lambda c: queue.queue(c, filled.setting_id, None, wanted, order))


def to_do(
    audit: AuditFile, filled: Filled, wanted: QueueFilter | None = None, order: QueueOrder | None = None
) -> list[BundleId]:
    plain = QueueOrder(refusals_first=False)
    return read(audit, filled, wanted or QueueFilter(), order or plain).tabs[QueueTab.TO_DO]


def values(audit: AuditFile, ids: list[BundleId], score: str) -> list[float | None]:
    rows = audit.read(lambda c: queue.rows(c, 1, None, score, ids))
    assert [row.bundle_id for row in rows] == ids
    return [row.score for row in rows]


def test_that_the_main_bundles_are_the_queue(audit: AuditFile, filled: Filled) -> None:
    rows = audit.read(lambda c: queue.rows(c, 1, None, SEMANTIC_DISPERSION, to_do(audit, filled)))
    assert {row.arm for row in rows} == {"main"}
    assert len(rows) == 2 * 2 * 3 * 2
    everything = to_do(audit, filled, QueueFilter(arm=None))
    assert len(everything) == len(rows) + 2 * 2 * 2
    assert len(to_do(audit, filled, QueueFilter(arm="identity-free"))) == 2 * 2 * 2


@pytest.mark.parametrize("score", [SEMANTIC_DISPERSION, SENTIMENT_RANGE])
def test_that_any_score_sorts_the_highest_first(audit: AuditFile, filled: Filled, score: str) -> None:
    ids = to_do(audit, filled, order=QueueOrder(score=score, refusals_first=False))
    found = [value for value in values(audit, ids, score) if value is not None]
    assert len(found) > 10
    assert found == sorted(found, reverse=True)


def test_that_bundles_without_the_score_come_last_by_dispersion(audit: AuditFile, filled: Filled) -> None:
    ids = to_do(audit, filled, order=QueueOrder(score=COUNTERFACTUAL_FRAMING, refusals_first=False))
    known = [value is not None for value in values(audit, ids, COUNTERFACTUAL_FRAMING)]
    assert True in known
    assert False in known
    assert known == sorted(known, reverse=True)
    behind = [value or 0 for value in values(audit, ids, SEMANTIC_DISPERSION)][known.index(False) :]
    assert behind == sorted(behind, reverse=True)


def test_that_bundles_with_some_refusals_stand_in_front(audit: AuditFile, filled: Filled) -> None:
    ids = to_do(audit, filled, order=QueueOrder())
    rows = audit.read(lambda c: queue.rows(c, 1, None, SEMANTIC_DISPERSION, ids))
    refused = [row.refused > 0 for row in rows]
    assert True in refused
    assert refused == sorted(refused, reverse=True)
    front = [row.score or 0 for row in rows if row.refused]
    assert front == sorted(front, reverse=True)


def test_that_a_refusal_in_words_counts_as_one(audit: AuditFile, filled: Filled) -> None:
    last = to_do(audit, filled, order=QueueOrder())[-1]
    audit.write(
        lambda c: c.execute(
            "INSERT INTO flag (cell_id, name) SELECT min(id), 'refusal' FROM cell WHERE bundle_id = ?", (last,)
        )
    ).result()
    ids = to_do(audit, filled, order=QueueOrder())
    rows = audit.read(lambda c: queue.rows(c, 1, None, SEMANTIC_DISPERSION, ids))
    moved = next(row for row in rows if row.bundle_id == last)
    assert moved.refused == 1
    assert ids.index(last) < len([row for row in rows if row.refused])


def test_that_random_order_is_the_same_for_the_same_seed(audit: AuditFile, filled: Filled) -> None:
    one, again, other = (
        to_do(audit, filled, order=QueueOrder(seed=seed, refusals_first=False)) for seed in (11, 11, 12)
    )
    assert one == again
    assert one != other
    assert sorted(one) == sorted(other)


def test_that_every_filter_leaves_only_what_it_names(audit: AuditFile, filled: Filled) -> None:
    everything = to_do(audit, filled)
    choices = audit.read(lambda c: filter_choices.choices(c, filled.setting_id))
    cases = [
        (QueueFilter(run_id=filled.run_id), 24),
        (QueueFilter(model="calibration/faulty"), 12),
        (QueueFilter(article_id=choices.articles[0][0]), 12),
        (QueueFilter(batch_id=choices.batches[0][0]), 24),
        (QueueFilter(levels=(("dimension", "Religion"),)), 8),
        (QueueFilter(levels=(("family", "Impact"),)), 12),
        (QueueFilter(stratum="identity-relevant"), 12),
        (QueueFilter(model="calibration/faulty", levels=(("dimension", "Religion"),), stratum="identity-neutral"), 2),
        (QueueFilter(bundle_ids=tuple(everything[:3])), 3),
        (QueueFilter(model="no/such"), 0),
        (QueueFilter(flag="leakage"), 0),
    ]
    assert [len(to_do(audit, filled, wanted)) for wanted, _ in cases] == [n for _, n in cases]


def test_that_nothing_yet_is_told_from_nothing_matches(audit: AuditFile) -> None:
    nothing = audit.read(lambda c: queue.queue(c, None, None, QueueFilter(), QueueOrder()))
    assert nothing.scored == 0
    filled = fill(audit, models_asked=("neutral",), dimensions=("Political",))
    unmatched = read(audit, filled, QueueFilter(levels=(("family", "No such"),)), QueueOrder())
    assert unmatched.scored
    assert not any(unmatched.tabs.values())


def test_that_choices_are_what_the_runs_hold(audit: AuditFile, filled: Filled) -> None:
    choices = audit.read(lambda c: filter_choices.choices(c, filled.setting_id))
    assert choices.models == ("calibration/faulty", "calibration/tailoring-0.6")
    assert choices.levels["dimension"] == TWO
    assert choices.levels["family"] == ("Policy / Action", "Impact")
    assert choices.arms == ("main", "identity-free")
    assert choices.strata == ("identity-neutral", "identity-relevant")
    of_none = audit.read(lambda c: filter_choices.choices(c, filled.setting_id, "another method"))
    assert (of_none.models, of_none.articles, of_none.batches, of_none.strata) == ((), (), (), ())
    names = [each.name for each in choices.scores]
    assert names[0] == SEMANTIC_DISPERSION
    assert {COUNTERFACTUAL_FRAMING, SENTIMENT_RANGE_RAREFIED} <= {*names}
    assert names[-2:] == [SENTIMENT_RANGE, SENTIMENT_MAD], "both grow with n, so they come last"
