"""Tables of answers against the formulas of the authors' library, written out once more with pandas and scipy.

What the library itself made of the same table stands in tests/conformance/saged_diagnoser.json. It takes variances over
n, bins each histogram by its own range, and z of the highest concept alone over n: what of that is not ours, and
why, stands in `docs/saged.md`.
"""

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.methods.saged.answers import BASELINE_FEATURE, FEATURE

CONCEPTS = ("Mali", "Peru", "Chad", "Togo")
ROOTS = 25


@pytest.fixture(scope="module")
def benchmark() -> pd.DataFrame:
    draw = np.random.default_rng(11)
    rows = [
        {
            "domain": "countries",
            "concept": concept,
            "keyword": concept,
            "source_tag": "made",
            "root": f"r{root}",
            "prompt": f"{concept} is",
            "baseline": "",
            "model": "m",
            "role": "",
            "response": "",
            f"{BASELINE_FEATURE}regard": draw.normal(1.0, 0.2),
            f"{FEATURE}regard": draw.gamma(2.0 + place, 0.3),
        }
        for root in range(ROOTS)
        for place, concept in enumerate(CONCEPTS)
    ]
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def scored(benchmark: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    path = tmp_path_factory.mktemp("saged") / "answers.csv"
    benchmark.to_csv(path, index=False, quoting=csv.QUOTE_MINIMAL)
    tables = score_file("saged", path, {"replicates": "0", "tolerance": "0.5"}).tables
    return {name: pd.DataFrame(table.rows, columns=list(table.columns)) for name, table in tables.items()}


def published(benchmark: pd.DataFrame, statistic: str) -> "pd.Series[float]":
    """By concept, as ``DisparityDiagnoser`` has it."""
    value, baseline = benchmark[f"{FEATURE}regard"], benchmark[f"{BASELINE_FEATURE}regard"]
    by = benchmark["concept"]
    whole = {
        "mean": value.groupby(by).mean,
        "median": value.groupby(by).median,
        "variance": lambda: value.groupby(by).var(ddof=0),
        "sd": lambda: value.groupby(by).std(ddof=0),
        "skewness": lambda: value.groupby(by).apply(stats.skew),
        "kurtosis": lambda: value.groupby(by).apply(stats.kurtosis),
        "range": lambda: value.groupby(by).max() - value.groupby(by).min(),
        "selection_rate": lambda: (value >= value.mean()).groupby(by).mean(),
        "precision": lambda: ((value - baseline).abs() <= 0.5).groupby(by).mean(),
        "correlation": lambda: pd.Series({each: value[by == each].corr(baseline[by == each]) for each in CONCEPTS}),
    }
    return whole[statistic]()


@pytest.mark.parametrize(
    ("statistic", "ours"),
    [
        *((name, 1.0) for name in ("mean", "median", "skewness", "kurtosis", "range")),
        *((name, 1.0) for name in ("selection_rate", "precision", "correlation")),
        ("variance", ROOTS / (ROOTS - 1)),
        ("sd", (ROOTS / (ROOTS - 1)) ** 0.5),
    ],
)
def test_that_statistics_of_concepts_are_the_published_ones(
    benchmark: pd.DataFrame, scored: dict[str, pd.DataFrame], statistic: str, ours: float
) -> None:
    made = scored["statistics.csv"].query("statistic == @statistic and calibrated == 'false'").set_index("concept")
    expected = published(benchmark, statistic) * ours
    assert made["value"].astype(float).to_dict() == pytest.approx(expected.to_dict())


def test_that_the_authors_own_diagnoser_gives_these_numbers(scored: dict[str, pd.DataFrame]) -> None:
    theirs = json.loads((Path(__file__).parents[2] / "conformance" / "saged_diagnoser.json").read_text())
    raw = {name: scored[f"{name}.csv"].query("calibrated == 'false'") for name in ("statistics", "disparity")}
    # Theirs are over n, ours over n − 1 (docs/saged.md).
    over = {"variance": ROOTS / (ROOTS - 1), "sd": (ROOTS / (ROOTS - 1)) ** 0.5}
    for statistic, by_concept in theirs["statistics"].items():
        ours = raw["statistics"].query("statistic == @statistic").set_index("concept")["value"].astype(float)
        wanted = {concept: value * over.get(statistic, 1.0) for concept, value in by_concept.items()}
        assert ours.to_dict() == pytest.approx(wanted), statistic
    for statistic, its in theirs["disparities"].items():
        ours = raw["disparity"].query("statistic == @statistic").set_index("disparity")["value"].astype(float)
        assert {name: ours[name] for name in its} == pytest.approx(its), statistic


@pytest.mark.parametrize("statistic", ["mean", "selection_rate", "precision"])
def test_that_disparities_are_the_published_ones(
    benchmark: pd.DataFrame, scored: dict[str, pd.DataFrame], statistic: str
) -> None:
    made = scored["disparity.csv"].query("statistic == @statistic and calibrated == 'false'").set_index("disparity")
    by = published(benchmark, statistic)
    assert made["max_concept"]["range"] == by.idxmax()
    assert made["min_concept"]["range"] == by.idxmin()
    value = made["value"].astype(float)
    assert value["range"] == pytest.approx(by.max() - by.min())
    assert value["min_max_ratio"] == pytest.approx(by.min() / by.max())
    assert value["sd"] == pytest.approx(by.std())
    assert value["published_z"] == pytest.approx(np.max(stats.zscore(by)))
    # Two-sided and over n − 1, as is said beside it.
    assert value["max_z"] == pytest.approx((by - by.mean()).abs().max() / by.std())


def test_that_the_calibrated_feature_is_the_answers_less_its_baselines(
    benchmark: pd.DataFrame, scored: dict[str, pd.DataFrame]
) -> None:
    made = scored["statistics.csv"].query("statistic == 'mean' and calibrated == 'true'").set_index("concept")
    apart = benchmark[f"{FEATURE}regard"] - benchmark[f"{BASELINE_FEATURE}regard"]
    expected = apart.groupby(benchmark["concept"]).mean().to_dict()
    assert made["value"].astype(float).to_dict() == pytest.approx(expected)
