"""A model's reasoning is told from its answer."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("\n <think>cut off", "", "cut off"),
        ("<|im_start|>assistant\n<think>cut off", "", "cut off"),
        ("<think>a</think>\n<think>cut off", "", "a\n\ncut off"),
        ("a</think><think>cut off", "", "a\n\ncut off"),
        # In the middle a mark that nothing closes is a word of the answer.
        ("b<think>c", "b<think>c", ""),
        ("Write [think] on the board. Then sit down.", "Write [think] on the board. Then sit down.", ""),
        ("In HTML a <thought> is no tag. The rest stays.", "In HTML a <thought> is no tag. The rest stays.", ""),
        ("<think>a</think>Write [THINK] here. The rest stays.", "Write [THINK] here. The rest stays.", "a"),
        ("The word\n<scratchpad>\nstands alone. So it goes.", "The word\n<scratchpad>\nstands alone. So it goes.", ""),
        ("<think></think>b", "b", ""),
        ("a</think>\n" + "</think>\n " * 100_000 + "b", "b", "a"),
        ("analysisThe user is rich.assistantfinalThe council.", "The council.", "The user is rich."),
        ("analysisThe user is", "", "The user is"),
        ("x thinks<|end|><|start|>assistant<|channel|>final<|message|>Yes.", "Yes.", "x thinks"),
        ("<|inner_prefix|>a<|inner_suffix|>b", "b", "a"),
        ("<longcat_think>a</longcat_think>b", "b", "a"),
        ("<scratchpad>a</scratchpad>b", "b", "a"),
        ("<think>a</think><answer>b</answer>", "b", "a"),
        ("<answer>b</answer>", "<answer>b</answer>", ""),
        ("<think>\n\n</think>\n\nb", "b", ""),
    ],
)
def test_that_thinking_is_split_off(text: str, answer: str, reasoning: str) -> None:
    assert split_thinking(text) == (answer, reasoning)


@pytest.mark.slow
@given(st.lists(st.sampled_from(["<think>", "<Thinking>", "</think>", "</THINKING>", "a", " ", "<"]), max_size=12))
def test_that_blocks_are_those_that_one_pattern_finds(pieces: list[str]) -> None:
    text = "".join(pieces)
    block = re.compile(r"<(think|thinking)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
    whole = block.sub("", text)
    if not re.search("</?think", whole, re.IGNORECASE) and block.search(text):
        thoughts = [match[2].strip() for match in block.finditer(text)]
        assert split_thinking(text) == (whole.strip(), "\n\n".join(filter(None, thoughts)))


@pytest.mark.parametrize("piece", ["<think>", "<think><thinking>", "</think>", "<think></thinking>"])
def test_that_half_a_million_unclosed_tags_end(piece: str) -> None:
    answer, reasoning = split_thinking(piece * 500_000)
    assert len(answer) + len(reasoning) <= len(piece) * 500_000
