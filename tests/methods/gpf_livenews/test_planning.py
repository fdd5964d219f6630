"""What a round is promised to find: by the rule of the conclusions, and by no formula beside it."""

import re
from dataclasses import replace

import pytest

from gpf_desktop.domain.round_planning import Effect, Extent, Findable
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, TONE_FRAMING
from gpf_desktop.methods.gpf_livenews import planning
from gpf_desktop.methods.gpf_livenews.concluding.framing import framed, page_looks
from gpf_desktop.methods.gpf_livenews.concluding.power import DRAWS, FramingPower, drawn_articles, drawn_pools
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from tests.support.protocols import shipped_protocol

pytestmark = pytest.mark.slow

PROTOCOL = shipped_protocol()
CONTROLS = PROTOCOL.controls
UNPLANNED = replace(PROTOCOL, confirmatory=replace(PROTOCOL.confirmatory, scores=()))


def one(name: str, controls: Controls, extent: Extent) -> Findable:
    found = planning.findable(PROTOCOL, controls, extent, planning.assumed())
    return next(each for each in found if each.name == name)


def smallest(name: str, controls: Controls, extent: Extent) -> float:
    size = one(name, controls, extent).smallest
    assert size is not None
    return size


@pytest.mark.parametrize(("sizes", "models"), [((10,), 5), ((10, 20, 30), 1)])
def test_that_the_promise_is_what_the_rule_of_the_conclusions_finds(sizes: tuple[int, ...], models: int) -> None:
    plan = PROTOCOL.confirmatory
    reached, limits = page_looks(plan, sizes[-1], 10, planned=True)
    assert reached == sizes
    power = FramingPower(readers=1.0, labels=1.2, sizes=reached, limits=limits, models=models)
    for size in (0.7, 1.1, 1.5):
        found = 0
        for draw in range(DRAWS):
            articles = drawn_articles(draw, sizes[-1], 1.2, planted=size)
            found += framed(articles, reached, limits, drawn_pools(draw, articles, 1.2, models), models=models)[1].found
        assert power.found(size) == pytest.approx(found / DRAWS, abs=1.5 / DRAWS)
    assert power.found(power.smallest(0.8)) >= 0.8 > power.found(0.99 * power.smallest(0.8)) - 0.02


def test_that_less_is_promised_beside_models_that_move_unevenly_and_how_much_less() -> None:
    told = one(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=10, models=5))
    beside = re.search(r"0\.05 is found in (\d+) of 100 where the other models move unevenly, by 0\.05", told.tested)
    assert beside is not None, told.tested
    alike = dict(told.shares)[0.05]
    assert 0.2 < int(beside[1]) / 100 < alike - 0.2
    alone = one(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=10, models=1))
    assert "unevenly" not in alone.tested


@pytest.mark.parametrize("name", [COUNTERFACTUAL_FRAMING, TONE_FRAMING, planning.REFUSAL])
def test_that_more_articles_find_less_and_the_reverse_gives_them_back(name: str) -> None:
    few, many = (smallest(name, CONTROLS, Extent(items=n, models=2)) for n in (10, 30))
    assert many < few
    effect, extent = Effect(name=name, size=many * 1.06), Extent(items=10, models=2)
    assert planning.enough(effect, PROTOCOL, CONTROLS, extent, planning.assumed()).items == 30


def test_that_nothing_is_promised_between_two_looks_or_before_the_first() -> None:
    assert one(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=19, models=1)) == one(
        COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=10, models=1)
    )
    early = planning.findable(PROTOCOL, CONTROLS, Extent(items=3, models=1), planning.assumed())
    why = "nothing can be concluded before 10 articles, the first planned look"
    assert [(each.smallest, each.why) for each in early] == [(None, why)] * 3


def test_that_without_a_plan_any_number_of_articles_from_three_on_is_reckoned() -> None:
    effect = Effect(name=COUNTERFACTUAL_FRAMING, size=0.08)
    found = planning.enough(effect, UNPLANNED, CONTROLS, Extent(items=3, models=1), planning.assumed())
    assert found.items is not None
    assert 3 < found.items < 10


def test_that_more_models_and_fewer_repeats_cost_power() -> None:
    only = smallest(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=10, models=1))
    assert smallest(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=10, models=5)) > only
    more = replace(CONTROLS, repeat_share=1.0)
    assert smallest(COUNTERFACTUAL_FRAMING, more, Extent(items=10, models=1)) < only
    assert smallest(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=10, models=1, power=0.5)) < only
    fewer = replace(CONTROLS, label_repeat_share=0.05)
    assert smallest(COUNTERFACTUAL_FRAMING, fewer, Extent(items=10, models=1)) > only


def test_that_repeats_buy_what_they_can_and_no_more() -> None:
    extent, pilot = Extent(items=10, models=1), planning.assumed()
    size = smallest(COUNTERFACTUAL_FRAMING, replace(CONTROLS, repeat_share=0.5), extent)
    found = planning.enough(Effect(name=COUNTERFACTUAL_FRAMING, size=size), PROTOCOL, CONTROLS, extent, pilot)
    assert found.controls.repeat_share == pytest.approx(0.5, abs=0.05)
    tiny = planning.enough(Effect(name=COUNTERFACTUAL_FRAMING, size=0.001), PROTOCOL, CONTROLS, extent, pilot)
    assert (tiny.items, tiny.controls) == (None, None)


def test_that_what_cannot_be_found_says_why() -> None:
    without = planning.findable(PROTOCOL, Controls.none(), Extent(items=10, models=1), planning.assumed())
    assert [each.why for each in without[:2]] == ["needs questions that are asked again: ask the controls too"] * 2
    unlabelled = planning.findable(
        PROTOCOL, replace(CONTROLS, random_label=False), Extent(items=10, models=1), planning.assumed()
    )
    assert "made-up labels" in unlabelled[0].why
    two = planning.findable(UNPLANNED, CONTROLS, Extent(items=2, models=1), planning.assumed())
    assert two[0].why == "nothing can be concluded of fewer than 3 articles"


def test_that_articles_without_a_question_asked_again_are_not_counted() -> None:
    small = replace(PROTOCOL, dimensions=PROTOCOL.dimensions[:1], families=PROTOCOL.families[:1])
    few = replace(CONTROLS, repeat_share=0.2, label_repeat_share=1.0)

    def found(controls: Controls) -> Findable:
        every = planning.findable(small, controls, Extent(items=10, models=1), planning.assumed())
        return next(each for each in every if each.name == COUNTERFACTUAL_FRAMING)

    assert found(few).smallest is None
    assert found(few).why.startswith("a question is asked again of only about 2 of 10 articles, and 10 are needed")
    assert found(replace(few, repeat_share=1.0)).smallest is not None
    no_labels = found(replace(few, repeat_share=1.0, label_repeat_share=0.05))
    assert no_labels.why.startswith("a question with a made-up label is asked again of only about 1 of 10 articles")
    enough = planning.enough(
        Effect(name=COUNTERFACTUAL_FRAMING, size=0.2), small, few, Extent(items=10, models=1), planning.assumed()
    )
    assert enough.items != 10
