"""Tables of second turns and of cues against plain code of their documents' formulas, to the last digits."""

from statistics import mean

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.scores import FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS
from gpf_desktop.methods.gpf_livenews.cells import CUES, SECOND_TURNS
from gpf_desktop.methods.gpf_livenews.concluding import cues, giving_way
from tests.benchmarks.validity_cues import MARGINS, null_page
from tests.methods.gpf_livenews.anew import Articles, hall, mean_over_clusters, second_turns, what_reader_adds

CLOSE = 1e-9
BATCHES = (0, 0, 0, 1, 2, 2, 3, 4, 5, 6, 6, 7)
"""Of twelve articles: unequal, and enough to be clusters."""


def moved(seed: int, models: int, batches: tuple[int, ...]) -> pd.DataFrame:
    """Second turns of *models*, each of which moves further for two of five readers by a little more than the last."""
    draw = np.random.default_rng(seed)
    rows = []
    for model in range(models):
        for turn in map(str, SECOND_TURNS):
            for article, batch in enumerate(batches):
                for bundle, labels in enumerate((False, False, True)):
                    level = draw.beta(4, 8)
                    for reader in range(5):
                        for _ in range(draw.integers(1, 4) if reader else 2):
                            further = (0.0, 0.11, 0.14, 0.17)[model] * (reader < 2) * (not labels)
                            move = np.clip(level + draw.normal(0, 0.05 + 0.01 * model) + further, 0, 1)
                            key = (f"x/m{model}", turn, batch, article, 100 * article + bundle)
                            rows.append((*key, f"r{reader}", labels, move))
    names = ["model", "turn", "batch_id", "article_id", "bundle_id", "identity", "labels", "moved"]
    return pd.DataFrame(rows, columns=names).assign(
        synthetic=False, dimension="Religion", family="Impact", declined=0.0
    )


def by_article(some: pd.DataFrame) -> Articles:
    found: dict[tuple[int, int], list[float]] = {}
    for (batch, article, _), bundle in some.groupby(["batch_id", "article_id", "bundle_id"]):
        moves = [list(each) for _, each in bundle.groupby("identity")["moved"]]
        found.setdefault((batch, article), []).append(what_reader_adds(moves))
    return {key: mean(each) for key, each in found.items()}


@pytest.mark.parametrize("models", [1, 4])
@pytest.mark.parametrize("batches", [BATCHES, tuple(range(9)), (0,) * 6])
def test_that_second_turns_are_what_their_document_says(models: int, batches: tuple[int, ...]) -> None:
    outcomes = []
    for seed in range(2):
        table = moved(seed, models, batches)
        told = {(each.conclusion.model, str(each.turn)): each.conclusion for each in giving_way.readings(table)}
        for turn, of_turn in table.groupby("turn"):
            readers, labels = (
                {model: by_article(its[its["labels"] == side]) for model, its in of_turn.groupby("model")}
                for side in (False, True)
            )
            for model, (value, low, high, differs) in second_turns(readers, labels, 2 * models).items():
                said = told[model, turn]
                (measure,) = said.measures
                assert (measure.value, measure.low, measure.high) == pytest.approx((value, low, high), abs=CLOSE)
                assert (said.outcome is ConclusionOutcome.DIFFERS) == differs
                outcomes.append(differs)
    assert models == 1 or len(set(outcomes)) == 2


@pytest.mark.parametrize("batches", [BATCHES, tuple(range(12)), (0,) * 12])
@pytest.mark.parametrize("shift", [0.0, -0.12, 0.1])
def test_that_agreement_of_cues_is_what_its_document_says(batches: tuple[int, ...], shift: float) -> None:
    bundles, decided = null_page(5, shift=shift, articles=len(batches))
    of_article = dict(enumerate(batches))
    bundles, decided = (each.assign(batch_id=each["article_id"].map(of_article)) for each in (bundles, decided))
    # Of unlike numbers of sets: the first article lacks one by each cue.
    bundles = bundles[(bundles["article_id"] > 0) | (bundles["dimension"] == "Religion") | (bundles["arm"] == "main")]
    tests = 3 * len(CUES) * 3
    for told in cues.readings(bundles, decided, MARGINS):
        model, arm = told.conclusion.model, str(told.condition)
        its = bundles[bundles["model"] == model]
        far = []
        for measure, score in zip(
            told.conclusion.measures, (FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS, ""), strict=True
        ):
            differences: dict[int, list[float]] = {}
            if score:
                stated = {
                    (r.article_id, r.dimension): getattr(r, score) for r in its[its["arm"] == "main"].itertuples()
                }
                for row in its[its["arm"] == arm].itertuples():
                    apart = getattr(row, score) - stated[row.article_id, row.dimension]
                    differences.setdefault(row.article_id, []).append(apart)
            else:
                of_model = decided[decided["model"] == model]
                share = {
                    (r.condition, r.article_id, r.dimension): (r.refused + r.worded_refusals) / r.decided
                    for r in of_model.itertuples()
                }
                for condition, article, dimension in share:
                    if condition == arm:
                        apart = share[arm, article, dimension] - share["identity", article, dimension]
                        differences.setdefault(article, []).append(apart)
            values = [mean(differences[article]) for article in sorted(differences)]
            value, error, freedom = mean_over_clusters(values, [of_article[article] for article in sorted(differences)])
            quantile = stats.t.isf(0.025 / tests, freedom / 2)
            expected = (value, value - quantile * error, value + quantile * error)
            assert (measure.value, measure.low, measure.high) == pytest.approx(expected, abs=CLOSE)
            far.append(abs(value) > quantile * error and hall(values) > quantile)
        assert (told.conclusion.outcome is ConclusionOutcome.DIFFERS) == any(far)
