"""A bundle among those that ask the same: other models, runs and news items, and its identity-free control."""

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.storage import bundles
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.bundles import RelatedBundle
from tests.storage import rows
from tests.support.filled_audit import ITEMS, Filled, fill

MODELS = ("tailoring-0.6", "neutral")
FIRST, SECOND, THIRD = (item[0] for item in ITEMS)


@pytest.fixture
def filled(audit: AuditFile) -> Filled:
    """Two batches: two articles in the first run, then a third, then the first again in a run of one model."""
    made = fill(audit, models_asked=MODELS, dimensions=("Political",), items=2)
    fill(audit, models_asked=MODELS, dimensions=("Political",), items=1, skipped=2)
    fill(audit, models_asked=MODELS[:1], dimensions=("Political",), items=1, identity_free=False)
    return made


def bundle_of(audit: AuditFile, filled: Filled, headline: str, run_id: int | None = None) -> BundleId:
    (found,) = audit.read(
        lambda c: c.execute(
            "SELECT b.id FROM bundle b JOIN item a ON a.id = b.item_id WHERE b.run_id = ? AND b.model_id = ?"
            " AND a.title = ? AND b.arm = 'main' AND b.coordinates_id IN (SELECT set_id FROM coordinate"
            " WHERE factor = 'family' AND level = 'Impact')",
            (run_id or filled.run_id, filled.model_ids[0], headline),
        )
    ).fetchone()
    return BundleId(found)


def words(audit: AuditFile, found: tuple[RelatedBundle, ...], run_id: int) -> list[tuple[str, str, bool]]:
    """Model and headline of each, and whether it is of the run."""
    own = {row[0] for row in audit.read(lambda c: c.execute("SELECT id FROM bundle WHERE run_id = ?", (run_id,)))}
    return [(each.model, each.headline, each.bundle_id in own) for each in found]


@pytest.mark.slow
def test_that_the_same_question_is_found_in_other_models_and_runs(audit: AuditFile, filled: Filled) -> None:
    bundle = bundle_of(audit, filled, FIRST)
    found = audit.read(lambda c: bundles.same_question(c, bundle))
    assert words(audit, found, filled.run_id) == [
        ("calibration/neutral", FIRST, True),
        ("calibration/tailoring-0.6", FIRST, False),
    ]


@pytest.mark.slow
def test_that_the_same_question_of_every_item_goes_through_the_batches_in_their_order(
    audit: AuditFile, filled: Filled
) -> None:
    bundle = bundle_of(audit, filled, SECOND)
    found = audit.read(lambda c: bundles.same_question_of_every_item(c, bundle))
    assert [each[1:] for each in words(audit, found, filled.run_id)] == [
        (FIRST, True),
        (SECOND, True),
        (THIRD, False),
        (FIRST, False),
    ]
    assert [each.bundle_id == bundle for each in found] == [False, True, False, False]
    assert len({each.batch_id for each in found}) == 3
    facts = [audit.read(lambda c, b=each.bundle_id: bundles.get(c, b)) for each in found]
    assert {(fact.model, fact.arm, fact.coordinates) for fact in facts if fact} == {
        ("calibration/tailoring-0.6", "main", rows.factors("", family="Impact").coordinates.without(["identity"]))
    }


@pytest.mark.slow
def test_that_bundles_of_another_arm_are_those_of_the_same_run_model_and_item(audit: AuditFile, filled: Filled) -> None:
    bundle = bundle_of(audit, filled, SECOND)
    found = audit.read(lambda c: bundles.of_arm(c, bundle, "identity-free"))
    assert [coordinates["family"] for _, coordinates in found] == ["Policy / Action", "Impact"]
    mine, *its = [
        audit.read(lambda c, b=each: bundles.get(c, b)) for each in (bundle, *(number for number, _ in found))
    ]
    assert mine is not None
    for each in its:
        assert each is not None
        assert each.arm == "identity-free"
        assert (each.run_id, each.model_id, each.article_id) == (mine.run_id, mine.model_id, mine.article_id)


@pytest.mark.slow
def test_that_a_run_without_the_arm_and_a_bundle_itself_are_not_found(audit: AuditFile, filled: Filled) -> None:
    last = audit.read(lambda c: c.execute("SELECT max(id) FROM run").fetchone()[0])
    without = bundle_of(audit, filled, FIRST, run_id=last)
    assert audit.read(lambda c: bundles.of_arm(c, without, "identity-free")) == []
    bundle = bundle_of(audit, filled, FIRST)
    assert bundle not in [number for number, _ in audit.read(lambda c: bundles.of_arm(c, bundle, "main"))]
