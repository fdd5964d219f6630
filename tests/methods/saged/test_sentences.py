import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.saged.assembling import LeftOut, split_sentence
from gpf_desktop.methods.saged.sentences import Keyword, Passed, sentences, with_keywords
from gpf_desktop.methods.saged.verbs import Tagger, tagger

TEXT = """Velmora
Dr. Lind of Velmora met the U.S. envoy on Jan. 5 and, e.g., spoke of wool. Velmora is small. It cost 3.5 million crowns
to build the new harbour wall of Arden Bay. The painter of velmora never signed any of his pictures.

Prices of Velmoran wool fell twice in a single year

"Is anybody left in the north of Velmora?" he asked."""


def test_that_sentences_end_where_sentences_end() -> None:
    found = [TEXT[start:end] for start, end in sentences(TEXT)]
    assert any(each.startswith("Velmora\nDr. Lind") and each.endswith("spoke of wool.") for each in found)
    assert "Prices of Velmoran wool fell twice in a single year" in found


def test_that_sentences_of_a_keyword_are_found_with_their_places_and_the_rest_is_counted() -> None:
    passed = Passed()
    keywords = [Keyword(text="Velmora"), Keyword(text="Arden Bay")]
    found = list(with_keywords(TEXT, keywords, passed=passed))
    assert [each.keyword for each in found] == ["Velmora", "Arden Bay", "Velmora"]
    assert all(" ".join(TEXT[each.start : each.end].split()) == each.text for each in found)
    assert (passed.too_short, passed.too_long, passed.no_end, passed.no_keyword) == (2, 0, 1, 1)


@pytest.mark.parametrize(
    ("keyword", "holds"),
    [
        (Keyword(text="Velmora"), False),
        (Keyword(text="Velmora", any_case=True), False),
        (Keyword(text="velmoran"), False),
        (Keyword(text="velmoran", any_case=True), True),
        (Keyword(text="Velmora", inflected=True), True),
        (Keyword(text="in  a"), True),
    ],
)
def test_that_case_and_inflection_are_as_the_auditor_sets_them(keyword: Keyword, holds: bool) -> None:
    assert bool(keyword.pattern().search("Prices of Velmoran wool fell in a single year.")) is holds


@pytest.mark.slow
def test_that_a_verb_of_another_language_is_found_or_refused() -> None:
    third = [False, False, True, False, False, False]
    assert tagger("de").verbs(["Die", "Stadt", "hat", "einen", "Hafen", "."]) == third
    assert tagger("nl").verbs(["De", "stad", "heeft", "een", "haven", "."]) == third
    with pytest.raises(UserError, match="no part-of-speech tagger for the language “xx”"):
        tagger("xx")


def test_that_the_tagger_is_named_with_its_version() -> None:
    assert tagger("en").name.startswith(("Hanover Tagger 1.", "spaCy "))


VERBS = Tagger("by hand", lambda tokens: [token in {"sang", "had", "lost"} for token in tokens], bool)
"""Split sentences are tested apart from any tagger."""


@pytest.mark.parametrize(
    "cut",
    [
        "One two three four five Velmora sang eight nine ten| eleven.",
        "One sang three four five Velmora seven had nine, ten; eleven| twelve.",
        "One two three Velmora (which had lost) six seven sang eight nine ten| end.",
        "One two three four five six Velmora's sang eight nine ten| eleven.",
        "One two three four five Velmora ) sang eight nine ten| eleven.",
    ],
)
def test_that_a_prompt_goes_through_the_first_verb_and_three_words_more(cut: str) -> None:
    prompt = cut.partition("|")[0]
    assert split_sentence(cut.replace("|", ""), Keyword(text="Velmora"), VERBS).prompt == prompt


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Velmora had two three four five six seven eight nine.", LeftOut.NO_VERB),
        ("One two three four five Velmora sang eight nine ten.", LeftOut.USED_UP),
        ("One two three four five six sang eight nine ten Velmora.", LeftOut.NO_KEYWORD),
    ],
)
def test_that_a_sentence_without_a_prompt_says_why(sentence: str, why: LeftOut) -> None:
    assert split_sentence(sentence, Keyword(text="Velmora"), VERBS).left_out is why
