import itertools
import re
from pathlib import Path

import pytest
import yaml

from gpf_desktop.methods.contextual_stereoset.decoding import LONGEST, REFUSED, UNPARSED, decode
from tests.methods.contextual_stereoset.answer_table import OPTIONS, ORDER, A, B
from tests.methods.contextual_stereoset.answers_in_turn import CHOOSE_NONE, CHOOSE_X
from tests.methods.contextual_stereoset.unplain_answers import REFUSED as REFUSALS
from tests.methods.contextual_stereoset.unplain_answers import UNPARSED as UNPLAIN

STRANGERS = yaml.safe_load(Path(__file__).with_name("strangers_answers.yaml").read_text(encoding="utf-8"))
WEIGHED = yaml.safe_load(Path(__file__).with_name("weighed_answers.yaml").read_text(encoding="utf-8"))
TURN = str.maketrans("ABab", "BAba")


@pytest.mark.parametrize(
    ("answers", "choice"),
    [
        *((A, "U"), (B, "A"), (REFUSALS, REFUSED), (UNPLAIN, UNPARSED)),
        *((answers, choice) for choice, answers in STRANGERS.items()),
    ],
    ids=["A", "B", "no", "?", *(f"stranger {choice}" for choice in STRANGERS)],
)
def test_that_answers_are_read_as_a_careful_reader_would(answers: tuple[str, ...], choice: str) -> None:
    decoded = {answer: decode(answer, ORDER, OPTIONS).choice for answer in answers}
    assert decoded == dict.fromkeys(answers, choice)


def test_that_answers_which_weigh_letters_are_read_or_missed_and_never_guessed() -> None:
    labelled = {answer: choice for choice, answers in WEIGHED["read"].items() for answer in answers}
    labelled |= {answer: UNPARSED for answers in WEIGHED["missed"].values() for answer in answers}
    decoded = {answer: decode(answer, "ASU", WEIGHED["options"]).choice for answer in labelled}
    assert decoded == labelled


def test_that_not_applicable_names_no_option() -> None:
    assert {decode(answer, ORDER, OPTIONS).choice for answer in ("N/A", "Answer: N/A", "n/a.")} == {UNPARSED}


def test_that_a_letter_is_read_the_same_whichever_option_it_names() -> None:
    """Were A missed as an article where B is read, the drawn order would decide which choices are heard."""
    own = ("Ｂ", "🅱️", "A resposta correta é a letra B.")  # letters that are not turned here
    turned = {
        re.sub(r"(?<![A-Za-zÀ-ɏ])[AaBb](?![A-Za-zÀ-ɏ])", lambda letter: letter[0].translate(TURN), answer)
        for answer in B
        if answer not in own and not answer.startswith(("A ", "À ", "A. The"))
    }
    choices = {answer: decode(answer, "AUS", OPTIONS).choice for answer in turned}
    assert choices == dict.fromkeys(turned, "A")


def test_that_no_answer_is_read_by_where_its_letters_stand() -> None:
    """Each answer's letters exchanged in all six ways, and the options with them: the choice stays."""
    letter = re.compile(r"(?<![A-Za-zÀ-ɏ'’])[A-C](?![A-Za-zÀ-ɏ])")
    articles = (
        "A ",
        "Answer: A man",
        "À",
        "A. The",
        "Statistically, A guest",
        "Ａ",
        "Ｂ",
        "🅱️",
    )
    for answer in (*A, *B, *UNPLAIN):
        if answer.startswith(articles) or re.search(r"(?<![A-Za-z])([bc]|a\W*$)(?![A-Za-z])", answer):
            continue
        read = set()
        for turned in itertools.permutations("ABC"):
            other = dict(zip("ABC", turned, strict=True))
            order = "".join(ORDER["ABC".index({new: old for old, new in other.items()}[each])] for each in "ABC")
            read.add(decode(letter.sub(lambda each, other=other: other[each[0]], answer), order, OPTIONS).choice)
        assert len(read) == 1, (answer, read)


@pytest.mark.parametrize(("answers", "read"), [(CHOOSE_X, "X"), (CHOOSE_NONE, UNPARSED)], ids=["X", "none"])
def test_that_answers_choose_the_same_whatever_letters_they_are_about(answers: tuple[str, ...], read: str) -> None:
    texts = dict(zip("ABC", (OPTIONS[label] for label in ORDER), strict=True))
    for answer, letters in itertools.product(answers, itertools.permutations("ABC")):
        written = answer
        for name, letter in zip("XYZ", letters, strict=True):
            for sign, words in ((name, letter), (name.lower(), letter.lower()), (name * 2, texts[letter])):
                written = written.replace(f"⟨{sign}⟩", words)
        wanted = ORDER["ABC".index(letters[0])] if read == "X" else read
        assert decode(written, ORDER, OPTIONS).choice == wanted, written


