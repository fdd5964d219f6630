"""What is selected is widened to whole words, in any script."""

import pytest

from gpf_desktop.ui.widgets.whole_words import whole_words


@pytest.mark.parametrize(
    ("text", "chosen", "whole"),
    [
        ("Readers don't stop.", "aders do", "Readers don't"),
        ("Readers don't stop.", " don't ", "don't"),
        ("😀 Readers stop", "ead", "Readers"),
        ("读者不会停止", "者不", "者不"),
        ("well-known", "nown", "known"),
        ("one  two", "  ", None),
    ],
)
def test_that_words_are_whole(text: str, chosen: str, whole: str | None) -> None:
    start = text.index(chosen)
    found = whole_words(text, start, start + len(chosen))
    assert (None if found is None else text[slice(*found)]) == whole
