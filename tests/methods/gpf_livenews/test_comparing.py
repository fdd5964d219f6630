"""Differs, equivalent within a margin, or undecided."""

import numpy as np
import pandas as pd
import pytest

from gpf_desktop.domain.findings import BundleFilter, ColumnKind, Estimate
from gpf_desktop.domain.score_tables import SidePair
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.methods.gpf_livenews.analyses import model_comparison
from gpf_desktop.methods.gpf_livenews.analyses._compared_sides import of_pairs
from gpf_desktop.methods.gpf_livenews.analyses.model_comparison import ComparisonOptions
from gpf_desktop.methods.gpf_livenews.comparing import Compared, compared, judged
from gpf_desktop.stats.equivalence import Outcome
from tests.methods.gpf_livenews.analyses.tables import tables

pytestmark = pytest.mark.slow

ARTICLES, FAMILIES = 8, 6


def side(shift: float, seed: int, articles: range = range(ARTICLES), spread: float = 0.01) -> pd.DataFrame:
    """CFS of one bundle per article and family: what the two sides share, and what is each one's own."""
    news = np.random.default_rng(99).normal(0.2, 0.2, (100, FAMILIES))
    own = np.random.default_rng(seed).normal(shift, spread, (len(articles), FAMILIES))
    rows = [(a, "Religion", f"f{f}", news[a, f] + own[i, f]) for i, a in enumerate(articles) for f in range(FAMILIES)]
    return pd.DataFrame(rows, columns=["article_id", "dimension", "family", COUNTERFACTUAL_FRAMING])


def outcome(first: pd.DataFrame, second: pd.DataFrame, margin: float = 0.02) -> Outcome:
    return judged([compared(first, second, COUNTERFACTUAL_FRAMING, margin)])[0].outcome


def test_that_the_three_outcomes_are_told() -> None:
    assert outcome(side(0.0, 1), side(0.1, 2)) is Outcome.DIFFERS
    assert outcome(side(0.0, 1), side(0.0, 2)) is Outcome.EQUIVALENT
    assert outcome(side(0.0, 1, spread=0.3), side(0.0, 2, spread=0.3)) is Outcome.UNDECIDED
    assert outcome(side(0.0, 1, range(2)), side(0.5, 2, range(2))) is Outcome.UNDECIDED


def test_that_only_what_both_have_is_compared_and_pairing_takes_the_news_out() -> None:
    found = compared(side(0.1, 1, range(8)), side(0.0, 2, range(4, 12)), COUNTERFACTUAL_FRAMING, 0.02)
    assert (found.difference.n, found.difference.articles) == (4 * FAMILIES, 4)
    assert found.difference.value == pytest.approx(0.1, abs=0.01)
    assert found.difference.interval is not None
    assert found.difference.interval.high - found.difference.interval.low < 0.05
    nothing = compared(side(0.1, 1, range(3)), side(0.0, 2, range(5, 9)), COUNTERFACTUAL_FRAMING, 0.02)
    assert (nothing.difference.value, nothing.test) == (None, None)


def test_that_p_is_adjusted_over_all_comparisons() -> None:
    one = compared(side(0.0, 1, spread=0.02), side(0.008, 2, spread=0.02), COUNTERFACTUAL_FRAMING, 0.005)
    (alone,), many = judged([one]), judged([one] * 13)
    assert alone.p is not None
    assert many[0].p == pytest.approx(min(1.0, 13 * alone.p))
    assert (alone.outcome, many[0].outcome) == (Outcome.DIFFERS, Outcome.UNDECIDED)


def pair_of_alike(number: int) -> Compared:
    return compared(side(0, number), side(0, 5000 + number), COUNTERFACTUAL_FRAMING, 0.001)


def test_that_no_difference_is_called_one_in_one_family_of_twenty_at_most() -> None:
    called = [
        any(each.outcome is Outcome.DIFFERS for each in judged([pair_of_alike(9 * n + k) for k in range(3)]))
        for n in range(150)
    ]
    assert np.mean(called) < 0.1


