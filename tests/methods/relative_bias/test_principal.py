import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop.methods.relative_bias.measures import tfidf_vectors
from gpf_desktop.methods.relative_bias.principal import principal_components


@pytest.mark.parametrize("n", [20, 300])
def test_that_answers_lie_where_scikit_learn_s_components_put_them(n: int) -> None:
    draw = np.random.default_rng(1)
    words = [f"word{number}" for number in range(120)]
    chance = np.linspace(3, 0.1, 120) / np.linspace(3, 0.1, 120).sum()
    texts = [" ".join(draw.choice(words, 20, p=chance)) + (" rain rain rain" if at % 3 else "") for at in range(n)]
    places, shares = principal_components(tfidf_vectors(texts))
    wanted = PCA(n_components=2, svd_solver="full")
    theirs = wanted.fit_transform(TfidfVectorizer().fit_transform(texts).toarray())
    assert np.abs(places) == pytest.approx(np.abs(theirs), abs=1e-8)
    assert shares == pytest.approx(wanted.explained_variance_ratio_, abs=1e-10)
    assert (principal_components(tfidf_vectors(texts))[0] == places).all()


def test_that_answers_that_are_all_alike_lie_in_one_place() -> None:
    places, shares = principal_components(tfidf_vectors(["the same words"] * 4))
    assert not places.any()
    assert not shares.any()


@pytest.mark.parametrize("shape", [(90, 60), (60, 90)])
def test_that_more_answers_than_numbers_and_fewer_are_both_decomposed(shape: tuple[int, int]) -> None:
    vectors = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    places, shares = principal_components(vectors)
    rows = vectors / np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    sizes = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(shares, sizes[:2] ** 2 / (sizes**2).sum(), rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(places, axis=0), sizes[:2], rtol=1e-6)
