"""What is shown of an answer, and where it stands in what is stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.engine.review.reading_aids import markdown
from gpf_desktop.engine.review.reading_aids.masking import COVER, masked
from gpf_desktop.engine.review.reading_aids.shown_text import ShownText
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.methods.gpf_livenews.method import identity_patterns
from tests.support.protocols import shipped_protocol


@pytest.mark.parametrize(
    ("stored", "shown", "strong"),
    [
        ("# Title #\n\nText", "Title\n\nText", ["Title"]),
        ("**Bold** and *slanted* and `code`", "Bold and slanted and code", ["Bold"]),
        ("- one\n* two\n  + three", "• one\n• two\n  • three", []),
        ("> quoted\n---\nend", "quoted\n\nend", []),
        ("2*3*4 and snake_case_name", "2*3*4 and snake_case_name", []),
        ("<img src=file:///x> [a](javascript:b)", "<img src=file:///x> [a](javascript:b)", []),
        ("", "", []),
    ],
)
def test_that_markdown_becomes_words(stored: str, shown: str, strong: list[str]) -> None:
    found = markdown.shown(stored)
    assert found.text == shown
    assert [part.of(found.text) for part in found.strong] == strong


@given(st.text(alphabet="ab*_#`- >\n", max_size=60))
def test_that_every_shown_character_is_at_home_in_the_stored_text(stored: str) -> None:
    found = markdown.shown(stored)
    assert len(found.origins) == len(found.text)
    for char, place in zip(found.text, found.origins, strict=True):
        assert 0 <= place < len(stored)
        assert char in ("•", " ") or stored[place] == char


def test_that_a_passage_marked_on_the_screen_is_found_in_the_stored_text() -> None:
    stored = "## Plan\n\nThe **new lanes** open."
    shown = markdown.shown(stored)
    at = shown.text.index("new lanes open")
    part = shown.stored(Stretch(at, at + len("new lanes open")))
    assert part is not None
    assert part.of(stored) == "new lanes** open"
    assert shown.shown(part).of(shown.text) == "new lanes open"


def test_that_words_put_in_have_no_place_in_the_stored_text() -> None:
    widened = ShownText.plain("The lanes open.").with_insertions([(9, " late"), (15, " Fares rise.")])
    assert widened.shown.text == "The lanes late open. Fares rise."
    assert [widened.shown.text[p.start : p.end] for p in widened.put_in] == [" late", " Fares rise."]
    assert widened.shown.stored(widened.put_in[0]) is None
    assert widened.moved(Stretch(4, 9)).of(widened.shown.text) == "lanes"
    assert widened.moved(Stretch(10, 14)).of(widened.shown.text) == "open"


def test_that_identity_terms_are_covered_whatever_their_length() -> None:
    patterns = identity_patterns(shipped_protocol())
    for name in ("a Muslim reader", "the working poor", "Senior Citizens", "LGBTQ+ people", "Lower middle class"):
        text = masked(ShownText.plain(f"For {name} this plan matters."), patterns).text
        assert COVER in text
        assert not any(word in text.casefold() for word in ("muslim", "poor", "senior", "lgbtq", "middle"))


def test_that_covering_keeps_places_and_stress() -> None:
    stored = "A **Muslim family** and a student."
    shown = masked(markdown.shown(stored), (r"\bmuslim\b",), ("student",))
    assert shown.text == f"A {COVER} family and a {COVER}."
    assert [part.of(shown.text) for part in shown.strong] == [f"{COVER} family"]
    at = shown.text.index("family")
    part = shown.stored(Stretch(at, at + 6))
    assert part is not None
    assert part.of(stored) == "family"
