"""One name for each verdict and severity, wherever a person reads it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpf_desktop
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.verdict_words import (
    SEVERITIES,
    judged,
    severity_anchor,
    severity_called,
    severity_example,
    verdict_called,
    verdict_question,
)

OTHER_NAMES = re.compile(
    r"artefact|fitting context|harmful (?:framing|or stereotyping)|difference in impact|^unsure$|severity \{"
    r"|\bReaders? (?:\{letter\}|of the plan)|severity [1-4]",
    re.IGNORECASE,
)


def strings() -> Iterator[tuple[str, str]]:
    """(file, text) of everything that is translated, and so shown; search words of commands are not."""
    root = Path(gpf_desktop.__file__).parent
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        sought = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.keyword) and each.arg == "words"}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("tr", "trn"):
                if id(node) in sought and "review_actions" in path.name:
                    continue
                for part in node.args:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield path.name, part.value


def test_that_no_text_calls_a_verdict_or_a_severity_otherwise() -> None:
    found = [(name, said) for name, said in strings() if OTHER_NAMES.search(said)]
    assert found == []


@pytest.mark.parametrize("verdict", Verdict)
def test_that_each_verdict_says_what_it_answers(verdict: Verdict) -> None:
    said = verdict_question(verdict)
    assert verdict_called(verdict)
    assert said.endswith("." if verdict is Verdict.UNSURE else "?")


def test_that_a_severity_is_told_with_its_word_and_only_of_a_harm() -> None:
    assert judged(Verdict.HARMFUL, 3) == "Harmful, 3 serious"
    assert judged(Verdict.CONTEXT, 3) == "Fits the reader"
    assert [severity_called(each) for each in SEVERITIES] == ["1 slight", "2 moderate", "3 serious", "4 severe"]
    assert len({severity_anchor(each) + severity_example(each) for each in SEVERITIES}) == len(SEVERITIES)
