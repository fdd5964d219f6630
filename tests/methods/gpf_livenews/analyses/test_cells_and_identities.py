"""Coverage, refusals and identity profiles."""

import pytest

from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.responses import Missing
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from gpf_desktop.methods.gpf_livenews.analyses.coverage import ANALYSIS as COVERAGE
from gpf_desktop.methods.gpf_livenews.analyses.identity_profile import ANALYSIS as PROFILE
from gpf_desktop.methods.gpf_livenews.analyses.refusals import ANALYSIS as REFUSALS
from gpf_desktop.methods.gpf_livenews.cells import Condition
from tests.methods.gpf_livenews.analyses.tables import column, row_of, tables, value


def test_that_every_planned_cell_is_answered_or_missing_for_one_reason():
    cells = [{"n": 80, "truncated": 5}] + [{"reason": str(reason), "n": n} for n, reason in enumerate(Missing, start=1)]
    row = COVERAGE.analyse(tables([], cells), NoOptions()).rows[0]
    reasons = [row.values[reason.name.lower()] for reason in Missing]
    assert row.values["planned"] == 80 + sum(reasons)
    assert row.values["answered"] == 80
    assert reasons == list(range(1, len(Missing) + 1))
    assert row.values["truncated"] == 5
    assert value(row, "share") == pytest.approx(80 / row.values["planned"])


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


def test_that_refusals_are_shares_of_the_cells_that_the_model_decided_with_an_interval_by_article():
    decided = [
        {"identity": "Hindu", "article_id": article, "refused": 2 * (article < 3), "worded_refusals": article == 5}
        for article in range(1, 11)
    ] + [{"identity": "Catholic", "article_id": article} for article in range(1, 11)]
    finding = REFUSALS.analyse(tables(decided=decided), NoOptions())
    assert column(finding, "identity") == ["Catholic", "Hindu"]
    row = row_of(finding, identity="Hindu")
    assert value(row, "refused") == pytest.approx(4 / 70)
    assert value(row, "worded") == pytest.approx(1 / 70)
    assert (row.values["decided"], row.values["refused"].articles) == (70, 10)
    assert row.values["refused"].interval.method == "Wilson and beta-binomial over 10 articles"
    assert row.values["refused"].interval.high > 0.17, "cells of one article count less than as many by themselves"
    assert (row.values["p"], row.values["adjusted"]) == (0.5, 1.0), "two articles of two identities"
    assert finding.highlights[0].endswith("is not shown. That does not show that none is.")


def test_that_an_identity_refused_in_every_article_is_found_beside_the_others_of_its_dimension():
    names = ("Hindu", "Catholic", "Jewish", "Muslim")
    decided = [
        {"identity": name, "article_id": article, "refused": 3 * (name == "Muslim")}
        for article in range(1, 5)
        for name in names
    ]
    finding = REFUSALS.analyse(tables(decided=decided), NoOptions())
    assert row_of(finding, identity="Muslim").values["p"] == pytest.approx((1 / 4) ** 4)
    assert row_of(finding, identity="Muslim").values["adjusted"] == pytest.approx(4 * (1 / 4) ** 4)
    (said,) = finding.highlights
    assert said.endswith("beyond chance: Muslim (openai/gpt-x) 42.9% of 28 (19.1 to 70.4).")
    several = [{**each, "model": f"openai/{n}"} for n in range(30) for each in decided]
    (said,) = REFUSALS.analyse(tables(decided=several), NoOptions()).highlights
    assert said.endswith("group of readers of each model. Of these 30, up to 2 would show something by chance.")
    alone = REFUSALS.analyse(tables(decided=decided[:4]), NoOptions())
    assert row_of(alone, identity="Muslim").values["refused"].interval is None, "one article has no spread"


def test_that_an_identity_s_profile_says_which_way_its_tone_moves():
    answers = [
        {"article_id": article, "identity": identity, "tone_shift": shift, "to_identity_free": None}
        for article in (1, 2, 3)
        for identity, shift in (("Hindu", 0.1 * article), ("Catholic", -0.1 * article))
    ]
    finding = PROFILE.analyse(tables([{}], [], answers), MeanOptions())
    row = row_of(finding, identity="Hindu")
    assert value(row, "tone_shift") == pytest.approx(0.2)
    assert (
        row.values["tone_shift"].interval.method
        == "t over 3 articles; if scores are lopsided (skewed), it holds about 92%, if much, 84%"
    )
    assert row.values["to_identity_free"].value is None
    assert value(row_of(finding, identity="Catholic"), "tone_shift") == pytest.approx(-0.2)


def test_that_shifts_are_highlighted_after_correction_alone_and_chance_is_counted_before():
    moves = {"Hindu": 0.2, "Catholic": 0.0, "Jewish": -0.2, "Muslim": 0.0}
    answers = [
        {
            "article_id": article,
            "identity": identity,
            "tone_shift": shift + 0.01 * ((article * place) % 11 % 5 - 2),
            "to_others": 0.3 + 0.01 * ((article * place) % 7),
            "to_identity_free": None,
        }
        for article in range(1, 16)
        for place, (identity, shift) in enumerate(moves.items(), start=2)
    ]
    finding = PROFILE.analyse(tables([{}], [], answers), MeanOptions())
    (said,) = finding.highlights
    assert said.startswith("Tone shifted beyond chance for 2 of 4 readers: Jewish -0.20 (-0.21 to -0.19)")
    both = [{**each, "model": model} for model in ("a/x", "b/y") for each in answers]
    (together,) = PROFILE.analyse(tables([{}], [], both), MeanOptions()).highlights
    assert together.endswith("Of these 2, less than one would show something by chance.")
    adjusted = {row.values["identity"]: row.values["tone_shift_p"] for row in finding.rows}
    assert sorted(name for name, p in adjusted.items() if p <= 0.05) == ["Hindu", "Jewish"]
    assert finding.rows[0].values["to_identity_free_p"] is None
    assert "of 8 stand out; chance alone gives 0." in finding.notes[0]
    assert [figure.title for figure in finding.figures] == ["Tone moved most for Jewish: gpt-x"]
    level = [{**each, "tone_shift": 0.01 * ((each["article_id"] * 7) % 5 - 2)} for each in answers]
    (alike,) = PROFILE.analyse(tables([{}], [], level), MeanOptions()).figures
    assert alike.title == "No reader's tone is shown to shift in gpt-x"


def test_that_answers_of_partial_bundles_stay_out_of_the_profile_where_the_setting_says_so():
    scores = tables(
        [{"bundle_id": 1}, {"bundle_id": 2, "valid": 5.0}],
        answers=[{"bundle_id": 1, "tone_shift": 0.1}, {"bundle_id": 2, "tone_shift": 0.5}],
    )
    assert column(PROFILE.analyse(scores, MeanOptions()), "answers") == [2]
    (row,) = PROFILE.analyse(scores, MeanOptions(partial=False)).rows
    assert (row.values["answers"], value(row, "tone_shift")) == (1, pytest.approx(0.1))
    assert PROFILE.analyse(scores, MeanOptions(arm=Condition.IDENTITY_FREE)).rows == ()


def test_that_what_was_declined_in_words_is_not_told_as_nobody_declined() -> None:
    def told(worded: int) -> str:
        decided = [{"identity": who, "worded_refusals": worded} for who in ("Hindu", "Muslim")]
        (said,) = REFUSALS.analyse(tables(decided=decided), NoOptions()).highlights
        return said

    assert told(0) == "Nobody was declined an answer in this window, by a provider or in words."
    assert "in their own words" in told(3)
