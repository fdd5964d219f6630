"""Keywords that texts propose."""

from math import sqrt

import pytest

from gpf_desktop.methods.saged.keywords import names, nearest
from gpf_desktop.methods.saged.texts import SourceText

TEXTS = [
    SourceText(
        name="a",
        source_tag="a",
        text="In Ghana the cocoa harvest is early. The cocoa of Ghana is dried on mats.\n\n"
        "Cocoa Research Institute\n\nThe rain came late. They say the Volta Lake is low, and people worry. "
        "The Volta Lake feeds the mills of Ghana.",
    )
]


def test_that_words_are_near_that_stand_where_the_concept_does_and_everywhere_is_nowhere() -> None:
    found = {each.word: each for each in nearest(TEXTS, "Ghana", "en")}
    assert found["cocoa"].sentences == 3
    # Of 6 sentences 3 name Ghana, 3 cocoa, 2 both.
    assert found["cocoa"].nearness == pytest.approx((6 * 2 - 3 * 3) / sqrt(3 * 3 * 3 * 3))
    assert "harvest" not in found, "it stands in one sentence alone"
    assert "Ghana" not in found
    assert "the" not in found, "it stands in five sentences of six"


def test_that_names_are_those_inside_sentences_in_lists_and_of_links_by_how_often_they_stand_there() -> None:
    found = [(each.word, each.sentences) for each in names(TEXTS, "Ghana", ["Volta Lake", "Accra"])]
    assert found[:2] == [("Volta Lake", 2), ("Cocoa Research Institute", 1)]
    assert "Accra" not in dict(found)
