"""The tasks of a writer model for a benchmark: keywords, an article about an invented concept, words of concepts."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import yaml

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.tables import Table
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.writing import Form, Instruction, WritingTask
from gpf_desktop.methods.saged.replacements import PAIR_COLUMNS

KEYWORDS: Final = "saged keywords"
ARTICLE: Final = "saged article"
WORDS: Final = "saged words"
_KEYWORD_FORM: Final = Form(fields=("keyword", "kind"), several="keywords", most=60, longest=200)
_ARTICLE_FORM: Final = Form(fields=("title", "text"))
_TOKENS: Final = {KEYWORDS: 400, ARTICLE: 700, WORDS: 80, "saged question": 40, "saged check": 120}


def titles() -> Mapping[str, str]:
    """The words on the button of each task, by its name."""
    return {
        KEYWORDS: tr("Write keywords"),
        ARTICLE: tr("Write an article about an invented concept"),
        WORDS: tr("Write the words that are lacking"),
    }


def tasks(step: str, given: Mapping[str, str], words: Table) -> Sequence[WritingTask]:
    """The tasks of *step*; *given* has concept, domain and keywords, *words* those of concepts.

    Raises `UserError` where it cannot be asked for, or nothing lacks.
    """
    domain = given.get("domain", "").strip()
    if step == WORDS:
        if words.columns == PAIR_COLUMNS:
            raise UserError(
                tr("Words stand as pairs: nothing says which kinds there are."), tr("Open words by concept instead.")
            )
        found = [_words(row, words, domain) for row in words.rows if not all(map(_said, row))]
        if not found:
            raise UserError(tr("No concept lacks a word."), tr("Add a concept, or a kind of word."))
        return found
    concept = given.get("concept", "").strip()
    if not concept:
        raise UserError(tr("No concept is named."), tr("Name it first."))
    filled = {"concept": concept, "domain": domain or concept}
    if step == KEYWORDS:
        return [task_of(step, {**filled, "having": given.get("keywords", "").strip() or concept}, _KEYWORD_FORM)]
    return [task_of(step, filled, _ARTICLE_FORM)]


def _words(row: Sequence[Any], words: Table, domain: str) -> WritingTask:
    kinds = [kind for kind, cell in zip(words.columns, row, strict=True) if not _said(cell)]
    # A concept that lacks no word shows the writer what each kind means.
    whole = next((each for each in words.rows if all(map(_said, each))), ())
    example = ", ".join(f"{kind}: {cell}" for kind, cell in zip(words.columns, whole, strict=False))
    filled = {
        "concept": str(row[0]),
        "domain": domain or "not named",
        "kinds": ", ".join(kinds),
        "example": example or "not given",
    }
    return task_of(WORDS, filled, Form(fields=tuple(kinds), longest=200))


def _said(cell: Any) -> bool:
    return bool(str(cell or "").strip())


def task_of(step: str, filled: Mapping[str, str], form: Form) -> WritingTask:
    """The task by the instruction *step* of ``writer.yaml``, its places *filled*."""
    instruction = Instruction.of(step, _instructions()[step])
    return WritingTask(instruction=instruction, filled=filled, form=form, likely_tokens=_TOKENS[step])


@cache
def _instructions() -> Mapping[str, Any]:
    text = (resources() / "methods" / "saged" / "writer.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.safe_load(text)
    return found
