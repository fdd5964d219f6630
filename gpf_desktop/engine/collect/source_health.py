"""The health of a source, as one word that a page can show beside its icon."""

from enum import StrEnum

from gpf_desktop.storage.sources import SourceRow

TEXT_SCHEME = "text:"
"""Targets of pasted texts: what they held is stored, and nothing is fetched again."""


class Health(StrEnum):
    """The health of a source by the last try alone; what came before is in the articles."""

    NOT_TRIED = "not fetched yet"
    WORKING = "working"
    EMPTY = "nothing usable"
    FAILING = "failing"
    GONE = "no longer published"
    TEXT = "pasted text"


def health_of(row: SourceRow) -> Health:
    """The state of a source by its last fetch."""
    if row.target.startswith(TEXT_SCHEME):
        return Health.TEXT
    if row.gone:
        return Health.GONE
    if row.error:
        return Health.FAILING
    if row.succeeded is None:
        return Health.NOT_TRIED
    return Health.WORKING if row.kept else Health.EMPTY
