"""What a round is promised to find."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.round_planning import Effect, Extent
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, TONE_FRAMING
from gpf_desktop.methods.gpf_livenews import planning
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from tests.support.protocols import shipped_protocol

pytestmark = pytest.mark.slow

PROTOCOL = shipped_protocol()
CONTROLS = PROTOCOL.controls


def smallest(name: str, controls: Controls, extent: Extent) -> float:
    found = planning.findable(PROTOCOL, controls, extent, planning.assumed())
    size = next(each.smallest for each in found if each.name == name)
    assert size is not None
    return size


@pytest.mark.parametrize("name", [COUNTERFACTUAL_FRAMING, TONE_FRAMING, planning.REFUSAL])
def test_that_more_articles_find_less_and_the_reverse_gives_them_back(name: str) -> None:
    few, many = (smallest(name, CONTROLS, Extent(items=n, models=2)) for n in (6, 24))
    assert many < few
    found = planning.enough(
        Effect(name=name, size=many), PROTOCOL, CONTROLS, Extent(items=6, models=2), planning.assumed()
    )
    assert found.items is not None
    assert abs(found.items - 24) <= 1


def test_that_more_models_and_fewer_repeats_cost_power() -> None:
    one = smallest(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=6, models=1))
    assert smallest(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=6, models=5)) > one
    more = replace(CONTROLS, repeat_share=1.0)
    assert smallest(COUNTERFACTUAL_FRAMING, more, Extent(items=6, models=1)) < one
    assert smallest(COUNTERFACTUAL_FRAMING, CONTROLS, Extent(items=6, models=1, power=0.5)) < one


def test_that_repeats_buy_what_they_can_and_no_more() -> None:
    extent, pilot = Extent(items=6, models=1), planning.assumed()
    size = smallest(COUNTERFACTUAL_FRAMING, replace(CONTROLS, repeat_share=0.5), extent)
    found = planning.enough(Effect(name=COUNTERFACTUAL_FRAMING, size=size), PROTOCOL, CONTROLS, extent, pilot)
    assert found.controls.repeat_share == pytest.approx(0.5, abs=0.03)
    tiny = planning.enough(Effect(name=COUNTERFACTUAL_FRAMING, size=0.001), PROTOCOL, CONTROLS, extent, pilot)
    assert (tiny.items, tiny.controls) == (None, None)


def test_that_what_cannot_be_found_says_why() -> None:
    without = planning.findable(PROTOCOL, Controls.none(), Extent(items=6, models=1), planning.assumed())
    assert [each.why for each in without[:2]] == ["needs repeats: ask the controls too"] * 2
    two = planning.findable(PROTOCOL, CONTROLS, Extent(items=2, models=1), planning.assumed())
    assert two[0].why == "needs 3 articles"
