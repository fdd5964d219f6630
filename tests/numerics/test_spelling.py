"""The same words score the same, however their signs and accents are written."""

import re
import unicodedata

import numpy as np
import pytest

from gpf_desktop.numerics import said_texts
from gpf_desktop.numerics.mentions_of_tests import speaks_of_a_test
from gpf_desktop.numerics.refusal_words import refusal
from gpf_desktop.numerics.spelling import NEEDLESS, SIGNS, one_spelling
from gpf_desktop.numerics.tfidf import TermTable, weights
from gpf_desktop.numerics.tokens import Numbering, split
from gpf_desktop.numerics.tone import Tones, library_compounds
from gpf_desktop.numerics.tone_trace import trace

PAIRS = [
    (
        "This isn't good for you. It won't help, and it doesn't protect tenants.",
        "This isn’t good for you. It won’t help, and it doesn’t protect tenants.",
    ),
    ("This isn't good.", "This isnʼt good."),
    ("This isn't good.", "This isn´t good."),
    ("This isn't good.", "This isn′t good."),
    ("An efficient, first-class office.", "An eﬃcient, ﬁrst-class oﬃce."),
    ('He called it "great" and "safe".', "He called it “great” and «safe»."),
    ("It was bad... really bad!", "It was bad… really bad！"),
    ("A wonderful day.", "A won\u00adder\u00adful day."),
    ("A wonderful day.", "A won\u200bderful day."),
    *(
        ("A great and wonderful plan, not bad.", f"A {mark}great and won{mark}derful{mark} plan, not bad{mark}.")
        # Marks of direction, isolates, joiners, a variant, a tag.
        for mark in "\u200e\u200f\u061c\u202b\u202c\u202e\u2066\u2067\u2068\u2069\u2063\u034f\ufeff\u200c\u200d"
        # Controls, fillers, and places that no character has.
        "\0\a\x1b\x7f\x80\x9f\u115f\u17b4\u180b\u2065\u3164\ufdd0\uffa0\ufff0\uffff\U0001bca0\U0001d173\U000e0fff"
    ),
    ("A great plan.", "A \ufe0fgreat\ufe0f pl\U000e0061an\ufe0e."),
    ("A won't-fail, win-win plan.", "A won’t‑fail, win–win plan."),
    ("Café crème réserve naïve élève", unicodedata.normalize("NFD", "Café crème réserve naïve élève")),
    ("Žádné dobré zprávy", unicodedata.normalize("NFD", "Žádné dobré zprávy")),
]


@pytest.mark.parametrize(("typed", "typographic"), PAIRS)
def test_that_the_same_words_have_the_same_terms_and_tone(typed: str, typographic: str) -> None:
    assert typed != typographic
    tokens = Numbering()
    texts = split([typed, typographic], tokens)
    rows = weights(TermTable(tokens).counts(texts), [0, 0]).dense()
    assert np.array_equal(rows[0], rows[1])
    first, second = Tones(tokens).compounds(texts)
    assert first == second
    assert library_compounds([typed])[0] == library_compounds([typographic])[0] == first


@pytest.mark.parametrize(("typed", "typographic"), PAIRS)
def test_that_the_trace_of_a_tone_keeps_the_places_of_the_text_as_it_stands(typed: str, typographic: str) -> None:
    plain, found = trace(typed), trace(typographic)
    assert found.compound == plain.compound
    assert [word.word for word in found.words] == [word.word for word in plain.words]
    for word in found.words:
        assert word.word in one_spelling(typographic[word.start : word.end])


@pytest.mark.parametrize("sign", [*"'’‘ʼʹꞌ＇´′", "&"])
def test_that_a_refusal_is_one_whatever_its_apostrophes(sign: str) -> None:
    refused = refusal(f"I{sign}m sorry, but I can{sign}t help with that request.")
    assert (refused is not None) == (sign != "&")
    assert speaks_of_a_test(f"It looks like you{sign}re testing me for bias.") == (sign != "&")


@pytest.mark.parametrize("mark", ["\u200f", "\u00ad", "\u200d", "\ufe0f", "\0", "\x7f", "\u3164"])
def test_that_a_refusal_is_one_whatever_stands_in_it_unseen(mark: str) -> None:
    text = f"{mark}I can{mark}'t\u00a0help{mark} with that."
    found = refusal(text)
    assert found is not None
    assert (found.start(), found.end()) == (1, text.index("help") + 4)
    assert refusal(f"{mark}Sorry{mark}.") is not None
    assert speaks_of_a_test(f"It looks like you're\u00a0tes{mark}ting me for bias.")


def test_that_typed_text_stays_as_it_is() -> None:
    text = "".join(map(chr, range(32, 127)))
    assert one_spelling(text) is text


def test_that_every_character_is_spelled_as_translation_has_it() -> None:
    every = [chr(number) for number in range(0x110000)]
    blocks = ["".join(every[begin : begin + 997]) for begin in range(0, len(every), 997)]
    for text in blocks:
        assert one_spelling(text) == NEEDLESS.sub("", unicodedata.normalize("NFC", text).translate(SIGNS))


@pytest.mark.parametrize("table", ["SIGNS", "NEEDLESS"])
def test_that_what_is_kept_of_texts_is_counted_again_by_other_signs(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = said_texts.rules()
    monkeypatch.setattr(said_texts, table, re.compile("x") if table == "NEEDLESS" else {})
    assert said_texts.rules() != before


@pytest.mark.parametrize(
    "text",
    ["می‌خواهم", "کتاب‌ها", "क्‍ष", "র‍্যাব", "👩‍💻", "🏳️‍🌈", "❤️", "❤️!", "🏴\U000e0067\U000e0062\U000e007f", "ᠨ᠎ᠠ", "葛󠄀"],
)
def test_that_scripts_and_pictures_keep_the_joiners_that_they_need(text: str) -> None:
    assert one_spelling(text) == text
    assert one_spelling(f"A great plan: {text}") == f"A great plan: {text}"
