"""What is planted is found again: intervals hold it as often as they say, and nothing is found where nothing is."""

import numpy as np
import pytest

from gpf_desktop.methods.contextual_stereoset import dispersion
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.contrasts import contrast_estimates, contrasts_of
from gpf_desktop.methods.contextual_stereoset.dispersion import dispersions
from gpf_desktop.methods.contextual_stereoset.planted import BASE, MODELS, stereotype_rate
from gpf_desktop.methods.contextual_stereoset.position import letter_shares
from gpf_desktop.methods.contextual_stereoset.shares import coverage
from tests.methods.contextual_stereoset.studies import BUDGETED, FACTORS, planted, study

SEEDS = 200
PLANTED = {"1990": 0.09, "gossip": 0.05, "formal": 0.0, "dissimilar": 0.13}
OWN = {"location": 0.0, "year": 0.09 / 5**0.5, "style": 0.05 / 3**0.5, "observer": 0.13 / 2**0.5}
"""σ of what each factor of the model "typical" does itself."""


def drawn(model: str, seed: int, items: int = 60) -> Choices:
    """Choices at the rates that are planted, without the detour over words."""
    rates = np.array([stereotype_rate(model, "", dict(zip(FACTORS, context, strict=True))) for context in BUDGETED])
    chance = np.random.default_rng((seed, items))
    codes = np.where(chance.random((items, len(BUDGETED))) < rates, 0, 1).astype(np.int8)
    return Choices(
        model=model,
        items=tuple(map(str, range(items))),
        groups=("race",) * items,
        factors=FACTORS,
        contexts=tuple(BUDGETED),
        codes=codes,
        places=np.zeros((items, len(BUDGETED), 3), dtype=np.int8),
    )


@pytest.mark.slow
def test_that_intervals_hold_what_is_planted_and_q_keeps_its_rate() -> None:
    held, false, tested = 0, 0, 0
    for seed in range(SEEDS):
        choices = drawn("typical", seed)
        found = contrast_estimates(choices, contrasts_of(choices), seed=seed)
        held += sum(each.low <= PLANTED[each.contrast.a] <= each.high for each in found)
        tested += len(found)
        steady = drawn("steady", seed)
        false += any(each.q <= 0.05 for each in contrast_estimates(steady, contrasts_of(steady), seed=seed))
    assert 0.93 <= held / tested <= 0.97
    assert false / SEEDS <= 0.05 + 2 * (0.05 * 0.95 / SEEDS) ** 0.5


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Permuted sums drawn as normal, as for large studies; another test holds that they are the permutations' own."""
    monkeypatch.setattr(dispersion, "PERMUTED_UP_TO", 0)


@pytest.mark.slow
@pytest.mark.usefixtures("fast")
def test_that_a_model_without_effects_has_no_excess() -> None:
    found = [each for seed in range(30) for each in dispersions(drawn("steady", seed), seed=seed)]
    assert np.mean([each.sigma_excess for each in found]) < 0.01
    assert np.mean([each.low == 0.0 for each in found]) >= 0.93
    assert np.mean([each.p <= 0.05 for each in found]) < 0.1
    assert 0.4 < np.mean([each.p for each in found]) < 0.6


@pytest.mark.slow
@pytest.mark.usefixtures("fast")
def test_that_intervals_of_sigma_hold_it_and_the_estimate() -> None:
    held, within = [], []
    for seed in range(60):
        for each in dispersions(drawn("typical", seed), seed=seed):
            held.append(each.low <= OWN[each.factor] <= each.high)
            within.append(each.low <= each.sigma <= each.high)
    assert all(within)
    assert np.mean(held) >= 0.93


def test_that_sigma_is_of_what_a_factor_does_itself() -> None:
    """In this grid the other factors' effects bring the rates of years together, and those of places, which do nothing,
    apart."""
    for each in dispersions(drawn("typical", 1, items=16_000), seed=1):
        assert each.sigma == pytest.approx(OWN[each.factor], abs=0.005)
        assert each.sigma_excess == pytest.approx(OWN[each.factor], abs=0.0015)
        assert each.excess_low <= each.sigma_excess <= each.excess_high


def test_that_each_planted_model_does_what_it_is_for() -> None:
    of = {model: study(planted(model, 11), items=30) for model in MODELS}
    rate = {model: float(choices.chose("S").sum() / choices.valid.sum()) for model, choices in of.items()}
    assert rate["steady"] == pytest.approx(BASE, abs=0.03)
    assert rate["typical"] > rate["steady"] + 0.05
    letters = {each.letter: each.share for each in letter_shares(of["first-letter"], seed=1)}
    assert letters["A"] == pytest.approx(0.25 + 0.75 / 3, abs=0.04)
    gossip = next(each for each in coverage(of["refusing"]) if each.level == "gossip")
    assert gossip.refused / gossip.asked == pytest.approx(0.08, abs=0.03)
    all_rambled = coverage(of["rambling"])[0]
    assert all_rambled.unparsed / all_rambled.asked == pytest.approx(0.06, abs=0.02)
    assert coverage(of["steady"])[0].rate == 1.0
