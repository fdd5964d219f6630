"""Analyses, which make tables from stored scores."""

from abc import abstractmethod
from typing import Any

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.ports.plug_in import WithOptions
from gpf_desktop.domain.score_tables import ScoreTables


class Analysis(WithOptions, declares=True):
    """Reads stored scores and returns a finding."""

    @abstractmethod
    def analyse(self, scores: ScoreTables, options: Any) -> Finding:
        """A finding about *scores*; where there is nothing to tell, one without rows, never an exception."""

    @property
    def closed(self) -> str:
        """The reason why its table is not shown unless somebody asks for it; empty: it is shown."""
        return ""

    @property
    def reads_replies(self) -> bool:
        """Whether it reads no more of `ScoreTables` than `replies`, `vectors`, `ratings` and `terms`, and no options:
        its finding is kept in the audit for as long as these stay the same."""
        return False
