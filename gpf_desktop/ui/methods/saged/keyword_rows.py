"""Rows of the table of keywords: concept, keyword, kind, nearness, sentences."""

from collections.abc import Mapping, Sequence

from gpf_desktop.domain.tables import CellValue
from gpf_desktop.ui.widgets.editable_table import TextRow


def keywords_of(rows: Sequence[TextRow], concept: str) -> tuple[str, ...]:
    """Those of *concept*, in small letters or capitals; a keyword with a comma would be two."""
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
