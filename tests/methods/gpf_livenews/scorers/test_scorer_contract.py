"""Every scorer that the catalogue finds keeps the port's promises; those that need facts of their own method's
answers are
scored in that method's rounds.
"""

import pickle
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import shown_in
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.scores import Unavailable
from gpf_desktop.engine.core import catalogue
from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from tests.methods.gpf_livenews.scorers.bundles import group_of, plain

GROUPS = [group_of([plain(["good news", "bad news", "no news at all"]), plain(["alone"])])]


@pytest.fixture(params=[each.name for each in catalogue.scorers().values() if not each.needs_facts])
def scorer(request: pytest.FixtureRequest) -> Scorer:
    return catalogue.scorers()[request.param]


@pytest.fixture
def options(scorer: Scorer, tmp_path: Path) -> Any:
    """The defaults; a scorer that needs a model gets one."""
    if "model" not in {field.name for field in fields(scorer.options)}:
        return scorer.options()
    models = pytest.importorskip("tests.methods.gpf_livenews.scorers.tiny_models", exc_type=ImportError)
    write = (
        models.write_encoder
        if "pooling" in {field.name for field in fields(scorer.options)}
        else partial(models.write_classifier, labels=["positive", "negative"])
    )
    return scorer.options(model=str(write(tmp_path)))


def test_that_it_names_itself_and_declares_its_options(scorer: Scorer) -> None:
    assert scorer.name
    assert scorer.version
    assert scorer.title
    assert is_dataclass(scorer.options)
    assert all(shown.help or shown.choice for shown in shown_in(scorer.options).values())
    assert scorer.options() == scorer.options()
    assert scorer.options.__dataclass_params__.frozen, f"write @dataclass(frozen=True) over {scorer.options.__name__}"


def test_that_chunks_options_and_scores_cross_a_process_border(scorer: Scorer, options: Any) -> None:
    chunk, sent = pickle.loads(pickle.dumps((GROUPS, options)))
    scored = scorer.score(chunk, sent)
    assert pickle.loads(pickle.dumps(scored)) == scored == scorer.score(GROUPS, options)


def test_that_every_unit_has_a_finite_value_or_a_reason_in_every_column(scorer: Scorer, options: Any) -> None:
    scored = scorer.score(GROUPS, options)
    assert len({column.name for column in scored.columns}) == len(scored.columns)
    for column in scored.columns:
        assert len(column.values) == len(scored.units)
        assert all(isinstance(value, Unavailable) or abs(value) < float("inf") for value in column.values)


def test_that_settings_that_cannot_be_used_are_refused_in_words() -> None:
    with pytest.raises(UserError, match="cannot be of 1"):
        GpfOptions(rarefy=1)
    with pytest.raises(UserError, match="pattern of words"):
        GpfOptions(mask=("(",))
