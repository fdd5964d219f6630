"""Confirmatory comparisons: what the protocol planned, at its looks, and nothing between them."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.score_tables import RunTerms
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.engine.core.protocols import protocol_hash, read_protocol, write_protocol
from gpf_desktop.methods.gpf_livenews.analyses import confirmatory
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from gpf_desktop.methods.gpf_livenews.analyses.confirmatory import HOLDS
from gpf_desktop.methods.gpf_livenews.protocol import Alternative, Confirmatory, Controls
from tests.methods.gpf_livenews.analyses.tables import tables, value
from tests.support.protocols import GPF, shipped_protocol

PROTOCOL = shipped_protocol()
PLAN = Confirmatory(scores=(COUNTERFACTUAL_FRAMING,), articles=12, looks=2)


def analysed(articles: int, cfs: float, plan: Confirmatory = PLAN, later: float | None = None) -> Finding:
    """One model; articles after the sixth have *later*."""
    rows = [
        {"article_id": a, "cfs": (cfs if a <= 6 or later is None else later) + 0.01 * (a % 2)}
        for a in range(1, articles + 1)
    ]
    terms = {1: RunTerms(protocol=replace(PROTOCOL, confirmatory=plan), controls=Controls())}
    made = tables(rows, terms=terms)
    return confirmatory.ANALYSIS.analyse(made, MeanOptions())


def test_that_nothing_is_told_before_the_first_look_and_nothing_between_two() -> None:
    (early,) = analysed(5, 0.1).rows
    assert (early.values["outcome"], early.values["look"], early.values["z"]) == (
        "too early",
        "none: 5 of 6 articles",
        "",
    )
    mean = early.values["mean"]
    assert isinstance(mean, Estimate)
    assert (mean.why, mean.articles) == ("no planned look yet", 5), "the score is there, its time is not"
    six, eleven = analysed(6, 0.1), analysed(11, 0.1, later=-0.5)
    assert six.rows == eleven.rows, "the articles after a look do not count before the next"
    assert six.rows[0].values["outcome"] == "found at planned look 1"
    assert value(six.rows[0], "mean") == pytest.approx(0.105)
    assert six.highlights == (
        "Planned beforehand: 1 of 1 comparisons found different from 0: what the reader adds (openai/gpt-x).",
    )
    assert analysed(12, 0.1, later=-0.5).rows[0].values["outcome"] == "found at planned look 1", (
        "what was found stays found"
    )


def test_that_a_mean_below_zero_is_found_where_the_plan_asks_for_both_sides_and_nowhere_else() -> None:
    both, above = (analysed(12, -0.1, replace(PLAN, alternative=each)) for each in Alternative)
    assert (both.rows[0].values["outcome"], above.rows[0].values["outcome"]) == ("found at planned look 1", "not found")
    assert above.rows[0].values["z"].startswith("−")  # type: ignore[union-attr]
    assert float(str(above.rows[0].values["bound"])) < float(str(both.rows[0].values["bound"]))
    assert HOLDS[Alternative.TWO_SIDED] in both.notes
    assert HOLDS[Alternative.ABOVE] in above.notes


def test_that_what_was_found_over_articles_skewed_to_the_left_is_named() -> None:
    assert not any("Do not rely" in note for note in analysed(6, 0.1).notes)
    leaning = [{"article_id": a, "cfs": 0.05 if a == 3 else 0.1 + 0.001 * a} for a in range(1, 7)]
    terms = {1: RunTerms(protocol=replace(PROTOCOL, confirmatory=PLAN), controls=Controls())}
    finding = confirmatory.ANALYSIS.analyse(tables(leaning, terms=terms), MeanOptions())
    assert float(str(finding.rows[0].values["skewness"]).replace("−", "-")) < -1
    assert finding.notes[0].endswith("finds too much: what the reader adds (openai/gpt-x).")
    assert finding.highlights[0].endswith("what the reader adds (openai/gpt-x) (not to be relied on: lopsided).")


def test_that_no_effect_is_not_found_and_its_absence_not_claimed() -> None:
    outcomes = [analysed(n, -0.005).rows[0].values["outcome"] for n in (6, 12)]
    assert outcomes == ["not found yet", "not found"]


def test_that_a_protocol_without_a_plan_says_that_all_is_exploratory() -> None:
    finding = analysed(12, 0.1, Confirmatory())
    assert finding.rows == ()
    assert finding.notes == ("No test of means is planned beforehand: every such comparison is found on the way.",)


def test_that_the_plan_is_part_of_the_protocol_and_of_its_hash() -> None:
    assert PROTOCOL.confirmatory.sizes == (10, 20, 30)
    planned = replace(PROTOCOL, confirmatory=PLAN)
    assert protocol_hash(planned) != protocol_hash(PROTOCOL)
    assert read_protocol(write_protocol(planned, GPF), where="here", method=GPF) == planned
