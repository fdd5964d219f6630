"""What words alone cannot tell apart: another language, the question said once more, and other words for the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.methods.relative_bias.planted import answer
from tests.methods.relative_bias.test_conclusions import Row, of, page
from tests.methods.relative_bias.test_planted import QUESTIONS

pytestmark = pytest.mark.slow
OTHERS = [f"plain-{letter}" for letter in "abcdef"]


def study(odd: str) -> Iterator[Row]:
    """Six plain models and *odd*, by their words alone; “coined” writes long words in made-up ones."""
    for theme, question in QUESTIONS:
        for model in (*OTHERS, odd):
            said = answer("plain-g" if model == "coined" else model, theme, question, seed=3)
            if model == "coined":
                said = " ".join(f"x{word}" if len(word) > 4 else word for word in said.split())
            yield model, theme, question, said, "", ""


@pytest.mark.parametrize(("odd", "gate"), [("german", "other_language"), ("echo", "says_question_back")])
def test_that_a_model_that_says_the_same_in_other_words_is_not_said_to_differ(
    odd: str, gate: str, tmp_path: Path
) -> None:
    """Held against plain models alone, either was said to have answered differently."""
    with page(tmp_path, list(study(odd))) as told:
        found = of(told, odd)
        assert found.conclusion.outcome is ConclusionOutcome.CHECK_FAILED
        assert [each.voided_by for each in found.conclusion.measures] == [gate]
        assert "Words are not compared: " in " ".join(found.weighs)
        others = [each.conclusion for each in told.told if each is not found]
        assert not [each.model for each in others if each.outcome is ConclusionOutcome.DIFFERS]
        assert not [each.model for each in others if any(one.voided_by for one in each.measures)]


def test_that_who_differs_in_words_alone_is_said_to_use_other_words(tmp_path: Path) -> None:
    with page(tmp_path, list(study("coined"))) as told:
        found = of(told, "coined")
        assert found.conclusion.outcome is ConclusionOutcome.DIFFERS
        assert "coined answered these questions in other words than the 6 models compared." in found.sentence
        assert found.further == ("Whether they say something else, words alone do not show.",)
        assert told.headline.startswith("One of seven models answered in other words than the others.")
        assert "differently" not in "\n".join(told.lines)
