"""What is known of tokens is kept between calls, and given back when there is too much of it."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from gpf_desktop.numerics import tokens
from gpf_desktop.numerics.encoders import Encoders


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
@pytest.mark.usefixtures("no_collector")
def test_that_a_vocabulary_that_grew_too_large_is_forgotten_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Encoders.of_this_thread(pairs=False)
    first.encode(["good news about the house"], by_sentence=False)
    assert Encoders.of_this_thread(pairs=False) is first
    gone = weakref.ref(first)
    del first
    monkeypatch.setattr(tokens, "MOST_TOKENS", 2)
    second = Encoders.of_this_thread(pairs=False)
    assert gone() is None
    assert len(second.tokens) == 0