def test_that_every_two_models_stand_by_name_and_calibration_models_apart() -> None:
    bundles = [
        {
            "model": model,
            "vendor": "x",
            "synthetic": own,
            "article_id": a,
            "family": family,
            "cfs": cfs + a / 1000,
        }
        for model, own, cfs in (("x/b", 0, 0.3), ("x/a", 0, 0.1), ("calibration/c", 1, 0.2))
        for a in range(1, 6)
        for family in ("Impact", "Policy / Action")
    ]
    rows = [{**each, "counterfactual_framing": each.pop("cfs"), "bundle_id": n} for n, each in enumerate(bundles)]
    finding = model_comparison.ANALYSIS.analyse(tables(rows), ComparisonOptions())
    pairs = [(row.values["first"], row.values["second"], row.synthetic) for row in finding.rows]
    assert list(dict.fromkeys(pairs)) == [
        ("x/a", "x/b", False),
        ("x/a", "calibration/c", True),
        ("x/b", "calibration/c", True),
    ]
    cfs = next(row for row in finding.rows if row.values["score"] == "what the reader adds")
    assert cfs.values["outcome"] == "differs"
    assert "1 differ" in finding.highlights[0]
    kinds = {column.key: column.kind for column in finding.columns}
    assert (kinds["p"], kinds["margin"]) == (ColumnKind.P, ColumnKind.SCORE)
    assert all(isinstance(cfs.values[name], float) for name in ("p", "margin")), "a workbook has numbers of them"


def pair(first: dict[str, float], second: dict[str, float], names: tuple[str, str], words: float = 100) -> SidePair:
    """Rounds of models with these CFS; *words* of an answer on the second side."""

    def of(models: dict[str, float], words: float) -> pd.DataFrame:
        return tables(
            {"model": name, "synthetic": name == "planted", "article_id": a, "cfs": level + a / 100, "words": words}
            for name, level in models.items()
            for a in range(4)
        ).bundles

    frames = (of(first, 100), of(second, words))
    return SidePair(kind="rounds", names=names, frames=frames, behind=BundleFilter(sides=()), same_models=True)


def test_that_a_side_s_models_are_paired_each_with_itself_and_planted_ones_left_out() -> None:
    # Pooled by question these differ by .2, by who was asked alone.
    unlike = pair({"a": 0.1, "b": 0.5, "planted": 0}, {"a": 0.1, "c": 0.9, "planted": 0.8}, ("one", "other"), 200)
    moved = pair({"a": 0.4}, {"a": 0.1}, ("one", "third"))
    nobody = pair({"a": 0.1, "b": 0.2}, {"c": 0.1}, ("two", "four"))
    finding = of_pairs([unlike, moved, nobody], {}, {"arm": "main"})
    row, other = (each for each in finding.rows if each.values["score"] == "what the reader adds")
    difference = row.values["difference"]
    assert isinstance(difference, Estimate)
    assert (difference.value, difference.n, difference.articles) == (0, 4, 4)
    assert (row.values["kind"], row.values["models"], row.synthetic) == ("rounds", "a", False)
    assert (row.bundles.score, row.bundles.arm, row.bundles.synthetic) == (COUNTERFACTUAL_FRAMING, "main", False)
    assert (row.values["outcome"], other.values["outcome"]) == ("alike", "differs")
    assert finding.highlights[0].startswith("Of 6 comparisons, 1 differ, 1 are alike")
    assert finding.notes[0].startswith("Mean answers have from 100 to 200 words")
    assert finding.notes[-1].endswith("of one model on both sides: two and four.")
    assert "What this audit holds" not in finding.reading
    free = of_pairs([pair({"a": np.nan}, {"a": np.nan}, ("one", "other"))], {}, {"arm": "main"})
    assert not free.rows
    assert free.notes[-1].startswith("Not compared: what the reader adds is not known")
    own = of_pairs([moved], {}, {"cfs": 0.4})
    assert own.rows[0].values["outcome"] == "alike"
    assert "what the reader adds below 0.4 (else 0.02)" in own.reading
    assert of_pairs([moved], {COUNTERFACTUAL_FRAMING: 0.02}, {"cfs": 0.4}).rows[0].values["outcome"] == "differs"
