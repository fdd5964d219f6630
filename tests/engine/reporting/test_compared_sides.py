"""Rounds, protocol versions and score settings of an audit, two by two."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.reporting.compared_sides import SIDES
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from tests.support.rounds import calibration, scene, small_protocol

pytestmark = pytest.mark.slow

QUESTIONS = 3 * 2
"""Three articles, one dimension, two families."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResultsService]:
    """The same news asked with two versions of a protocol, scored with two settings."""
    with scene(tmp_path_factory.mktemp("sides")) as stage:
        repeated = replace(Controls.none(), repeat_share=1.0, repeat_generations=2)
        first = stage.plan([calibration("tailoring-0.6")], articles=3, protocol=small_protocol(), controls=repeated)
        rounds = stage.open_audit.rounds
        assert rounds.start(first).result(timeout=250) is RunState.FINISHED
        later = replace(small_protocol(), version=small_protocol().version + 1)
        stored = next(run for run in rounds.runs() if run.id == first)
        again = RunSetup(
            method="gpf-livenews",
            name="Again",
            protocol=later,
            model_ids=tuple(  # type: ignore[arg-type]
                number for (number,) in stage.read("SELECT model_id FROM run_model WHERE run_id = ?", first)
            ),
            batch_id=stored.batch_id,
            controls=repeated,
            seed=2,
        )
        assert rounds.start(rounds.plan(again).result()).result(timeout=250) is RunState.FINISHED
        settings = stage.open_audit.rescoring
        settings.start("gpf", GpfOptions(fit_scope=FitScope.RUN), None, method="gpf-livenews").result(timeout=250)
        stage.open_audit.results.forget()
        yield stage.open_audit.results


def found(results: ResultsService, wanted: ResultsFilter | None = None) -> Finding:
    return results.findings(wanted or ResultsFilter(), (SIDES,))[SIDES]


def test_that_rounds_protocol_versions_and_settings_are_compared_on_what_both_have(results: ResultsService) -> None:
    finding = found(results)
    sides = {row.values["kind"]: (row.values["first"], row.values["second"]) for row in finding.rows}
    assert sides == {
        "rounds": ("Again", "Round"),
        "protocol versions": ("Small · version 4", "Small · version 3"),
        "score settings": (
            "the main way",
            "by words, weighed over each round",
        ),
    }
    for row in finding.rows:
        difference = row.values["difference"]
        assert isinstance(difference, Estimate)
        assert difference.interval is not None
        assert (difference.n, difference.articles, row.values["pairs"]) == (QUESTIONS, 3, QUESTIONS)
        assert len(results.bundles_behind(ResultsFilter(), row.bundles)) == 2 * QUESTIONS
    # The same two rounds, whether called by their names or by their protocols.
    of_kind = {kind: [r.values["difference"] for r in finding.rows if r.values["kind"] == kind] for kind in sides}
    assert of_kind["rounds"] == of_kind["protocol versions"] != of_kind["score settings"]
    report = results.results(ResultsFilter()).findings
    assert report[SIDES].rows == finding.rows


def test_that_a_filter_holds_for_both_sides_and_what_is_missing_is_said(results: ResultsService) -> None:
    one = found(results, ResultsFilter(runs=frozenset({1})))
    assert {row.values["kind"] for row in one.rows} == {"score settings"}
    (row, *_) = one.rows
    assert len(results.bundles_behind(ResultsFilter(runs=frozenset({1})), row.bundles)) == QUESTIONS
    assert any("asked again: there is one round here" in note for note in one.notes)
    assert any("every round here has one" in note for note in one.notes)
    nobody = found(results, ResultsFilter(models=frozenset({"nobody"})))
    assert nobody.rows == ()
    assert "no question was asked of one model on both sides" in nobody.notes[0]
    assert "Again and Round" in nobody.notes[0]
