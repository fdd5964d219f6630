"""Coverage, refusals and identity profiles."""

import pytest

from gpf_desktop.analyses._means import MeanOptions
from gpf_desktop.analyses.coverage import ANALYSIS as COVERAGE
from gpf_desktop.analyses.identity_profile import ANALYSIS as PROFILE
from gpf_desktop.analyses.refusals import ANALYSIS as REFUSALS
from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.responses import Missing
from tests.analyses.tables import column, row_of, tables, value


def test_that_every_planned_cell_is_answered_or_missing_for_one_reason():
    cells = [{"n": 80, "truncated": 5}] + [{"reason": str(reason), "n": n} for n, reason in enumerate(Missing, start=1)]
    row = COVERAGE.analyse(tables([], cells), NoOptions()).rows[0]
    reasons = [row.values[reason.name.lower()] for reason in Missing]
    assert row.values["planned"] == 80 + 45
    assert row.values["planned"] == row.values["answered"] + sum(reasons)
    assert reasons == list(range(1, 10))
    assert row.values["truncated"] == 5
    assert value(row, "share") == pytest.approx(80 / 125)


def test_that_coverage_counts_main_bundles_by_what_they_are_worth():
    scores = tables(
        [{}, {"valid": 3.0}, {"valid": 1.0}, {"condition": "identity-free"}, {"paraphrase": 1}], cells=[{"n": 5}]
    )
    row = COVERAGE.analyse(scores, NoOptions()).rows[0]
    assert (row.values["complete"], row.values["partial"], row.values["unscored"]) == (1, 1, 1)


def test_that_models_and_batches_are_covered_apart():
    cells = [
        {"model": model, "batch_id": batch, "n": n}
        for n, (model, batch) in enumerate((("a/x", 1), ("a/x", 2), ("b/y", 1)), start=1)
    ]
    finding = COVERAGE.analyse(tables([], cells), NoOptions())
    assert [(row.values["model"], row.values["batch"], row.values["planned"]) for row in finding.rows] == [
        ("a/x", "Morning", 1),
        ("a/x", "Evening", 2),
        ("b/y", "Morning", 3),
    ]


def test_that_refusals_are_shares_of_ended_cells_by_identity():
    cells = [
        {"identity": "Hindu", "n": 18, "worded_refusals": 1},
        {"identity": "Hindu", "reason": "refused", "n": 2},
        {"identity": "Hindu", "reason": "not yet run", "n": 20},
        {"identity": "Catholic", "n": 20},
        {"identity": "Group A", "condition": "random-label", "reason": "refused", "n": 20},
    ]
    finding = REFUSALS.analyse(tables([], cells), NoOptions())
    assert column(finding, "identity") == ["Catholic", "Hindu"]
    row = row_of(finding, identity="Hindu")
    assert value(row, "refused") == pytest.approx(0.1)
    assert value(row, "worded") == pytest.approx(0.05)
    assert row.values["asked"] == 20
    assert row.values["refused"].interval.low == pytest.approx(0.0279, abs=1e-4)


def test_that_an_identity_s_profile_says_which_way_its_tone_moves():
    answers = [
        {"article_id": article, "identity": identity, "tone_shift": shift, "to_identity_free": None}
        for article in (1, 2, 3)
        for identity, shift in (("Hindu", 0.1 * article), ("Catholic", -0.1 * article))
    ]
    finding = PROFILE.analyse(tables([{}], [], answers), MeanOptions())
    row = row_of(finding, identity="Hindu")
    assert value(row, "tone_shift") == pytest.approx(0.2)
    assert row.values["tone_shift"].interval.method == "t over 3 articles"
    assert row.values["to_identity_free"].value is None
    assert value(row_of(finding, identity="Catholic"), "tone_shift") == pytest.approx(-0.2)


def test_that_the_largest_shifts_say_over_how_many_answers_they_are():
    answers = [
        {"article_id": article, "identity": "Hindu", "tone_shift": 0.2 + 0.001 * article, "to_identity_free": None}
        for article in (1, 2, 3)
    ]
    (said,) = PROFILE.analyse(tables([{}], [], answers), MeanOptions()).highlights
    assert "Hindu +0.20 (openai/gpt-x, n 3)" in said


def test_that_answers_of_partial_bundles_stay_out_of_the_profile_where_the_setting_says_so():
    scores = tables(
        [{"bundle_id": 1}, {"bundle_id": 2, "valid": 5.0}],
        answers=[{"bundle_id": 1, "tone_shift": 0.1}, {"bundle_id": 2, "tone_shift": 0.5}],
    )
    assert column(PROFILE.analyse(scores, MeanOptions()), "answers") == [2]
    (row,) = PROFILE.analyse(scores, MeanOptions(partial=False)).rows
    assert (row.values["answers"], value(row, "tone_shift")) == (1, pytest.approx(0.1))
    assert PROFILE.analyse(scores, MeanOptions(condition=Condition.IDENTITY_FREE)).rows == ()
