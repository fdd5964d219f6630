from collections.abc import Mapping
from typing import Any

import pytest

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import BUNDLE_SCORES, VALID, Unavailable
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from tests.methods.gpf_livenews.scorers.bundles import by_name, conformance, group_of

TABLE = conformance("bundles.json")
TOLERANCE = 1e-9


def _articles() -> dict[str, dict[tuple[str, str], list[tuple[str, int, str]]]]:
    articles: dict[str, dict[tuple[str, str], list[tuple[str, int, str]]]] = {}
    for row in TABLE["rows"]:
        bundles = articles.setdefault(row["article"], {})
        answers = bundles.setdefault((row["family"], row["dimension"]), [])
        answers.append((row["identity"], row["repeat"], row["response"]))
    return articles


def _scores(scope: FitScope) -> dict[tuple[str, str, str], Mapping[str, float | Unavailable]]:
    articles = _articles()
    groups = [group_of(bundles.values()) for bundles in articles.values()]
    scored = SCORER.score(groups, GpfOptions(fit_scope=scope, rarefy=5))
    keys = [(article, *key) for article, bundles in articles.items() for key in bundles]
    return {key: by_name(scored, place) for place, key in enumerate(keys)}


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        pytest.param(FitScope(scope), row, id=f"{scope}-{row['dimension']}")
        for scope, rows in TABLE["expected"].items()
        for row in rows
    ],
)
def test_that_the_reference_scores_are_reproduced(scope: FitScope, expected: Mapping[str, Any]) -> None:
    scores = _scores(scope)[expected["article"], expected["family"], expected["dimension"]]
    assert scores[VALID] == expected["n"]
    for name in BUNDLE_SCORES:
        if expected[name] is None:
            assert isinstance(scores[name], Unavailable), name
        else:
            assert scores[name] == pytest.approx(expected[name], abs=TOLERANCE, rel=0), name


def test_that_each_unavailable_value_says_why() -> None:
    scores = _scores(FitScope.ARTICLE)
    identical = scores["article one", "Policy / Action", "identical answers"]
    assert identical["semantic_silhouette"] is Unavailable.ALL_COINCIDE
    assert identical["noise"] is Unavailable.NO_REPEATS
    pair = scores["article two", "Emotional Response", "two answers, one missing"]
    assert pair["sentiment_range_rarefied"] is Unavailable.FEWER_THAN_M
    assert pair["sentiment_silhouette"] is Unavailable.TOO_FEW_ANSWERS
