"""Two sides of an audit, question by question: outcomes, ranges, and what is lacking at one side."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.findings import BundleFilter, Estimate
from gpf_desktop.domain.score_tables import SidePair
from gpf_desktop.engine.commands.compare_command import compare
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.reporting.compared_sides import SideKind
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods._paired_sides import PairedScore, PairedSides, compared

PAIR = SidePair(
    kind="rounds", names=("Plain", "Told"), frames=(None, None), behind=BundleFilter(), same_models=True, tables=None
)
DIFFERS, ALIKE, NOT_SHOWN, TOO_FEW = (
    chips()[each]
    for each in (
        ConclusionOutcome.DIFFERS,
        ConclusionOutcome.ALIKE,
        ConclusionOutcome.NOT_SHOWN,
        ConclusionOutcome.TOO_FEW,
    )
)


def score(first: Floats, second: Floats, themes: int, **told: Any) -> PairedScore:
    clusters = np.arange(len(first)) % themes
    plain: dict[str, Any] = {"name": "judge", "words": "marks", "fewest": 3, "ends": (1.0, 10.0)}
    return PairedScore(first=first, second=second, clusters=clusters, **{**plain, **told})


def rows(*scores: PairedScore, margin: float = 0.0, synthetic: bool = False) -> list[Any]:
    sides = PairedSides(pair=PAIR, models="elm", synthetic=synthetic, scores=scores)
    found = compared([sides], (), {"judge": margin}, over="themes", notes=())
    return [row.values for row in found.rows]


def test_that_a_difference_is_the_t_test_over_themes_with_all_comparisons_counted() -> None:
    rng = np.random.default_rng(3)
    second = rng.integers(1, 8, 40).astype(float)
    first = second + rng.integers(0, 3, 40)
    told, null = rows(score(first, second, 8), score(second, rng.permutation(second), 8))
    by_theme = np.array([(first - second)[theme::8].mean() for theme in range(8)])
    expected = stats.ttest_1samp(by_theme, 0.0)
    difference = told["difference"]
    assert isinstance(difference, Estimate)
    assert difference.value == pytest.approx(by_theme.mean())
    assert told["p"] == pytest.approx(min(1.0, 2 * expected.pvalue))
    low, high = expected.confidence_interval(1 - 0.05 / 2)
    assert difference.interval is not None
    assert (difference.interval.low, difference.interval.high) == pytest.approx((low, high))
    assert (told["outcome"], null["outcome"]) == (DIFFERS, NOT_SHOWN)


def test_that_what_one_side_lacks_can_take_a_difference_away_and_a_margin_makes_alike() -> None:
    rng = np.random.default_rng(4)
    second = rng.integers(3, 6, 60).astype(float)
    first = second + 0.5 + rng.normal(0, 0.2, 60)
    (whole,) = rows(score(first, second, 10))
    assert (whole["outcome"], whole["lacking"]) == (DIFFERS, 0)
    first[:15] = np.nan
    (gaps,) = rows(score(first, second, 10))
    assert (gaps["outcome"], gaps["lacking"]) == (NOT_SHOWN, 15)
    assert "could make this difference" in gaps["weighs"]
    (open_ended,) = rows(score(first, second, 10, ends=None))
    assert open_ended["outcome"] == NOT_SHOWN, "a quarter lacks, and nothing bounds it"
    near = second + rng.normal(0, 0.2, 60)
    assert [each["outcome"] for each in rows(score(near, second, 10), margin=0.5)] == [ALIKE]
    assert [each["outcome"] for each in rows(score(second, second, 10), margin=0.5)] == [NOT_SHOWN], "nothing varies"
    assert [each["outcome"] for each in rows(score(first, second, 2))] == [TOO_FEW]


def test_that_questions_that_all_moved_alike_are_counted_by_their_signs() -> None:
    second = np.full(12, 4.0)
    (told,) = rows(score(second + 1, second, 4))
    assert told["p"] == pytest.approx(2.0**-11)
    assert told["outcome"] == DIFFERS
    (few,) = rows(score(second[:4] + 1, second[:4], 4))
    assert few["outcome"] == NOT_SHOWN


PLAN = """
name = "{name}"
method = "saged"
protocol = "Velmora"
[leave_out]
role_play = ["helpful assistant", "travel writer"]
[[models]]
provider = "saged-calibration"
model = "neutral"
"""


@pytest.mark.slow
def test_that_one_model_of_saged_is_compared_with_itself_in_another_round(tmp_path: Path) -> None:
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Countries")
        for name, seed in (("One", 1), ("Two", 3)):
            text = f"seed = {seed}\n" + PLAN.format(name=name)
            run_plan(headless, open_audit, read_plan(text, where="plan"), beside=tmp_path)
        found = compare(open_audit, SideKind.ROUNDS, ("One", "Two"), ["tone=0.5"])
    told = [row.values for row in found.finding.rows]
    assert len(told) == 9, "all groups together, and each of eight"
    assert {each["outcome"] for each in told} <= {ALIKE, NOT_SHOWN}, "the same model, twice"
    assert ALIKE in {each["outcome"] for each in told}
    assert {each["margin"] for each in told} == {0.5}
    assert all(isinstance(each["difference"], Estimate) and each["difference"].n <= 20 for each in told)
