"""The common base of most analyses, so that a file of one says only what its table is."""

from collections.abc import Iterable, Sequence

from gpf_desktop.domain.figures import Figure
from gpf_desktop.domain.findings import Column, Finding, Row
from gpf_desktop.domain.ports.analysis import Analysis


class TableAnalysis(Analysis, declares=True):
    """An analysis that makes one table, of its first version and without settings unless it says otherwise."""

    version = "1"

    def finding(
        self,
        columns: Sequence[Column],
        rows: Iterable[Row],
        *,
        reading: str,
        title: str = "",
        notes: Iterable[str] = (),
        empty: Iterable[str] = (),
        figures: Iterable[Figure] = (),
        highlights: Iterable[str] = (),
    ) -> Finding:
        """The table under the analysis' own name, and its own title where none is given.

        *notes* and *figures* belong to rows: a table without any has neither, but says what *empty* says.
        """
        made = tuple(rows)
        return Finding(
            name=self.name,
            title=title or self.title,
            columns=tuple(columns),
            rows=made,
            reading=reading,
            notes=tuple(notes if made else empty),
            figures=tuple(figures) if made else (),
            highlights=tuple(highlights),
        )
