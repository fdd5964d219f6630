from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from tests.benchmarks.answers import articles
from tests.benchmarks.bench_scoring import disagreements, plain_scores


def test_that_scores_are_those_of_the_plain_way_or_of_a_better_split() -> None:
    groups = list(articles(24, words=80, repeated=0.3))
    analyser = SentimentIntensityAnalyzer()
    plain = list(chain.from_iterable(plain_scores(group, analyser) for group in groups))
    found, better = disagreements(SCORER.score(groups, GpfOptions()), plain)
    assert found == []
    assert better < 2 * len(plain)


def test_that_a_difference_would_be_seen() -> None:
    groups = list(articles(6, words=80))
    plain = plain_scores(groups[0], SentimentIntensityAnalyzer())
    plain[0][0]["semantic_dispersion"] = 0.123
    found, _ = disagreements(SCORER.score(groups, GpfOptions()), plain)
    assert len(found) == 1


@pytest.mark.parametrize("name", [path.stem for path in sorted(Path(__file__).parent.glob("bench_*.py"))])
def test_that_a_benchmark_finds_what_it_measures(name: str) -> None:
    assert callable(import_module(f"tests.benchmarks.{name}").main)
