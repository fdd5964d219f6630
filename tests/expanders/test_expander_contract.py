"""What every expander must do, found through the catalogue."""

from dataclasses import is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.ports import Expander, PlannedItem
from gpf_desktop.domain.protocol import Controls
from gpf_desktop.engine import catalogue
from gpf_desktop.engine.protocol.protocols import DEFAULT_PROTOCOL, load_protocol

ITEM = PlannedItem(key="https://example.org/a", anchor=Anchor(headline="Bus lanes open", description="On Monday."))


@pytest.fixture(params=sorted(catalogue.expanders()))
def expander(request: pytest.FixtureRequest) -> Expander:
    return catalogue.expanders()[request.param]


def test_that_an_expander_names_itself_and_declares_its_options(expander: Expander) -> None:
    assert expander.name
    assert expander.version
    assert expander.title
    assert is_dataclass(expander.options)


def test_that_every_cell_stands_once(expander: Expander) -> None:
    protocol = load_protocol(DEFAULT_PROTOCOL)
    cells = list(expander.expand(ITEM, protocol, protocol.controls, seed=3))
    assert len(cells) == len(set(cells))


def test_that_the_same_call_gives_the_same_cells(expander: Expander) -> None:
    protocol = load_protocol(DEFAULT_PROTOCOL)
    first = list(expander.expand(ITEM, protocol, protocol.controls, seed=3))
    assert list(expander.expand(ITEM, protocol, protocol.controls, seed=3)) == first


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), share=st.floats(0, 1), generations=st.integers(2, 5))
def test_that_the_main_cells_do_not_depend_on_the_controls(seed: int, share: float, generations: int) -> None:
    protocol = load_protocol(DEFAULT_PROTOCOL)
    controls = Controls(repeat_share=share, repeat_generations=generations, paraphrase_share=share)
    for expander in catalogue.expanders().values():
        plain = set(expander.expand(ITEM, protocol, Controls.none(), seed))
        assert plain <= set(expander.expand(ITEM, protocol, controls, seed))
