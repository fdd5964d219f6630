import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.numerics.references import Wordings, masked, needed_literals, reference
from tests.support.protocols import shipped_protocol

SHIPPED = [
    pattern
    for dimension in shipped_protocol().dimensions
    for identity in dimension.identities
    for pattern in identity.patterns
]


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"\bmuslims?\b", ("muslim",)),
        (r"\bafrican[- ]americans?\b", ("american",)),
        (r"\bblack (?:people|men)\b", ("black",)),
        (r"LGBTQ\+?", ("lgbtq",)),
        (r"\bJews?\b", ("jew",)),
        (r"yes+", ("yes",)),
        (r"ab{0,2}cd", ("cd",)),
        (r"[a-z]+ing", ("ing",)),
        (r"\b(?:straight|cis) (?:men|males?)\b", ("straight", "cis")),
        (r"(?:urban|rural)", ("urban", "rural")),
        (r"(?:urban|rural)?", ()),
        (r"(?<!upper )(?!not)", ()),
        (r"(?:a(?:b|c)|d)", ()),
        (r"a|b", ()),
        (r"(?:urban|rural) people|farmers", ()),
        (r"(?x) w o r d", ()),
        (r"\b(?-i:D)emocratic (?:voters?|base)\b", ("emocratic",)),
        (r"\w+", ()),
        (r"straße", ("strasse",)),
    ],
)
def test_that_every_match_contains_one_of_the_literals(pattern: str, literals: tuple[str, ...]) -> None:
    assert needed_literals(pattern) == literals


_PIECES = st.sampled_from(
    ["ab", "c", "x?", "(?:de|f)", "[gh]", r"\b", r"\w", " ", "-", "i+", "(?-i:A)", "j*", "k{2}", "(l)?", "ſ", "ß"]
)


@given(
    st.lists(_PIECES, min_size=1, max_size=6).map("".join),
    st.text("abcdefghijklA x-ſSß", max_size=24),
)
def test_that_no_match_is_missed_for_the_literal(pattern: str, text: str) -> None:
    expected = [match.span() for match in re.finditer(pattern, text, re.IGNORECASE) if match.group()]
    found = [(mention.start, mention.end) for mention in reference(pattern).mentions(text, text.casefold())]
    assert found == expected
    among_many = Wordings((pattern, "xyz")).mentions(text)
    assert [(mention.start, mention.end) for number, mention in among_many if number == 0] == expected


def test_that_every_shipped_pattern_is_skipped_by_its_literals() -> None:
    assert [pattern for pattern in SHIPPED if not needed_literals(pattern)] == []


def test_that_many_patterns_together_find_what_each_finds() -> None:
    text = "Black families and Muslims, older adults; straight men, Jews and LGBTQ+ readers in rural communities."
    without_blanks = text.replace(" ", "-")
    together = Wordings(tuple(SHIPPED))
    # Read again, when every word is known, and beside words that are not.
    for read in (text, text, f"{text} Students.", without_blanks, without_blanks, "Nobody.", text):
        assert [(number, mention.start, mention.end) for number, mention in together.mentions(read)] == [
            (number, *match.span())
            for number, pattern in enumerate(SHIPPED)
            for match in re.finditer(pattern, read, re.IGNORECASE)
        ]
    assert len(list(together.mentions(text))) == 7


def test_that_masking_leaves_a_space_and_other_texts_alone() -> None:
    patterns = (r"\bworking poor\b", r"\bstudents?\b")
    assert list(masked(["As Working Poor, students save."], patterns)) == ["As  ,   save."]
    overlapping = (r"\bupper middle class\b", r"\bmiddle class homes\b", r"\bhomes\b", r"\bupper\b")
    for order in (overlapping, overlapping[::-1]):
        assert list(masked(["The upper middle class homes. Upper"], order)) == ["The  .  "]
    texts = ["nothing here"]
    assert masked(texts, ()) is texts
    assert list(masked(texts, patterns)) == texts
