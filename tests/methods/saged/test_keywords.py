"""Keywords that texts propose."""

from math import sqrt
from pathlib import Path

import pytest

from gpf_desktop.methods.saged.keywords import names, near_in_meaning, nearest
from gpf_desktop.methods.saged.texts import SourceText
from tests.methods.gpf_livenews.scorers.tiny_models import write_encoder

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


def test_that_an_encoder_puts_what_is_near_in_meaning_first_and_says_how_near_given_keywords_are(
    tmp_path: Path,
) -> None:
    said = (
        "The house has good news.",
        "A bad house has news.",
        "Good is what nobody said.",
        "It rained.",
        "So it goes.",
    )
    text = SourceText(name="a", source_tag="a", text=" ".join(said))
    encoder = str(write_encoder(tmp_path / "m"))
    found = near_in_meaning([text], "news", ["bad"], "en", encoder)
    assert [(each.word, each.sentences) for each in found] == [("bad", 1), ("house", 2), ("good", 2)], "and not “has”"
    assert [each.nearness for each in found] == pytest.approx([0.0, 1 / sqrt(2), 0.0])
