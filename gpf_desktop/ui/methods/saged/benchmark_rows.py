"""Rows of the tables of a benchmark in the making: keywords, sentences, and words that stand for each other."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpf_desktop.domain.tables import CellValue
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.methods.saged.prompt_origins import ROOT
from gpf_desktop.ui.widgets.editable_table import TextRow

Rows = Sequence[Sequence[str]]


def keywords_of(rows: Sequence[TextRow], concept: str) -> tuple[str, ...]:
    """The keywords of *concept*, in small letters or capitals; a keyword with a comma would be two."""
    wanted = concept.strip().casefold()
    found = (row[1].strip() for row in rows if row[0].strip().casefold() == wanted)
    return tuple(dict.fromkeys(word for word in found if word and "," not in word))


def with_keywords(rows: Sequence[TextRow], concept: str, found: Sequence[Sequence[str]]) -> list[TextRow]:
    """*rows* with *found*, rows without their concept, behind them; one that stands there is told how near it is.

    The concept's own name goes before the first others.
    """
    made = list(rows) if keywords_of(rows, concept) else [*rows, (concept, concept, "root", "", "")]
    at = {(row[0].casefold(), row[1].casefold()): place for place, row in enumerate(made)}
    for written, *told in found:
        word = " ".join(written.split())
        place = at.setdefault((concept.casefold(), word.casefold()), len(made))
        if place < len(made):
            known = made[place]
            made[place] = (*known[:3], *(new or old for old, new in zip(known[3:], told[1:], strict=True)))
        elif word and "," not in word:
            made.append((concept, word, *told))
    return made


def cell_text(value: CellValue) -> str:
    """As it stands in the table."""
    return f"{value:.2f}" if isinstance(value, float) else str(value or "")


def fill_gaps(rows: list[list[str]], columns: Sequence[str], concept: str, record: Mapping[str, str]) -> None:
    """Put *record*, words of *concept* by kind, into gaps of *rows*; a dash stands for none."""
    for row in (each for each in rows if each[0] == concept):
        for at, kind in enumerate(columns):
            if not row[at].strip():
                row[at] = record.get(kind, "").strip("-–— ")


def with_sentences(
    columns: Sequence[str], rows: Sequence[TextRow], found: Sequence[Sequence[CellValue]]
) -> tuple[list[TextRow], int]:
    """*rows* with *found* behind them, and how many of *found* stood there already, word for word."""
    at, concept, sentence = (columns.index(name) for name in (ROOT, "concept", "sentence"))
    made = list(rows)
    taken = {row[at] for row in rows}
    known = {(row[concept], *row[sentence].split()) for row in rows}
    for each in found:
        cells = [str(cell or "") for cell in each]
        if (cells[concept], *cells[sentence].split()) in known:
            continue
        name, number = cells[at].rpartition("-")[0], 1 + len(taken)
        # Every search counts its sentences from 1: those of an earlier one keep their names.
        while cells[at] in taken:
            cells[at] = f"{name}-{number}"
            number += 1
        taken.add(cells[at])
        made.append(tuple(cells))
    return made, len(rows) + len(found) - len(made)


def are_pairs(columns: Sequence[str]) -> bool:
    """Whether a table of *columns* holds pairs."""
    return tuple(columns) == catalogue.benchmark_maker("saged").pair_columns


def concepts_in(columns: Sequence[str], rows: Rows) -> tuple[str, ...]:
    """The concepts that have words."""
    named = [name for row in rows for name in (row[:2] if are_pairs(columns) else row[:1])]
    return tuple(dict.fromkeys(filter(None, named)))


def words_data(columns: Sequence[str], rows: Rows, *, root: str, domain: str) -> dict[str, Any]:
    """The content of a file of replacements: *rows* under *columns*, with *root* where it is one of the concepts."""
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
