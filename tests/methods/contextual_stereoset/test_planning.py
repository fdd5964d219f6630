from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.domain.round_planning import Effect, Extent
from gpf_desktop.engine.commands.plan_command import plan_outlook
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.contextual_stereoset.contrasts import contrast_estimates, contrasts_of
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.planning import CONTRAST, _variances, assumed, enough, findable
from gpf_desktop.methods.contextual_stereoset.protocol import Design, GridSizes
from tests.methods.contextual_stereoset.studies import planted, study

PLAN = 'method = "contextual-stereoset"\n[[models]]\nprovider = "stereoset-calibration"\nmodel = "typical"\n'


def test_that_more_items_and_more_pairs_find_smaller_differences() -> None:
    protocol = load_protocol(METHOD.default_protocol, method=METHOD.name)
    few = findable(protocol, Extent(items=40, models=1), assumed())
    many = findable(protocol, Extent(items=400, models=1), assumed())
    full = findable(replace(protocol, design=Design.FULL), Extent(items=40, models=1), assumed())
    for a, b, c in zip(few, many, full, strict=True):
        assert a.smallest is not None
        assert b.smallest is not None
        assert c.smallest is not None
        assert max(b.smallest, c.smallest) < a.smallest < 0.12
    wanted = Effect(name=few[0].name, size=1.0001 * (few[0].smallest or 0.0))
    assert enough(wanted, protocol, GridSizes(), Extent(items=40, models=1), assumed()).items == 40
    assert few[0].name in METHOD.effects()


def test_that_a_plan_says_of_how_many_types_something_can_be_told() -> None:
    protocol = load_protocol(METHOD.default_protocol, method=METHOD.name)
    said = {n: findable(protocol, Extent(items=n, models=1), assumed())[0].tested for n in (16, 40)}
    assert said[16].endswith("; no type of items can be told by itself: it takes 8 of a type")
    assert said[40].endswith("; by itself 4 of 4 types of items can be told, of those with 8 items or more")


def test_that_the_variation_of_a_contrast_is_that_of_its_pairs_and_items() -> None:
    choices = study(planted("steady", 5), items=300)
    measured = _variances(choices)
    assert np.mean([within for _, within in measured]) == pytest.approx(2 * 0.45 * 0.55, abs=0.03)
    assert np.mean([between for between, _ in measured]) < 0.005
    found = contrast_estimates(choices, contrasts_of(choices), seed=1)[0]
    error = (found.high - found.low) / (2 * 1.96)
    assert (measured[0][1] / found.pairs / 300) ** 0.5 == pytest.approx(error, rel=0.15)


def test_that_a_plan_is_told_with_its_own_items(tmp_path: Path) -> None:
    outlook = plan_outlook(
        read_plan(PLAN, where="p"), beside=tmp_path, audit=None, articles=None, power=0.8, effects={}
    )
    assert outlook.as_dict()["calls"] == 40 * 75
    assert any("year “1990” against “2030”" in line for line in outlook.sentences())
    assert outlook.power is not None
    assert outlook.power.pilot.variation[CONTRAST].generations == 1


@pytest.mark.parametrize("jobs", [False, True])
def test_that_batch_jobs_are_advised_from_ten_thousand_calls_on_with_both_costs(tmp_path: Path, *, jobs: bool) -> None:
    priced = f"batch_jobs = {str(jobs).lower()}\nprice = {{ prompt = 2.0, completion = 8.0 }}\n"
    for protocol, many in (("Contextual StereoSet, full grid", True), (METHOD.default_protocol, False)):
        plan = f'method = "{METHOD.name}"\nprotocol = "{protocol}"\n[[models]]\nprovider = "openai"\nmodel = "m"\n'
        outlook = plan_outlook(
            read_plan(plan + priced, where="p"), beside=tmp_path, audit=None, articles=None, power=0.8, effects={}
        )
        told = outlook.as_dict()["batch_jobs"]
        assert isinstance(told, dict)
        assert told["one_by_one_usd"] == pytest.approx([2 * each for each in told["cost_usd"]])
        assert outlook.as_dict()["cost_usd"] == told["cost_usd" if jobs else "one_by_one_usd"]
        assert (told["in_plan"], told["advised"]) == (jobs, many)
        lines = " ".join(outlook.sentences())
        assert ("Batch jobs are advised" in lines) == (many and not jobs)
        assert " instead of " in lines
