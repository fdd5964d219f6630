"""Tables of the published study's shape, in which models stand side by side: a row for each question and, for each
model, its answer, judges' levels and their reasons.

``Question, Theme, Description, <Model>_Response, Bias Score (Judged by <Judge>), Explanation``
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gpf_desktop.documents.column_names import answerer
from gpf_desktop.documents.file_names import own_name
from gpf_desktop.documents.tables import told_apart

_SCORE: Final = re.compile(r"bias score(?: \(judged by (.+)\))?", re.IGNORECASE)
_EMBEDDING: Final = re.compile(r"embeddings?(?:[ _:(-]+(.+?)\)?)?", re.IGNORECASE)
SOME_JUDGE: Final = "judge"
SOME_ENCODER: Final = "encoder"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelColumns:
    """One model's columns, by the names under which rows hold their cells."""

    model: str
    """Empty: the table does not say whose answers it holds."""
    response: str
    judged: tuple[tuple[str, str, str], ...] = ()
    """(judge, column of levels, column of reasons or nothing)."""
    embedded: tuple[tuple[str, str], ...] = ()
    """(encoder, column of vectors)."""


def model_columns(header: Sequence[str], *, judge: str = SOME_JUDGE, encoder: str = SOME_ENCODER) -> list[ModelColumns]:
    """Each model's columns: levels, reasons and vectors belong to the response in front.

    *judge* and *encoder*: whose they are where a column does not say. Nothing where a column names models: such a table
    is long.
    """
    names = told_apart([name.lower() for name in header])
    if "model" in names:
        return []
    found: list[ModelColumns] = []
    # A file of many models has a column “Explanation” for each.
    for name, key in zip(header, names, strict=True):
        bare = name.strip()
        if (whose := answerer(bare)) is not None:
            found.append(ModelColumns(model=whose, response=key))
        elif found and (score := _SCORE.fullmatch(bare)):
            last = found[-1]
            found[-1] = replace(last, judged=(*last.judged, ((score[1] or judge).strip(), key, "")))
        elif found and found[-1].judged and bare.lower().startswith("explanation"):
            last = found[-1]
            named, level, _ = last.judged[-1]
            found[-1] = replace(last, judged=(*last.judged[:-1], (named, level, key)))
        elif found and (embedding := _EMBEDDING.fullmatch(bare)):
            last = found[-1]
            found[-1] = replace(last, embedded=(*last.embedded, ((embedding[1] or encoder).strip(), key)))
    return found


def named_by_files(found: Mapping[Path, Sequence[ModelColumns]]) -> dict[Path, list[ModelColumns]]:
    """*found* with every model named apart: one that several tables call alike, or that its table does not name, goes
    by what is its table's own in the names of the files."""
    often = Counter(each.model for columns in found.values() for each in columns)
    unclear = {table for table, columns in found.items() if any(not e.model or often[e.model] > 1 for e in columns)}
    named = {}
    for table, columns in found.items():
        own = own_name(table, sorted(unclear)) if table in unclear and len(unclear) > 1 else ""
        named[table] = [
            replace(each, model=own) if own and (not each.model or often[each.model] > 1) else each for each in columns
        ]
    return named


def in_heads(heads: Sequence[Sequence[str]]) -> dict[str, str]:
    """The facts that the names of columns tell in tables of the published study's shape, by field; empty where it is
    another."""
    wide = [each for head in heads for each in model_columns(head) if each.model]
    if not wide:
        return {}
    judged = [(judge, level) for each in wide for judge, level, _ in each.judged]
    told: dict[str, Iterable[str]] = {
        "model": (each.model for each in wide),
        "response": (each.response for each in wide),
        "judge": (judge for judge, _ in judged),
        "level": (level for _, level in judged),
    }
    return {name: ", ".join(dict.fromkeys(words)) for name, words in told.items()}


def columns_read(heads: Sequence[Sequence[str]]) -> set[str]:
    """The columns of models in tables of that shape."""
    found = [each for head in heads for each in model_columns(head)]
    judged = {column for each in found for _, level, reason in each.judged for column in (level, reason) if column}
    return judged | {each.response for each in found} | {column for each in found for _, column in each.embedded}


def whole_level(text: str) -> str:
    """A level where the cell holds one number from 1 to 10, alone or as the judge wrote it; else nothing."""
    found = re.fullmatch(r"\s*(?:bias score\s*:?\s*)?(\d{1,2})(?:[.,]0+)?(?:\s*/\s*10)?\s*", text, re.IGNORECASE)
    return found[1] if found and 1 <= int(found[1]) <= 10 else ""
