"""The words that stand for each other as rows of a table: each concept's by kind, or pairs of words as they are."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpf_desktop.engine.core import catalogue

Rows = Sequence[Sequence[str]]


def are_pairs(columns: Sequence[str]) -> bool:
    """Whether a table of *columns* holds pairs."""
    return tuple(columns) == catalogue.benchmark_maker("saged").pair_columns


def concepts_in(columns: Sequence[str], rows: Rows) -> tuple[str, ...]:
    """Those that have words."""
    named = [name for row in rows for name in (row[:2] if are_pairs(columns) else row[:1])]
    return tuple(dict.fromkeys(filter(None, named)))


def words_data(columns: Sequence[str], rows: Rows, *, root: str, domain: str) -> dict[str, Any]:
    """What a file of replacements says: *rows* under *columns*, with *root* where it is one of the concepts."""
    known = {"root": root} if root in concepts_in(columns, rows) else {}
    words = {"pairs": _pairs(rows)} if are_pairs(columns) else {"concepts": _by_kind(columns[1:], rows)}
    return {"domain": domain, **known, **words}


def _pairs(rows: Rows) -> Mapping[str, Any]:
    made: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        if any(row):
            old, new, word, its = row
            pairs = made.setdefault(old, {}).setdefault(new, {})
            # A word that stands twice is refused where pairs are read, with its name.
            pairs[word] = [pairs[word], its] if word in pairs else its
    return made


def _by_kind(kinds: Sequence[str], rows: Rows) -> Mapping[str, Any]:
    return {
        row[0]: {
            kind: [word.strip() for word in cell.split(",") if word.strip()]
            for kind, cell in zip(kinds, row[1:], strict=True)
            if cell.strip(", ")
        }
        for row in rows
        if row[0]
    }
