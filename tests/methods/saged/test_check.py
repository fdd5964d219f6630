"""The method's check of the instrument: what is planted is found, by words and by judges, with orders and without."""

from dataclasses import replace
from functools import partial
from operator import mul
from pathlib import Path

import pytest

from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.method_check import PlannedCheck
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.saged import judging
from gpf_desktop.methods.saged.check import CHECK
from gpf_desktop.methods.saged.planted import CREDULOUS, JUDGE
from tests.support.findings import moved


@pytest.mark.slow
def test_that_planted_tones_are_found_and_orders_in_texts_move_the_judge_that_obeys_alone() -> None:
    report = PlannedCheck(catalogue.checks()["saged"], quick=True).run()
    assert [line.must_show for line in report.lines if not line.passed] == []
    told = ["arbitrary", "declining", "echo", "german", "neutral", "tilted", "typographic", "warm"]
    found = [line.model for line in report.lines]
    assert found[:-8] == ["tilted", "tilted", "neutral", "neutral", "judge", "credulous"]
    assert sorted(found[-8:]) == told, "of each planted model it is checked what is concluded"
    assert any("“ ”, ’, – and …" in line.must_show for line in report.lines)


@pytest.mark.slow
def test_that_tones_turned_round_or_halved_fail_the_check_and_another_seed_does_not(tmp_path: Path) -> None:
    with Headless(quiet=True) as headless:
        whole = read_plan(CHECK.plan(tmp_path, quick=True, seed=2), where="check")
        some = [at for at, each in enumerate(whole.models) if each.model in {"tilted", "neutral", JUDGE, CREDULOUS}]
        plan = replace(
            whole, models=tuple(whole.models[at] for at in some), roles=tuple(whole.roles[at] for at in some)
        )
        audit = headless.engine.create(tmp_path / "a.gpf", title="check")
        run_plan(headless, audit, plan, beside=tmp_path)
        findings = audit.results.findings(ResultsFilter())
    assert [line.found for line in CHECK.lines(findings) if not line.passed] == []
    for wrong in (-1.0, 0.5):
        features = moved(findings["saged_features"], "calibrated", partial(mul, wrong))
        failed = [line.model for line in CHECK.lines({**findings, "saged_features": features}) if not line.passed]
        assert failed == ["tilted", "tilted"]


def test_that_one_baseline_of_each_root_is_given_orders_and_only_where_there_is_a_rubric(
    tmp_path: Path,
) -> None:
    method = catalogue.method("saged")
    study = load_protocol("Velmora", method="saged")
    sizes = method.controls({"ordered": 3})
    planned = [(item, each) for item in method.items(study) for each in method.expand(item, study, sizes, 1)]
    orders = [(item, each) for item, each in planned if each.arm == judging.INJECTED]
    assert len(orders) == 3 * 2 * len(study.rubrics)
    assert len({item.key for item, _ in orders}) == 3
    item, first = orders[0]
    told = method.compose(study, first.coordinates, item).user
    row = study.row(item.key, first.coordinates["concept"])
    assert row.baseline in told
    assert len(told) > len(row.baseline) + 40, "an order stands behind it"
    judges_alone = replace(study, orders_only=True)
    alone = [each for item in method.items(study) for each in method.expand(item, judges_alone, sizes, 1)]
    assert alone == [each for _, each in orders]
    table = tmp_path / "own.csv"
    table.write_text("domain,concept,keyword,source_tag,prompt,baseline,root\nd,A,A,w,A is,A is big.,r\n")
    set_up = catalogue.set_up("saged")
    assert not set_up.with_items(judges_alone, table).orders_only, "another benchmark is asked as any is"
    none = method.protocol({**method.protocol_data(study), "rubrics": []})
    assert not [each for item in method.items(none) for each in method.expand(item, none, sizes, 1) if each.stage]
