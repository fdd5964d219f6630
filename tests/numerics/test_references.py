import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.engine.protocols import DEFAULT_PROTOCOL, load_protocol
from gpf_desktop.numerics.references import mask, masked, needed_literal, reference

SHIPPED = [
    pattern
    for dimension in load_protocol(DEFAULT_PROTOCOL).dimensions
    for identity in dimension.identities
    for pattern in identity.patterns
]


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        (r"\bmuslims?\b", "muslim"),
        (r"\bafrican[- ]americans?\b", "american"),
        (r"\bblack (?:people|men)\b", "black"),
        (r"LGBTQ\+?", "lgbtq"),
        (r"\bJews?\b", "jew"),
        (r"yes+", "yes"),
        (r"ab{0,2}cd", "cd"),
        (r"[a-z]+ing", "ing"),
        (r"a|b", ""),
        (r"(?:urban|rural) people|farmers", ""),
        (r"(?:urban|rural)", ""),
        (r"(?x) w o r d", ""),
        (r"\w+", ""),
        (r"straße", "strasse"),
    ],
)
def test_that_the_literal_is_one_that_every_match_contains(pattern: str, literal: str) -> None:
    assert needed_literal(pattern) == literal


_PIECES = st.sampled_from(
    ["ab", "c", "x?", "(?:de|f)", "[gh]", r"\b", r"\w", " ", "-", "i+", "j*", "k{2}", "(l)?", "ſ", "ß"]
)


@given(
    st.lists(_PIECES, min_size=1, max_size=6).map("".join),
    st.text("abcdefghijkl x-ſSß", max_size=24),
)
def test_that_no_match_is_missed_for_the_literal(pattern: str, text: str) -> None:
    expected = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE) if match.group()]
    found = [(mention.start, mention.end) for mention in reference(pattern).mentions(text, text.casefold())]
    assert found == expected


def test_that_nearly_all_shipped_patterns_are_skipped_by_a_literal() -> None:
    without = [pattern for pattern in SHIPPED if not needed_literal(pattern)]
    assert len(without) <= 0.06 * len(SHIPPED)


def test_that_masking_leaves_a_space_and_other_texts_alone() -> None:
    patterns = (r"\bworking poor\b", r"\bstudents?\b")
    assert mask("As Working Poor, students save.", patterns) == "As  ,   save."
    texts = ["nothing here"]
    assert masked(texts, ()) is texts
    assert list(masked(texts, patterns)) == texts
