"""Whether identities move answers more than chance, over a store with repeats."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import TaskProgressed, TaskSucceeded
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.scoring.level_testing import LevelTesting, LevelTestOptions
from gpf_desktop.methods.gpf_livenews.level_tests import LEVEL_ADJUSTED_P, LEVEL_P, LEVEL_TEST_SCORES, TONE_ADJUSTED_P
from gpf_desktop.storage import queue, scores
from tests.support.filled_audit import fill
from tests.support.open_context import OpenBench

pytestmark = pytest.mark.slow

DIMENSIONS = ("Religion", "Political")
FEW = LevelTestOptions(replicates=199)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenBench]:
    with OpenBench(tmp_path) as context:
        yield context


@pytest.fixture
def testing(opened: OpenBench) -> Iterator[LevelTesting]:
    made = LevelTesting(opened.context, lambda: None)
    yield made
    made.close()


def kept_tests(opened: OpenBench) -> list[dict[str, object]]:
    tested = opened.context.audit.read(scores.test_rows)
    return [dict(zip((*scores.TEST_COLUMNS, *tested.scores), row, strict=True)) for row in tested.rows]


def test_that_planted_tailoring_and_tone_are_told_from_chance_and_neutral_is_not(
    opened: OpenBench, testing: LevelTesting
) -> None:
    fill(
        opened.context.audit,
        models_asked=("tailoring-0.6", "tone-0.9", "neutral"),
        items=3,
        repeats=3,
        dimensions=DIMENSIONS,
        identity_free=False,
    )
    assert testing.start(FEW, "gpf-livenews").result(timeout=250) == 3 * 3 * len(DIMENSIONS)
    rows = kept_tests(opened)
    assert {Coordinates.from_text(str(row["coordinates"]))["family"] for row in rows} == {"Policy / Action"}
    adjusted = {
        (model, name): [row[name] for row in rows if row["model"] == f"calibration/{model}"]
        for model in ("tailoring-0.6", "tone-0.9", "neutral")
        for name in (LEVEL_ADJUSTED_P, TONE_ADJUSTED_P)
    }
    for found in (("tailoring-0.6", LEVEL_ADJUSTED_P), ("tone-0.9", TONE_ADJUSTED_P)):
        assert all(p < 0.05 for p in adjusted[found])  # type: ignore[operator]
    for name in (LEVEL_ADJUSTED_P, TONE_ADJUSTED_P):
        assert all(p > 0.05 for p in adjusted["neutral", name])  # type: ignore[operator]
    for row in rows:
        for name in LEVEL_TEST_SCORES:
            assert isinstance(row[name], float)
        assert row["identity_p"] >= row["identity_smallest_p"] > 0  # type: ignore[operator]
        assert row["identity_adjusted_p"] >= row["identity_stratum_p"]  # type: ignore[operator]


def test_that_testing_again_gives_the_same_and_takes_the_place_of_the_test_before(
    opened: OpenBench, testing: LevelTesting
) -> None:
    filled = fill(opened.context.audit, models_asked=("neutral",), items=2, repeats=2, dimensions=DIMENSIONS)
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    first = kept_tests(opened)
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    assert kept_tests(opened) == first
    progress = opened.of(TaskProgressed)
    assert progress[-1].done == progress[-1].of
    assert len(opened.of(TaskSucceeded)) == 2
    settings = opened.context.audit.read(scores.settings)
    assert [setting.id for setting in settings] == [filled.setting_id], "no table can be made of a test"


def test_that_the_test_computed_last_is_shown_and_not_the_one_with_other_settings_before_it(
    opened: OpenBench, testing: LevelTesting
) -> None:
    fill(opened.context.audit, models_asked=("neutral",), repeats=2, dimensions=("Political",))
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    few = kept_tests(opened)
    testing.start(LevelTestOptions(replicates=299), "gpf-livenews").result(timeout=250)
    assert kept_tests(opened) != few
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    assert kept_tests(opened) == few


def test_that_answers_that_came_after_a_test_are_told_of(opened: OpenBench, testing: LevelTesting) -> None:
    fill(opened.context.audit, models_asked=("neutral",), repeats=2, dimensions=("Political",))
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    service = ResultsService(opened.context)
    finding = service.findings(ResultsFilter(), ("identity_test",))["identity_test"]
    assert not any("tested before newer answers" in note for note in finding.notes)
    opened.context.audit.write(lambda c: c.execute("UPDATE score_basis SET answers = answers - 1")).result()
    service.forget()
    finding = service.findings(ResultsFilter(), ("identity_test",))["identity_test"]
    assert finding.notes[0] == "1 set was tested before newer answers came: compute the test again."
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    service.forget()
    finding = service.findings(ResultsFilter(), ("identity_test",))["identity_test"]
    assert not any("tested before newer answers" in note for note in finding.notes)


def test_that_an_audit_without_repeats_says_what_to_do(opened: OpenBench, testing: LevelTesting) -> None:
    fill(opened.context.audit, models_asked=("neutral",), repeats=1, dimensions=("Political",))
    with pytest.raises(UserError, match="in which questions are asked again"):
        testing.start(FEW, "gpf-livenews")


def test_that_the_queue_can_be_sorted_by_adjusted_p_the_lowest_first_and_untested_bundles_behind(
    opened: OpenBench, testing: LevelTesting
) -> None:
    filled = fill(
        opened.context.audit, models_asked=("neutral", "tailoring-0.6"), items=2, repeats=3, dimensions=DIMENSIONS
    )
    read = opened.context.audit.read
    assert LEVEL_ADJUSTED_P not in [each.name for each in read(lambda c: scores.offered(c, filled.setting_id))]
    testing.start(FEW, "gpf-livenews").result(timeout=250)
    assert LEVEL_ADJUSTED_P in [each.name for each in read(lambda c: scores.offered(c, filled.setting_id))]
    by_id = {row["bundle_id"]: row for row in kept_tests(opened)}
    order = QueueOrder(score=LEVEL_ADJUSTED_P)
    sorted_ids = read(lambda c: queue.queue(c, filled.setting_id, None, QueueFilter(), order)).order
    plain = read(lambda c: queue.queue(c, filled.setting_id, None, QueueFilter(), QueueOrder())).order
    assert sorted(sorted_ids) == sorted(plain)
    values = [by_id[bundle][LEVEL_ADJUSTED_P] for bundle in sorted_ids if bundle in by_id]
    both = [(by_id[bundle][LEVEL_ADJUSTED_P], by_id[bundle][LEVEL_P]) for bundle in sorted_ids if bundle in by_id]
    assert both == sorted(both)  # type: ignore[type-var]
    assert all(bundle in by_id for bundle in sorted_ids[: len(by_id)])
    rows = read(lambda c: queue.rows(c, filled.setting_id, None, LEVEL_ADJUSTED_P, sorted_ids))
    assert [row.score for row in rows if row.bundle_id in by_id] == values
    assert {row.score for row in rows if row.bundle_id not in by_id} == {None}
