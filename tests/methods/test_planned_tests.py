"""Every method tells beforehand what it tests, so that its plan can be registered."""

import pytest

from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.method_abilities import PlansTests
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol

FOUR = ("gpf-livenews", "relative-bias", "contextual-stereoset", "saged")


@pytest.mark.parametrize("name", FOUR)
def test_that_a_method_tells_its_tests_and_counts_more_of_them_for_more_models(name: str) -> None:
    method = catalogue.method(name)
    plans: object = method
    assert isinstance(plans, PlansTests)
    protocol = load_protocol(method.default_protocol, method=name)
    few, many = (
        plans.planned_tests(protocol, method.controls_of(protocol), {Role.TARGET: [f"m{n}" for n in range(models)]})
        for models in (4, 8)
    )
    assert 0 < few.comparisons < many.comparisons
    assert few.alpha == 0.05
    for words in (few.stopping, *few.tests, *few.controls, *few.margin_words):
        assert words
        assert "{" not in words
    assert all(name and what for name, what in few.groups)
