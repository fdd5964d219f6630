"""What is known of tokens is kept between calls, and given back when there is too much of it."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from gpf_desktop.numerics import tokens
from gpf_desktop.numerics.encoders import Encoders, OneReading


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


@pytest.mark.parametrize(("pairs", "by_sentence"), [(False, False), (True, False), (False, True)])
def test_that_texts_that_are_read_once_are_what_they_are_read_alone(pairs: bool, by_sentence: bool) -> None:
    said = ["Good news! The bus is late.", "", "The bus is NOT good.", "Good news! The bus is late.", "Žádné zprávy"]
    reading = OneReading(pairs=pairs, by_sentence=by_sentence)
    for texts in ([], said[1:3], said, said[::-1]):
        counts, tones, words = reading(texts)
        alone, its_tones, its_words = Encoders.of_this_thread(pairs=pairs).encode(texts, by_sentence=by_sentence)
        assert counts.names[counts.terms].tolist() == alone.names[alone.terms].tolist()
        assert counts.values.tolist() == alone.values.tolist()
        assert counts.starts.tolist() == alone.starts.tolist()
        assert tones.tolist() == reading.tones(texts).tolist() == its_tones.tolist()
        assert words.tolist() == reading.words(texts).tolist() == its_words.tolist()
    assert reading.words(["never read before"]).tolist() == [3]
