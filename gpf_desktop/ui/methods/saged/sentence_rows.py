"""What was found, put behind the sentences that stand there."""

from collections.abc import Sequence

from gpf_desktop.domain.tables import CellValue
from gpf_desktop.ui.methods.saged.prompt_origins import ROOT
from gpf_desktop.ui.widgets.editable_table import TextRow


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
