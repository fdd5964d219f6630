"""Every scorer that the catalogue finds keeps the port's promises."""

import pickle
from dataclasses import fields, is_dataclass

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports import Scorer
from gpf_desktop.domain.scores import Unavailable
from gpf_desktop.engine import catalogue
from gpf_desktop.scorers.gpf import GpfOptions
from tests.scorers.bundles import group_of, plain

GROUPS = [group_of([plain(["good news", "bad news", "no news at all"]), plain(["alone"])])]


@pytest.fixture(params=sorted(catalogue.scorers()))
def scorer(request: pytest.FixtureRequest) -> Scorer:
    return catalogue.scorers()[request.param]


def test_that_it_names_itself_and_declares_its_options(scorer: Scorer) -> None:
    assert scorer.name
    assert scorer.version
    assert scorer.title
    assert is_dataclass(scorer.options)
    assert all(field.metadata["help"] for field in fields(scorer.options))
    options = scorer.options()
    assert options == scorer.options()
    with pytest.raises(AttributeError):
        setattr(options, fields(options)[0].name, None)


def test_that_chunks_options_and_scores_cross_a_process_border(scorer: Scorer) -> None:
    chunk, options = pickle.loads(pickle.dumps((GROUPS, scorer.options())))
    scored = scorer.score(chunk, options)
    assert pickle.loads(pickle.dumps(scored)) == scored == scorer.score(GROUPS, scorer.options())


def test_that_every_unit_has_a_finite_value_or_a_reason_in_every_column(scorer: Scorer) -> None:
    scored = scorer.score(GROUPS, scorer.options())
    assert len({column.name for column in scored.columns}) == len(scored.columns)
    for column in scored.columns:
        assert len(column.values) == len(scored.units)
        assert all(isinstance(value, Unavailable) or abs(value) < float("inf") for value in column.values)


def test_that_settings_that_cannot_be_used_are_refused_in_words() -> None:
    with pytest.raises(UserError, match="rarefied to 1"):
        GpfOptions(rarefy=1)
    with pytest.raises(UserError, match="no regular expression"):
        GpfOptions(mask=("(",))
