"""A bundle among those that ask the same: other models, runs and news items, and its identity-free control."""

import pytest

from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.storage import bundles
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.bundles import Elsewhere
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
            "SELECT b.id FROM bundle b JOIN article a ON a.id = b.article_id WHERE b.run_id = ? AND b.model_id = ?"
            " AND a.headline = ? AND b.family = 'Impact' AND b.condition = 'identity'",
            (run_id or filled.run_id, filled.model_ids[0], headline),
        )
    ).fetchone()
    return BundleId(found)


def words(found: tuple[Elsewhere, ...]) -> list[tuple[str, str, bool]]:
    return [(each.model, each.headline, each.same_run) for each in found]


def test_that_the_same_question_is_found_in_other_models_and_runs(audit: AuditFile, filled: Filled) -> None:
    bundle = bundle_of(audit, filled, FIRST)
    assert words(audit.read(lambda c: bundles.same_question(c, bundle))) == [
        ("calibration/neutral", FIRST, True),
        ("calibration/tailoring-0.6", FIRST, False),
    ]


def test_that_the_same_question_of_every_item_goes_through_the_batches_in_their_order(
    audit: AuditFile, filled: Filled
) -> None:
    bundle = bundle_of(audit, filled, SECOND)
    found = audit.read(lambda c: bundles.same_question_of_every_item(c, bundle))
    assert [(each.headline, each.same_run) for each in found] == [
        (FIRST, True),
        (SECOND, True),
        (THIRD, False),
        (FIRST, False),
    ]
    assert [each.bundle_id == bundle for each in found] == [False, True, False, False]
    assert len({each.batch_id for each in found}) == 3
    facts = [audit.read(lambda c, b=each.bundle_id: bundles.get(c, b)) for each in found]
    assert {(fact.model, fact.dimension, fact.family, fact.condition) for fact in facts if fact} == {
        ("calibration/tailoring-0.6", "Political", "Impact", Condition.IDENTITY)
    }


def test_that_the_control_is_of_the_same_run_model_article_and_family(audit: AuditFile, filled: Filled) -> None:
    bundle = bundle_of(audit, filled, SECOND)
    found = audit.read(lambda c: bundles.without_identity(c, bundle))
    assert found is not None
    mine = audit.read(lambda c: bundles.get(c, bundle))
    its = audit.read(lambda c: bundles.get(c, found[0]))
    assert mine is not None
    assert its is not None
    assert its.condition is Condition.IDENTITY_FREE
    assert found[1] == 0
    same = [(b.run_id, b.model_id, b.article_id, b.family) for b in (mine, its)]
    assert same[0] == same[1]


def test_that_a_run_without_the_control_and_a_control_itself_have_none(audit: AuditFile, filled: Filled) -> None:
    last = audit.read(lambda c: c.execute("SELECT max(id) FROM run").fetchone()[0])
    without = bundle_of(audit, filled, FIRST, run_id=last)
    assert audit.read(lambda c: bundles.without_identity(c, without)) is None
    control = audit.read(lambda c: bundles.without_identity(c, bundle_of(audit, filled, FIRST)))
    assert control is not None
    assert audit.read(lambda c: bundles.without_identity(c, control[0])) is None
