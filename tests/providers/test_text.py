"""Text from outside becomes fit to keep and to show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.domain.models import Secret
from gpf_desktop.providers._text import DETAIL_CAP, detail, storable


@given(st.text())
def test_that_any_text_can_be_stored(text: str) -> None:
    storable(text).encode("utf-8")
    assert "\x00" not in storable(text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_that_good_text_is_left_alone(text: str) -> None:
    assert storable(text) == text


def test_that_surrogate_pairs_are_joined() -> None:
    assert storable("\ud83d\ude00") == "😀"


@pytest.mark.parametrize(
    "words",
    [
        "Incorrect API key provided: sk-proj-abcdef123456.",
        "Incorrect API key provided: sk-ab***********wxyz.",
        "Authorization: Bearer abcdef123456",
        "https://example.org/?key=AIzaSyA-abcdef123456&x=1",
        "the key hunter2hunter2 is wrong",
    ],
)
def test_that_keys_are_removed_from_details(words: str) -> None:
    shown = detail(words, Secret("hunter2hunter2"))
    assert "…" in shown
    for secret in ("abcdef123456", "wxyz", "hunter2"):
        assert secret not in shown


def test_that_details_are_one_short_line() -> None:
    shown = detail("a\r\n\x1b[31mb" + "x" * 1000, None)
    assert len(shown) == DETAIL_CAP
    assert shown.isprintable()


@pytest.mark.slow
@given(st.text(max_size=400))
def test_that_any_detail_is_printable_enough_for_a_log(words: str) -> None:
    shown = detail(words, None)
    assert not any(character in shown for character in "\r\n\x1b\x00\x85")
    shown.encode("utf-8")
