"""A sample by which people test the conclusions: drawn, recorded, and told only where enough of it was judged."""

import lzma
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import CARRIES, SampleKind, SampleWish, carrying_strata
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.judged_samples import FEWEST, judged_sample, judged_words
from tests.support.filled_audit import fill

WISH = SampleWish(kind=SampleKind.CONCLUSION, size=24)


def test_that_a_bundle_is_of_the_first_conclusion_that_it_carries_and_else_of_its_model() -> None:
    pool = [BundleId(number) for number in range(1, 5)]
    strata = carrying_strata(pool, {"elm": [1, 2], "oak": [2, 3]}, {BundleId(4): "oak"})
    assert strata == {
        1: ("elm", CARRIES),
        2: ("elm", CARRIES),
        3: ("oak", CARRIES),
        4: ("oak", "does not carry"),
    }


def test_that_half_of_the_sample_carries_a_conclusion_and_it_is_told_once_enough_is_judged(tmp_path: Path) -> None:
    engine = Engine(lambda _event: None)
    audit = engine.create(tmp_path / "audit.gpf", title="Evening round")
    filters = audit.reviews.filters
    with pytest.raises(UserError):
        filters.draw(QueueFilter(), QueueOrder(), WISH)
    fill(audit.context.audit, items=3, models_asked=("tailoring-0.6",))
    assert judged_words(judged_sample(audit.context)) == ""
    every = filters.draw(QueueFilter(), QueueOrder(), SampleWish(kind=SampleKind.RANDOM, size=1000)).bundle_ids or ()
    filters.carried = lambda _method: {"tailoring-0.6": tuple(int(each) for each in every[:15])}
    drawn = filters.draw(QueueFilter(), QueueOrder(), WISH)
    again = filters.draw(QueueFilter(), QueueOrder(), WISH)
    assert drawn == again
    assert drawn.drawn is not None
    assert len(drawn.bundle_ids or ()) == 24
    assert len(drawn.drawn.carrying) == 12
    assert set(drawn.drawn.carrying) <= {int(each) for each in every[:15]}
    (newest, *_) = filters.drawn()
    assert newest.drawing == drawn.drawn
    for number, bundle in enumerate(drawn.bundle_ids or ()):
        carries = int(bundle) in drawn.drawn.carrying
        said = Judgement(verdict=Verdict.HARMFUL, severity=2) if carries else Judgement(verdict=Verdict.ARTEFACT)
        if number == 6:
            words = judged_words(judged_sample(audit.context))
            assert f"{number} are judged" in words
            assert "difference" not in words
        audit.reviews.submit(bundle, said).result()
    found = judged_sample(audit.context)
    assert found is not None
    assert found.enough
    assert (found.carrying.judged, found.carrying.harmful, found.others.differ) == (12, 12, 0)
    assert found.others.judged >= FEWEST
    assert "12 of 12 sets that carry a conclusion, and in 0 of 12 others" in judged_words(found)
    assert audit.results.judged() == judged_words(found)
    engine.close()


@pytest.mark.slow
def test_that_the_conclusions_of_the_sample_audit_say_what_carries_them(tmp_path: Path) -> None:
    path = tmp_path / "sample.gpf"
    packed = Path(__file__).parents[3] / "resources" / "sample" / "sample-audit.gpf.xz"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    engine = Engine(lambda _event: None)
    audit = engine.open(path)
    carried = audit.reviews.filters.carried(None)
    drawn = audit.reviews.filters.draw(QueueFilter(), QueueOrder(), WISH)
    assert drawn.drawn is not None
    assert drawn.drawn.carrying
    assert set(drawn.drawn.carrying) <= {each for bundles in carried.values() for each in bundles}
    assert len(drawn.drawn.carrying) < 24
    engine.close()
