"""How far answers that lack could carry what is said of a target."""

import numpy as np
import pytest

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.relative_bias.comparing import K, StudyScore
from gpf_desktop.methods.relative_bias.concluding.missing import reach
from gpf_desktop.methods.relative_bias.outcomes import ScoreOutcome, outcomes
from gpf_desktop.stats.equivalence import Outcome
from tests.methods.relative_bias.test_outcomes import compared

THEMES = np.repeat(np.arange(6), 10)
SCALE = (1.0, 10.0)


def levels(shift: float, *, spread: float = 0.3) -> Floats:
    draw = np.random.default_rng(8)
    own = np.array([shift, 0.1, -0.12, 0.2, -0.18, 0.05, -0.04])
    return np.clip(5 + own + draw.normal(0, spread, (60, 7)), *SCALE)


def of(values: Floats, stated: float | None = None) -> tuple[ScoreOutcome, StudyScore]:
    score = StudyScore.of_judge("judge", values, THEMES)
    return outcomes([[compared(score, 0)]], k=K, stated=stated)[0], score


def test_that_without_missing_answers_there_is_no_reach() -> None:
    assert reach(*of(levels(0.0)), SCALE, k=K) is None


@pytest.mark.parametrize("missing", [4, 24])
def test_that_alike_holds_only_where_missing_answers_could_not_undo_it(missing: int) -> None:
    values = levels(0.0)
    values[:: 15 if missing == 4 else 1][:missing, 0] = np.nan
    found, score = of(values, stated=1.0)
    assert found.outcome is Outcome.EQUIVALENT, "of the answers that came"
    made = reach(found, score, SCALE, k=K)
    assert made is not None
    assert made.mine == missing
    assert made.low < found.difference < made.high
    # Of 60 answers 24 at an end of the scale, four levels off, are more than a level over all; four are less.
    assert made.same == (missing == 4)
    if missing == 24:
        assert made.tip is not None
        assert abs(made.tip - 5) * 24 / 60 == pytest.approx(1.0, abs=0.6)


def test_that_a_difference_that_missing_answers_could_undo_says_from_where_on() -> None:
    values = levels(2.0)
    values[:30, 0] = np.nan
    found, score = of(values)
    assert found.outcome is Outcome.DIFFERS
    made = reach(found, score, SCALE, k=K)
    assert made is not None
    assert not made.same
    assert made.tip is not None
    assert made.tip < 5.5
    values = levels(2.0)
    values[:3, 0] = np.nan
    found, score = of(values)
    made = reach(found, score, SCALE, k=K)
    assert made is not None
    assert made.same
    assert made.tip is None


def test_that_answers_that_others_lack_count_too() -> None:
    values = levels(0.0)
    values[:40, 1:] = np.nan
    values[:40, 1] = 5.0
    found, score = of(values, stated=1.0)
    made = reach(found, score, SCALE, k=K)
    assert made is not None
    assert (made.mine, made.theirs) == (0, 200)
    assert not made.same
    assert made.tip is None
