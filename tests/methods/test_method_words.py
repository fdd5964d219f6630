"""What methods, reports and exports say is said in the reader's words, in sentences that can be repeated."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gpf_desktop

ROOT = Path(gpf_desktop.__file__).parent
ROOMS = ("methods", "engine/reporting", "engine/methods", "engine/scoring", "exporters", "figures", "stats")
SAID = {"tr", "trn", "Translated"}
COLUMNS = {"text", "count", "score", "p_value", "estimate", "share"}
SHOWN = {"label", "help", "add", "plain", "about", "higher"}
MOST_WORDS = 25

EXPERTS = re.compile(
    r"\bbundles?\b|\bidentit(y|ies)\b|identity-free|random[- ]labels?|\bdimensions?\b|prompt famil|\bparaphrases?\b"
    r"|\bcanonical\b|\bgenerations\b|\bleak(age|s)?\b|\bcalibration models?\b|\bconfirmatory\b|\bexploratory\b"
    r"|\brescor\w+|\bart[ei]facts?\b|\bprovisional\b|\bundecided\b|\bdisparit\w+|\brubrics?\b|\bcalibrated\b"
    r"|\bcells\b",
    re.IGNORECASE,
)
"""Words that pages have others for, unless they name a column of a file."""
SIGNS = re.compile(r"\bCFS\b|(?<!\w)R\*|ΔS|[σακδ]|\badjusted p\b|(?<!\w)[pzq] [≤<=]")
"""They stand in heads of the annex and in the tool tips of these."""
NAMES = re.compile(r"“[^”]*”|\([a-z_]+\)|\{[^}]*\}|\b\w+\.csv\b")
"""Columns of files by name, options, what is filled in."""
COLUMNS_NAMED = re.compile(r"\b[Cc]olumns?\b")


@cache
def spoken() -> tuple[tuple[str, str, bool], ...]:
    """(where, words, whether they stand in an annex or a tool tip alone), of everything that is read."""
    return tuple(
        (f"{path.relative_to(ROOT)}:{line}", words, annex)
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if path.name != "xlsx.py"  # heads of a workbook's columns are those of files
        for line, words, annex in _of(ast.parse(path.read_text(encoding="utf-8")))
    )


def _of(tree: ast.AST) -> Iterator[tuple[int, str, bool]]:
    annex: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in COLUMNS:
            plain = any(each.arg == "plain" for each in node.keywords)
            annex.update(id(each) for part in node.args[1 if plain else 2 :] for each in ast.walk(part))
        elif name == "Measure":
            heads = (each.value for each in node.keywords if each.arg in {"title", "short"})
            annex.update(id(each) for head in heads for each in ast.walk(head))
        elif name == "_p":
            annex.update(id(each) for each in ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAID:
            args = [each for each in node.args[:2] if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.keyword) and node.arg in SHOWN and isinstance(node.value, ast.Constant):
            args = [node.value]
        else:
            continue
        yield from ((each.lineno, each.value, id(each) in annex) for each in args if isinstance(each.value, str))


def test_that_no_word_of_experts_is_left_where_pages_have_their_own() -> None:
    found = [
        f"{where}: {words}"
        for where, words, annex in spoken()
        if not annex and not COLUMNS_NAMED.search(words) and EXPERTS.search(NAMES.sub("", words))
    ]
    assert found == []


def test_that_signs_stand_in_heads_of_the_annex_alone() -> None:
    found = [
        f"{where}: {words}" for where, words, annex in spoken() if not annex and SIGNS.search(NAMES.sub("", words))
    ]
    assert found == []


def test_that_sentences_have_no_more_words_than_can_be_repeated() -> None:
    found = [
        f"{where}: {len(sentence.split())} words: {sentence}"
        for where, words, _ in spoken()
        if not COLUMNS_NAMED.search(words)
        for sentence in re.split(r"(?<=[.?!:;])\s+", words)
        if len(sentence.split()) > MOST_WORDS
    ]
    assert found == []
