"""The words of a cluster: what it is about, and none of those that every text has."""

import numpy as np
import pytest

from gpf_desktop.methods.saged.features import encoded
from gpf_desktop.methods.saged.theme_words import ClusterTheme, themes

SEA = ["the harbour and the boats", "boats in the harbour of the town", "a boat is in the harbour, and it don't sail"]
HILLS = ["the hills and the sheep", "sheep of the hills in the north", "and the sheep are on the hills of the north"]
MEER = ["der Hafen und die Boote", "die Boote und der Fischer", "der Hafen und die Fischer"]
BERG = ["der Berg und die Schafe", "die Schafe und der Hirte", "der Berg und die Hirten"]


def found(texts: list[str], label: list[int]) -> tuple[ClusterTheme, ...]:
    made = encoded(texts)
    return themes(made.counts, made.word, np.array(label), max(label) + 1)


def test_that_no_word_of_a_theme_is_a_stop_word() -> None:
    sea, hills = found([*SEA, *HILLS], [0, 0, 0, 1, 1, 1])
    assert sea.words[0] == "harbour"
    assert set(hills.words[:2]) == {"sheep", "hills"}
    assert not {"the", "and", "of", "in", "is", "it", "on", "don", "are"} & {*sea.words, *hills.words}
    assert (sea.answers, hills.answers) == (3, 3)


def test_that_what_every_cluster_says_is_no_theme_in_a_language_without_a_list() -> None:
    for theme in found([*MEER, *BERG], [0, 0, 0, 1, 1, 1]):
        assert not {"der", "die", "und"} & set(theme.words)
        assert theme.words


@pytest.mark.parametrize("texts", [["the of and", "and the of"], ["Xyz", "Xyz"]])
def test_that_clusters_of_nothing_but_such_words_have_no_theme(texts: list[str]) -> None:
    assert [theme.words for theme in found(texts, [0, 1])] == [(), ()]


def test_that_the_answers_of_one_cluster_have_their_own_words() -> None:
    (sea,) = found(SEA, [0, 0, 0])
    assert "harbour" in sea.words
    assert "the" not in sea.words
