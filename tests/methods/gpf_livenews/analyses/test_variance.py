"""Where the variance of scores comes from."""

import numpy as np
import pytest

from gpf_desktop.domain.findings import Estimate, Row
from gpf_desktop.methods.gpf_livenews.analyses.variance import ANALYSIS
from tests.methods.gpf_livenews.analyses.tables import tables


def planted(article: float, model: float, *, synthetic: bool = False) -> list[dict[str, object]]:
    """Eight articles in four batches, three models, six questions, with these standard deviations and .02 beside."""
    draw = np.random.default_rng(3)
    of_article, of_model = draw.normal(0, article, 8), draw.normal(0, model, 3)
    return [
        {
            "s": 0.4 + of_article[a] + of_model[m] + draw.normal(0, 0.02),
            "article_id": a + 1,
            "batch_id": a // 4 + 1,
            "model": f"calibration/m{m}" if synthetic else f"openai/m{m}",
            "synthetic": int(synthetic),
            "dimension": dimension,
            "family": family,
        }
        for a in range(8)
        for m in range(3)
        for dimension in ("Race / Ethnicity", "Religion", "Political")
        for family in ("Impact", "Policy / Action")
    ]


def share_of(row: Row) -> float:
    share = row.values["share"]
    assert isinstance(share, Estimate)
    assert share.value is not None
    return share.value


def test_that_the_part_of_the_news_is_told_with_its_interval_and_what_more_articles_buy() -> None:
    found = ANALYSIS.analyse(tables(planted(0.1, 0.01)), ANALYSIS.options())
    shares = {str(row.values["part"]): share_of(row) for row in found.rows}
    assert list(shares) == ["article", "batch of news", "model", "group of readers", "kind of question", "the rest"]
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["article"] + shares["batch of news"] > 0.8
    sd = found.rows[0].values["sd"]
    assert isinstance(sd, Estimate)
    assert sd.interval is not None
    assert sd.interval.low < 0.1 < sd.interval.high
    news, bought = found.highlights
    assert news.startswith("how far apart, in words, models: over 8 articles the news brings 9")
    assert "over 8 articles" in bought
    assert "each question was asked once" in bought


def test_that_calibration_models_are_apart_and_one_article_tells_nothing() -> None:
    both = [*planted(0.1, 0.01), *planted(0.0, 0.1, synthetic=True)]
    found = ANALYSIS.analyse(tables(both), ANALYSIS.options())
    assert {row.synthetic for row in found.rows} == {False, True}
    one = [row for row in planted(0.1, 0.01) if row["article_id"] == 1]
    assert ANALYSIS.analyse(tables(one), ANALYSIS.options()).rows == ()
