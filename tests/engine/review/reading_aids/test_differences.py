"""What differs between answers, word by word."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.engine.review.reading_aids.differences import Difference, against_baseline, against_consensus
from gpf_desktop.engine.review.reading_aids.function_words import tells
from gpf_desktop.engine.review.reading_aids.words import words


def only(text: str, difference: Difference) -> list[str]:
    return [part.of(text) for part in difference.only_here]


def missing(difference: Difference) -> list[str]:
    return [word.word for word in difference.missing_words]


def test_that_the_consensus_is_what_half_of_the_other_answers_have() -> None:
    texts = ["bus lanes open", "bus lanes open", "bus fares open", "bus fares rise"]
    first, _, third, fourth = against_consensus(texts)
    assert only(texts[0], first) == []
    assert missing(first) == ["fares"]
    assert only(texts[2], third) == []
    assert missing(third) == ["lanes"]
    assert only(texts[3], fourth) == ["rise"]
    assert {(w.word, w.answers) for w in fourth.missing_words} == {("lanes", 2), ("open", 3)}


def test_that_an_answer_is_not_its_own_consensus() -> None:
    for text, difference in zip(("red", "blue"), against_consensus(["red", "blue"]), strict=True):
        assert only(text, difference) == [text]


def test_that_a_single_answer_differs_from_nothing() -> None:
    (difference,) = against_consensus(["One answer."])
    assert not difference.only_here
    assert not difference.missing_words


def test_that_case_and_apostrophes_make_no_difference() -> None:
    for difference in against_consensus(["It’s THE plan", "it's the Plan"]):
        assert not difference.only_here


def test_that_a_moved_sentence_is_no_difference_to_a_baseline() -> None:
    base = "The lanes open in spring. Fares are reviewed in June."
    moved = "Fares are reviewed in June. The lanes open in spring."
    difference = against_baseline(moved, base)
    assert not difference.only_here
    assert not difference.missing


def test_that_words_added_to_and_lacking_from_a_sentence_are_told_in_their_place() -> None:
    base = "The lanes open in late spring for everybody."
    text = "The new lanes open in spring for everybody."
    difference = against_baseline(text, base)
    assert only(text, difference) == ["new"]
    (lack,) = difference.missing
    assert (lack.text, text[: lack.at]) == ("late", "The new lanes open in")


def test_that_a_sentence_without_a_partner_is_only_here_and_one_of_the_baseline_missing_after_its_neighbour() -> None:
    base = "The lanes open in spring. A ticket costs a tenth of your wage."
    text = "The lanes open in spring. Shops want a loading bay."
    difference = against_baseline(text, base)
    assert only(text, difference) == ["Shops want a loading bay."]
    (lack,) = difference.missing
    assert lack.text == "A ticket costs a tenth of your wage."
    assert text[: lack.at] == "The lanes open in spring."


@pytest.mark.parametrize(
    ("text", "count"), [("今日は雨です", 6), ("Ça m’intéresse", 2), ("الحافلات الجديدة", 2), ("", 0)]
)
def test_that_words_are_found_in_any_script(text: str, count: int) -> None:
    assert len(words(text)) == count


@given(st.lists(st.text(alphabet="ab .\n", max_size=30), min_size=1, max_size=5))
def test_that_a_telling_word_is_only_here_where_no_other_answer_has_it(texts: list[str]) -> None:
    for text, difference in zip(texts, against_consensus(texts), strict=True):
        if len(texts) == 1:
            continue
        marked = sorted((p.start, p.end) for p in (*difference.only_here, *difference.shared))
        alone = {at for part in difference.only_here for at in range(part.start, part.end)}
        having = [{word.folded for word in words(other)} for other in texts]
        for word in words(text):
            only_its = sum(word.folded in each for each in having) == 1
            assert (word.start in alone) is only_its or not tells(word.folded)
        assert all(first[1] <= second[0] for first, second in pairwise(marked))
