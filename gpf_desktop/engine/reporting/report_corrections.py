"""Corrected readings of answers, as a table of a report."""

from typing import Final

from gpf_desktop.domain.columns import text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.factor_words import cell_words
from gpf_desktop.storage import corrections

CORRECTION_TABLE: Final = "corrections"


def corrections_table(context: EngineContext, method: str | None) -> Finding | None:
    """A row for each corrected answer of *method*'s runs; None where there is none. Blocks."""
    found = context.audit.read(lambda c: corrections.every(c, method))
    if not found:
        return None
    places = context.audit.read(lambda c: corrections.places(c, found))
    return Finding(
        name=CORRECTION_TABLE,
        title=tr("Corrected answers"),
        columns=(
            text("model", tr("Model")),
            text("item", tr("Item")),
            text("place", tr("Where")),
            text("rules", tr("By the rules")),
            text("category", tr("Corrected to")),
            text("by", tr("By")),
            text("reason", tr("Reason")),
        ),
        rows=tuple(
            Row(
                values={
                    "model": places[cell].model,
                    "item": places[cell].item,
                    "place": " · ".join(cell_words(method or "", places[cell].coordinates)),
                    "rules": each.rules,
                    "category": each.category,
                    "by": f"{one.reviewer}, {one.at:%Y-%m-%d}",
                    "reason": one.reason,
                },
                bundles=BundleFilter(model=places[cell].model),
                synthetic=places[cell].synthetic,
            )
            for cell, one in found.items()
            for each in one.by_measure.values()
        ),
        reading=tr("A person's reading in place of the rules; every number above rests on the answers as corrected."),
    )
