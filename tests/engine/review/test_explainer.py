"""Explanations that add up to the score that is shown, under whatever setting it was computed."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import SEMANTIC_DISPERSION
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

BUNDLE = BundleId(1)


@pytest.fixture
def open_audit(tmp_path: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    made = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(made.context.audit, models_asked=("tailoring-0.6",), dimensions=("Political", "Religion"), items=3)
    yield made
    engine.close()


def test_that_an_explanation_adds_up_to_the_stored_score(open_audit: OpenAudit) -> None:
    bundle = open_audit.reviews.bundle(BUNDLE)
    explanation = open_audit.reviews.explain(bundle)
    assert explanation is not None
    assert explanation.dispersion == pytest.approx(bundle.scores[SEMANTIC_DISPERSION], abs=1e-9)


def test_that_a_fit_on_the_whole_run_is_explained_by_the_words_of_the_whole_run(open_audit: OpenAudit) -> None:
    open_audit.context.audit.write(
        lambda c: c.execute("UPDATE score_setting SET options = json_set(options, '$.fit_scope', ?)", (FitScope.RUN,))
    ).result()
    texts = open_audit.context.audit.read(
        lambda c: [row[0] for row in c.execute("SELECT text FROM response WHERE missing IS NULL")]
    )
    bundle = open_audit.reviews.bundle(BUNDLE)
    rows = TfidfVectorizer().fit(texts).transform([each.answer.text for each in bundle.answers]).toarray()
    apart = 1 - (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    explanation = open_audit.reviews.explain(bundle)
    assert explanation is not None
    assert explanation.dispersion == pytest.approx(apart.mean(), abs=1e-9)
    assert sum(answer.contribution for answer in explanation.answers) == pytest.approx(apart.mean(), abs=1e-9)
    assert sum(term.contribution for term in explanation.terms) == pytest.approx(apart.mean(), abs=1e-9)
