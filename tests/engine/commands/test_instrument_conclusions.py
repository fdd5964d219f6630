"""The check plants models of which nothing may be concluded, and fails where a sentence is false."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.checks import differs, never_differs
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.engine.core.followed_task import tell_nobody
from gpf_desktop.engine.methods.gpf_livenews.instrument import QUICK, SEED, InstrumentCheck
from gpf_desktop.engine.methods.gpf_livenews.instrument_conclusions import (
    FOUND,
    MODELS,
    conclusion_lines,
    conclusions_setup,
)
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.support.calibration import kept

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> ToldPage:
    check = InstrumentCheck(QUICK, tell_nobody)
    path: Path = tmp_path_factory.mktemp("check") / "conclusions.gpf"
    with check.beside(path) as open_audit:
        run_id = open_audit.rounds.plan(conclusions_setup(open_audit, kept(open_audit, MODELS), SEED)).result()
        open_audit.rounds.start(run_id).result()
        open_audit.auto_rescoring.settle().result()
        page = open_audit.results.concluding.page(ResultsFilter())
    assert page is not None
    return page


def claimed(told: ToldPage, name: str, outcome: ConclusionOutcome) -> ToldPage:
    """*told* as an instrument would tell it that says *outcome* of *name*."""
    rows = tuple(
        replace(each, conclusion=replace(each.conclusion, outcome=outcome))
        if each.conclusion.model.endswith(f"/{name}")
        else each
        for each in told.told
    )
    return replace(told, told=rows)


def test_that_what_is_planted_is_concluded_and_nothing_else(told: ToldPage) -> None:
    failed = [(line.model, line.must_show, line.found) for line in conclusion_lines(told) if not line.passed]
    assert failed == []


@pytest.mark.parametrize("name", [name for name in MODELS if name != FOUND])
def test_that_a_false_sentence_about_a_blind_model_fails(name: str, told: ToldPage) -> None:
    lines = list(conclusion_lines(claimed(told, name, ConclusionOutcome.DIFFERS)))
    assert [line.model for line in lines if not line.passed] == [f"calibration/{name}"]
    assert [line.passed for line in never_differs(claimed(told, name, ConclusionOutcome.DIFFERS), {name})] == [False]


def test_that_silence_about_what_is_planted_fails(told: ToldPage) -> None:
    silent = claimed(told, FOUND, ConclusionOutcome.NOT_SHOWN)
    assert not next(iter(conclusion_lines(silent))).passed
    assert not differs(silent, FOUND).passed
    assert differs(told, FOUND).passed