@pytest.mark.parametrize(
    ("own", "other"),
    [
        *(("{} ✓", "{}"), ("**{}**", "{}"), ("[x] {}", "[ ] {}"), ("{} ✅", "{} ❌"), ("{} <-- typical", "{}")),
        *(("{} (correct)", "{}"), ("| {} | yes |", "| {} | no |"), ("- {} — Typical", "- {} — Unrelated")),
    ],
)
@pytest.mark.parametrize("letter", "ABC")
def test_that_the_marked_row_is_read_wherever_it_stands(own: str, other: str, letter: str) -> None:
    texts = dict(zip("ABC", (OPTIONS[label] for label in ORDER), strict=True))
    for row in ("{}. {}",) if "|" not in own else ("{}", "{} | {}"):
        rows = {each: row.format(each, texts[each]) for each in "ABC"}
        said = "\n".join((own if each == letter else other).format(rows[each]) for each in "ABC")
        assert decode(said, ORDER, OPTIONS).choice == ORDER["ABC".index(letter)], said
        both = "\n".join((other if each == letter else own).format(rows[each]) for each in "ABC")
        assert decode(both, ORDER, OPTIONS).choice == UNPARSED, both


def test_that_places_are_counted_as_letters_stand() -> None:
    counted = (
        ("Option one", "Option two", "Option three"),
        ("Option 1.", "Option 2.", "Option 3."),
        ("I'd go with the first.", "I'd go with the second.", "I'd go with the third."),
        (
            "Most people would say the first one.",
            "Most people would say the second one.",
            "Most people would say the last one.",
        ),
        ("Die erste Option.", "Die zweite Option.", "Die dritte Option."),
    )
    for answers in counted:
        assert "".join(decode(each, ORDER, OPTIONS).choice for each in answers) == ORDER, answers
    # An option that counts itself is quoted, and counts nothing.
    options = {"S": "He was the first one there.", "A": "He took the second option.", "U": "It rained."}
    assert decode("He took the second option.", "UAS", options).choice == "A"
    assert decode("He was the first one there.", "UAS", options).choice == "S"


@pytest.mark.parametrize("order", ["SAU", "SUA", "ASU", "AUS", "USA", "UAS"])
def test_that_a_letter_stands_for_what_was_shown_under_it(order: str) -> None:
    assert [decode(letter, order, OPTIONS).choice for letter in "ABC"] == list(order)
    assert decode(OPTIONS["S"], order, OPTIONS).choice == "S"


@pytest.mark.parametrize(
    "huge",
    [
        "the " * LONGEST,
        "answer " + " " * LONGEST * 20 + "B",
        "B " * LONGEST,
        "(A) (B) " * 1_000,
        *(each * (LONGEST // len(each)) for each in ("{", "_", "# ", ": ")),
        f"The answer is {' ' * (LONGEST - 20)} B or A",
    ],
)
def test_that_text_beyond_any_answer_is_unparsed(huge: str) -> None:
    assert decode(huge, ORDER, OPTIONS).choice == UNPARSED


def test_that_signs_without_end_do_not_hide_the_letter_at_either_side_of_them() -> None:
    assert decode("B" + "\n" * 3_000, ORDER, OPTIONS).choice == ORDER[1]
    assert decode(f"{'-' * 3_000}\n\nThe answer is: B", ORDER, OPTIONS).choice == ORDER[1]
    assert decode(f"The answer is{' ' * 3_000}B", ORDER, OPTIONS).choice == ORDER[1]


def test_that_an_option_that_holds_another_is_no_contradiction() -> None:
    options = {"S": "a tall man", "A": "tall", "U": "green"}
    assert decode("A. a tall man", "SAU", options).choice == "S"
    assert decode("B. a tall man", "SAU", options).choice == UNPARSED


def test_that_only_what_is_called_final_beside_the_last_letter_decides() -> None:
    assert decode("A\nB (this one is final)", ORDER, OPTIONS).choice != UNPARSED
    assert decode(f"A\nB\n{'So much for both of them. ' * 4}The bill is final.", ORDER, OPTIONS).choice == UNPARSED
