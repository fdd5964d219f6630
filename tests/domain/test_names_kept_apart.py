"""A name that turns the direction of words turns no more than itself in a sentence."""

from gpf_desktop.domain.text import dotted, tr, trn


def test_that_a_name_turns_nothing_behind_it() -> None:
    said = tr("{m} told the news.", m="evil\u202egpj.exe")
    assert said == "\u2068evil\u202egpj.exe\u2069 told the news."
    assert trn("{m}: {n} answer", "{m}: {n} answers", 2, m="a\u2069\u202eb") == "\u2068a\u202eb\u2069: 2 answers"


def test_that_other_names_and_numbers_are_as_they_are() -> None:
    assert tr("{m} told {n:,} times.", m="نموذج", n=1200) == "نموذج told 1,200 times."


def test_that_a_name_turns_no_other_part_of_a_line() -> None:
    assert dotted(["evil\u202egpj.exe", "how far apart: 74.0", "father"]) == (
        "\u2068evil\u202egpj.exe\u2069 · how far apart: 74.0 · father"
    )
