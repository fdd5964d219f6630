"""Regular expressions that wait until they are used."""

import pickle
import re

import pytest

from gpf_desktop.domain.patterns import regex


def test_that_a_pattern_is_compiled_once_and_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def counted(words: str, flags: int) -> re.Pattern[str]:
        compiled.append(words)
        return real(words, flags)

    monkeypatch.setattr(re, "compile", counted)
    number = regex(r"(?P<n>\d+) ANSWERS", re.IGNORECASE)
    assert (number.pattern, compiled) == (r"(?P<n>\d+) ANSWERS", [])
    found = number.search("of 12 answers")
    assert found is not None
    assert found["n"] == "12"
    assert number.sub("x", "7 answers and 8 answers") == "x and x"
    assert (number.groupindex["n"], number.groups, bool(number.flags & re.IGNORECASE)) == (1, 1, True)
    assert compiled == [r"(?P<n>\d+) ANSWERS"]


def test_that_one_that_was_used_goes_to_another_process() -> None:
    word = regex(r"\w+")
    for _ in range(2):
        assert pickle.loads(pickle.dumps(word)).findall("two words") == ["two", "words"]
        assert word.fullmatch("word")


def test_that_what_is_no_pattern_is_told_at_its_first_use() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.search("(")
