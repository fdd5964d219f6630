"""A model's reasoning is told from its answer."""

import pytest

from gpf_desktop.domain.reasoning import split_thinking


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("Plain.", "Plain.", ""),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2", ""),
        ("<think>a</think>b", "b", "a"),
        ("<thinking>a</thinking>\n b", "b", "a"),
        ("<THINK>a</THINK>b", "b", "a"),
        ("<think>a</think>b<think>c</think>d", "bd", "a\n\nc"),
        ("a, whose opening the template wrote</think>b", "b", "a, whose opening the template wrote"),
        ("<think>cut off", "", "cut off"),
        ("b<think>cut off", "b", "cut off"),
        ("<think></think>b", "b", ""),
        ("<think>\n\n</think>\n\nb", "b", ""),
    ],
)
def test_that_thinking_is_split_off(text: str, answer: str, reasoning: str) -> None:
    assert split_thinking(text) == (answer, reasoning)
